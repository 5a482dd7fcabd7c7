"""Anthropic Messages, simulated: what depends on the model's generation."""

from __future__ import annotations

import re
from typing import Any

# The families that began after the numbered ones had learned all of this.
_NEW_FAMILIES = re.compile(r"fable|mythos")
# `claude-opus-4-6`, `claude-3-5-sonnet-20241022`, `anthropic/claude-sonnet-4.5`; the date of
# `claude-sonnet-4-20250514` is no minor version.
_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?")


# `us.anthropic.claude-…` is the name of a model on Amazon Bedrock, `claude-…@20250929` on Google
# Cloud; `anthropic/claude-…` is a router's.
_IN_A_CLOUD = re.compile(r"(^|[./:])anthropic\.claude|^claude-[^/]*@")


def _generation(model: Any) -> tuple[int, int] | None:
    name = model.lower() if isinstance(model, str) else ""
    if _NEW_FAMILIES.search(name):
        return (5, 0)
    found = _VERSION.search(name)
    return (int(found[1]), int(found[2] or 0)) if found else None


def is_in_a_cloud(model: Any) -> bool:
    """Whether this is how Amazon Bedrock or Google Cloud name a model."""
    return isinstance(model, str) and _IN_A_CLOUD.search(model.lower()) is not None


def takes_system_messages(model: Any) -> bool:
    """Whether a system message may stand among the messages (Claude 4.8 and later)."""
    generation = _generation(model)
    return generation is not None and generation >= (4, 8)


def takes_prefill(model: Any) -> bool:
    """Whether the conversation may end with an assistant message (before Claude 4.6)."""
    generation = _generation(model)
    return generation is None or generation < (4, 6)


def thinks_unasked(model: Any) -> bool:
    """Whether thinking is on where the request says nothing of it (Claude 5)."""
    generation = _generation(model)
    return generation is not None and generation >= (5, 0)
