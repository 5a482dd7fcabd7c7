"""Histories of other formats as Converse requests, the reports that were sent to Bedrock first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wiremend
from tests.cases.evaluate import failures
from tests.converse import converse_objections
from wiremend.providers import simulated

REPORTS = Path(__file__).parents[1] / "data" / "cases" / "reports"
CLAUDE = "anthropic.claude-sonnet-4-5-20250929-v1:0"


def converted(request: dict[str, Any], dialect: str, model: str = CLAUDE) -> wiremend.Fixed:
    """What ``request`` says, written for Bedrock; the tools of the request do not come along."""
    history = wiremend.DIALECTS[dialect].decode(request, lambda _: None).history
    return wiremend.request(history, "bedrock", {"modelId": request.get("model", model)})


def cases(**wanted: str) -> list[Any]:
    found = []
    for path in sorted(REPORTS.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        if all(case[name] == value for name, value in wanted.items()):
            found.append(pytest.param(case, id=case["id"]))
    return found


@pytest.mark.parametrize("case", cases(provider="bedrock", wire_format="anthropic"))
def test_each_check_of_a_report_holds_for_its_history_in_converse(case: dict[str, Any]) -> None:
    body = converted(case["request"], "anthropic").body
    checks = [check for check in case["checks"] if not check.startswith("valid for")]
    assert failures(checks, body, case["request"]) == []
    assert wiremend.check(body, "bedrock") == []
    assert simulated("bedrock").post(body).error == ""
    assert converse_objections(body) == []


@pytest.mark.parametrize("case", cases(wire_format="anthropic") + cases(wire_format="openai-chat"))
def test_every_history_of_another_format_is_taken(case: dict[str, Any]) -> None:
    request = {**case["request"], "model": CLAUDE}
    body = converted(request, case["wire_format"]).body
    assert wiremend.check(body, "bedrock") == []
    assert simulated("bedrock").post(body).error == ""
    assert converse_objections(body) == []
    assert wiremend.fix(body, "bedrock") == wiremend.Fixed(body, ())


@pytest.mark.parametrize("case", cases(wire_format="anthropic"))
def test_a_history_goes_back_to_where_it_came_from(case: dict[str, Any]) -> None:
    body = converted({**case["request"], "model": CLAUDE}, "anthropic").body
    history = wiremend.DIALECTS["bedrock"].decode(body, lambda _: None).history
    back = wiremend.request(history, "anthropic", {"model": "claude-sonnet-4-5"}).body
    assert wiremend.check(back, "anthropic") == []
    assert simulated("anthropic").post({"max_tokens": 9, **back}).error == ""
