"""Which piece of a mended conversation is which piece of the log: the way back into records.

A repair gives a whole new body. What did not change in it is found again by its value, what was
renamed or cut by what it is about, so that a record keeps all that the log says about it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, NamedTuple

from wiremend.logs.base import Json, Piece

_LOOKAHEAD = 8
_RENAMED = re.compile(r"__[0-9]+$")


class Spoken(NamedTuple):
    """A piece of a mended body; ``message`` counts the messages."""

    role: str
    value: Any
    message: int


class Slot(NamedTuple):
    """Pieces that follow each other in one record: one of the log, or (None) a new one.

    ``source`` is the record that pieces of a new one come from, if they were only moved.
    """

    record: int | None
    source: int | None
    pieces: list[Spoken]


def align(before: Sequence[Piece], after: Sequence[Spoken]) -> list[int | None]:
    """For each piece of ``after`` the index in ``before`` of what it was; None: it is new."""
    origins: list[int | None] = [None] * len(after)
    at = 0
    for index, piece in enumerate(after):
        window = range(at, min(at + _LOOKAHEAD, len(before)))
        same = next((n for n in window if _equal(before[n], piece)), None)
        if same is not None:
            origins[index] = same
            at = same + 1
    for key in (_value, _subject, _work):
        _match(before, after, origins, key)
    _match_between(before, after, origins)
    return origins


def _equal(one: Piece, other: Spoken) -> bool:
    return one.role == other.role and (one.value is other.value or one.value == other.value)


def _value(role: str, value: Any) -> Any:
    # The standard library takes halves of surrogate pairs.
    return role, json.dumps(value, sort_keys=True)


def _subject(role: str, value: Any) -> Any:
    """The call that a piece makes or answers, whatever it is renamed to."""
    if not isinstance(value, dict):
        return None
    kind, value = _named(value)
    for name in ("tool_use_id", "tool_call_id", "call_id", "id"):
        found = value.get(name)
        if isinstance(found, str) and found:
            return role, kind, name, _RENAMED.sub("", found)
    calls = value.get("tool_calls")
    if isinstance(calls, list) and calls:
        ids = (call.get("id") for call in calls if isinstance(call, dict))
        return (
            role,
            "calls",
            tuple(_RENAMED.sub("", i) if isinstance(i, str) else None for i in ids),
        )
    return None


def _named(value: Json) -> tuple[str, Json]:
    """The kind of a piece, and its fields: Gemini's are inside of one that is named by the kind."""
    for name in ("functionCall", "functionResponse"):
        if isinstance(value.get(name), dict):
            return name, value[name]
    return str(value.get("type") or value.get("role")), value


def _work(role: str, value: Any) -> Any:
    """What a call does or a result says, whatever its id became."""
    if not isinstance(value, dict) or not any(name in value for name in _OF_CALLS):
        return None
    kind, fields = _named(value)
    kept = {name: field for name, field in fields.items() if name not in _IDS}
    return _value(role, [kind, kept])


_OF_CALLS = ("tool_use_id", "call_id", "name", "functionCall", "functionResponse")
_IDS = ("id", "tool_use_id", "tool_call_id", "call_id")


def _match(
    before: Sequence[Piece],
    after: Sequence[Spoken],
    origins: list[int | None],
    key: Callable[[str, Any], Any],
) -> None:
    """Match what is left over by a key: with what stood in its place, or else with the first."""
    if None not in origins:
        return
    used = set(origins)
    homes: dict[Any, list[int]] = {}
    for index, piece in enumerate(before):
        # The result of another call of the same name is no result that is awaited.
        is_apart = index in used or (piece.home is None and key is _subject)
        if not is_apart and (found := key(piece.role, piece.value)) is not None:
            homes.setdefault(found, []).append(index)
    for index, said in enumerate(after):
        if origins[index] is None and homes and (found := key(said.role, said.value)) is not None:
            waiting = homes.get(found)
            if waiting:
                start, end = _between(origins, index, len(before))
                near = next((one for one in waiting if start <= one < end), waiting[0])
                waiting.remove(near)
                origins[index] = near


def _between(origins: Sequence[int | None], index: int, end: int) -> tuple[int, int]:
    """The pieces between the origins of the nearest neighbours that have one."""
    behind = (origins[n] for n in range(index - 1, -1, -1))
    ahead = (origins[n] for n in range(index + 1, len(origins)))
    last = next((one for one in behind if one is not None), -1)
    return last + 1, next((one for one in ahead if one is not None), end)


def _match_between(
    before: Sequence[Piece], after: Sequence[Spoken], origins: list[int | None]
) -> None:
    """Match what stands alone between the same neighbours: it was changed where it stood."""
    used = set(origins)
    for index, said in enumerate(after):
        if origins[index] is not None or _subject(said.role, said.value) is not None:
            continue
        for place in range(*_between(origins, index, len(before))):
            piece = before[place]
            if place not in used and _alike(piece, said):
                origins[index] = place
                used.add(place)
                break


def _alike(piece: Piece, said: Spoken) -> bool:
    if piece.role != said.role or _subject(piece.role, piece.value) is not None:
        return False
    one, other = (v.get("type") if isinstance(v, dict) else None for v in (piece.value, said.value))
    return bool(one == other)


def arrange(
    before: Sequence[Piece], after: Sequence[Spoken], containers: Container[int] = ()
) -> Iterator[Slot]:
    """The pieces in their order, each run of them with the record that shall hold it.

    A piece that left its place, and one that is new, get a new record; inside of a record that is
    itself a list (``containers``) they need none. What stands for the time after the log is left
    out.
    """
    ranks: dict[int, int] = {}
    for piece in before:
        if piece.home is not None:
            ranks.setdefault(piece.home.record, len(ranks))
    slot: Slot | None = None
    rank = -1
    for said, origin in zip(after, align(before, after), strict=True):
        home = before[origin].home if origin is not None else None
        if origin is not None and home is None:
            continue
        source = home.record if home is not None else None
        if slot is not None and _belongs(slot, said, source, containers):
            slot.pieces.append(said)
            continue
        if slot is not None:
            yield slot
        is_in_order = source is not None and ranks[source] > rank
        slot = Slot(source if is_in_order else None, source, [said])
        rank = ranks[source] if source is not None and is_in_order else rank
    if slot is not None:
        yield slot


def _belongs(slot: Slot, said: Spoken, source: int | None, containers: Container[int]) -> bool:
    """Whether a piece goes into the record of the one before it."""
    if slot.record in containers:
        return source is None or source == slot.record
    return slot.source == source and slot.pieces[-1].message == said.message
