"""Sessions in PostgreSQL: many workers on many machines. Needs ``wiremend[postgres]``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from wiremend.stores import postgres_sql as sql
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
from wiremend.stores.errors import StoreError, UnavailableError
from wiremend.stores.postgres_append import Append, Connection, lock_session
from wiremend.stores.tables import Row, Stored, TableStore, checksum

if TYPE_CHECKING:
    import psycopg
    from psycopg_pool import ConnectionPool

T = TypeVar("T")

_POOL = "wiremend"


def _is_for_others(record: logging.LogRecord) -> bool:
    """Our pool logs each attempt with the address; the one error at the end says it all."""
    return record.levelno >= logging.ERROR or _POOL not in (record.args or ())


class PostgresStore(TableStore):
    """A schema ``wiremend`` in one database, made on first use; a pool of connections.

    Safe for threads, processes and machines. An append is one transaction that holds the session's
    row. When the connection is lost before the commit was sent, it is tried once more; when it is
    lost after that, what the database has now decides whether the append happened.
    """

    def __init__(
        self, url: str, *, connections: int = 4, wait_seconds: float = 10.0, clock: Clock = now
    ) -> None:
        try:
            import psycopg
            import psycopg_pool
        except ImportError as error:
            raise StoreError(
                "the PostgreSQL store needs psycopg: pip install 'wiremend[postgres]'"
            ) from error
        self._psycopg = psycopg
        self._pool_timeout = psycopg_pool.PoolTimeout
        self._clock = clock
        self._wait_ms = int(wait_seconds * 1000)
        logging.getLogger("psycopg.pool").addFilter(_is_for_others)
        self._pool: ConnectionPool[Any] = psycopg_pool.ConnectionPool(
            url,
            name=_POOL,
            min_size=1,
            max_size=connections,
            timeout=wait_seconds,
            reconnect_timeout=wait_seconds,
            check=psycopg_pool.ConnectionPool.check_connection,
            configure=self._configure,
            open=False,
        )
        self._birthplace = Birthplace()
        try:
            with self._explained():
                self._pool.open(wait=True, timeout=wait_seconds)
            self._again(self._prepare)
        except BaseException:
            self._pool.close()
            raise

    def _configure(self, connection: Connection) -> None:
        connection.autocommit = True
        connection.execute(sql.SETTINGS, (str(self._wait_ms),))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        errors = self._psycopg.errors
        try:
            yield
        except (errors.LockNotAvailable, errors.QueryCanceled) as error:
            raise UnavailableError("PostgreSQL: another writer holds the session: try again") from (
                error
            )
        except errors.DiskFull as error:
            raise UnavailableError(
                "PostgreSQL: the server's disk is full, nothing was written: free some space"
            ) from error
        except (self._psycopg.OperationalError, self._pool_timeout) as error:
            raise UnavailableError(
                "PostgreSQL: no connection to the server: check that it runs, and the URL"
            ) from error
        except errors.InsufficientPrivilege as error:
            raise UnavailableError(
                "PostgreSQL: this user may not use the schema wiremend: grant it the rights"
            ) from error
        except self._psycopg.Error as error:
            # What the server says in full may quote what was to be written.
            said = error.diag.message_primary or type(error).__name__
            raise StoreError(f"PostgreSQL: {said}") from error

    def _again(self, work: Callable[[Connection], T]) -> T:
        """Do what can be done twice: once more if the connection turns out to be dead."""
        with self._explained():
            try:
                return self._once(work)
            except self._psycopg.OperationalError as error:
                if not lost(error):
                    raise
            return self._once(work)

    def _once(self, work: Callable[[Connection], T]) -> T:
        self._birthplace.check()
        with self._pool.connection() as connection:
            return work(connection)

    def _prepare(self, connection: Connection) -> None:
        with connection.transaction():
            found = connection.execute(sql.HAS_SCHEMA).fetchone()
            if not found[0]:
                connection.execute(sql.ONE_AT_A_TIME)
                if not connection.execute(sql.HAS_SCHEMA).fetchone()[0]:
                    for statement in sql.SCHEMA:
                        connection.execute(statement)
            version = connection.execute(sql.VERSION_FOUND).fetchone()[0]
        if version != sql.VERSION:
            raise StoreError(
                f"the schema wiremend was made by a newer wiremend (format {version}, this one "
                f"knows {sql.VERSION}): update wiremend"
            )

    def create(self, session_id: str, *, parent: str | None = None, at: int | None = None) -> None:
        """Make a session: empty, or a fork that shares records 1 to ``at`` of ``parent``."""
        check_id(session_id)
        check_fork(parent, at)
        moment = self._clock()

        def work(connection: Connection) -> bool:
            start = at
            with connection.transaction():
                if parent is not None:
                    # Nobody deletes the parent while a fork of it is being made.
                    row = lock_session(connection, parent, sql.KEEPING)
                    start = fork_point(parent, row.records, at)
                values = (session_id, start or 0, moment, moment, parent, start)
                return connection.execute(sql.NEW_SESSION, values).fetchone() is not None

        with self._explained():
            made = self._once(work)
        if not made:
            raise StoreError(f"there is already a session {session_id!r}")

    def sessions(self) -> list[SessionInfo]:
        """Every session, in the order of their ids."""
        rows = self._rows(sql.ALL_SESSIONS)
        return sorted((Row(*row).info() for row in rows), key=lambda info: info.id)

    def append(self, session_id: str, records: Sequence[bytes], *, expected: int) -> int:
        """Append all of the records or none, durably; the new length."""
        check_records(records)
        asked = Append(session_id, records, expected, clock=self._clock)
        with self._explained():
            try:
                return self._once(asked.on)
            except self._psycopg.OperationalError as error:
                if not lost(error):
                    raise
                if asked.commit_sent and self._happened(asked):
                    return asked.length
            # It is certain now that the first attempt did not happen.
            asked.commit_sent = False
            try:
                return self._once(asked.on)
            except self._psycopg.OperationalError as error:
                if lost(error) and asked.commit_sent and self._happened(asked):
                    return asked.length
                raise

    def _happened(self, asked: Append) -> bool:
        """Whether an append whose commit was not answered is there.

        The lock on the session's row waits for the lost connection's transaction to end either way.
        """

        def work(connection: Connection) -> bool:
            with connection.transaction():
                return asked.happened_on(connection)

        try:
            return self._once(work)
        except (self._psycopg.OperationalError, self._pool_timeout) as error:
            raise UnavailableError(
                "PostgreSQL: the connection was lost while the append was being committed, and the "
                "server cannot be asked: it may have been written; reload the session"
            ) from error

    def save_snapshot(self, session_id: str, at: int, data: bytes) -> None:
        """Keep what records 1 to ``at`` amount to. The last two are kept."""

        def work(connection: Connection) -> None:
            with connection.transaction():
                row = lock_session(connection, session_id, sql.KEEPING)
                fork_point(session_id, row.records, at)
                connection.execute(sql.NEW_SNAPSHOT, (row.key, at, checksum(at, data), data))
                connection.execute(sql.OLD_SNAPSHOTS, (row.key, row.key, KEPT_SNAPSHOTS))

        self._again(work)

    def put_blob(self, data: bytes) -> str:
        """Keep bytes once; their name (see ``blob_name``)."""
        name = blob_name(data)
        if not self._rows(sql.HAS_BLOB, (name,)):
            self._again(lambda connection: connection.execute(sql.NEW_BLOB, (name, data)))
        return name

    def delete(self, session_id: str) -> None:
        """Remove a session. Refused while forks of it exist; blobs stay."""

        def work(connection: Connection) -> None:
            with connection.transaction():
                row = lock_session(connection, session_id, sql.REMOVING)
                if fork := connection.execute(sql.ONE_FORK, (row.id,)).fetchone():
                    raise StoreError(
                        f"session {row.id!r} has a fork, {fork[0]!r}: delete that first"
                    )
                connection.execute(sql.DELETE, (row.key,))

        with self._explained():
            self._once(work)

    def close(self) -> None:
        """Let go of the connections."""
        self._pool.close()

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        return self._again(lambda connection: connection.execute(query, values).fetchall())

    def _find(self, session_id: str) -> Row | None:
        found = self._rows(sql.ONE_SESSION, (session_id,))
        return Row(*found[0]) if found else None

    def _page(self, key: int, after: int, until: int, limit: int) -> list[Stored]:
        return [Stored(*row) for row in self._rows(sql.PAGE, (key, after, until, limit))]

    def _highest(self, key: int) -> int:
        return int(self._rows(sql.HIGHEST, (key,))[0][0])

    def _snapshots(self, key: int, until: int) -> list[tuple[int, int, bytes]]:
        return self._rows(sql.SNAPSHOTS, (key, until))

    def _blob(self, name: str) -> bytes | None:
        found = self._rows(sql.BLOB, (name,))
        return found[0][0] if found else None

    def _blob_names(self) -> list[str]:
        return [name for (name,) in self._rows(sql.BLOB_NAMES)]


def lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone, rather than the request refused."""
    # Without a code there was no answer; classes 08 and 57P are a server that hangs up.
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))
