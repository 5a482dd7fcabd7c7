"""A split, worked on: documents in, a partition out. It is the same on every engine."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

from wiremend.bulk.files import files_at
from wiremend.bulk.parquet import Changes, ParquetFile, as_file, documents_of
from wiremend.bulk.partitions import Note, Partitions
from wiremend.bulk.parts import Part
from wiremend.bulk.planning import Piece, Split
from wiremend.bulk.reading import Located, check_size, parts_of_rows, read_piece
from wiremend.errors import WiremendError
from wiremend.inputs import Document, Unusable, Wanted


class Row(NamedTuple):
    """What came of a document: lines to write, None where it stays as it was.

    ``made`` is what there is to count, of each conversation. ``refused`` says why it could not be
    used, ``is_other`` that it is no conversation at all.
    """

    lines: tuple[bytes, ...] | None = None
    made: tuple[Any, ...] = ()
    refused: str | None = None
    is_other: bool = False


class Work(Protocol):
    """What is done to documents. ``reports``: what it writes is about them, and JSONL.

    ``reshapes``: what it writes has another form than they have, so that a nested column becomes
    one of text.
    """

    @property
    def reports(self) -> bool: ...  # noqa: D102
    @property
    def reshapes(self) -> bool: ...  # noqa: D102

    def counts(self) -> Any:
        """A Struct of counts that are all 0."""
        ...

    def rows(self, located: Located) -> Iterable[Row]:
        """What comes of each document, of a log as a whole."""
        ...

    def count(self, made: Any, counts: Any) -> None:
        """Count what was made of a conversation."""
        ...


@dataclass(frozen=True)
class SplitTask:
    """Works on splits, and writes a partition of each into the folder ``out``."""

    work: Work
    asked: Wanted
    column: str | None
    as_text: bool
    out: str
    total: int

    def __call__(self, split: Split) -> Note:
        """Work on a split. What goes wrong with all of it is in the note."""
        try:
            partition = _Partition(self)
            for piece in split.pieces:
                if split.is_parquet:
                    partition.take_rows(piece)
                else:
                    partition.take_lines(piece)
            data = partition.data()
            note = partition.note(split, len(data))
            as_rows = split.is_parquet and not self.work.reports
            ending = ".parquet" if as_rows else ".jsonl"
            Partitions(self.out, self.total).put(note, data, ending, b"".join(partition.refused))
        except WiremendError as error:
            return Note(number=split.number, failure=error.reason)
        return note


@dataclass
class _Partition:
    task: SplitTask
    lines: list[bytes] = field(default_factory=list)
    tables: list[Any] = field(default_factory=list)
    compression: str = "none"
    refused: list[bytes] = field(default_factory=list)
    passed: int = 0
    first: str | None = None

    def __post_init__(self) -> None:
        self._counts = self.task.work.counts()

    def data(self) -> bytes:
        """The bytes of the partition."""
        if self.tables:
            return as_file(self.tables, self.compression)
        return b"".join(self.lines)

    def note(self, split: Split, written: int) -> Note:
        """What came of it."""
        return Note(
            number=split.number,
            read=split.size,
            written=written,
            refused=len(self.refused),
            passed=self.passed,
            first=self.first,
            counts=msgspec.to_builtins(self._counts),
        )

    # --- lines ---

    def take_lines(self, piece: Piece) -> None:
        """Work on what is in a file of JSON."""
        rows = self._rows(piece, read_piece(piece, self.task.asked))
        for document, row in rows:
            self._count(row)
            if row.lines is None:
                self.lines.append(_line(document.data))
            else:
                self.lines += row.lines

    def _count(self, row: Row) -> None:
        for made in row.made:
            self.task.work.count(made, self._counts)

    def _rows(self, piece: Piece, stretches: Iterable[Located]) -> Iterator[tuple[Document, Row]]:
        """Documents that are of use, and what comes of them; the others are kept aside."""
        was_used = False
        for located in stretches:
            part = located.part
            if part.trouble is not None:
                self._refuse({"path": piece.path}, part.trouble, None)
                continue
            for number, row in enumerate(self.task.work.rows(located)):
                if row.refused is None:
                    was_used = True
                    yield part.documents[number], row
                elif row.is_other and piece.among_others and not was_used:
                    # A file of a folder that is no conversation from its beginning.
                    self.passed += 1
                    return
                else:
                    document = part.documents[number]
                    whole = part.log is not None and len(part.documents) > 1
                    kept = None if whole or document.line is None else document.data
                    place = {"path": piece.path} if whole else located.place(number)
                    self._refuse(place, row.refused, kept)

    def _refuse(self, place: dict[str, Any], why: str, data: bytes | None) -> None:
        if self.first is None:
            where = "".join(f" {name} {value}" for name, value in list(place.items())[1:])
            self.first = f"{place['path']}{where}: {why}"
        entry = {**place, "reason": why, **_as_it_was(data)}
        self.refused.append(msgspec.json.encode(entry) + b"\n")

    # --- rows of Parquet ---

    def take_rows(self, piece: Piece) -> None:
        """Work on row groups of a Parquet file."""
        with closing(files_at(piece.root).open(piece.path)) as file:
            check_size(file, piece)
            try:
                source = ParquetFile(file, self.task.column)
                self.compression = source.compression
                for number, group in enumerate(source.groups()):
                    if piece.start <= number < piece.stop:
                        self._take_group(piece, source, number, group.before)
            except WiremendError as error:
                self._refuse({"path": piece.path}, error.reason, None)

    def _take_group(self, piece: Piece, source: ParquetFile, number: int, before: int) -> None:
        table = source.read(number)
        documents = documents_of(table.column(source.column), before + 1)
        for document in documents:
            if document.is_blank:
                self._refuse({"path": piece.path, "row": document.line}, "empty", None)
        full = [one for one in documents if not one.is_blank]
        empty = Part(piece.path, 0, (), among_others=piece.among_others)
        parts = parts_of_rows(empty, full, self.task.asked)
        rows = self._rows(piece, (Located(one, unit="row") for one in parts))
        if self.task.work.reports:
            for _, row in rows:
                self._count(row)
                self.lines += row.lines or ()
            return
        as_text = self.task.as_text or self.task.work.reshapes
        changes = Changes(table, source.column, as_text=as_text)
        for document, row in rows:
            assert document.line is not None
            place = document.line - before - 1
            try:
                if row.lines is None and not changes.is_other_type:
                    changes.keep(place)
                else:
                    for line in (document.data,) if row.lines is None else row.lines:
                        changes.put(place, line)
                self._count(row)
            except Unusable as error:
                at = {"path": piece.path, "row": document.line}
                self._refuse(at, str(error), document.data)
        self.tables.append(changes.table())


def _line(data: bytes) -> bytes:
    return data if data.endswith(b"\n") else data + b"\n"


def _as_it_was(data: bytes | None) -> dict[str, str]:
    if data is None:
        return {}
    try:
        return {"data": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}
