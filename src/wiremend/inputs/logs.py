"""Files that are logs: recognised by how they begin, and read as the records that they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from wiremend.inputs.choosing import Wanted
from wiremend.inputs.parsing import Unusable
from wiremend.inputs.sources import Document
from wiremend.logs import LOGS, Log, Record, recognise_log

_BEGINNING = 128
"""So many lines are looked at; a log may start with notes that tell little."""
_CONVERSATIONS = ("messages", "contents", "input")


class Opened(NamedTuple):
    """What a source turned out to be: documents, and the format of the log that they are."""

    log: Log | None
    documents: Iterator[Document]


def opened(documents: Iterable[Document], asked: Wanted) -> Opened:
    """Documents, such as those of a source, and the format of the log that they are, if any.

    Raises ``Unusable``.
    """
    if asked.format in LOGS:
        return Opened(LOGS[asked.format], iter(documents))
    if asked.format is not None:
        return Opened(None, iter(documents))
    return _look_at(iter(documents))


def _look_at(documents: Iterator[Document]) -> Opened:
    """Recognise a log by its first documents. Raises ``Unusable`` where it cannot be read."""
    seen: list[Document] = []
    log: Log | None = None
    for document in documents:
        seen.append(document)
        record = record_of(document)
        log = recognise_log(record.value)
        if log is not None or _is_conversation(record.value) or len(seen) >= _BEGINNING:
            break
    return Opened(log, chain(seen, documents))


def _is_conversation(value: Any) -> bool:
    return isinstance(value, list) or (
        isinstance(value, dict) and any(isinstance(value.get(n), list) for n in _CONVERSATIONS)
    )


def record_of(document: Document) -> Record:
    """The record that a line, or a whole file, is. A blank line is one without a value."""
    if document.is_blank:
        return Record(None, document.line, data=document.data)
    try:
        return Record(document.value(), document.line, data=document.data)
    except Unusable as error:
        return Record(None, document.line, data=document.data, trouble=str(error))
