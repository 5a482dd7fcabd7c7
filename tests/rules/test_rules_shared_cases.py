"""The rules against the broken conversations of public reports, where these are at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wiremend.rules import check

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
DIALECTS = ("openai-chat", "anthropic")
# Neighbours of one role are one turn in today's documentation; the report is of an older API.
TAKEN_TODAY = {"044-two-assistants-in-a-row"}


def _cases() -> list[Any]:
    if not CASES.is_dir():
        skip = pytest.mark.skip(reason="the shared cases are not here")
        return [pytest.param({}, id="none", marks=skip)]
    found = []
    for path in sorted(CASES.rglob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        case["for"] = case.get("provider", case.get("dialect"))
        if case["for"] in DIALECTS:
            found.append(pytest.param(case, id=path.stem))
    return found


def _is_valid(case: dict[str, Any]) -> bool:
    return bool(case.get("unchanged")) or "-keep-" in case["id"] or case["id"] in TAKEN_TODAY


@pytest.mark.parametrize("case", _cases())
def test_a_valid_case_breaks_no_rule_and_a_broken_one_breaks_some(case: dict[str, Any]) -> None:
    violations = check(case["request"], case["for"])
    if _is_valid(case):
        assert violations == []
    elif not case.get("error_driven"):
        assert violations


@pytest.mark.parametrize("case", _cases())
def test_no_text_of_the_conversation_is_repeated(case: dict[str, Any]) -> None:
    for found in check(case["request"], case["for"]):
        for text in case.get("keep", ()):
            if " " in text:
                assert text not in found.message + found.provider_error
