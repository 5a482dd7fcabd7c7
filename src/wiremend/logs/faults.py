"""The faults that a log can have apart from its messages, each with its code and its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wiremend.logs.base import Fault, Home, Problem, Record

UNREADABLE_RECORD = Fault(
    "WL001",
    "unreadable-record",
    "A line of the log is no JSON: torn when the tool was killed, or damaged. Tools pass over "
    "such a line with all that it held, or cannot open the session at all. `fix` takes it out; the "
    "backup keeps it.",
    "The session cannot be opened, or is opened without this record.",
)
BROKEN_CHAIN = Fault(
    "WL002",
    "broken-chain",
    "A record names a parent that is not in the log, although the log holds earlier records of the "
    "same conversation. A tool that goes on from it forgets all of them. `fix` links the record to "
    "the one that was written before it.",
    "The session goes on without what was said before this record.",
)
PARENT_LOOP = Fault(
    "WL003",
    "parent-loop",
    "Following the records from parent to parent comes back to this record, so that the "
    "conversation has no beginning. `fix` links it to the record that was written before it.",
    "The session goes on with a part of what was said, or not at all.",
)

MISSHAPEN_RECORD = Fault(
    "WL004",
    "misshapen-record",
    "A record is JSON, and not what its type says it is: a field that it needs is missing or of "
    "another kind. What it says cannot be taken into the history.",
    "The session cannot be opened, or is opened without this record.",
)

FAULTS = (UNREADABLE_RECORD, BROKEN_CHAIN, PARENT_LOOP, MISSHAPEN_RECORD)


def unreadable(records: Sequence[Record]) -> Iterator[Problem]:
    """The records that could not be read."""
    for index, record in enumerate(records):
        if record.trouble is not None:
            said = f"This record cannot be read: {record.trouble}."
            yield Problem(UNREADABLE_RECORD, Home(index, ""), said, None)
