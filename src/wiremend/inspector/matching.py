"""Which block of the history is which block on the wire: what makes two of them one and the same.

Blocks are matched by what they are (an id, a text, the bytes of a picture), then, between matches
that stand in order, by where they stand: what is left there was changed where it stood.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wiremend.inspector.entries import Block, Entry

MEDIA = frozenset(("image", "audio", "video", "document"))


_STAND_INS = tuple(f"[{kind} omitted" for kind in ("image", "audio", "video", "document"))
"""How the lines begin that stand for media."""


class Piece(NamedTuple):
    """A block and the entry that it stands in."""

    entry: int
    speaker: str
    block: Block


class Pair(NamedTuple):
    """Two pieces that are one, by their numbers; ``in_order``: between the same neighbours."""

    left: int
    right: int
    in_order: bool


def pieces_of(entries: Sequence[Entry]) -> list[Piece]:
    """The blocks of all entries, the media inside of results too; an entry of none has one."""
    out: list[Piece] = []
    for number, entry in enumerate(entries):
        for block in entry.blocks or [Block("text")]:
            out.append(Piece(number, entry.speaker, block))
            inner = (part for part in block.parts if part.kind in MEDIA)
            out.extend(Piece(number, entry.speaker, part) for part in inner)
    return out


def match(left: Sequence[Piece], right: Sequence[Piece], renamed: Mapping[str, str]) -> list[Pair]:
    """The pairs, in the order of ``right``; ``renamed`` leads from a new id to the one it was."""
    pairs = _by_what_they_are(left, right, renamed)
    straight = _longest_rising(pairs)
    found = [Pair(*pair, pair in straight) for pair in pairs]
    found += [Pair(*pair, in_order=True) for pair in _between(left, right, pairs, straight)]
    return sorted(found, key=lambda pair: (pair.right, pair.left))


def _by_what_they_are(
    left: Sequence[Piece], right: Sequence[Piece], renamed: Mapping[str, str]
) -> list[tuple[int, int]]:
    homes: dict[Any, list[int]] = {}
    for number, piece in enumerate(left):
        homes.setdefault(_key(piece, {}), []).append(number)
    used: set[int] = set()
    firsts: dict[Any, int] = {}
    at = 0
    pairs = []
    for number, piece in enumerate(right):
        key = _key(piece, renamed)
        places = homes.get(key, [])
        chosen = next_unused(places, bisect_left(places, at), used)
        if chosen is None:
            # What stood earlier was moved down; the search goes on where the last one ended.
            start = firsts.get(key, 0)
            while start < len(places) and places[start] in used:
                start += 1
            firsts[key] = start
            chosen = places[start] if start < len(places) else None
        elif piece.block.kind != "result":
            at = chosen
        if chosen is not None:
            used.add(chosen)
            pairs.append((chosen, number))
    return pairs


def next_unused(places: Sequence[int], start: int, used: set[int]) -> int | None:
    """The first place from ``start`` on that nothing was matched with; only near ones count."""
    return next((one for one in places[start : start + 8] if one not in used), None)


def _key(piece: Piece, renamed: Mapping[str, str]) -> Any:
    block = piece.block
    if block.kind in ("call", "result"):
        if block.call:
            return block.kind, renamed.get(block.call, block.call)
        return block.kind, block.name, canonical(block.text) if block.kind == "call" else ""
    if block.kind in MEDIA and block.source:
        return "media", payload(block.source)
    return block.kind, block.text


def payload(source: str) -> str:
    """What is behind the label of a ``data:`` URL; any other URL as it is."""
    return source.partition(",")[2] if source.startswith("data:") else source


def canonical(arguments: str) -> str:
    """A call's arguments without the accidents of their writing; nothing means none."""
    if not arguments.strip():
        return "{}"
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """The most pairs that stand in the same order on both sides."""
    ends: list[int] = []
    tails: list[int] = []
    before: list[int] = []
    for number, (place, _) in enumerate(pairs):
        at = bisect_left(ends, place)
        before.append(tails[at - 1] if at else -1)
        ends[at : at + 1] = [place]
        tails[at : at + 1] = [number]
    found: set[tuple[int, int]] = set()
    number = tails[-1] if tails else -1
    while number >= 0:
        found.add(pairs[number])
        number = before[number]
    return found


def _between(
    left: Sequence[Piece],
    right: Sequence[Piece],
    pairs: Sequence[tuple[int, int]],
    straight: set[tuple[int, int]],
) -> list[tuple[int, int]]:
    """Pairs of what is left over between two that stand in order."""
    used_left, used_right = {one for one, _ in pairs}, {other for _, other in pairs}
    out: list[tuple[int, int]] = []
    start_left = start_right = 0
    ends = [*sorted(straight), (len(left), len(right))]
    for end_left, end_right in ends:
        lefts = [n for n in range(start_left, end_left) if n not in used_left]
        rights = [n for n in range(start_right, end_right) if n not in used_right]
        if lefts and rights:
            out.extend(_in_gap(left, right, lefts, rights))
        start_left, start_right = end_left + 1, end_right + 1
    return out


def _in_gap(
    left: Sequence[Piece], right: Sequence[Piece], lefts: list[int], rights: list[int]
) -> list[tuple[int, int]]:
    waiting: dict[Any, deque[int]] = {}
    for number in lefts:
        waiting.setdefault(_sort(left[number]), deque()).append(number)
    out: list[tuple[int, int]] = []
    for number in rights:
        piece = right[number]
        out += [(one, number) for one in _absorbed(left, waiting, piece) or _alike(waiting, piece)]
    return out


def _sort(piece: Piece) -> Any:
    return "media" if piece.block.kind in MEDIA else (piece.block.kind, piece.speaker)


def _absorbed(left: Sequence[Piece], waiting: dict[Any, deque[int]], piece: Piece) -> list[int]:
    """The texts that one text now holds: of messages that were merged, of a system message."""
    text = piece.block.text
    found: list[int] = []
    if piece.block.kind != "text" or not text:
        return found
    for speaker in dict.fromkeys((piece.speaker, "system", "user")):
        queue = waiting.get(("text", speaker), deque())
        while queue and (said := left[queue[0]].block.text.strip()) and said in text:
            found.append(queue.popleft())
    return found


def _alike(waiting: dict[Any, deque[int]], piece: Piece) -> list[int]:
    sort = _sort(piece)
    if piece.block.kind == "text" and piece.block.text.startswith(_STAND_INS):
        sort = "media" if waiting.get("media") else sort
    queue = waiting.get(sort)
    return [queue.popleft()] if queue else []


def equal(one: Block, other: Block) -> bool:
    """Whether a block says on the wire what it said in the history."""
    if one.kind != other.kind or one.call != other.call or one.failed != other.failed:
        return False
    if one.kind == "call":
        return one.name == other.name and canonical(one.text) == canonical(other.text)
    if one.kind == "result":
        return _results_equal(one, other)
    return one.text == other.text and one.source == other.source


def _results_equal(one: Block, other: Block) -> bool:
    if len(one.parts) == len(other.parts):
        return all(_parts_equal(a, b) for a, b in zip(one.parts, other.parts, strict=True))
    texts = ["".join(part.text for part in block.parts) for block in (one, other)]
    media = [[part.source for part in block.parts if part.source] for block in (one, other)]
    return texts[0] == texts[1] and media[0] == media[1]


def _parts_equal(one: Block, other: Block) -> bool:
    return equal(one, other) or (one.kind == other.kind == "text" and _wraps(other.text, one.text))


def _wraps(written: str, text: str) -> bool:
    """Whether a JSON object holds just this text, as providers without text results want it."""
    if not written.startswith("{"):
        return False
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and len(value) == 1 and text in value.values()
