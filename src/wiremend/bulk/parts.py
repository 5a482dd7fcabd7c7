"""Documents in parts that are worth sending to another process, and never more than fit."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from wiremend.errors import WiremendError
from wiremend.inputs import Document
from wiremend.logs import LOGS

MOST_BYTES = 512 << 10
MOST_DOCUMENTS = 512


class Span(NamedTuple):
    """Where the lines of a part are in their file: bytes, and the number of the first line.

    ``has_blank`` says whether its empty lines are documents too.
    """

    offset: int
    length: int
    line: int
    has_blank: bool

    def read(self, path: str) -> tuple[Document, ...]:
        """The documents. Raises ``WiremendError`` where the file has become shorter."""
        with Path(path).open("rb") as file:
            file.seek(self.offset)
            data = file.read(self.length)
        if len(data) != self.length:
            raise WiremendError(f"{path} was changed while it was read")
        # A line ends where it ends in files, which is not everywhere that `splitlines` has it.
        lines = enumerate(io.BytesIO(data).readlines(), start=self.line)
        documents = (Document(line, number) for number, line in lines)
        return tuple(one for one in documents if self.has_blank or not one.is_blank)


class Part(NamedTuple):
    """Some documents of one file, in order.

    ``file`` counts the files of a run from 0. ``log`` names the format of the log whose records
    these are, all of them. ``among_others``: the file was not named, so that it need not be a
    conversation. ``trouble`` says why there are no (more) documents. With a ``span`` another
    process reads the documents itself, which is quicker than to be sent them. ``taken`` are the
    bytes of the file that it took, where the file is packed. ``session`` counts from 1 where a file
    is several logs.
    """

    path: str
    file: int
    documents: tuple[Document, ...]
    log: str | None = None
    among_others: bool = False
    trouble: str | None = None
    span: Span | None = None
    taken: int | None = None
    session: int | None = None

    @property
    def size(self) -> int:
        """Bytes of the file that it took."""
        return _size(self.documents) if self.taken is None else self.taken

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what can be read again."""
        if self.span is None:
            return Part, tuple(self)
        return _read_again, tuple(self._replace(documents=()))


def _read_again(*fields: Any) -> Part:
    part = Part(*fields)
    assert part.span is not None
    return part._replace(documents=part.span.read(part.path))


def parts_of(
    documents: Iterable[Document], *, live: bool = False
) -> Iterator[tuple[Document, ...]]:
    """Cut documents into parts: of about half a megabyte, or one document that is larger.

    ``live``: they come as they are made, and none waits for the next.
    """
    part: list[Document] = []
    size = 0
    for document in documents:
        part.append(document)
        size += len(document.data)
        if live or size >= MOST_BYTES or len(part) >= MOST_DOCUMENTS:
            yield tuple(part)
            part, size = [], 0
    if part:
        yield tuple(part)


def separate(part: Part) -> Iterator[Part]:
    """Each line of a log by lines alone: it is a log of its own."""
    if part.log is None or not LOGS[part.log].by_line:
        yield part
        return
    for document in part.documents:
        yield part._replace(documents=(document,), span=None)


def spans_of(
    documents: Iterable[Document], *, behind: int = 0, has_blank: bool = False
) -> Iterator[tuple[tuple[Document, ...], Span]]:
    """Cut all lines of a file, but for so many that are behind, into parts with their places."""
    offset = 0
    for part in parts_of(documents):
        ahead = tuple(one for one in part if (one.line or 1) > behind)
        offset += _size(part[: len(part) - len(ahead)])
        if ahead:
            kept = ahead if has_blank else tuple(one for one in ahead if not one.is_blank)
            length = _size(ahead)
            yield kept, Span(offset, length, ahead[0].line or 1, has_blank)
            offset += length


def _size(documents: Iterable[Document]) -> int:
    return sum(len(document.data) for document in documents)
