"""How things are measured: in turns, in processor time, with the garbage collector on."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import TypeAlias

from wiremend.projection import ordinary

Work: TypeAlias = Callable[[], object]

LEAST_ROUNDS = 3
MOST_ROUNDS = 41


@dataclass(frozen=True)
class Timing:
    """Seconds of processor time that one run takes."""

    median: float
    minimum: float
    rounds: int


def in_turns(works: Mapping[str, Work], seconds: float) -> dict[str, Timing]:
    """Run each work once a round, for about so long, so that all meet the same machine.

    What stands ready is set aside (``gc.freeze``) and each run starts with a clean heap: the
    collector is on and its work is counted, but nobody pays for the data of another.
    """
    taken: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    gc.collect()
    gc.freeze()
    begin = process_time()
    for number in range(MOST_ROUNDS):
        if number >= LEAST_ROUNDS and process_time() - begin > seconds:
            break
        for name, work in works.items():
            gc.collect()
            start = process_time()
            kept = work()
            taken[name].append(process_time() - start)
            del kept
    gc.unfreeze()
    return {name: Timing(median(t), min(t), len(t)) for name, t in taken.items()}


def peak_of(work: Work) -> int:
    """The most bytes that one run holds at a time, beyond what was there before."""
    work()
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        work()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak - before


_IMPORT = """
from time import process_time
start = process_time()
import json, msgspec
between = process_time()
import wiremend
print(between - start, process_time() - between)
"""


def import_times(runs: int) -> tuple[Timing, Timing]:
    """``import json, msgspec`` and, over that, ``import wiremend``: each run a new process."""
    first: list[float] = []
    own: list[float] = []
    for number in range(runs + 1):
        out = subprocess.run(
            [sys.executable, "-c", _IMPORT], check=True, capture_output=True, text=True
        ).stdout
        if number:  # the first one may have to write byte code
            before, over = map(float, out.split())
            first.append(before)
            own.append(over)
    return Timing(median(first), min(first), runs), Timing(median(own), min(own), runs)


def machine() -> str:
    """What the reader has to know of the machine."""
    version = ".".join(map(str, sys.version_info[:3]))
    loop = "in Python" if ordinary.ordinary is ordinary.in_python else "compiled"
    return f"{os.cpu_count()} cores, {sys.implementation.name} {version}, the inner loop {loop}"
