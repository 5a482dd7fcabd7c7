"""Thinking that is tied to another beginning: how a request asks to have it left out."""

from __future__ import annotations

from typing import Any

import pytest

from wiremend.recovery import classify
from wiremend.recovery.thinking import BETA, dropping_blocks, may_drop_blocks, with_beta

_BOUND = (
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a "
    "different conversation. Remove the block, or set `thinking.block_binding."
    'prefix_mismatch_behavior` to "drop_block".'
)


def test_the_refusal_is_recognised_apart_from_other_invalid_signatures() -> None:
    found = classify(400, _BOUND, "anthropic")
    assert (found.error_class, found.rules) == ("structure", ("WM214",))
    assert found.pointer == "/messages/1/content/0"
    assert found.next_policy == {"thinking": "drop_block"}
    other = classify(400, "messages.1.content.0: Invalid `signature` in `thinking` block")
    assert other.next_policy == {"structure": "strict"}


@pytest.mark.parametrize(
    ("thinking", "written"),
    [
        (None, {"type": "adaptive"}),
        ({"type": "enabled", "budget_tokens": 9}, {"type": "enabled", "budget_tokens": 9}),
        ({"type": "adaptive", "block_binding": None}, {"type": "adaptive"}),
        ({"type": "adaptive", "block_binding": {"x": 1}}, {"type": "adaptive", "x": 1}),
    ],
)
def test_what_the_request_says_of_thinking_stays(thinking: Any, written: dict[str, Any]) -> None:
    body = {"model": "m"} if thinking is None else {"model": "m", "thinking": thinking}
    assert may_drop_blocks(body, "anthropic")
    made = dropping_blocks(body)
    binding = made["thinking"].pop("block_binding")
    assert binding.pop("prefix_mismatch_behavior") == "drop_block"
    assert {**made["thinking"], **binding} == written
    assert body.get("thinking") == thinking, "the input is not changed"
    assert not may_drop_blocks(dropping_blocks(body), "anthropic")


@pytest.mark.parametrize(
    ("thinking", "dialect"),
    [
        ({"type": "disabled"}, "anthropic"),
        ({"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "error"}}, "anthropic"),
        ("loud", "anthropic"),
        (None, "openai-chat"),
    ],
)
def test_a_caller_who_decided_otherwise_is_not_overruled(thinking: Any, dialect: str) -> None:
    assert not may_drop_blocks({"thinking": thinking}, dialect)


def test_the_header_keeps_what_it_had() -> None:
    assert with_beta(None) == BETA
    assert with_beta("a-2025, b-2026") == f"a-2025,b-2026,{BETA}"
    assert with_beta(f"{BETA},a-2025") == f"{BETA},a-2025"
