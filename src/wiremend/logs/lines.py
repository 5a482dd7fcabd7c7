"""Logs with one message or item a record: a mended conversation put back into their records."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, TypeAlias

from wiremend.logs.aligning import Spoken, arrange
from wiremend.logs.base import Conversation, Edits, Record

Put: TypeAlias = Callable[[Any, Sequence[Any], bool], Any]
"""Gives the value of a record that holds these pieces, like another record: ``True``, that is the
one that is changed, ``False``, the one that a new record follows."""


def put_back(
    records: Sequence[Record],
    conversation: Conversation,
    spoken: Sequence[Spoken],
    put: Put,
    *,
    containers: Container[int] = (),
    fixed: Container[int] = (),
) -> Edits:
    """The edits after which the records hold these pieces in this order.

    ``containers`` are records that hold a list of pieces; ``fixed`` ones stay as they are.
    """
    before = _contents(conversation)
    changed: dict[int, Any] = {}
    inserted: dict[int, list[Any]] = {}
    kept: set[int] = set()
    last = next(iter(before), 0) - 1
    for slot in arrange(conversation.pieces, spoken, containers):
        values = [said.value for said in slot.pieces]
        if slot.record is not None:
            last = max(last, slot.record)
            kept.add(slot.record)
            if slot.record not in fixed and values != before[slot.record]:
                changed[slot.record] = put(records[slot.record].value, values, True)
            continue
        like = records[max(last, 0)].value
        source = records[slot.source].value if slot.source is not None else None
        for value in values:
            new = put(source, [value], True) if source is not None else put(like, [value], False)
            inserted.setdefault(last, []).append(new)
    gone = {record for record in before if record not in kept and record not in fixed}
    for record in [record for record in gone if record in containers]:
        gone.discard(record)
        changed[record] = put(records[record].value, [], True)
    return Edits(changed, gone, inserted)


def _contents(conversation: Conversation) -> Mapping[int, list[Any]]:
    """What each record of a conversation holds."""
    out: dict[int, list[Any]] = {}
    for piece in conversation.pieces:
        if piece.home is not None:
            out.setdefault(piece.home.record, []).append(piece.value)
    return out
