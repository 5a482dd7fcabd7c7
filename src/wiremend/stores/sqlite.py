"""Sessions in one SQLite file: the default store."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from wiremend.stores.base import (
    KEPT_SNAPSHOTS,
    Birthplace,
    Clock,
    SessionInfo,
    blob_name,
    check_fork,
    check_id,
    check_records,
    fork_point,
    now,
)
from wiremend.stores.errors import ConflictError, CorruptError, StoreError, UnavailableError
from wiremend.stores.tables import Row, Stored, TableStore, checksum

VERSION = 1
_NUMBER_BITS = 32

# A record's key is its session's number, then its own, in one integer: the table is then a single
# tree in the order of reading, whose cost of appending does not grow with the records' size as that
# of an index (or of WITHOUT ROWID, which keeps whole rows in its inner pages) does.
_SCHEMA = f"""
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, records INTEGER NOT NULL,
  created INTEGER NOT NULL, updated INTEGER NOT NULL, parent TEXT, at INTEGER
) STRICT;
CREATE INDEX forks ON sessions (parent) WHERE parent IS NOT NULL;
CREATE TABLE records (
  key INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, data BLOB NOT NULL
) STRICT;
CREATE TABLE snapshots (
  session INTEGER NOT NULL, at INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (session, at)
) STRICT;
CREATE TABLE blobs (name TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
PRAGMA user_version = {VERSION};
"""
_ROW = "SELECT key, id, records, created, updated, parent, at FROM sessions"


class SqliteStore(TableStore):
    """One file in WAL mode; every append is on the disk when it returns.

    Safe for threads (they take turns) and for several processes on one machine. ``busy_seconds``
    is how long a write waits for another's to end.
    """

    def __init__(self, path: str | Path, *, busy_seconds: float = 10.0, clock: Clock = now) -> None:
        self._path = Path(path)
        self._clock = clock
        self._lock = threading.RLock()
        self._birthplace = Birthplace()
        with _explained(self._path):
            self._db = sqlite3.connect(
                self._path, timeout=busy_seconds, isolation_level=None, check_same_thread=False
            )
        try:
            with _explained(self._path):
                self._prepare(busy_seconds)
        except StoreError:
            self._db.close()
            raise

    def _prepare(self, busy_seconds: float) -> None:
        self._refuse_others()
        self._use_wal(busy_seconds)
        self._db.execute("PRAGMA synchronous = FULL")
        if self._version() == 0:
            with self._writing():
                if self._version() == 0:
                    for statement in _SCHEMA.split(";"):
                        self._db.execute(statement)
        if self._version() != VERSION:
            raise StoreError(
                f"{self._path} was written by a newer wiremend (format {self._version()}, this one "
                f"knows {VERSION}): update wiremend"
            )

    def _refuse_others(self) -> None:
        """Leave a database alone that is another program's: nothing may be written into it."""
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        # Read behind the tables: who makes them gives the version in the same moment.
        if tables and self._version() == 0:
            raise StoreError(f"{self._path} is a database of another program, not a store")

    def _use_wal(self, busy_seconds: float) -> None:
        # SQLite does not wait for a lock here, whatever the timeout: two that open a new file at
        # the same moment would fail.
        deadline = time.monotonic() + busy_seconds
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if not _busy(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return

    def _version(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self._birthplace.check()
        with self._lock, _explained(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        self._birthplace.check()
        with self._lock, _explained(self._path):
            yield self._db

    def create(self, session_id: str, *, parent: str | None = None, at: int | None = None) -> None:
        """Make a session: empty, or a fork that shares records 1 to ``at`` of ``parent``."""
        check_id(session_id)
        check_fork(parent, at)
        moment = self._clock()
        with self._writing() as db:
            if self._find(session_id):
                raise StoreError(f"there is already a session {session_id!r}")
            if parent is not None:
                at = fork_point(parent, self._row(parent).records, at)
            db.execute(
                "INSERT INTO sessions (id, records, created, updated, parent, at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (session_id, at or 0, moment, moment, parent, at),
            )

    def sessions(self) -> list[SessionInfo]:
        """Every session, in the order of their ids."""
        with self._reading() as db:
            return [Row(*row).info() for row in db.execute(f"{_ROW} ORDER BY id")]

    def append(self, session_id: str, records: Sequence[bytes], *, expected: int) -> int:
        """Append all of the records or none, durably; the new length."""
        check_records(records)
        with self._writing() as db:
            row = self._row(session_id)
            if row.records != expected:
                raise ConflictError(expected, row.records)
            base = row.key << _NUMBER_BITS
            db.executemany(
                "INSERT INTO records VALUES (?, ?, ?)",
                (
                    (base | number, checksum(number, record), record)
                    for number, record in enumerate(records, expected + 1)
                ),
            )
            length = expected + len(records)
            db.execute(
                "UPDATE sessions SET records = ?, updated = ? WHERE key = ?",
                (length, self._clock(), row.key),
            )
        return length

    def save_snapshot(self, session_id: str, at: int, data: bytes) -> None:
        """Keep what records 1 to ``at`` amount to. The last two are kept."""
        with self._writing() as db:
            row = self._row(session_id)
            fork_point(session_id, row.records, at)
            db.execute(
                "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)",
                (row.key, at, checksum(at, data), data),
            )
            db.execute(
                "DELETE FROM snapshots WHERE session = ? AND at NOT IN"
                " (SELECT at FROM snapshots WHERE session = ? ORDER BY at DESC LIMIT ?)",
                (row.key, row.key, KEPT_SNAPSHOTS),
            )

    def put_blob(self, data: bytes) -> str:
        """Keep bytes once; their name (see ``blob_name``)."""
        name = blob_name(data)
        with self._reading() as db:
            if db.execute("SELECT 1 FROM blobs WHERE name = ?", (name,)).fetchone():
                return name
        with self._writing() as db:
            db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (name, data))
        return name

    def delete(self, session_id: str) -> None:
        """Remove a session. Refused while forks of it exist; blobs stay."""
        with self._writing() as db:
            row = self._row(session_id)
            fork = db.execute("SELECT id FROM sessions WHERE parent = ?", (row.id,)).fetchone()
            if fork:
                raise StoreError(f"session {row.id!r} has a fork, {fork[0]!r}: delete that first")
            base = row.key << _NUMBER_BITS
            end = base + (1 << _NUMBER_BITS)
            db.execute("DELETE FROM records WHERE key >= ? AND key < ?", (base, end))
            db.execute("DELETE FROM snapshots WHERE session = ?", (row.key,))
            db.execute("DELETE FROM sessions WHERE key = ?", (row.key,))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    def _find(self, session_id: str) -> Row | None:
        with self._reading() as db:
            found = db.execute(f"{_ROW} WHERE id = ?", (session_id,)).fetchone()
        return Row(*found) if found else None

    def _page(self, key: int, after: int, until: int, limit: int) -> list[Stored]:
        base = key << _NUMBER_BITS
        with self._reading() as db:
            rows = db.execute(
                "SELECT key, checksum, data FROM records WHERE key > ? AND key <= ?"
                " ORDER BY key LIMIT ?",
                (base | after, base | until, limit),
            ).fetchall()
        return [Stored(number - base, check, data) for number, check, data in rows]

    def _highest(self, key: int) -> int:
        base = key << _NUMBER_BITS
        with self._reading() as db:
            found = db.execute(
                "SELECT max(key) FROM records WHERE key >= ? AND key < ?",
                (base, base + (1 << _NUMBER_BITS)),
            ).fetchone()[0]
        return int(found) - base if found is not None else 0

    def _snapshots(self, key: int, until: int) -> list[tuple[int, int, bytes]]:
        with self._reading() as db:
            return db.execute(
                "SELECT at, checksum, data FROM snapshots WHERE session = ? AND at <= ?"
                " ORDER BY at DESC",
                (key, until),
            ).fetchall()

    def _blob(self, name: str) -> bytes | None:
        with self._reading() as db:
            found = db.execute("SELECT data FROM blobs WHERE name = ?", (name,)).fetchone()
        return found[0] if found else None

    def _blob_names(self) -> list[str]:
        with self._reading() as db:
            return [name for (name,) in db.execute("SELECT name FROM blobs ORDER BY name")]


def _busy(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if _busy(error):
            raise UnavailableError(
                f"{path} is locked by another program: try again, or close that program"
            ) from error
        if code == sqlite3.SQLITE_FULL:
            raise UnavailableError(
                f"{path}: the disk is full, nothing was written: free some space and try again"
            ) from error
        if code == sqlite3.SQLITE_IOERR:
            raise UnavailableError(
                f"{path} cannot be read or written ({error}): the disk may be full or failing; "
                "see to it and try again"
            ) from error
        if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            raise CorruptError(0, f"{path} is damaged, or not a SQLite file: {error}") from error
        raise UnavailableError(f"{path} cannot be used: {error}") from error
