"""Anthropic Messages: how far a message reaches in a request that grows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from wiremend.dialects.anthropic.fields import NAME
from wiremend.dialects.anthropic.marks import MARK
from wiremend.dialects.anthropic.server_tools import is_served, served_id
from wiremend.dialects.anthropic.whole import has_thinking, is_prompt
from wiremend.dialects.base import SPLIT, Growth, Json, extras_of, tool_table
from wiremend.dialects.names import Alphabet
from wiremend.dialects.reaches import of_ids, of_names
from wiremend.model import Message, OpaquePart
from wiremend.projection.reach import EVERYWHERE, NEARBY, Reach, ReachOf


def growth_of(ids: Alphabet, names: Alphabet) -> Growth:
    """How requests grow whose ids and names are those that the API takes."""

    def reach(envelope: Mapping[str, Any]) -> ReachOf:
        declares = not tool_table(envelope)
        return lambda message: _reach(message, ids, names, declares=declares)

    return Growth(reach=reach, reads=("model", "thinking"), ends=("thinking",), thinks=_thinks)


def _reach(message: Message, ids: Alphabet, names: Alphabet, *, declares: bool) -> Reach:
    if _is_marked(message):
        return EVERYWHERE  # at most four marks are taken
    to_start = bool(message.tools) or SPLIT in extras_of(message, NAME)
    ties: list[Hashable] = []
    for data in _own(message):
        kind = data.get("type") if isinstance(data, dict) else None
        if _mentions(data, MARK):
            return EVERYWHERE
        if kind == "redacted_thinking":
            continue
        if is_served(data) and isinstance(served_id(data), str):
            ties.append(("served", served_id(data)))
        else:
            to_start = True
    calls = message.tool_calls
    holds = bool(ties)
    ties += of_ids(message, ids) + of_names(message, names)
    # Without a table each tool is defined that was ever called, in the order of the calls.
    firsts = tuple(("tool", call.name) for call in calls) if declares else ()
    if not (ties or firsts or to_start):
        return NEARBY
    return Reach(tuple(ties), firsts, holds=holds, to_start=to_start)


def _own(message: Message) -> list[Any]:
    """The blocks of the message that only this API understands."""
    return [p.data for p in message.content if type(p) is OpaquePart and p.provider == NAME]


def _is_marked(message: Message) -> bool:
    """Whether the message, a part or a call of it has a cache mark."""
    held: tuple[Any, ...] = (message, *message.content, *message.tool_calls)
    return any(
        value.extras and MARK in extras_of(value, NAME)
        for value in held
        if type(value) is not OpaquePart
    )


def _mentions(value: Any, name: str) -> bool:
    if isinstance(value, list):
        return any(_mentions(item, name) for item in value)
    if not isinstance(value, dict):
        return False
    return name in value or any(_mentions(item, name) for item in value.values())


def _thinks(messages: Sequence[Json], before: bool) -> bool:
    for message in reversed(messages):
        if message["role"] == "assistant":
            if has_thinking(message):
                return True
        elif is_prompt(message):
            return False
    return before
