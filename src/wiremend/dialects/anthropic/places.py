"""Anthropic Messages: the blocks of a body with their places, and a body with some replaced.

A written body shares much with the caller's own, so nothing in it is changed where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from wiremend.dialects.base import Json

Place: TypeAlias = tuple[str | int, ...]

_DEEPEST = 3
"""Blocks in blocks: a text in a document in a tool result."""


def tools_and_system(body: Json) -> Iterator[tuple[Place, Json]]:
    """The definitions and the blocks of the system prompt, in the order in which they are read."""
    for field in ("tools", "system"):
        yield from _objects(body.get(field), (field,))


def blocks_in_messages(body: Json, field: str) -> Iterator[tuple[Place, Json]]:
    """The blocks of the messages that have this field, or others inside of them, and those.

    In order, those in results and documents behind their own.
    """
    for index, message in enumerate(body["messages"]):
        content = message["content"]
        for number, block in enumerate(content if isinstance(content, list) else ()):
            # Nearly all have neither: no place is made for those.
            if isinstance(block, dict) and (field in block or _may_hold(block)):
                yield from _with_inner(block, ("messages", index, "content", number), 1)


def _may_hold(block: Json) -> bool:
    return isinstance(block.get("content"), list) or isinstance(block.get("source"), dict)


def _with_inner(block: Json, place: Place, depth: int) -> Iterator[tuple[Place, Json]]:
    yield place, block
    if depth == _DEEPEST:
        return
    held, at = inner_blocks(block)
    for inner_place, inner in _objects(held, (*place, *at)):
        yield from _with_inner(inner, inner_place, depth + 1)


def inner_blocks(block: Json) -> tuple[Any, Place]:
    """What may be the list of blocks inside of a block, and the steps to it."""
    kind, source = block.get("type"), block.get("source")
    if kind == "document" and isinstance(source, dict):
        return source.get("content"), ("source", "content")
    if kind in ("tool_result", "search_result"):
        return block.get("content"), ("content",)
    return None, ()


def replaced(body: Json, changes: Mapping[Place, Any]) -> Json:
    """The body with other values at some places; None takes away what is there.

    The containers on the way are copied, each once. No place lies inside of another.
    """
    copies: dict[Place, Any] = {(): dict(body)}
    for place, value in changes.items():
        for depth in range(1, len(place)):
            outer, step = copies[place[: depth - 1]], place[depth - 1]
            if place[:depth] not in copies:
                copies[place[:depth]] = outer[step] = outer[step].copy()
        if value is None:
            del copies[place[:-1]][place[-1]]
        else:
            copies[place[:-1]][place[-1]] = value
    whole: Json = copies[()]
    return whole


def _objects(value: Any, place: Place) -> Iterator[tuple[Place, Json]]:
    for index, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            yield (*place, index), item
