"""What the commands that work on many conversations share: options, parts, and how far it got."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from wiremend.bulk import Part, Place, Resumed, cores, parts_of, separate, spans_of
from wiremend.bulk.parquet import ParquetFile, documents_of
from wiremend.bulk.reading import parts_of_rows
from wiremend.cli.base import count, usable
from wiremend.inputs import (
    STDIN,
    Document,
    Source,
    Unusable,
    Wanted,
    find_files,
    is_parquet,
    open_source,
    opened,
    stored_sessions,
)

F = TypeVar("F", bound=Callable[..., Any])
_LARGE = 8 << 20
"""Inputs of so many bytes take long enough to be watched."""


def bulk_options(command: F) -> F:
    """Add ``--jobs``, ``--resume`` and ``--strict-input``."""
    jobs = click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        help="How many processes work on large inputs; the default is one a core.",
    )
    resume = click.option(
        "--resume",
        metavar="FILE",
        help="Keep in FILE how far this got; where it is there, go on from that.",
    )
    strict = click.option(
        "--strict-input", is_flag=True, help="Stop at the first input that cannot be used."
    )
    return jobs(resume(strict(command)))


class Bulk(NamedTuple):
    """The options."""

    jobs: int | None
    resume: str | None
    strict_input: bool

    @property
    def processes(self) -> int:
        """How many processes work."""
        return self.jobs or cores()

    def resumed(self, *what: Any) -> Resumed | None:
        """Where an earlier run of the same work stopped. Raises ``Unusable``."""
        if self.resume is None:
            return None
        with usable():
            return Resumed(self.resume, json.dumps(what, default=str))


class Stopped(Exception):  # noqa: N818
    """``--strict-input``, and an input that cannot be used."""


class Reader:
    """The parts of all files below some paths, in order.

    ``pass_over`` makes the reader leave a file that turned out to be something else;
    ``skips_others``: files that were named need not be conversations either. ``column``: that of
    Parquet with the conversations.
    """

    def __init__(
        self, asked: Wanted, resumed: Resumed | None = None, *, keeps_blank: bool = False
    ) -> None:
        self._asked = asked
        self._keeps_blank = keeps_blank
        self.skips_others = False
        self.column: str | None = None
        self._resumed = resumed
        self._left: set[str] = set()
        self._files = 0

    def parts(self, paths: Sequence[str]) -> Iterator[Part]:
        """The parts. What cannot be read is a part with its trouble."""
        for path in paths:
            try:
                for file in find_files(path):
                    is_found = self.skips_others or file != path
                    yield from self._parts_of_file(file, among_others=is_found)
            except Unusable as error:
                yield Part(path, self._files, (), trouble=str(error))

    def pass_over(self, path: str) -> None:
        """Read no more of a file."""
        self._left.add(path)

    def parts_of_source(
        self, source: Source, documents: Iterable[Document], path: str
    ) -> Iterator[Part]:
        """The parts of one file that is open and surely no log."""
        behind = 0
        if self._resumed is not None:
            behind = self._resumed.begin(0, path, size_of(path))
        return self._cut(source, documents, Part(path, 0, ()), behind)

    def _cut(
        self, source: Source, documents: Iterable[Document], empty: Part, behind: int
    ) -> Iterator[Part]:
        if source.can_be_read_again:
            spans = spans_of(documents, behind=behind, has_blank=self._keeps_blank)
            for part, span in spans:
                yield empty._replace(documents=part, span=span)
            return
        ahead = (
            one
            for one in documents
            if (one.line or 1) > behind and (self._keeps_blank or not one.is_blank)
        )
        before = 0
        for part in parts_of(ahead, live=empty.path == STDIN):
            now = source.taken
            yield empty._replace(documents=part, taken=None if now is None else now - before)
            before = now or 0

    def _parts_of_file(self, path: str, *, among_others: bool) -> Iterator[Part]:
        number = self._files
        self._files += 1
        behind = 0
        if self._resumed is not None:
            with usable():
                behind = self._resumed.begin(number, path, size_of(path))
        if behind < 0:
            return
        try:
            stored = stored_sessions(path)
            if stored is not None:
                for session, (title, document) in enumerate(stored, start=1):
                    if session > behind:
                        whole = Part(title, number, (document,), "opencode", among_others)
                        yield whole._replace(session=session)
                return
            if is_parquet(path):
                empty = Part(path, number, (), among_others=among_others)
                yield from self._rows(empty, behind)
                return
            with open_source(path) as source:
                log, documents = opened(source, self._asked)
                if log is not None and not log.by_line:
                    held = tuple(documents)
                    yield Part(path, number, held, log.name, among_others, taken=source.taken)
                    return
                name = None if log is None else log.name
                empty = Part(path, number, (), name, among_others)
                for part in self._cut(source, documents, empty, behind):
                    if path in self._left:
                        return
                    yield from separate(part)
        except Unusable as error:
            yield Part(path, number, (), trouble=str(error))

    def _rows(self, empty: Part, behind: int) -> Iterator[Part]:
        with usable(), Path(empty.path).open("rb") as file:
            source = ParquetFile(file, self.column)
            for number, group in enumerate(source.groups()):
                column = source.read(number).column(source.column)
                rows = documents_of(column, group.before + 1)
                ahead = [row for row in rows if row.line is not None and row.line > behind]
                for part in parts_of_rows(empty, ahead, self._asked):
                    if empty.path in self._left:
                        return
                    yield part


def size_of(path: str) -> int:
    """The bytes of a file; 0 where that cannot be told."""
    try:
        return 0 if path == STDIN else Path(path).stat().st_size
    except (OSError, ValueError):
        return 0


def place_behind(part: Part, line: int | None = None) -> Place:
    """The place behind a line or a session of a part's file, or behind all of the file."""
    line = part.session if line is None else line
    return Place(part.file + 1) if line is None else Place(part.file, line)


class Watch:
    """Shows how far a run is, and how fast, to somebody who waits at a terminal."""

    def __init__(self, show: Callable[[int, int, int], None]) -> None:
        self._show = show
        self._bytes = self._conversations = self._found = 0

    def advance(self, size: int, conversations: int, found: int) -> None:
        """So many bytes and conversations are done, and so much was found in them."""
        self._bytes += size
        self._conversations += conversations
        self._found += found
        self._show(self._bytes, self._conversations, self._found)


@contextmanager
def watching(size: Callable[[], int], console: Any = None) -> Iterator[Watch]:
    """A bar on standard error while much is worked on there, and nothing anywhere else.

    ``size`` tells how many bytes there are. ``console``: where a report is written at the same
    terminal, which goes above the bar.
    """
    total = size() if sys.stderr.isatty() else 0
    if total < _LARGE:
        yield Watch(lambda *_: None)
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as TimeLeft
    except ModuleNotFoundError:
        yield Watch(lambda *_: None)
        return
    columns = (BarColumn(), DownloadColumn(), TextColumn("{task.description}"), TimeLeft())
    with Progress(*columns, console=console or Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)

        def show(done: int, conversations: int, found: int) -> None:
            said = f"{count(conversations, 'conversation')}, {found} found"
            bar.update(task, completed=done, description=said)

        yield Watch(show)


def bytes_below(paths: Sequence[str]) -> int:
    """The bytes of all files below the paths, as far as that can be told."""
    total = 0
    for path in paths:
        try:
            total += sum(map(size_of, find_files(path)))
        except Unusable:
            continue
    return total
