"""One append to a session in PostgreSQL: what is sent, and how to learn what became of it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, TypeAlias

from wiremend.stores import postgres_sql as sql
from wiremend.stores.base import Clock, now
from wiremend.stores.errors import ConflictError, MissingError
from wiremend.stores.tables import Row, checksum

Connection: TypeAlias = Any
"""Of psycopg, which is imported only where it is needed; its rows are tuples."""


class Append:
    """An append that is asked for once, and may be sent twice.

    Its records carry a random number of their own: should the answer to the commit be lost, they
    can be told from equal records of another writer.
    """

    def __init__(
        self, session_id: str, records: Sequence[bytes], expected: int, *, clock: Clock = now
    ) -> None:
        self.commit_sent = False
        self.length = expected + len(records)
        self._session_id = session_id
        self._records = list(records)
        self._expected = expected
        self._clock = clock
        self._batch = secrets.randbits(62)

    def on(self, connection: Connection) -> int:
        """Do it, in a transaction that holds the session's row; the new length."""
        connection.execute("BEGIN")
        try:
            row = lock_session(connection, self._session_id, sql.APPENDING)
            if row.records != self._expected:
                raise ConflictError(self._expected, row.records)
            if self._records:
                self._insert(connection, row.key)
            self.commit_sent = True
            connection.execute("COMMIT")
        except BaseException:
            if not connection.closed:
                connection.execute("ROLLBACK")
            raise
        return self.length

    def _insert(self, connection: Connection, key: int) -> None:
        numbers = list(range(self._expected + 1, self.length + 1))
        checks = [checksum(*pair) for pair in zip(numbers, self._records, strict=True)]
        values = (key, self._batch, numbers, checks, self._records)
        connection.execute(sql.NEW_RECORDS, values)
        connection.execute(sql.NEW_LENGTH, (self.length, self._clock(), key))

    def happened_on(self, connection: Connection) -> bool:
        """Whether it is there. Waits for a transaction that was lost midway to end either way."""
        row = lock_session(connection, self._session_id, sql.APPENDING)
        values = (row.key, self._expected, self.length, self._batch)
        found = connection.execute(sql.COUNT_BATCH, values).fetchone()
        return bool(found[0] == len(self._records))


def lock_session(connection: Connection, session_id: str, how: str) -> Row:
    """The session's row, held until the transaction ends."""
    found = connection.execute(f"{sql.ONE_SESSION} {how}", (session_id,)).fetchone()
    if found is None:
        raise MissingError(f"there is no session {session_id!r}")
    return Row(*found)
