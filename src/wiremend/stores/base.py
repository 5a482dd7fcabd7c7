"""What a store is: sessions of numbered records, their snapshots, and blobs."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

import msgspec

from wiremend.stores.errors import StoreError

Clock: TypeAlias = Callable[[], int]

KEPT_SNAPSHOTS = 2

_ID = re.compile(r"\w[\w.:@+=~-]*")
_ID_BYTES = 200
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Birthplace:
    """The process in which a store was opened: a connection must not be carried into another."""

    def __init__(self) -> None:
        self._pid = os.getpid()

    def check(self) -> None:
        """Raise ``StoreError`` in a process that was forked off since."""
        if os.getpid() != self._pid:
            raise StoreError("this store was opened before the process forked: open it here again")


class SessionInfo(msgspec.Struct, frozen=True):
    """A session: its length (inherited records included), its times (milliseconds since the epoch)
    and, if it is a fork, what it inherits: records 1 to ``at`` of ``parent``."""

    id: str
    records: int
    created: int
    updated: int
    parent: str | None = None
    at: int | None = None


class Damage(msgspec.Struct, frozen=True):
    """What ``verify`` found: at which record (0: not at one), what is wrong, what is lost."""

    number: int
    wrong: str
    lost: str


@runtime_checkable
class Store(Protocol):
    """Sessions of records. A record is one JSON object as compact UTF-8 bytes without a newline.

    The records of a session are numbered 1, 2, 3 …, those that a fork inherits included. Every
    method raises ``StoreError`` or one of its kinds, and nothing else.
    """

    def create(self, session_id: str, *, parent: str | None = None, at: int | None = None) -> None:
        """Make a session: empty, or a fork that shares records 1 to ``at`` of ``parent`` (all that
        it has, if ``at`` is not given). Nothing is copied."""
        ...

    def sessions(self) -> list[SessionInfo]:
        """Every session, in the order of their ids."""
        ...

    def append(self, session_id: str, records: Sequence[bytes], *, expected: int) -> int:
        """Append all of the records or none, durably; the new length.

        ``ConflictError`` if the session does not have ``expected`` records.
        """
        ...

    def read(
        self,
        session_id: str,
        *,
        after: int = 0,
        until: int | None = None,
        skip_corrupt: bool = False,
    ) -> Iterator[tuple[int, bytes]]:
        """Records ``after`` + 1 to ``until`` with their numbers, streamed.

        A damaged or missing one is a ``CorruptError``, or left out with ``skip_corrupt``.
        """
        ...

    def length(self, session_id: str) -> int:
        """How many records the session has, inherited ones included."""
        ...

    def save_snapshot(self, session_id: str, at: int, data: bytes) -> None:
        """Keep what records 1 to ``at`` amount to. The last two are kept."""
        ...

    def load_snapshot(
        self, session_id: str, *, until: int | None = None
    ) -> tuple[int, bytes] | None:
        """The last whole snapshot at or before ``until``, of the session or of what it inherits."""
        ...

    def put_blob(self, data: bytes) -> str:
        """Keep bytes once; their name (see ``blob_name``)."""
        ...

    def get_blob(self, digest: str) -> bytes:
        """The bytes of that name; ``CorruptError`` if they are no longer what they were."""
        ...

    def verify(self, session_id: str) -> list[Damage]:
        """Read everything that the session depends on, and every blob; what is damaged."""
        ...

    def delete(self, session_id: str) -> None:
        """Remove a session. Refused while forks of it exist; blobs stay."""
        ...

    def close(self) -> None:
        """Let go of files and connections. A closed store is not used again."""
        ...


def now() -> int:
    """The time, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def blob_name(data: bytes) -> str:
    """The name of a blob: the SHA-256, in hexadecimal, of its base64 text.

    That is what Kimi Code's logs call theirs.
    """
    return hashlib.sha256(base64.b64encode(data)).hexdigest()


def check_id(session_id: str) -> str:
    """Refuse an id that is not also a safe file name, so that sessions can move between stores."""
    if not _ID.fullmatch(session_id) or len(session_id.encode()) > _ID_BYTES:
        raise StoreError(
            "a session id is letters, digits and any of _ . : @ + = ~ -, starts with a letter, "
            f"a digit or _, and has at most {_ID_BYTES} bytes"
        )
    return session_id


def check_records(records: Sequence[bytes]) -> None:
    """Refuse what could not be read back: anything but one JSON object on one line."""
    for index, record in enumerate(records):
        wrong = what_is_wrong(record)
        if not wrong and not (record.startswith(b"{") and record.endswith(b"}")):
            wrong = "it has whitespace around it"
        if wrong:
            raise StoreError(f"record {index} of those to append cannot be stored: {wrong}")


def what_is_wrong(record: bytes) -> str | None:
    """Why these bytes are no record; None if they are one."""
    if b"\n" in record or b"\r" in record:
        return "it has a line break"
    try:
        _OBJECT.decode(record)
        record.decode("utf-8")
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except (msgspec.DecodeError, RecursionError):
        return "it is not a JSON object"
    return None


def bounds(length: int, after: int, until: int | None) -> tuple[int, int]:
    """The range that is read, within what is there."""
    return max(after, 0), length if until is None else min(until, length)


def fork_point(parent: str, length: int, at: int | None) -> int:
    """Where a fork starts; refused beyond the end of its parent."""
    if at is None:
        return length
    if not 0 <= at <= length:
        raise StoreError(f"session {parent!r} has {length} records: it cannot be forked at {at}")
    return at


def check_fork(parent: str | None, at: int | None) -> None:
    """Refuse a fork point without a parent."""
    if parent is None and at is not None:
        raise StoreError("'at' is where a fork leaves its parent, and no parent was given")
