"""The work of ``check``, wherever it is done: documents in, what is wrong with them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import wiremend
from wiremend.bulk import Part
from wiremend.cli.base import usable
from wiremend.cli.foreign import check_converted
from wiremend.cli.logs import by_record, check_conversation, problem_found, read_log, target_of
from wiremend.cli.reports import Checked
from wiremend.inputs import (
    Choice,
    Chosen,
    Document,
    NoConversation,
    Unusable,
    Wanted,
    choose,
    choose_sound,
    record_of,
)
from wiremend.logs import LOGS, Log, Record
from wiremend.rules import Violation


class Outcome(NamedTuple):
    """What came of one document, or of a log.

    ``choice`` is what it was taken for; ``conversations`` how many there are, and ``broken`` how
    many of them are broken; ``refused`` why it could not be checked, ``is_other`` that it is no
    conversation at all. ``checked`` is what the records of a log go into the report with.
    """

    choice: Choice | None = None
    violations: Sequence[Violation] = ()
    conversations: int = 1
    broken: int = 0
    refused: str | None = None
    is_other: bool = False
    checked: Sequence[Checked] = ()


@dataclass(frozen=True)
class CheckJob:
    """Checks a part. There is an outcome for each document, but one alone for a log."""

    asked: Wanted

    def __call__(self, part: Part) -> list[Outcome]:
        """Check a part."""
        if part.log is not None:
            return [self._of_log(part.path, LOGS[part.log], part.documents)]
        return [self._of_document(document) for document in part.documents]

    def _of_document(self, document: Document) -> Outcome:
        sound = choose_sound(document.data, self.asked)
        if sound is not None:
            return _outcome_of(sound)
        try:
            with usable():
                chosen = choose(document.value(), self.asked)
                found = _violations(chosen)
        except Unusable as error:
            return _refused(error)
        return Outcome(chosen.choice, found, broken=int(bool(found)))

    def _of_log(self, path: str, log: Log, documents: Sequence[Document]) -> Outcome:
        records = [record_of(document) for document in documents]
        try:
            return self._of_records(path, log, records)
        except Unusable as error:
            return _refused(error)

    def _of_records(self, path: str, log: Log, records: Sequence[Record]) -> Outcome:
        reading = read_log(log, records)
        problems = [problem_found(problem) for problem in reading.problems]
        dialect, broken = "", 0
        for conversation in reading.conversations:
            dialect = target_of(conversation, self.asked)
            found = check_conversation(conversation, records, self.asked)
            broken += bool(found)
            problems.extend(found)
        if log.write_back is None:
            problems = [one.unfixable() for one in problems]
        checked = list(by_record(path, log, dialect, records, problems))
        if not problems:
            line = records[0].line if log.by_line else None
            fine = Document(records[0].data or b"", line)
            checked.append(Checked(path, fine, log.name, dialect, ()))
        return Outcome(
            violations=[one.violation for one in problems],
            conversations=len(reading.conversations),
            broken=broken,
            checked=checked,
        )


@cache
def _outcome_of(sound: Choice) -> Outcome:
    # One object for all that are alike goes from process to process once a part.
    return Outcome(sound)


def _refused(error: Unusable) -> Outcome:
    is_other = isinstance(error, NoConversation)
    return Outcome(conversations=0, refused=str(error), is_other=is_other)


def _violations(chosen: Chosen) -> list[Violation]:
    if chosen.is_foreign:
        return check_converted(chosen.body, chosen.source, chosen.dialect)
    return chosen.placed(wiremend.check(chosen.body, chosen.dialect))
