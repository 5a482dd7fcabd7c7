"""Reading and mending logs without files, for the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.cli.log_mending import mend_log
from wiremend.cli.logs import check_conversation, problem_found
from wiremend.cli.mending import Wishes
from wiremend.inputs import Wanted
from wiremend.logs import Log, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

WISHES = Wishes(Wanted(), strict=False, media=None, duplicates=None)


def records_of(values: Sequence[Any]) -> list[Record]:
    """Values as the records of a log, a line each."""
    return [Record(value, number) for number, value in enumerate(values, start=1)]


def problems_of(log: Log, records: Sequence[Record]) -> list[tuple[str, int, str]]:
    """Rule, number of the record and pointer of all that is wrong with a log."""
    reading = log.read(records)
    found = [problem_found(problem) for problem in reading.problems]
    for conversation in reading.conversations:
        found.extend(check_conversation(conversation, records, Wanted()))
    return [(one.violation.rule, one.home.record, one.home.pointer) for one in found]


def mended(log: Log, values: Sequence[Any]) -> list[Any]:
    """The values of a log after mending, of which nothing may be left to refuse."""
    done = mend_log(log, records_of(values), WISHES)
    assert done.remaining == []
    return [record.value for record in done.after]
