"""A PostgreSQL server that hangs up, at every moment of an append."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from tests.stores.server import Server
from tests.stores.writers import record
from wiremend.stores import ConflictError, StoreError, UnavailableError, open_store
from wiremend.stores import postgres_append as appending
from wiremend.stores.postgres import PostgresStore
from wiremend.stores.postgres_append import Append, Connection


@pytest.fixture
def store(empty_postgres: str) -> Iterator[PostgresStore]:
    opened = PostgresStore(empty_postgres, wait_seconds=2)
    opened.create("s")
    yield opened
    opened.close()


def hang_up(url: str, connection: Connection) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as other:
        query = "SELECT pg_terminate_backend(%s, 5000)"
        other.execute(query, (connection.info.backend_pid,))


class Tapped:
    """A connection that is cut at a statement, once in its life."""

    def __init__(self, real: Connection, cut: Callable[[Connection, str], None]) -> None:
        self._real = real
        self._cut = cut

    def execute(self, query: str, *more: object) -> object:
        self._cut(self._real, query)
        return self._real.execute(query, *more)

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def cut_once(monkeypatch: pytest.MonkeyPatch, cut: Callable[[Connection, str], bool]) -> list[str]:
    cuts: list[str] = []
    on = Append.on

    def maybe(connection: Connection, query: str) -> None:
        if not cuts and cut(connection, query):
            cuts.append(query)

    monkeypatch.setattr(Append, "on", lambda self, connection: on(self, Tapped(connection, maybe)))
    return cuts


@pytest.mark.parametrize("moment", ["BEGIN", "SELECT", "INSERT", "UPDATE", "COMMIT"])
def test_a_connection_cut_before_a_statement_is_made_good(
    store: PostgresStore, empty_postgres: str, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    def cut(connection: Connection, query: str) -> bool:
        if query.startswith(moment):
            hang_up(empty_postgres, connection)
        return query.startswith(moment)

    cuts = cut_once(monkeypatch, cut)
    assert store.append("s", [record(1), record(2)], expected=0) == 2
    assert len(cuts) == 1
    assert list(store.read("s")) == [(1, record(1)), (2, record(2))]


def test_an_answer_to_commit_that_was_lost_does_not_append_twice(
    store: PostgresStore, empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(connection: Connection, query: str) -> bool:
        if query == "COMMIT":
            connection.execute(query)
            hang_up(empty_postgres, connection)
        return query == "COMMIT"

    cuts = cut_once(monkeypatch, cut)
    assert store.append("s", [record(1), record(2)], expected=0) == 2
    assert len(cuts) == 1
    assert list(store.read("s")) == [(1, record(1)), (2, record(2))]


def test_equal_records_of_another_writer_are_not_taken_for_ones_own(
    store: PostgresStore, empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_store(empty_postgres)

    def cut(connection: Connection, query: str) -> bool:
        if query == "COMMIT" and connection.info.backend_pid:
            hang_up(empty_postgres, connection)
            on_without_cut(other)
        return query == "COMMIT"

    def on_without_cut(store: object) -> None:
        monkeypatch.undo()
        other.append("s", [record(1)], expected=0)

    cut_once(monkeypatch, cut)
    with pytest.raises(ConflictError):
        store.append("s", [record(1)], expected=0)
    assert store.length("s") == 1
    other.close()


def test_connections_that_died_idle_are_replaced(store: PostgresStore, empty_postgres: str) -> None:
    import psycopg

    with psycopg.connect(empty_postgres, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
    assert store.append("s", [record(1)], expected=0) == 1


def test_a_session_that_another_writer_holds_is_said_to_be_held(empty_postgres: str) -> None:
    import psycopg

    store = PostgresStore(empty_postgres, wait_seconds=0.5)
    store.create("s")
    with psycopg.connect(empty_postgres) as other:
        other.execute("SELECT 1 FROM wiremend.sessions FOR UPDATE")
        with pytest.raises(UnavailableError, match="another writer holds the session: try again"):
            store.append("s", [record(1)], expected=0)
    assert store.append("s", [record(1)], expected=0) == 1
    store.close()


def test_a_server_that_is_gone_is_said_and_what_was_acknowledged_is_there_when_it_is_back(
    empty_postgres: str, server: Server
) -> None:
    if server.url != empty_postgres:
        pytest.skip("this server is not the tests' own to stop")
    store = PostgresStore(empty_postgres, wait_seconds=2)
    store.create("s")
    store.append("s", [record(1)], expected=0)
    server.stop()
    try:
        with pytest.raises(UnavailableError, match="no connection to the server") as caught:
            store.append("s", [record(2)], expected=1)
        assert "wm-pg-" not in str(caught.value)
        with pytest.raises(UnavailableError, match="no connection to the server"):
            store.length("s")
    finally:
        server.start()
    assert store.append("s", [record(2)], expected=1) == 2
    assert list(store.read("s")) == [(1, record(1)), (2, record(2))]
    store.close()


def test_a_server_that_cannot_be_reached_is_said_without_the_password() -> None:
    with pytest.raises(UnavailableError, match="check that it runs, and the URL") as caught:
        PostgresStore("postgresql://me:secret@127.0.0.1:1/none", wait_seconds=0.3)
    assert "secret" not in str(caught.value)


def test_only_the_pools_of_others_log_that_they_cannot_connect(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from psycopg_pool import ConnectionPool, PoolTimeout

    address = "postgresql://127.0.0.1:9/x"
    with pytest.raises(UnavailableError):
        PostgresStore(address, wait_seconds=0.2)
    assert caplog.text == ""
    with ConnectionPool(address, name="theirs", open=False) as pool, pytest.raises(PoolTimeout):
        pool.wait(timeout=0.2)
    assert "error connecting in 'theirs'" in caplog.text


def test_a_schema_of_a_newer_version_is_refused(store: PostgresStore, empty_postgres: str) -> None:
    import psycopg

    with psycopg.connect(empty_postgres) as connection:
        connection.execute("UPDATE wiremend.format SET version = 99")
    with pytest.raises(StoreError, match="made by a newer wiremend"):
        open_store(empty_postgres)


def test_without_psycopg_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'wiremend\[postgres\]'"):
        open_store("postgresql://localhost/none")


def test_a_lost_connection_twice_in_a_row_is_an_error_and_appends_at_most_once(
    store: PostgresStore, empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = Append.on

    def always(connection: Connection, query: str) -> None:
        if query.startswith("INSERT"):
            hang_up(empty_postgres, connection)

    monkeypatch.setattr(
        appending.Append, "on", lambda self, connection: on(self, Tapped(connection, always))
    )
    with pytest.raises(UnavailableError, match="no connection to the server"):
        store.append("s", [record(1)], expected=0)
    monkeypatch.undo()
    assert store.length("s") == 0
