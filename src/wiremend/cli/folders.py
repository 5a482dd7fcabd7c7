"""``check``, ``fix`` and ``convert`` into a folder of partitions, on every engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

import wiremend
from wiremend.bulk.engines import ENGINES
from wiremend.bulk.files import files_at, is_url
from wiremend.bulk.partitions import Note, Partitions, added_up
from wiremend.bulk.planning import Cutting, plan_of
from wiremend.bulk.splitting import SplitTask
from wiremend.cli.base import FINE, FOUND, UNUSABLE, complain, count, label, usable
from wiremend.cli.bulk import Bulk, watching
from wiremend.cli.works import FolderWork
from wiremend.errors import WiremendError
from wiremend.inputs import STDIN, Wanted, is_parquet

F = TypeVar("F", bound=Callable[..., Any])
_MB = 1 << 20


def folder_options(command: F) -> F:
    """Add ``--engine``, ``--column`` and ``--partition-size``."""
    engine = click.option(
        "--engine",
        type=click.Choice([*ENGINES]),
        help="Who works: the processes of this machine, or a Ray cluster. OUT is then a folder, "
        "as it is for a folder, a Parquet file or a URL.",
    )
    column = click.option(
        "--column",
        metavar="NAME",
        help="The column of Parquet with the conversations, as JSON text or nested.",
    )
    size = click.option(
        "--partition-size",
        metavar="MB",
        type=click.IntRange(min=1),
        default=64,
        show_default=True,
        help="About so much of the input goes into one file of the folder.",
    )
    as_text = click.option(
        "--as-text", is_flag=True, help="Write a nested column of Parquet as JSON text."
    )
    return engine(column(as_text(size(command))))


class Folder(NamedTuple):
    """The options, and what ``-o`` names."""

    engine: str | None
    column: str | None
    as_text: bool
    partition_size: int
    target: str | None
    skips_others: bool = False

    def is_needed(self, paths: Sequence[str]) -> bool:
        """Whether what is asked for can only be written as partitions."""
        urls = any(is_url(path) for path in (*paths, self.target or ""))
        return urls or self.engine is not None

    def is_meant(self, path: str) -> bool:
        """Whether what becomes of this path is partitions: it is many files, or rows."""
        return self.is_needed([path]) or Path(path).is_dir() or is_parquet(path)


def write_folder(
    work: FolderWork, asked: Wanted, folder: Folder, bulk: Bulk, paths: Sequence[str]
) -> int:
    """Do the work, say the counts, and give the exit status.

    Raises ``Unusable``, ``click.UsageError``.
    """
    if folder.target in (None, STDIN):
        raise click.UsageError("-o has to name a folder for what becomes of many files or rows")
    if STDIN in paths:
        raise click.UsageError("standard input has no parts; give a file, a folder or a URL")
    if bulk.resume is not None:
        raise click.UsageError("--resume is for one file; here the same command goes on by itself")
    with usable():
        return _Run(work, asked, folder, bulk, paths).run()


class _Run:
    """A plan, the folder that it fills, and the task that makes a partition of a split."""

    def __init__(
        self, work: FolderWork, asked: Wanted, folder: Folder, bulk: Bulk, paths: Sequence[str]
    ) -> None:
        target = str(folder.target)
        _check_apart(paths, target)
        self._work = work
        self._bulk = bulk
        self._target = target.partition("?")[0]
        self._engine = ENGINES[folder.engine or "local"]
        self._plan = plan_of(
            paths,
            Cutting(asked, folder.column, folder.partition_size * _MB, folder.skips_others),
        )
        total = len(self._plan.splits)
        self._task = SplitTask(work, asked, folder.column, folder.as_text, target, total)
        self._out = Partitions(target, total)
        what = (wiremend.__version__, work, folder._replace(engine=None, target=None), *paths)
        self._out.begin(self._plan, "\n".join(map(str, what)))

    def run(self) -> int:
        """Do what is not done yet, write the summary, and give the exit status."""
        notes = self._out.done()
        behind = {note.number for note in notes}
        if behind:
            complain(label(self._target), f"goes on behind {count(len(behind), 'partition')}")
        left = [split for split in self._plan.splits if split.number not in behind]
        with watching(lambda: sum(split.size for split in left)) as watch:
            for note in self._engine(self._task, left, self._bulk.jobs) if left else ():
                notes.append(note)
                self._refuse_failure(note)
                done, found = self._work.progress(note.counts)
                watch.advance(note.read, done, found)
        notes.sort(key=lambda note: note.number)
        return self._finish(notes)

    def _refuse_failure(self, note: Note) -> None:
        if note.failure is not None:
            raise WiremendError(f"{note.failure}; what is done is kept")
        if note.first is not None and self._bulk.strict_input:
            raise WiremendError(f"{note.first}; stopped there, as --strict-input says")

    def _finish(self, notes: Sequence[Note]) -> int:
        refused = sum(note.refused for note in notes)
        passed = sum(note.passed for note in notes)
        told = self._work.told(added_up(note.counts for note in notes), refused, passed)
        self._out.finish(
            {
                "files": self._plan.files,
                "bytes": self._plan.size,
                "partitions": len(notes),
                "bytes_written": sum(note.written for note in notes),
                "refused": refused,
                "passed": passed,
                **told.summary,
            }
        )
        for line in told.said[:1]:
            complain(label(self._target), line)
        for line in told.said[1:]:
            click.echo(line, err=True)
        if refused:
            first = next(note.first for note in notes if note.first is not None)
            complain(label(self._target), f"kept aside in _refused; the first is {first}")
            return UNUSABLE
        return FOUND if told.is_found else FINE


def _check_apart(paths: Sequence[str], target: str) -> None:
    inner = files_at(target).inner(target)
    for path in paths:
        around = files_at(path).inner(path)
        if f"{inner}/".startswith(f"{around}/") or f"{around}/".startswith(f"{inner}/"):
            raise WiremendError("the input and the output are in one another; name another folder")
    if not is_url(target) and Path(target).exists() and not Path(target).is_dir():
        raise WiremendError(f"{target} is a file; name a folder")
