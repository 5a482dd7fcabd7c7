"""Thinking that Anthropic ties to what came before it, and the way out where that was changed.

A newer model's thinking block is valid only behind the very system prompt, tools and messages that
it was made behind. Asked to, the API leaves out the blocks that are not: it says which, and goes
on. Source: platform.claude.com, "Preserved thinking".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BETA = "thinking-binding-controls-2026-08-01"
BETA_HEADER = "anthropic-beta"
_CHOICE = "prefix_mismatch_behavior"


def may_drop_blocks(body: Mapping[str, Any], dialect: str) -> bool:
    """Whether a request can ask for it: thinking is on, and the caller has not decided itself."""
    if dialect != "anthropic":
        return False
    thinking = body.get("thinking")
    if thinking is None:
        return True
    if not isinstance(thinking, dict) or thinking.get("type") == "disabled":
        return False
    binding = thinking.get("block_binding")
    return binding is None or (isinstance(binding, dict) and binding.get(_CHOICE) is None)


def dropping_blocks(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a request that asks for it; send it with ``BETA`` among ``BETA_HEADER``.

    Models that tie their thinking think adaptively where a request says nothing about it.
    """
    thinking = body.get("thinking") or {"type": "adaptive"}
    binding = thinking.get("block_binding") or {}
    return {
        **body,
        "thinking": {**thinking, "block_binding": {**binding, _CHOICE: "drop_block"}},
    }


def with_beta(header: str | None) -> str:
    """The value of ``BETA_HEADER`` with ``BETA`` in it, beside what it had."""
    names = [name.strip() for name in (header or "").split(",") if name.strip()]
    return ",".join(names if BETA in names else [*names, BETA])
