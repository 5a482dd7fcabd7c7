"""Documents in parts that are worth sending to another process, and never more than fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wiremend.inputs import Document

MOST_BYTES = 512 << 10
MOST_DOCUMENTS = 512


class Part(NamedTuple):
    """Some documents of one file, in order.

    ``file`` counts the files of a run from 0. ``log`` names the format of the log whose records
    these are, all of them. ``among_others``: the file was not named, so that it need not be a
    conversation. ``trouble`` says why there are no (more) documents.
    """

    path: str
    file: int
    documents: tuple[Document, ...]
    log: str | None = None
    among_others: bool = False
    trouble: str | None = None

    @property
    def size(self) -> int:
        """Bytes of all documents."""
        return sum(len(document.data) for document in self.documents)


def parts_of(
    documents: Iterable[Document], *, live: bool = False
) -> Iterator[tuple[Document, ...]]:
    """Cut documents into parts: of about half a megabyte, or one document that is larger.

    ``live``: they come as they are made, and none waits for the next.
    """
    if live:
        yield from ((document,) for document in documents)
        return
    part: list[Document] = []
    size = 0
    for document in documents:
        part.append(document)
        size += len(document.data)
        if size >= MOST_BYTES or len(part) >= MOST_DOCUMENTS:
            yield tuple(part)
            part, size = [], 0
    if part:
        yield tuple(part)
