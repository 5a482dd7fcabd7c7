"""Broken conversations from public bug reports, each asserted on its own expectations.

``tests/data/cases`` holds them; its README tells the fields. Only the formats that have a dialect
are run, for the provider that they were sent to where that provider is one.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import wiremend
from tests.cases.evaluate import failures
from tests.judges import sdk_objections
from wiremend.providers import simulated

CASES = Path(__file__).parents[1] / "data" / "cases"
Case = dict[str, Any]

NOT_REFUSED = {
    "044-two-assistants-in-a-row": "today's documentation: neighbours of one role are merged",
}
"""Cases whose request the provider's documentation of today takes."""


SPOKEN_BY = {
    "openai-chat": ("kimi", "deepseek", "mistral", "qwen", "openrouter", "generic"),
}
"""Providers that have a dialect of their own and speak another one's format."""


def load(folder: Path) -> list[Case]:
    cases = []
    for path in sorted(folder.glob("*.json")):
        case: Case = json.loads(path.read_text(encoding="utf-8"))
        case["format"] = case.get("dialect") or case["wire_format"]
        case["for"] = case.get("dialect") or case["provider"]
        if case["format"] in SPOKEN_BY and case["for"] in SPOKEN_BY[case["format"]]:
            case["format"] = case["for"]
        cases.append(case)
    return cases


def ours(cases: list[Case]) -> list[Any]:
    """The cases whose format and provider have a dialect, as test parameters."""
    return [
        pytest.param(case, id=case["id"])
        for case in cases
        if case["format"] == case["for"] and case["for"] in wiremend.DIALECTS
    ]


PLAIN = load(CASES)
REPORTS = load(CASES / "reports")
EVERY = ours(PLAIN) + ours(REPORTS)


NEEDS_ITS_OWN_DIALECT = {"034-bedrock-llama-text-beside-result"}
"""Faults that only their provider has, whose dialect is not there yet."""

TAKEN_BY_OPENAI = {
    "036-mistral-user-after-tool",
    "038-mistral-id-format",
    "040-mistral-last-role-assistant",
    "042-mistral-reasoning-field",
    "043-two-user-in-a-row-template",
    "048-system-in-the-middle",
    "052-kimi-empty-assistant",
    "079-kimi-reasoning-missing",
    "119-tool-content-list",
}
"""Faults of a compatible server; OpenAI itself takes the request."""

ELSEWHERE = [
    pytest.param(case, id=case["id"])
    for case in REPORTS
    if case["format"] in wiremend.DIALECTS
    and case["for"] != case["format"]
    and case["id"] not in NEEDS_ITS_OWN_DIALECT
    # Bedrock alone wants the order of the calls.
    and case["id"] != "031-bedrock-split-and-reversed"
]


def options(case: Case) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in case.get("policy", "default").split(","):
        name, _, value = word.partition("=")
        if name in ("media", "duplicates"):
            found[name] = value
        elif name == "strict":
            found["strict"] = True
    return found


def is_sound(case: Case) -> bool:
    return bool(case.get("unchanged")) or case.get("checks") == ["unchanged"]


def mended(case: Case) -> wiremend.Fixed:
    return wiremend.fix(case["request"], case["for"], **options(case))


@pytest.mark.parametrize("case", EVERY)
def test_the_fault_is_found_and_a_sound_request_is_left_in_peace(case: Case) -> None:
    violations = wiremend.check(case["request"], case["for"])
    if is_sound(case):
        assert violations == []
    elif not case.get("error_driven") and case["id"] not in NOT_REFUSED:
        assert violations


@pytest.mark.parametrize("case", EVERY)
def test_what_comes_out_is_taken_by_every_judge(case: Case) -> None:
    fixed = mended(case)
    assert wiremend.check(fixed.body, case["for"]) == []
    assert simulated(case["for"]).post(fixed.body).error == ""
    assert sdk_objections(fixed.body, case["for"]) == []


@pytest.mark.parametrize("case", [p for p in EVERY if is_sound(p.values[0])])
def test_a_sound_request_comes_out_as_it_went_in(case: Case) -> None:
    before = copy.deepcopy(case["request"])
    fixed = mended(case)
    assert fixed.body == before
    assert fixed.anomalies == ()


@pytest.mark.parametrize("case", ours(PLAIN))
def test_what_has_to_stay_stays_and_what_has_to_go_goes(case: Case) -> None:
    body = mended(case).body
    texts = (
        json.dumps(body, ensure_ascii=False),
        json.dumps(body, ensure_ascii=False).replace("\\", ""),
    )
    for kept in case["keep"]:
        assert any(kept in text for text in texts), kept
    for gone in case["absent"]:
        assert gone not in texts[0]


@pytest.mark.parametrize("case", ours(REPORTS))
def test_each_check_of_a_report_holds(case: Case) -> None:
    checks = [check for check in case["checks"] if not check.startswith("valid for")]
    assert failures(checks, mended(case).body, case["request"]) == []


@pytest.mark.parametrize("case", [p for p in EVERY if not is_sound(p.values[0])])
def test_every_repair_of_a_case_is_reported_and_made_once(case: Case) -> None:
    fixed = mended(case)
    again = wiremend.fix(fixed.body, case["for"], **options(case))
    assert fixed.anomalies or case["id"] in NOT_REFUSED
    assert again.body == fixed.body
    assert again.anomalies == ()


@pytest.mark.parametrize("case", ELSEWHERE)
def test_a_fault_that_every_server_of_a_format_has_is_mended_for_its_own_provider(
    case: Case,
) -> None:
    fixed = wiremend.fix(case["request"], case["format"], **options(case))
    checks = [check for check in case["checks"] if not check.startswith("valid for")]
    assert failures(checks, fixed.body, case["request"]) == []
    assert simulated(case["format"]).post(fixed.body).error == ""


@pytest.mark.parametrize("case_id", sorted(NEEDS_ITS_OWN_DIALECT | TAKEN_BY_OPENAI))
def test_a_fault_of_one_provider_alone_is_none_of_its_format(case_id: str) -> None:
    (case,) = [case for case in REPORTS if case["id"] == case_id]
    assert wiremend.check(case["request"], case["wire_format"]) == []
