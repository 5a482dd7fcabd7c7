"""Real processes that write: they say what was acknowledged, until they are done or killed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from wiremend.stores import ConflictError, open_store

# A server that forks: a writer is there in milliseconds, without the threads of the tests. It has
# loaded what takes long (what is not installed is passed over).
_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["pytest", "psycopg_pool", "wiremend.stores.postgres"])


def record(number: int, writer: str = "") -> bytes:
    return b'{"type":"n","number":%d,"writer":"%s","pad":"%s"}' % (
        number,
        writer.encode(),
        b"x" * (number * 37 % 400),
    )


def batch_after(length: int) -> list[bytes]:
    """What a writer appends at this length, so that a test can tell what belongs together."""
    return [record(number) for number in range(length + 1, length + 2 + length % 4)]


def write_until_killed(url: str, session_id: str, acknowledge: Connection) -> None:
    store = open_store(url)
    length = store.length(session_id)
    acknowledge.send(length)
    while True:
        length = store.append(session_id, batch_after(length), expected=length)
        acknowledge.send(length)
        if length % 7 == 0:
            store.save_snapshot(session_id, length, b"state at %d" % length)


def write_against_another(url: str, session_id: str, acknowledge: Connection, name: str) -> None:
    store = open_store(url)
    acknowledge.send(0)
    conflicts = 0
    for number in range(1, 101):
        while True:
            try:
                length = store.length(session_id)
                store.append(session_id, [record(number, name)], expected=length)
                break
            except ConflictError:
                conflicts += 1
    acknowledge.send(conflicts)
    store.close()


@contextmanager
def started(
    target: Callable[..., None], url: str, session_id: str, *more: str
) -> Iterator[tuple[BaseProcess, Connection]]:
    ours, theirs = _processes.Pipe(duplex=False)
    process = _processes.Process(target=target, args=(url, session_id, theirs, *more), daemon=True)
    process.start()
    theirs.close()
    try:
        yield process, ours
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()


def rest(acknowledged: Connection) -> list[int]:
    """Everything that was said before the end."""
    found: list[int] = []
    while True:
        try:
            found.append(acknowledged.recv())
        except EOFError:
            return found
