"""Finds the damage in a session's files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wiremend.stores import jsonl_snapshots as snapshots
from wiremend.stores.base import Damage, what_is_wrong
from wiremend.stores.errors import StoreError
from wiremend.stores.jsonl_log import Log
from wiremend.stores.tables import missing


def verify_files(logs: Sequence[Log], known: int, blobs: snapshots.Blobs) -> Iterator[Damage]:
    """The damage of a session: its own file first in ``logs``, then those that it inherits from.

    ``known`` is the length as an earlier snapshot's count gives it.
    """
    own = logs[0]
    until = own.length
    parts: list[tuple[Log, int]] = []
    for log in logs:
        parts.append((log, until))
        until = min(until, log.base)
    for log, last in reversed(parts):
        yield from _records(log, last)
    if own.length != known:
        wrong = f"{own.path} has {own.length} records, and {known} if its snapshot is right"
        yield Damage(0, wrong, "unknown: the numbers of its records may have shifted")
    if torn := own.torn():
        wrong = f"the last {torn} bytes are an append that never ended"
        yield Damage(own.length + 1, wrong, "nothing: it was never acknowledged")
    for at in snapshots.damaged(own.path):
        wrong = f"the snapshot at {at} does not match its checksum"
        yield Damage(0, wrong, "nothing: it is made again from the records")
    for name in blobs.names():
        try:
            blobs.get(name)
        except StoreError as error:
            yield Damage(0, str(error), "what this blob holds")


def _records(log: Log, last: int) -> Iterator[Damage]:
    due = log.base + 1
    for number, _, record in log.lines(log.base, last):
        if wrong := what_is_wrong(record):
            yield Damage(number, wrong, "this record")
        due = number + 1
    if due <= last:
        yield missing(due, last)
