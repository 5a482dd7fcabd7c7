"""What the name of a Claude model tells about the requests that it takes."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

Version: TypeAlias = tuple[int, int]

# Dates stand where a minor version may: a number of more than two digits is none.
_NUMBER = r"(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?"
_FAMILY_FIRST = re.compile(rf"claude-([a-z]+)(?:-{_NUMBER})?")
_NUMBER_FIRST = re.compile(rf"claude-{_NUMBER}-([a-z]+)")
_SINCE_FIVE = frozenset({"fable", "mythos"})


def model_version(model: Any) -> tuple[str, Version] | None:
    """Family and version of a Claude model id, with any prefix and suffix of a cloud.

    ``claude-opus-4-8-20260528`` gives ``("opus", (4, 8))``. None for what is no such id.
    """
    if not isinstance(model, str):
        return None
    model = model.lower()
    if found := _NUMBER_FIRST.search(model):
        return found[3], (int(found[1]), int(found[2] or 0))
    if not (found := _FAMILY_FIRST.search(model)):
        return None
    if found[2]:
        return found[1], (int(found[2]), int(found[3] or 0))
    return (found[1], (5, 0)) if found[1] in _SINCE_FIVE else None


def takes_system_messages(model: Any) -> bool:
    """Whether a system message may stand among the messages (Claude Opus 4.8 and later)."""
    return _since(model, (4, 8))


def refuses_prefill(model: Any) -> bool:
    """Whether a final assistant message is refused (Claude 4.6 and later)."""
    return _since(model, (4, 6))


def thinks_by_default(model: Any) -> bool:
    """Whether a request that says nothing of thinking has it on."""
    return _since(model, (5, 0))


def _since(model: Any, first: Version) -> bool:
    found = model_version(model)
    return found is not None and found[1] >= first
