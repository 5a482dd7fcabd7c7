"""Processes that are killed, and processes that write the same session at once."""

from __future__ import annotations

import multiprocessing
import os
import random
import time

import pytest

from tests.stores.writers import (
    batch_after,
    record,
    rest,
    started,
    write_against_another,
    write_until_killed,
)
from wiremend.stores import ConflictError, Store, StoreError, open_store

ROUNDS = int(os.environ.get("WIREMEND_KILL_ROUNDS", "60"))


def settled(store: Store) -> int:
    """The length, once nothing is underway any more.

    A database server may still be committing what its killed client asked for last.
    """
    while True:
        try:
            return store.append("s", [], expected=store.length("s"))
        except ConflictError:
            continue


def test_a_writer_killed_at_any_moment_loses_nothing_that_was_acknowledged(
    store: Store, url: str
) -> None:
    store.create("s")
    moments = random.Random(7)
    length = 0
    killed_while_writing = 0
    for _ in range(ROUNDS):
        with started(write_until_killed, url, "s") as (process, acknowledged):
            assert acknowledged.recv() == length
            time.sleep(moments.uniform(0, 0.03))
            process.kill()
            acked = max([length, *rest(acknowledged)])
        killed_while_writing += acked > length
        # A store that knows nothing of what was before must find the same.
        again = open_store(url)
        length = settled(again)
        assert length in {acked, acked + len(batch_after(acked))}
        assert list(again.read("s")) == [(n, record(n)) for n in range(1, length + 1)]
        if snapshot := again.load_snapshot("s"):
            assert snapshot == (snapshot[0], b"state at %d" % snapshot[0])
        again.close()
    assert store.length("s") == length
    assert killed_while_writing > ROUNDS / 3
    length = store.append("s", batch_after(length), expected=length)
    assert store.verify("s") == []
    assert list(store.read("s")) == [(n, record(n)) for n in range(1, length + 1)]


def test_two_processes_that_hammer_one_session_lose_nothing(store: Store, url: str) -> None:
    store.create("s")
    with (
        started(write_against_another, url, "s", "left") as (_, left),
        started(write_against_another, url, "s", "right") as (_, right),
    ):
        rest(left)
        rest(right)
    found = [data for _, data in store.read("s")]
    assert len(found) == 200
    for name in ("left", "right"):
        own = [record(number, name) for number in range(1, 101)]
        assert [data for data in found if data in set(own)] == own
    assert store.verify("s") == []


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_connection_is_not_carried_into_a_process_that_was_forked_off(
    store: Store, url: str
) -> None:
    if url.startswith("jsonl:"):
        pytest.skip("files have no connection that could be carried along")
    store.create("s")
    told, tell = multiprocessing.get_context("fork").Pipe(duplex=False)

    def child() -> None:
        try:
            store.append("s", [b"{}"], expected=0)
        except StoreError as error:
            tell.send(str(error))

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    assert told.poll(10)
    assert "open it here again" in told.recv()
    process.join(10)
    assert store.append("s", [b"{}"], expected=0) == 1
