"""The simulated providers against the broken conversations that everybody shares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wiremend import DIALECTS
from wiremend.providers import simulated

if TYPE_CHECKING:
    from collections.abc import Container

_CASES = Path(__file__).parents[1] / "data" / "cases"
_DIALECTS = tuple(DIALECTS)
# The API merges neighbours of one role; only some gateways refuse them.
_TAKEN_TODAY = ("044-two-assistants-in-a-row",)
# OpenAI takes any text as arguments: these were reported of servers that parse it.
_PARSED = (
    "040-bad-arguments-text",
    "091-arguments-truncated-by-compactor",
    "095-arguments-empty-string",
)


def _read(path: Path) -> tuple[str, dict[str, Any], bool]:
    """The dialect a case is for, the case, and whether its request is sound."""
    case = json.loads(path.read_text())
    if path.parent.name == "reports":
        same = case["provider"] == case["wire_format"]
        return case["wire_format"] if same else "", case, case["status"] == 200
    return case["dialect"], case, case["unchanged"]


def _cases(*, sound: bool, among: Container[str] | None = None) -> list[Any]:
    paths = sorted(_CASES.rglob("*.json"))
    chosen = []
    for path in paths:
        dialect, case, is_sound = _read(path)
        dialect = "generic" if path.stem in _PARSED else dialect
        skipped = case.get("error_driven") or path.stem in _TAKEN_TODAY
        skipped = skipped or (among is not None and path.stem not in among)
        if dialect in _DIALECTS and is_sound is sound and not skipped:
            chosen.append(pytest.param(dialect, case, id=path.stem))
    missing = pytest.mark.skip(reason=f"no shared cases at {_CASES}")
    return chosen or [pytest.param("", {}, id="absent", marks=missing)]


@pytest.mark.parametrize(("dialect", "case"), _cases(sound=False))
def test_a_broken_case_is_refused(dialect: str, case: dict[str, Any]) -> None:
    reply = simulated(dialect).post(case["request"])
    assert reply.status == 400
    assert reply.error


@pytest.mark.parametrize(("dialect", "case"), _cases(sound=True))
def test_a_sound_case_is_accepted(dialect: str, case: dict[str, Any]) -> None:
    reply = simulated(dialect).post(case["request"])
    assert reply.accepted, reply.error


# The beginning of what the report says and what is said here, where both are the provider's own
# words of today; elsewhere the report has a gateway's or an older wording.
_SAME_WORDS = {
    "001-cancel-leaves-call-open": 200,
    "002-two-of-three-results": 80,
    "004-kill-and-resume": 80,
    "005-result-after-chatter": 200,
    "007-duplicate-use-id-same-message": 60,
    "008-duplicate-use-id-across-turns": 60,
    "009-duplicate-result": 120,
    "010-empty-text-block": 60,
    "014-five-cache-marks": 80,
    "015-trailing-space-prefill": 80,
    "016-starts-with-assistant": 60,
    "017-unsigned-thinking": 60,
    "021-png-label-on-jpeg": 160,
    "023-input-not-an-object": 80,
    "025-id-with-pipe": 80,
    "027-lone-surrogate": 60,
    "029-system-role-inside": 140,
    "031-truncation-cut-the-call": 110,
    "032-one-result-missing": 200,
    "033-user-between-call-and-result": 100,
    "037-null-content-without-calls": 60,
    "038-empty-tool-calls-array": 120,
    "055-gemini-count-mismatch": 130,
    "056-gemini-call-after-model": 100,
    "059-gemini-orphan-response": 80,
    "065-gemini-count-mismatch": 130,
    "066-gemini-starts-with-call": 100,
    "069-gemini-empty-part-beside-call": 60,
    "070-gemini-empty-model-turn": 100,
    "071-gemini-missing-thought-signature": 110,
    "001-dangling-call-then-user-text": 200,
    "002-parallel-partial-results": 200,
    "008-orphan-first-message": 200,
    "009-compaction-slice-partial-cover": 100,
    "016-orphan-beside-real-result": 200,
    "023-duplicate-call-same-message": 60,
    "024-duplicate-id-later-turn": 60,
    "047-leading-exchange-after-trim": 60,
    "050-empty-text-beside-call": 60,
    "051-whitespace-only-assistant": 60,
    "053-empty-message-content": 100,
    "056-cache-control-on-empty-text": 90,
    "058-trailing-whitespace-final-assistant": 80,
    "061-tool-content-null": 60,
    "064-empty-tool-calls-array": 120,
    "073-thinking-missing-before-call": 220,
    "076-foreign-unsigned-thinking": 60,
    "091-arguments-truncated-by-compactor": 38,
    "093-input-is-string": 80,
    "096-id-charset-anthropic": 80,
    "099-id-too-long-shared-prefix": 130,
    "105-server-tool-unfinished": 120,
    "108-media-type-mismatch-in-result": 160,
    "115-image-in-tool-message": 150,
    "060-bedrock-no-toolconfig": 200,
    "061-bedrock-missing-result": 200,
    "050-responses-orphan-output": 70,
    "051-responses-orphan-call": 50,
    "013-orphan-responses-window": 70,
    "014-dangling-responses-interrupt": 50,
    "082-responses-reasoning-without-successor": 90,
    "084-responses-duplicate-reasoning": 90,
    "086-responses-foreign-item-id": 80,
    "087-responses-input-text-on-assistant": 100,
    "089-responses-chat-shaped-items": 95,
}


@pytest.mark.parametrize(("dialect", "case"), _cases(sound=False, among=_SAME_WORDS))
def test_a_broken_case_is_refused_in_the_words_of_its_report(
    dialect: str, case: dict[str, Any]
) -> None:
    length = _SAME_WORDS[case["id"]]
    reported = case.get("provider_error") or case["error"]
    assert simulated(dialect).post(case["request"]).error[:length] == reported[:length]
