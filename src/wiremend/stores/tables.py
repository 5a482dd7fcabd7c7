"""What the stores in databases share: reading along a fork's ancestors, checksums, snapshots."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

from wiremend.stores.base import Damage, SessionInfo, blob_name, bounds, what_is_wrong
from wiremend.stores.errors import CorruptError, MissingError, StoreError

PAGE = 256
"""Records a query: no transaction stays open while the caller works on what it read."""


class Row(NamedTuple):
    """A session as the database has it."""

    key: int
    id: str
    records: int
    created: int
    updated: int
    parent: str | None
    at: int | None

    def info(self) -> SessionInfo:
        """What the caller sees of it."""
        return SessionInfo(*self[1:])


class Segment(NamedTuple):
    """Records ``first`` to ``last`` of a session are rows of the session with this key."""

    key: int
    first: int
    last: int


class Stored(NamedTuple):
    """A record as the database has it; without data it could not even be read."""

    number: int
    check: int
    data: bytes | None

    def wrong(self) -> str | None:
        """What is damaged, if anything."""
        if self.data is None:
            return "its page of the database cannot be read"
        if checksum(self.number, self.data) != self.check:
            return "its checksum does not match"
        return what_is_wrong(self.data)


def checksum(number: int, data: bytes) -> int:
    """CRC-32 over number and data, so that a record in another's place is found too."""
    return zlib.crc32(data, zlib.crc32(number.to_bytes(8, "big")))


class TableStore(ABC):
    """The reading half of a store in a database; what differs is below, under an underscore."""

    @abstractmethod
    def _find(self, session_id: str) -> Row | None: ...

    @abstractmethod
    def _page(self, key: int, after: int, until: int, limit: int) -> list[Stored]: ...

    @abstractmethod
    def _highest(self, key: int) -> int: ...

    @abstractmethod
    def _snapshots(self, key: int, until: int) -> list[tuple[int, int, bytes]]: ...

    @abstractmethod
    def _blob(self, name: str) -> bytes | None: ...

    @abstractmethod
    def _blob_names(self) -> list[str]: ...

    def length(self, session_id: str) -> int:
        """How many records the session has, inherited ones included."""
        return self._row(session_id).records

    def read(
        self,
        session_id: str,
        *,
        after: int = 0,
        until: int | None = None,
        skip_corrupt: bool = False,
    ) -> Iterator[tuple[int, bytes]]:
        """Records ``after`` + 1 to ``until`` with their numbers, streamed page by page."""
        row = self._row(session_id)
        after, until = bounds(row.records, after, until)
        return self._read(row, after, until, skip_corrupt)

    def _read(
        self, row: Row, after: int, until: int, skip_corrupt: bool
    ) -> Iterator[tuple[int, bytes]]:
        due = after + 1
        for stored in self._stored(row, after, until):
            if stored.number != due and not skip_corrupt:
                raise CorruptError(due, "it is missing")
            wrong = stored.wrong()
            if wrong is None and stored.data is not None:
                yield stored.number, stored.data
            elif not skip_corrupt:
                raise CorruptError(stored.number, wrong or "it is damaged")
            due = stored.number + 1
        if due <= until and not skip_corrupt:
            raise CorruptError(due, "it is missing")

    def _row(self, session_id: str) -> Row:
        row = self._find(session_id)
        if row is None:
            raise MissingError(f"there is no session {session_id!r}")
        return row

    def _segments(self, row: Row, until: int) -> list[Segment]:
        found: list[Segment] = []
        while True:
            start = row.at or 0
            if start < until:
                found.append(Segment(row.key, start + 1, until))
            until = min(until, start)
            if row.parent is None or not until:
                return found[::-1]
            row = self._row(row.parent)

    def _stored(self, row: Row, after: int, until: int) -> Iterator[Stored]:
        for key, first, last in self._segments(row, until):
            at = max(after, first - 1)
            while at < last:
                page = self._sturdy_page(key, at, last)
                yield from page
                at = page[-1].number if page else last

    def _sturdy_page(self, key: int, after: int, last: int) -> list[Stored]:
        try:
            return self._page(key, after, last, PAGE)
        except CorruptError:
            # One bad page of the database must not take its neighbours' records along.
            found: list[Stored] = []
            for number in range(after + 1, min(after + PAGE, last) + 1):
                try:
                    found += self._page(key, number - 1, number, 1)
                except CorruptError:
                    found.append(Stored(number, 0, None))
            return found or [Stored(min(after + PAGE, last), 0, None)]

    def load_snapshot(
        self, session_id: str, *, until: int | None = None
    ) -> tuple[int, bytes] | None:
        """The last whole snapshot at or before ``until``, of the session or of what it inherits."""
        row = self._row(session_id)
        _, limit = bounds(row.records, 0, until)
        while True:
            for at, check, data in self._snapshots(row.key, limit):
                if checksum(at, data) == check:
                    return at, data
            if row.parent is None:
                return None
            limit = min(limit, row.at or 0)
            row = self._row(row.parent)

    def get_blob(self, digest: str) -> bytes:
        """The bytes of that name; ``CorruptError`` if they are no longer what they were."""
        data = self._blob(digest)
        if data is None:
            raise MissingError(f"there is no blob {digest!r}")
        if blob_name(data) != digest:
            raise CorruptError(0, f"blob {digest} is damaged: its hash does not match")
        return data

    def verify(self, session_id: str) -> list[Damage]:
        """Read everything that the session depends on, and every blob; what is damaged."""
        row = self._row(session_id)
        found = [*self._damaged_records(row), *self._damaged_snapshots(row)]
        for name in self._blob_names():
            try:
                self.get_blob(name)
            except StoreError as error:
                found.append(Damage(0, str(error), "what this blob holds"))
        return found

    def _damaged_records(self, row: Row) -> Iterator[Damage]:
        due = 1
        for stored in self._stored(row, 0, row.records):
            if stored.number > due:
                yield missing(due, stored.number - 1)
            if wrong := stored.wrong():
                yield Damage(stored.number, wrong, "this record")
            due = stored.number + 1
        if due <= row.records:
            yield missing(due, row.records)
        if (highest := self._highest(row.key)) > row.records:
            wrong = f"there are records up to {highest}, and the session ends at {row.records}"
            yield Damage(row.records + 1, wrong, "the records after its end")

    def _damaged_snapshots(self, row: Row) -> Iterator[Damage]:
        for at, check, data in self._snapshots(row.key, row.records):
            if checksum(at, data) != check:
                wrong = f"the snapshot at {at} does not match its checksum"
                yield Damage(0, wrong, "nothing: it is made again from the records")


def missing(first: int, last: int) -> Damage:
    """The damage of records that are not there."""
    which = f"record {first} is" if first == last else f"records {first} to {last} are"
    return Damage(first, f"{which} missing", "this record" if first == last else "these records")
