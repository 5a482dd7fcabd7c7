"""The documents of a piece, and where in its file each of them is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import IO, Any

from wiremend.bulk.files import files_at, is_url
from wiremend.bulk.parts import Part, parts_of, separate
from wiremend.bulk.planning import Piece
from wiremend.errors import WiremendError
from wiremend.inputs import Document, Source, Unusable, Wanted, opened, stored_sessions
from wiremend.inputs.files import is_by_line
from wiremend.inputs.sources import MOST_BYTES


@dataclass(frozen=True)
class Located:
    """Documents in order. ``starts`` are their offsets, where nobody counted the lines."""

    part: Part
    starts: tuple[int, ...] | None = None
    unit: str = "line"

    def place(self, number: int) -> dict[str, Any]:
        """Where a document is: its file, and its line or row from 1, or its offset in bytes."""
        line = self.part.documents[number].line
        if line is None:
            return {"path": self.part.path}
        if self.starts is None:
            return {"path": self.part.path, self.unit: line}
        return {"path": self.part.path, "offset": self.starts[number]}


def read_piece(piece: Piece, asked: Wanted) -> Iterator[Located]:
    """The documents of a piece of a file that is no Parquet, without the blank ones.

    What cannot be read (further) is a part with its trouble. Raises ``WiremendError`` where the
    file was changed since it was looked at.
    """
    empty = Part(piece.path, 0, (), among_others=piece.among_others)
    try:
        with closing(files_at(piece.root).open(piece.path)) as file:
            check_size(file, piece)
            stored = None if is_url(piece.root) else stored_sessions(piece.path)
            if stored is not None:
                for title, document in stored:
                    named = empty._replace(path=title, documents=(document,), log="opencode")
                    yield Located(named)
            elif piece.start == 0:
                yield from _from_the_beginning(file, piece, empty, asked)
            else:
                yield from _from_the_middle(file, piece, empty)
    except Unusable as error:
        yield Located(empty._replace(trouble=str(error)))


def check_size(file: IO[bytes], piece: Piece) -> None:
    """Raise ``WiremendError`` where the file of a piece is not what it was."""
    size = file.seek(0, 2)
    if size != piece.size:
        raise WiremendError(f"{piece.path} was changed since this run began")
    file.seek(0)


def _from_the_beginning(file: Any, piece: Piece, empty: Part, asked: Wanted) -> Iterator[Located]:
    source = Source(file, named_by_line=is_by_line(piece.path), size=piece.size)
    log, documents = opened(source, asked)
    if log is not None and not log.by_line:
        yield Located(empty._replace(documents=tuple(documents), log=log.name))
        return
    if piece.stop < piece.size:
        documents = _up_to(documents, piece.stop)
    for part in parts_of(one for one in documents if not one.is_blank):
        kept = empty._replace(documents=part, log=None if log is None else log.name)
        yield from (Located(one) for one in separate(kept))


def _from_the_middle(file: IO[bytes], piece: Piece, empty: Part) -> Iterator[Located]:
    # A line belongs to the piece that its first byte is in.
    file.seek(piece.start - 1)
    offset = piece.start - 1 + len(_line(file))
    documents = _up_to(_numbered(file), piece.stop - offset)
    for part in parts_of(documents):
        starts = tuple(accumulate((len(one.data) for one in part), initial=offset))
        offset = starts[-1]
        full = [at for at, one in enumerate(part) if not one.is_blank]
        kept = empty._replace(documents=tuple(part[at] for at in full), log=piece.log)
        places = iter(starts[at] for at in full)
        for one in separate(kept):
            yield Located(one, tuple(islice(places, len(one.documents))))


def parts_of_rows(empty: Part, documents: Iterable[Document], asked: Wanted) -> Iterator[Part]:
    """The rows of a group, as parts like ``empty``: they are given as lines are."""
    log, found = opened(documents, asked)
    name = log.name if log is not None and log.by_line else None
    for part in parts_of(found):
        yield from separate(empty._replace(documents=part, log=name))


def _up_to(documents: Iterator[Document], stop: int) -> Iterator[Document]:
    """The documents that begin before so many bytes."""
    place = 0
    while place < stop and (document := next(documents, None)) is not None:
        yield document
        place += len(document.data)


def _numbered(file: IO[bytes]) -> Iterator[Document]:
    number = 0
    while line := _line(file):
        number += 1
        yield Document(line, number)


def _line(file: IO[bytes]) -> bytes:
    try:
        line = file.readline(MOST_BYTES + 1)
    except OSError as error:
        raise Unusable(f"cannot be read: {error}") from None
    if len(line) > MOST_BYTES:
        raise Unusable("more than 2 GiB in one JSON value")
    return line
