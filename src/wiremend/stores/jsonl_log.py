"""One session's file: a record a line, as Kimi Code's ``wire.jsonl`` has them.

All of a batch or nothing: every line of a batch but its last starts with a tab, which any JSON
reader passes over. A batch is there when its last line is. What an append that never ended left at
the end of the file (an unfinished batch, a torn line) is no record; the next append moves it to
``<file>.torn-N`` first. A last line that is a whole JSON object and lacks only its line break (a
file edited by hand) is a record.

Bytes up to the end that is known never change: who writes holds the file's lock, and takes back
what could not be written before letting go of it. So the file is scanned once, and then only what
others added.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from wiremend.stores.base import what_is_wrong
from wiremend.stores.errors import ConflictError, CorruptError, MissingError
from wiremend.stores.files import explained, locked, sync_folder, write_all

FORK = "session.fork"
MARK_EVERY = 1024
"""So many records at most are read in vain to find one by its number."""


class Start(msgspec.Struct, frozen=True):
    """A place from which a file can be scanned: after so many own records, at this byte."""

    records: int
    offset: int


class Log:
    """A session's own records: numbered from ``base`` + 1, after those that a fork inherits."""

    def __init__(self, path: Path, *, lock_seconds: float) -> None:
        self.path = path
        self.parent: str | None = None
        self.base = 0
        self.created: int | None = None
        self._lock_seconds = lock_seconds
        self._file_id: tuple[int, int] | None = None
        self._marks = [Start(0, 0)]
        self._end = Start(0, 0)
        with explained(path), path.open("rb") as file:
            self._read_head(file)

    def _read_head(self, file: BinaryIO) -> None:
        line = file.readline()
        head = head_of(line)
        self.created = created_of(head)
        start = Start(0, 0)
        self.parent, self.base = None, 0
        parent, at = head.get("parent"), head.get("at")
        if head.get("type") == FORK and isinstance(parent, str) and isinstance(at, int) and at >= 0:
            self.parent, self.base = parent, at
            start = Start(0, len(line))
        self._marks = [start]
        self._end = start
        status = os.fstat(file.fileno())
        self._file_id = (status.st_dev, status.st_ino)

    def start_from(self, start: Start) -> None:
        """Take over what an earlier scan found, so that only the rest is scanned."""
        self._marks.append(start)
        self._end = start

    @property
    def length(self) -> int:
        """Records as of the last look at the file, inherited ones included."""
        return self.base + self._end.records

    def refresh(self) -> int:
        """Look at what others added; the length."""
        with (
            explained(self.path),
            locked(self.path, writing=False, seconds=self._lock_seconds) as file,
        ):
            self._scan(file)
        return self.length

    def append(self, records: Sequence[bytes], expected: int) -> int:
        """Append all or nothing, durably; ``ConflictError`` if the length is another one."""
        with (
            explained(self.path),
            locked(self.path, writing=True, seconds=self._lock_seconds) as file,
        ):
            if os.fstat(file.fileno()).st_nlink == 0:
                raise MissingError(f"{self.path} was deleted by another program")
            torn = self._scan(file)
            if self.length != expected:
                raise ConflictError(expected, self.length)
            if records:
                self._write(file, records, torn)
        return self.length

    def _write(self, file: BinaryIO, records: Sequence[bytes], torn: int) -> None:
        descriptor = file.fileno()
        end = self._end.offset
        if torn:
            set_aside(self.path, os.pread(descriptor, torn, end))
            os.ftruncate(descriptor, end)
        data = b"\n\t".join(records[:-1])
        data = (b"\t" + data + b"\n" if data else b"") + records[-1] + b"\n"
        if end and os.pread(descriptor, 1, end - 1) != b"\n":
            data = b"\n" + data
        os.lseek(descriptor, end, os.SEEK_SET)
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        except BaseException:
            os.ftruncate(descriptor, end)
            raise
        self._extend(len(records), end + len(data))

    def _extend(self, records: int, offset: int) -> None:
        self._end = Start(self._end.records + records, offset)
        if self._end.records - self._marks[-1].records >= MARK_EVERY:
            self._marks.append(self._end)

    def _scan(self, file: BinaryIO) -> int:
        """Read on from the known end; how many bytes after the new one are torn."""
        status = os.fstat(file.fileno())
        if status.st_size < self._end.offset or self._file_id != (status.st_dev, status.st_ino):
            file.seek(0)
            self._read_head(file)
        if status.st_size == self._end.offset:
            return 0
        with os.fdopen(os.dup(file.fileno()), "rb") as buffered:
            self._scan_lines(buffered)
        return status.st_size - self._end.offset

    def _scan_lines(self, file: BinaryIO) -> None:
        file.seek(self._end.offset)
        offset = self._end.offset
        waiting = 0
        for line in file:
            offset += len(line)
            if line.isspace() and line.endswith(b"\n"):
                if not waiting:
                    self._extend(0, offset)
            elif line.startswith(b"\t"):
                waiting += 1
            elif line.endswith(b"\n") or what_is_wrong(line) is None:
                self._extend(waiting + 1, offset)
                waiting = 0

    def lines(self, after: int, until: int) -> Iterator[tuple[int, int, bytes]]:
        """Number, end as a byte offset, and bytes of own records; whatever they hold."""
        own_after, own_until = after - self.base, until - self.base
        mark = self._marks[bisect_right(self._marks, own_after, key=lambda m: m.records) - 1]
        number, offset = mark.records, mark.offset
        with explained(self.path), self.path.open("rb") as file:
            file.seek(offset)
            while number < own_until and (line := file.readline()):
                offset += len(line)
                if line.isspace():
                    continue
                number += 1
                if number > own_after:
                    yield self.base + number, offset, line.strip(b" \t\r\n")

    def read(self, after: int, until: int, skip_corrupt: bool) -> Iterator[tuple[int, bytes]]:
        """Own records from ``after`` + 1 to ``until``."""
        due = after + 1
        for number, _, record in self.lines(after, until):
            wrong = what_is_wrong(record)
            if wrong is None:
                yield number, record
            elif not skip_corrupt:
                raise CorruptError(number, f"{wrong} ({self.path})")
            due = number + 1
        if due <= until and not skip_corrupt:
            raise CorruptError(due, f"it is missing: {self.path} ends before it")

    def offset_after(self, number: int) -> Start | None:
        """Where the file can be scanned on after this record; None if the record is inherited."""
        if number == self.length:
            return self._end
        found = [offset for _, offset, _ in self.lines(number - 1, number)]
        return Start(number - self.base, found[0]) if number > self.base and found else None

    def torn(self) -> int:
        """How many bytes at the end of the file belong to an append that never ended."""
        with (
            explained(self.path),
            locked(self.path, writing=False, seconds=self._lock_seconds) as file,
        ):
            return self._scan(file)


def head_of(line: bytes) -> dict[str, Any]:
    """The first line as JSON; nothing if it is not an object."""
    try:
        head = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return head if isinstance(head, dict) else {}


def created_of(head: dict[str, Any]) -> int | None:
    """When the first record says that it was written, in milliseconds (some write seconds)."""
    for name in ("created", "created_at", "createdAt", "time", "timestamp"):
        value = head.get(name)
        if isinstance(value, int | float) and 0 < value < 1e14:
            return int(value if value > 1e11 else value * 1000)
    return None


def set_aside(path: Path, torn: bytes) -> None:
    """Keep what is cut off: it was never acknowledged, but it may be all that is left."""
    for number in count(1):
        aside = path.with_name(f"{path.name}.torn-{number}")
        try:
            descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            continue
        try:
            write_all(descriptor, torn)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_folder(path.parent)
        return
