"""Locked, full, too new, not a store: an error that says what to do, and nothing is lost."""

from __future__ import annotations

import multiprocessing
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.stores.writers import record
from wiremend.stores import (
    CorruptError,
    Store,
    StoreError,
    UnavailableError,
    open_store,
)
from wiremend.stores.sqlite import SqliteStore

FILLS_THE_DISK = """
import resource, sys
from wiremend.stores import UnavailableError, open_store
store = open_store(sys.argv[1])
store.create("s")
store.create("other")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
record = b'{"pad":"%s"}' % (b"x" * 3000)
length = 0
try:
    while length < 1000:
        length = store.append("s", [record] * 3, expected=length)
except UnavailableError as error:
    message = str(error)
assert length == store.length("s") == len(list(store.read("s"))), "a failed append left something"
try:
    store.append("s", [record] * 3, expected=length)
    raise SystemExit("the disk is still full")
except UnavailableError:
    pass
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert store.append("s", [record] * 3, expected=length) == length + 3
assert store.verify("s") == []
print(length, message)
"""


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])
def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path, kind: str) -> None:
    url = f"jsonl:{tmp_path}" if kind == "jsonl" else f"sqlite:///{tmp_path}/agent.db"
    done = subprocess.run(
        [sys.executable, "-c", FILLS_THE_DISK, url], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    length, _, message = done.stdout.strip().partition(" ")
    assert int(length) > 10
    assert ("disk is full" if kind == "jsonl" else "may be full or failing") in message
    again = open_store(url)
    assert again.length("s") == int(length) + 3
    again.close()


def test_a_full_sqlite_database_is_said_to_be_full(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "agent.db")
    store.create("s")
    store._db.execute("PRAGMA max_page_count = 20")
    with pytest.raises(UnavailableError, match="the disk is full, nothing was written"):
        store.append("s", [record(n) for n in range(1, 1000)], expected=0)
    assert store.append("s", [record(1)], expected=0) == 1
    store.close()


def test_a_locked_database_is_said_to_be_locked(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "agent.db", busy_seconds=0.05)
    store.create("s")
    other = sqlite3.connect(tmp_path / "agent.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(UnavailableError, match="is locked by another program: try again"):
        store.append("s", [record(1)], expected=0)
    assert list(store.read("s")) == []
    other.execute("ROLLBACK")
    other.close()
    assert store.append("s", [record(1)], expected=0) == 1
    store.close()


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    SqliteStore(path).close()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StoreError, match=r"written by a newer wiremend .*update wiremend"):
        SqliteStore(path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    path.write_text("not a database at all, but long enough to look at" * 100)
    with pytest.raises(CorruptError, match="is damaged, or not a SQLite file"):
        open_store(str(path))
    assert path.read_text().startswith("not a database")


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="cannot be used"):
        open_store(str(tmp_path / "none" / "agent.db"))


@pytest.mark.parametrize(
    "url", ["", "agent", "mysql://me:secret@host/db", "sqlite:///", "jsonl:", "agent.jsonl"]
)
def test_what_names_no_store_is_answered_with_what_does(url: str) -> None:
    with pytest.raises(StoreError, match=r"use a path that ends in \.db") as caught:
        open_store(url)
    assert "secret" not in str(caught.value)


def test_a_path_that_ends_in_db_is_sqlite(tmp_path: Path) -> None:
    for name in ("a.db", "b.sqlite", "c.sqlite3"):
        store = open_store(str(tmp_path / name))
        store.create("s")
        store.close()
        assert (tmp_path / name).read_bytes().startswith(b"SQLite format 3")


def _open_and_make(url: str, name: str) -> None:
    store = open_store(url)
    store.create(name)
    store.close()


def test_many_may_open_a_new_store_at_the_same_moment(url: str) -> None:
    context = multiprocessing.get_context("forkserver")
    processes = [context.Process(target=_open_and_make, args=(url, f"s{n}")) for n in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 8
    store = open_store(url)
    assert [info.id for info in store.sessions()] == [f"s{n}" for n in range(8)]
    store.close()


def test_only_one_of_many_makes_a_session(url: str) -> None:
    store = open_store(url)
    made: list[int] = []

    def make(number: int) -> None:
        own = open_store(url)
        try:
            own.create("s")
            made.append(number)
        except StoreError:
            pass
        own.close()

    threads = [threading.Thread(target=make, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    store.close()


def test_every_store_is_a_store(store: Store) -> None:
    assert isinstance(store, Store)


def test_a_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE theirs (id TEXT)")
        database.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        open_store(str(path))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
