"""History beside wire: which entry became which, what state each is in, and rows of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wiremend.inspector.entries import Block, Entry, Shown, State
from wiremend.inspector.matching import Pair, Piece, equal, match, pieces_of

MOST_IN_ROW = 24
"""More entries than these that became one are told in several rows."""


class Link(Shown):
    """A history entry that became a wire entry. ``in_order``: it stayed where it was."""

    left: int
    right: int
    in_order: bool = True
    changed: bool = False


class Row(NamedTuple):
    """Entries that stand beside each other, by their numbers."""

    left: Sequence[int]
    right: Sequence[int]


class Linked(NamedTuple):
    """All links, the rows, and for each entry the row that it is in."""

    links: list[Link]
    rows: list[Row]
    row_of_left: list[int]
    row_of_right: list[int]


def link(left: Sequence[Entry], right: Sequence[Entry], renamed: Mapping[str, str]) -> Linked:
    """Link the entries, and set the ``state`` of each and of its blocks."""
    lefts, rights = pieces_of(left), pieces_of(right)
    pairs = match(lefts, rights, renamed)
    changed = _set_states(lefts, rights, pairs)
    links = _links(lefts, rights, pairs, changed)
    _set_entry_states(left, {one.left for one in links}, "dropped")
    _set_entry_states(right, {one.right for one in links}, "added")
    rows = list(_rows(len(left), len(right), links))
    row_of_left, row_of_right = [0] * len(left), [0] * len(right)
    for number, row in enumerate(rows):
        for one in row.left:
            row_of_left[one] = number
        for one in row.right:
            row_of_right[one] = number
    return Linked(links, rows, row_of_left, row_of_right)


def _set_states(
    lefts: Sequence[Piece], rights: Sequence[Piece], pairs: Sequence[Pair]
) -> set[Pair]:
    """Set the state of each block; the pairs that differ."""
    for piece in lefts:
        piece.block.state = "dropped"
    for piece in rights:
        piece.block.state = "added"
    changed: set[Pair] = set()
    for pair in pairs:
        one, other = lefts[pair.left].block, rights[pair.right].block
        state: State = "moved" if not pair.in_order else "same"
        if not equal(one, other):
            changed.add(pair)
            state = "changed"
        one.state = other.state = state
    return changed


def _set_entry_states(entries: Sequence[Entry], linked: set[int], alone: State) -> None:
    for number, entry in enumerate(entries):
        states = {block.state for block in entry.blocks}
        if number not in linked:
            entry.state = alone
        elif states <= {"same"}:
            entry.state = "same"
        else:
            entry.state = "moved" if states == {"moved"} else "changed"


def _links(
    lefts: Sequence[Piece], rights: Sequence[Piece], pairs: Sequence[Pair], changed: set[Pair]
) -> list[Link]:
    found: dict[tuple[int, int], Link] = {}
    for pair in pairs:
        ends = lefts[pair.left].entry, rights[pair.right].entry
        before = found.get(ends)
        found[ends] = Link(
            *ends,
            in_order=pair.in_order or (before is not None and before.in_order),
            changed=pair in changed or (before is not None and before.changed),
        )
    return list(found.values())


def _rows(lefts: int, rights: int, links: Sequence[Link]) -> Iterator[Row]:
    """What is linked in order beside each other; what is not, in a row of its own."""
    last_right, last_left = [-1] * lefts, [-1] * rights
    for one in links:
        if one.in_order:
            last_right[one.left] = max(last_right[one.left], one.right)
            last_left[one.right] = max(last_left[one.right], one.left)
    i = j = 0
    while i < lefts or j < rights:
        if i < lefts and last_right[i] < 0:
            yield Row([i], [])
            i += 1
        elif j < rights and last_left[j] < 0:
            yield Row([], [j])
            j += 1
        else:
            to_left, to_right = i, j
            at_left, at_right = i, j
            while at_left <= to_left or at_right <= to_right:
                if at_left <= to_left:
                    to_right = max(to_right, last_right[at_left])
                    at_left += 1
                else:
                    to_left = max(to_left, last_left[at_right])
                    at_right += 1
            yield from _split(range(i, at_left), range(j, at_right))
            i, j = at_left, at_right


def _split(left: range, right: range) -> Iterator[Row]:
    for start in range(0, max(len(left), len(right)), MOST_IN_ROW):
        end = start + MOST_IN_ROW
        yield Row(left[start:end], right[start:end])


def blocks_with(entry: Entry) -> Iterator[Block]:
    """The blocks of an entry, and what is in them."""
    for block in entry.blocks:
        yield block
        yield from block.parts
