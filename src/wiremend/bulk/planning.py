"""What there is to do, cut into splits: the same for every engine and every run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, cast

import msgspec

from wiremend.bulk.extras import arrow
from wiremend.bulk.files import Files, files_at
from wiremend.bulk.parquet import ParquetFile
from wiremend.errors import WiremendError
from wiremend.inputs import Source, Unusable, Wanted, is_parquet, opened
from wiremend.inputs.encodings import Stream
from wiremend.inputs.files import compression_of, is_by_line

MOST_FILES = 1024
"""So many small files are worked on together at most."""


class Piece(NamedTuple):
    """A file, or some of one: bytes of lines, or row groups, from ``start`` to before ``stop``.

    ``root`` is what was asked for, and says how the file is reached. ``size`` is that of the whole
    file. ``log`` names the format of the log whose lines these are, where that was seen.
    """

    root: str
    path: str
    size: int
    start: int
    stop: int
    log: str | None = None
    among_others: bool = False


class Split(NamedTuple):
    """What one process works on at a time, and makes one partition of."""

    number: int
    pieces: tuple[Piece, ...]
    is_parquet: bool
    size: int


class Plan(NamedTuple):
    """All of a run. ``digest`` is another where a file came, went or was changed."""

    splits: tuple[Split, ...]
    files: int
    size: int
    digest: str


class _Sized(NamedTuple):
    """A piece, the bytes in it, and whether it is a split of its own."""

    piece: Piece
    size: int
    stands_alone: bool


class Cutting(NamedTuple):
    """How to cut: what the input is read as, the column of Parquet, and about so many bytes each.

    ``skips_others``: files that were named need not be conversations either.
    """

    asked: Wanted
    column: str | None
    most: int
    skips_others: bool = False


def plan_of(paths: Sequence[str], cutting: Cutting) -> Plan:
    """Cut what is below the paths into splits.

    Large files of lines are cut at bytes (who works on a piece finds the beginning of its first
    line), Parquet between row groups; small files go together. Raises ``WiremendError``.
    """
    cutter = _Cutter(cutting)
    groups = list(_together(cutter.pieces(paths), cutting.most))
    splits = tuple(
        Split(
            number,
            tuple(one.piece for one in group),
            is_parquet(group[0].piece.path),
            sum(one.size for one in group),
        )
        for number, group in enumerate(groups)
    )
    return Plan(splits, cutter.files, cutter.size, cutter.seen.hexdigest())


def _together(pieces: Iterator[_Sized], most: int) -> Iterator[list[_Sized]]:
    group: list[_Sized] = []
    size = 0
    for one in pieces:
        if group and (one.stands_alone or size + one.size > most or len(group) == MOST_FILES):
            yield group
            group, size = [], 0
        if one.stands_alone:
            yield [one]
        else:
            group.append(one)
            size += one.size
    if group:
        yield group


class _Cutter:
    """Cuts files into pieces, and counts what there is."""

    def __init__(self, cutting: Cutting) -> None:
        self._asked, self._column, self._most, self._skips_others = cutting
        self.files = self.size = 0
        self.seen = hashlib.sha256()

    def pieces(self, paths: Sequence[str]) -> Iterator[_Sized]:
        """The pieces of all files, in order."""
        for root in paths:
            place = files_at(root)
            named = place.inner(root)
            for entry in place.entries(root):
                self.files += 1
                self.size += entry.size
                self.seen.update(msgspec.json.encode(entry))
                whole = Piece(root, entry.path, entry.size, 0, entry.size)
                is_found = self._skips_others or place.inner(entry.path) != named
                whole = whole._replace(among_others=is_found)
                if is_parquet(entry.path):
                    yield from self._row_groups(place, whole)
                else:
                    yield from self._lines(place, whole)

    def _lines(self, place: Files, whole: Piece) -> Iterator[_Sized]:
        number = -(-whole.size // self._most)
        if number < 2 or not is_by_line(whole.path) or compression_of(whole.path):
            yield _Sized(whole, whole.size, stands_alone=False)
            return
        log = self._log_by_line(place, whole)
        if log is None:
            yield _Sized(whole, whole.size, stands_alone=True)
            return
        places = [whole.size * n // number for n in range(number + 1)]
        for start, stop in pairwise(places):
            piece = whole._replace(start=start, stop=stop, log=log or None)
            yield _Sized(piece, stop - start, stands_alone=True)

    def _log_by_line(self, place: Files, whole: Piece) -> str | None:
        """The log whose lines these are, "" for lines of no log; None: it has to stay whole."""
        try:
            with place.open(whole.path) as file:
                source = Source(cast(Stream, file), named_by_line=True, size=whole.size)
                log, _ = opened(source, self._asked)
        except Unusable:
            return None
        if not source.can_be_read_again or (log is not None and not log.by_line):
            return None
        return "" if log is None else log.name

    def _row_groups(self, place: Files, whole: Piece) -> Iterator[_Sized]:
        arrow()
        try:
            with place.open(whole.path) as file:
                groups = list(ParquetFile(file, self._column).groups())
        except WiremendError:
            # Who works on it will say the same, and keep it aside.
            yield _Sized(whole, whole.size, stands_alone=True)
            return
        start = size = 0
        for number, group in enumerate(groups):
            if size and size + group.size > self._most:
                piece = whole._replace(start=start, stop=number)
                yield _Sized(piece, size, stands_alone=True)
                start, size = number, 0
            size += group.size
        yield _Sized(whole._replace(start=start, stop=len(groups)), size, stands_alone=True)
