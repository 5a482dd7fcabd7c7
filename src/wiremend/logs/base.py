"""What a log is: records in, conversations out, each place in them traced to its record.

Pure: who opens files gives the values, and applies the edits that come back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple, TypeAlias

import msgspec

Json: TypeAlias = dict[str, Any]


class Record(NamedTuple):
    """A JSON value of a log, and where it is written.

    ``line`` counts from 1 and is None for a whole file; ``file`` names the file where the log
    has several. ``data`` are the bytes as they were read, None where the value was changed since.
    ``trouble`` says why there is no value.
    """

    value: Any
    line: int | None = None
    file: str | None = None
    data: bytes | None = None
    trouble: str | None = None


class Home(NamedTuple):
    """A place in a log: the index of a record, and a JSON pointer into its value."""

    record: int
    pointer: str


class Piece(NamedTuple):
    """The smallest thing that a log writes on its own: a content block, an item or a message.

    ``value`` is what stands in the body; in ``home`` it is written. None: it stands for what
    comes after the end of the log, and is written nowhere.
    """

    role: str
    value: Any
    home: Home | None


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool sends when it goes on from its log, as a request body of ``dialect``.

    ``recorded`` is the body up to the end of the log, without what stands for the time after it;
    None: there is nothing of the kind. ``places`` has the home of each message and each of its
    pieces, by their pointers in the body. ``title`` tells conversations of one log apart.
    """

    dialect: str
    body: Json
    recorded: Json | None = None
    pieces: tuple[Piece, ...] = ()
    places: Mapping[str, Home] = {}
    title: str = ""

    def home_of(self, pointer: str) -> Home | None:
        """Where the value at ``pointer`` of the body is written; the nearest thing around it."""
        rest = ""
        while pointer:
            if pointer in self.places:
                home = self.places[pointer]
                return Home(home.record, home.pointer + rest)
            pointer, _, step = pointer.rpartition("/")
            rest = f"/{step}{rest}"
        return None


class Fault(msgspec.Struct, frozen=True):
    """Something that is wrong with a log itself, whatever a provider thinks of its messages."""

    code: str
    name: str
    doc: str
    consequence: str


class Problem(NamedTuple):
    """A fault at a place of a log. ``mended`` is the record's value without it; None: none."""

    fault: Fault
    home: Home
    message: str
    mended: Any


class Reading(NamedTuple):
    """What a log holds."""

    conversations: Sequence[Conversation]
    problems: Sequence[Problem] = ()


class Edits(msgspec.Struct, frozen=True):
    """What to do to the records of a log, by their indexes: all else stays as it is, byte by byte.

    ``inserted`` holds the values that follow a record, those of -1 come first.
    """

    changed: Mapping[int, Any] = {}
    removed: Set[int] = frozenset()
    inserted: Mapping[int, Sequence[Any]] = {}

    def __bool__(self) -> bool:
        return bool(self.changed or self.removed or self.inserted)

    def apply(self, records: Sequence[Record]) -> list[Record]:
        """The records as they are afterwards."""
        file = records[0].file if records else None
        out = [Record(value, None, file) for value in self.inserted.get(-1, ())]
        for index, record in enumerate(records):
            if index in self.changed:
                out.append(record._replace(value=self.changed[index], data=None, trouble=None))
            elif index not in self.removed:
                out.append(record)
            new = self.inserted.get(index, ())
            out.extend(Record(value, None, record.file) for value in new)
        return out


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """A format.

    ``recognise`` looks at one of the first values of a file; ``by_line`` says that each value is a
    log of its own, as in a data set. ``write_back`` gives the edits that make the records hold a
    mended body; where it is None, ``why_not`` says why such a file is not mended.
    """

    name: str
    what: str
    recognise: Callable[[Any], bool]
    read: Callable[[Sequence[Record]], Reading]
    write_back: Callable[[Sequence[Record], Conversation, Json], Edits] | None = None
    why_not: str = "which no tool goes on from: `wiremend convert` makes requests of it"
    by_line: bool = False


def objects(values: Any) -> list[Json]:
    """Those of the values that are JSON objects; none where there is no list."""
    return [v for v in values if isinstance(v, dict)] if isinstance(values, list | tuple) else []


def numbered(values: Any) -> list[tuple[int, Json]]:
    """The same, each with its index."""
    found = enumerate(values) if isinstance(values, list | tuple) else ()
    return [(number, value) for number, value in found if isinstance(value, dict)]
