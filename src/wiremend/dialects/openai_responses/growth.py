"""OpenAI Responses: how far a message reaches in a request that grows.

Where a result stands apart from its call, each message remembers its place, and nothing is near.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from wiremend.dialects.base import Growth, extras_of
from wiremend.dialects.names import Alphabet
from wiremend.dialects.openai_responses.fields import AT, ITEM, NAME, PLACE
from wiremend.dialects.openai_responses.tools import NAMES as TOOL_NAMES
from wiremend.dialects.reaches import NAMES, of_ids, of_names
from wiremend.model import Message, OpaquePart
from wiremend.projection.reach import EVERYWHERE, NEARBY, Reach, ReachOf

_MADE = "$made"
"""The mark of items that get another id, which must be none of those that are there."""
_IN_NEED = ("local_shell_call", "computer_call")


def growth_of(ids: Alphabet) -> Growth:
    """How requests grow whose call ids are those that the API takes."""

    def reach(_: Mapping[str, Any]) -> ReachOf:
        return lambda message: _reach(message, ids)

    return Growth(reach=reach, reads=("model", "store"))


def _reach(message: Message, ids: Alphabet) -> Reach:
    kept = extras_of(message, NAME)
    if AT in kept:
        return EVERYWHERE
    ties: list[Hashable] = of_ids(message, ids)
    ties += [NAMES] if message.tools else of_names(message, TOOL_NAMES)
    for item in _items(message):
        # An id is there once, and reasoning goes by it.
        if isinstance(item.get("id"), str):
            ties.append(("item", item["id"]))
        if item.get("type", item.get("$type")) in _IN_NEED:
            ties.append(_MADE)
    # The instructions are what comes first, and only there.
    to_start = PLACE in kept
    return Reach(tuple(ties), to_start=to_start) if ties or to_start else NEARBY


def _items(message: Message) -> Iterator[Mapping[str, Any]]:
    """The fields of items that a message was read from."""
    held: tuple[Any, ...] = (message, *message.content, *message.tool_calls)
    for value in held:
        if type(value) is OpaquePart:
            kept = value.data if value.provider == NAME else None
        else:
            kept = extras_of(value, NAME) if value.extras else None
        if isinstance(kept, dict):
            yield kept
            if isinstance(kept.get(ITEM), dict):
                yield kept[ITEM]
