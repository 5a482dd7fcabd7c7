"""One function over many things, on all cores, with the answers in order and in bounded memory."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from multiprocessing import get_context
from typing import TypeVar

from wiremend.errors import WiremendError

T = TypeVar("T")
R = TypeVar("R")

ALONE = 1.5
"""So many seconds are worked before other processes are started, which takes as long."""
AHEAD = 3
"""So many things for each process are read ahead."""


def cores() -> int:
    """How many processes can work at the same time here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(work: Callable[[T], R], things: Iterable[T], processes: int) -> Iterator[tuple[T, R]]:
    """Each thing with what ``work`` makes of it, in order, whichever is ready first.

    ``work``, things and answers have to be picklable where there is more than one process. Raises
    ``WiremendError`` where a process dies.
    """
    left = iter(things)
    began = time.monotonic()
    for thing in left:
        if processes > 1 and time.monotonic() - began >= ALONE:
            left = chain([thing], left)
            break
        yield thing, work(thing)
    else:
        return
    # Not forked: this process may have threads.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _leave_interrupts_to_the_parent)
    waiting: deque[tuple[T, Future[R]]] = deque()
    try:
        for thing in left:
            waiting.append((thing, pool.submit(work, thing)))
            if len(waiting) >= AHEAD * processes:
                done, answer = waiting.popleft()
                yield done, answer.result()
        while waiting:
            done, answer = waiting.popleft()
            yield done, answer.result()
    except BrokenProcessPool:
        raise WiremendError(
            "a process that worked on this was killed, perhaps for want of memory; try --jobs 1"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
