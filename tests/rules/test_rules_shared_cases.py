"""The rules against the broken conversations of public reports, where these are at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wiremend import DIALECTS
from wiremend.rules import check

CASES = Path(__file__).parents[1] / "data" / "cases"
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
        # A case in another provider's format has to be converted before its own can judge it.
        if case["for"] in DIALECTS and case.get("wire_format", case["for"]) == case["for"]:
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


# Reports whose error is a description, comes from another server or tells one fault of two.
OTHER_WORDS = {
    *("003-compacted-away-call", "011-whitespace-assistant", "005-result-after-chatter"),
    *("036-orphan-in-the-middle", "040-bad-arguments-text"),
    *("002-two-of-three-results", "004-kill-and-resume", "033-user-between-call-and-result"),
    *("003-parallel-reject-one-of-two", "019-custom-message-before-result"),
    *("021-assistant-text-before-result", "025-duplicate-result-repeated"),
    *("028-call-encoded-twice", "029-results-split-over-user-messages"),
    *("091-arguments-truncated-by-compactor", "095-arguments-empty-string"),
    *("110-media-type-unsupported", "111-image-not-an-image", "113-request-too-large-screenshots"),
    *("069-gemini-empty-part-beside-call", "071-gemini-missing-thought-signature"),
    *("027-lone-surrogate", "120-lone-surrogate-text", "044-two-assistants-in-a-row"),
}


@pytest.mark.parametrize("case", _cases())
def test_the_provider_is_quoted_in_the_words_of_the_report(case: dict[str, Any]) -> None:
    if not case or _is_valid(case) or case["id"] in OTHER_WORDS:
        return
    words = [found.provider_error for found in check(case["request"], case["for"])]
    assert (case.get("error") or case["provider_error"]) in words


@pytest.mark.parametrize("case", _cases())
def test_no_text_of_the_conversation_is_repeated(case: dict[str, Any]) -> None:
    for found in check(case["request"], case["for"]):
        for text in case.get("keep", ()):
            if " " in text:
                assert text not in found.message + found.provider_error
