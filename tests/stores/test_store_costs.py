"""What an operation costs, counted in bytes and statements: the same in a long session."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, LiteralString

import pytest

from tests.stores.writers import record
from wiremend.stores import Store, open_store
from wiremend.stores.sqlite import SqliteStore

LONG = 20_000


def counted_by_linux(test: Callable[..., None]) -> Callable[..., None]:
    """Linux counts what a process reads and writes, and of that only files, not sockets."""
    reason = "only Linux counts the bytes that a process reads and writes"
    files = pytest.mark.parametrize("url", ["sqlite", "jsonl"], indirect=True)
    return pytest.mark.skipif(sys.platform != "linux", reason=reason)(files(test))  # type: ignore[no-any-return]


def moved(work: Callable[[], object]) -> dict[str, int]:
    """Bytes that this process reads and writes meanwhile."""

    def count() -> dict[str, int]:
        lines = Path("/proc/self/io").read_text().splitlines()
        return {name: int(value) for name, value in (line.split(": ") for line in lines)}

    before = count()
    work()
    after = count()
    return {name: after[name] - before[name] for name in ("rchar", "wchar")}


def fill(store: Store, session_id: str, count: int) -> None:
    store.create(session_id)
    records = [record(n) for n in range(1, count + 1)]
    for start in range(0, count, 2000):
        store.append(session_id, records[start : start + 2000], expected=start)


@counted_by_linux
def test_an_append_moves_as_many_bytes_at_20000_records_as_at_10(store: Store, url: str) -> None:
    fill(store, "short", 10)
    fill(store, "long", LONG)
    store.close()
    again = open_store(url)
    costs = []
    for name, length in (("short", 10), ("long", LONG)):
        again.append(name, [record(1)], expected=length)  # what opening costs is another question
        costs.append(moved(lambda n=name, at=length + 1: again.append(n, [record(1)], expected=at)))  # type: ignore[misc]
    short, long = costs
    assert long["rchar"] <= short["rchar"] + 8192
    assert long["wchar"] <= short["wchar"] + 8192
    again.close()


def test_an_append_is_as_many_statements_at_20000_records_as_at_10(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "agent.db")
    fill(store, "short", 10)
    fill(store, "long", LONG)
    seen: list[str] = []
    store._db.set_trace_callback(seen.append)
    store.append("short", [record(1)], expected=10)
    short = len(seen)
    store.append("long", [record(1)], expected=LONG)
    assert len(seen) == 2 * short <= 12


def test_no_query_reads_more_than_it_needs(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "agent.db")
    fill(store, "s", 10)
    seen: list[str] = []
    store._db.set_trace_callback(seen.append)
    store.save_snapshot("s", 10, b"")
    store.load_snapshot("s")
    store.append("s", [record(11)], expected=10)
    list(store.read("s", after=5))
    store._db.set_trace_callback(None)
    queries = [query for query in seen if query.startswith(("SELECT", "DELETE", "UPDATE"))]
    assert len(queries) > 5
    for query in queries:
        plan = store._db.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
        assert not any(step[-1].startswith("SCAN") for step in plan), query


def test_what_is_asked_of_postgres_does_not_depend_on_the_length(
    empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    store = open_store(empty_postgres)
    fill(store, "short", 10)
    fill(store, "long", LONG)
    seen: list[object] = []
    execute = psycopg.Connection.execute

    def counted(self: psycopg.Connection[Any], query: LiteralString, *more: Any) -> object:
        seen.append(query)
        return execute(self, query, *more)

    monkeypatch.setattr(psycopg.Connection, "execute", counted)
    store.append("short", [record(1)], expected=10)
    short = len(seen)
    store.append("long", [record(1)], expected=LONG)
    assert len(seen) == 2 * short <= 14
    seen.clear()
    assert len(list(store.read("long", after=LONG - 5))) == 6
    store.create("fork", parent="long", at=LONG - 1)
    assert len(seen) <= 14
    monkeypatch.undo()
    with psycopg.connect(empty_postgres) as connection:
        found = connection.execute("SELECT count(*) FROM wiremend.records").fetchone()
    assert found == (LONG + 12,)
    store.close()


@counted_by_linux
def test_opening_a_long_session_reads_its_snapshot_and_the_rest(store: Store, url: str) -> None:
    fill(store, "short", 10)
    fill(store, "long", LONG)
    for name, length in (("short", 10), ("long", LONG)):
        store.save_snapshot(name, length, b"state" * 100)
        store.append(name, [record(n) for n in range(1, 11)], expected=length)
    store.close()

    def resume(name: str) -> None:
        again = open_store(url)
        snapshot = again.load_snapshot(name)
        assert snapshot is not None
        assert len(list(again.read(name, after=snapshot[0]))) == 10
        assert again.append(name, [record(1)], expected=snapshot[0] + 10) == snapshot[0] + 11
        again.close()

    resume("short")  # modules are loaded once
    short, long = moved(lambda: resume("long")), LONG * 200
    assert short["rchar"] < long / 20


@counted_by_linux
def test_a_fork_of_a_long_session_copies_nothing(store: Store) -> None:
    fill(store, "long", LONG)
    store.create("warm", parent="long", at=10)
    assert moved(lambda: store.create("fork", parent="long", at=LONG - 1))["wchar"] < 20_000
    assert store.length("fork") == LONG - 1
    assert list(store.read("fork", after=LONG - 3)) == [
        (LONG - 2, record(LONG - 2)),
        (LONG - 1, record(LONG - 1)),
    ]


@counted_by_linux
def test_reading_the_end_of_a_long_session_does_not_read_its_beginning(store: Store) -> None:
    fill(store, "long", LONG)
    cost = moved(lambda: list(store.read("long", after=LONG - 5)))
    assert cost["rchar"] < 2000 * 500


@counted_by_linux
def test_a_blob_is_stored_once(store: Store) -> None:
    data = b"\x00picture" * 50_000
    assert moved(lambda: store.put_blob(data))["wchar"] >= len(data)
    assert moved(lambda: store.put_blob(data))["wchar"] < 1000


def test_rows_of_a_fork_are_only_its_own(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "agent.db")
    fill(store, "s", 50)
    store.create("fork", parent="s")
    store.append("fork", [record(1)], expected=50)
    with sqlite3.connect(tmp_path / "agent.db") as database:
        assert database.execute("SELECT count(*) FROM records").fetchone() == (51,)
    database.close()
    store.close()
