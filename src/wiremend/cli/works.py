"""The work of ``check``, ``fix`` and ``convert`` on a split: rows of a partition, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import msgspec

from wiremend.bulk.reading import Located
from wiremend.bulk.splitting import Row, Work
from wiremend.cli.base import count
from wiremend.cli.checking import CheckJob, Outcome
from wiremend.cli.converting import ConvertJob
from wiremend.cli.fixing import JSON, FixJob, Written
from wiremend.cli.logs import read_log
from wiremend.cli.outputs import Counts
from wiremend.cli.tally import Tally
from wiremend.cli.writing import compact, encoded
from wiremend.inputs import Document, NoConversation, Unusable, record_of
from wiremend.logs import LOGS
from wiremend.rules import Violation


class Told(NamedTuple):
    """What a run says at its end: for programs, and in lines for people."""

    summary: dict[str, Any]
    said: list[str]
    is_found: bool


class FolderWork(Work, Protocol):
    """Work that can say what its counts are."""

    def progress(self, counts: dict[str, Any]) -> tuple[int, int]:
        """How many conversations were worked on, and how much was found in them."""
        ...

    def told(self, counts: dict[str, Any], refused: int, passed: int) -> Told:
        """What to say of all counts."""
        ...


@dataclass(frozen=True)
class CheckWork:
    """Writes a line for each conversation in which something was found."""

    job: CheckJob
    reports = True
    reshapes = True

    def counts(self) -> Tally:
        """Nothing yet."""
        return Tally()

    def rows(self, located: Located) -> Iterator[Row]:
        """What was found in each document, or in a log."""
        for number, outcome in enumerate(self.job(located.part)):
            if outcome.refused is not None:
                yield Row(refused=outcome.refused, is_other=outcome.is_other)
                continue
            lines = self._found(located, number, outcome) if outcome.violations else ()
            yield Row(lines, (outcome,))

    def count(self, made: Outcome, counts: Tally) -> None:
        """Count what was checked, and what was found in it."""
        counts.add(made.conversations, made.broken, made.violations)

    def _found(self, located: Located, number: int, outcome: Outcome) -> tuple[bytes, ...]:
        place = located.place(number)
        if outcome.choice is not None:
            told = outcome.choice.format, outcome.choice.dialect
            return (_entry(place, *told, outcome.violations),)
        is_whole = not LOGS[str(located.part.log)].by_line
        return tuple(
            _entry(
                {"path": one.path, "line": one.line} if is_whole and one.line else place,
                one.format,
                one.dialect,
                one.violations,
            )
            for one in outcome.checked
            if one.violations
        )

    def progress(self, counts: dict[str, Any]) -> tuple[int, int]:
        """How many conversations were checked, and what was found in them."""
        tally = msgspec.convert(counts, Tally)
        return tally.conversations, tally.violations

    def told(self, counts: dict[str, Any], refused: int, passed: int) -> Told:
        """What was found, and the rules that were broken."""
        tally = msgspec.convert(counts, Tally)
        tally.unusable, tally.passed = refused, passed
        summary = {
            "conversations": tally.conversations,
            "broken": tally.broken,
            "violations": tally.violations,
            "fixable": tally.fixable,
            "rules": {
                name: {"violations": times, "conversations": places}
                for name, (times, places) in sorted(tally.rules.items())
            },
        }
        return Told(summary, [tally.in_words(), *tally.table()], tally.violations > 0)


def _entry(
    place: dict[str, Any], wire_format: str, dialect: str, found: Sequence[Violation]
) -> bytes:
    entry = {**place, "format": wire_format, "dialect": dialect, "violations": list(found)}
    return msgspec.json.encode(entry) + b"\n"


class _Mending:
    """What ``fix`` and ``convert`` share: their counts, and how they are told."""

    reports = False

    def counts(self) -> Counts:
        """Nothing yet."""
        return Counts()

    def count(self, made: Written, counts: Counts) -> None:
        """Count a conversation, and what was repaired in it."""
        counts.add(made)

    def progress(self, counts: dict[str, Any]) -> tuple[int, int]:
        """How many conversations were worked on, and what was repaired in them."""
        done = msgspec.convert(counts, Counts)
        return done.documents, done.repairs

    def told(self, counts: dict[str, Any], refused: int, passed: int) -> Told:
        """What was repaired, and what is left."""
        done = msgspec.convert(counts, Counts)
        done.unusable = refused
        said = f"{count(done.documents, 'conversation')}, {count(done.repairs, 'repair')}"
        if done.lost:
            said += f", {done.lost} left behind"
        said += done.tail()
        if passed:
            said += f", {count(passed, 'other file')} passed over"
        summary = {
            "conversations": done.documents,
            "repairs": dict(sorted(done.kinds.items())),
            "lost": done.lost,
            "left": done.left,
        }
        return Told(summary, [said, *done.table()], done.left > 0)


@dataclass(frozen=True)
class FixWork(_Mending):
    """Writes each conversation, mended."""

    job: FixJob

    @property
    def reshapes(self) -> bool:
        """Whether what is written is a report with the request in it."""
        return self.job.form == JSON

    def rows(self, located: Located) -> Iterable[Row]:
        """Each document, mended. Logs are not: their files are what a tool goes on from."""
        part = located.part
        if part.log is None:
            return _written(part.documents, self.job(part))
        log = LOGS[part.log]
        how = "`wiremend fix --in-place` mends its file"
        if log.write_back is None:
            how = "`wiremend convert` makes requests of it"
        return [Row(refused=f"is {log.what}: {how}")]


@dataclass(frozen=True)
class ConvertWork(_Mending):
    """Writes each conversation, of logs too, for another provider."""

    job: ConvertJob
    reshapes = True

    def rows(self, located: Located) -> Iterable[Row]:
        """Each document, converted; all conversations of a log together."""
        part = located.part
        if part.log is None:
            return _written(part.documents, self.job(part))
        return [self._log(part.log, part.documents)]

    def _log(self, name: str, documents: Sequence[Document]) -> Row:
        records = [record_of(document) for document in documents]
        try:
            read = read_log(LOGS[name], records)
            made = [self.job.converted(conversation) for conversation in read.conversations]
        except Unusable as error:
            return Row(refused=str(error), is_other=isinstance(error, NoConversation))
        return Row(tuple(written.data or b"" for written in made), tuple(made))


def _written(documents: Sequence[Document], answers: Sequence[Written]) -> Iterator[Row]:
    for document, written in zip(documents, answers, strict=True):
        if written.refused is not None:
            yield Row(refused=written.refused, is_other=written.is_other)
        elif document.line is None:
            # A whole file becomes a line.
            whole = document if written.data is None else Document(written.data, None)
            yield Row((encoded(compact(whole.value()) + "\n"),), (written,))
        else:
            yield Row(None if written.data is None else (written.data,), (written,))
