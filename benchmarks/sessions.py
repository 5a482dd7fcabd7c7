"""``python -m benchmarks.sessions``: what a step costs at any length, and a whole session.

In the session each step is sent: the history is made into a body and the body into bytes. What has
to do it all over again each time is measured at the middle of every stretch of steps, and counted
for the whole stretch.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import TypeVar

from benchmarks.bodies import BODIES, Body
from benchmarks.histories import History, Writer, healthy
from benchmarks.measure import machine, peak_of
from benchmarks.resending import PEERS, Resend, own
from benchmarks.tables import Table, into_page, markdown, plain
from wiremend import IncrementalProjection, RequestBuilder

SIZES = (1_000, 10_000, 100_000)
STEPS = 2_000
STRETCH = 100
_MEASURED = 200
_TRACED = 10_000
"""Messages: the longest history whose memory is traced, which is slow."""

S = TypeVar("S", bound=IncrementalProjection | RequestBuilder)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the tables."""
    wishes = _parser().parse_args(arguments)
    tables = [of_steps(wishes.sizes), of_memory(wishes.sizes)]
    peers = [peer for peer in PEERS if peer.package in wishes.peers]
    for dialect in BODIES:
        resends = [*own(dialect), *(peer for peer in peers if peer.dialect == dialect)]
        tables.append(of_session(dialect, wishes.steps, resends))
        print(f"measured: a session of {dialect}", file=sys.stderr)
    print("\n".join(map(plain, tables)))
    if wishes.markdown:
        said = f"Measured on {machine()}.\n\n"
        into_page(wishes.markdown, said + "\n".join(map(markdown, tables)), "sessions")


def of_steps(sizes: Sequence[int]) -> Table:
    """What one more exchange costs behind so many messages, in microseconds, and cold in all."""
    lines: dict[str, list[str]] = {}
    projections = {size: IncrementalProjection() for size in sizes}
    _measured_steps(lines, "project", projections, IncrementalProjection.messages)
    for dialect in BODIES:
        fields = _fields(dialect)
        builders = {size: RequestBuilder(dialect, fields) for size in sizes}
        _measured_steps(lines, f"{dialect}: bytes in chunks", builders, RequestBuilder.chunks)
        joined = lines.setdefault(f"{dialect}: copying the bytes", [])
        for builder in builders.values():
            chunks = builder.chunks()
            taken = [_time(b"".join, chunks) for _ in range(9)]
            joined.append(_us(median(taken)))
    head = ["a step, µs (cold, ms)", *(f"{size:,}" for size in sizes)]
    return Table("one more step", head, [[name, *cells] for name, cells in lines.items()])


def _measured_steps(
    lines: dict[str, list[str]],
    name: str,
    subjects: dict[int, S],
    look: Callable[[S], object],
) -> None:
    """Steps in turns at all sizes, so that each meets the same machine."""
    cold: dict[int, float] = {}
    for size, fresh in subjects.items():
        fresh.extend([*healthy(size - 1), Writer(2).prompt()])
        gc.collect()
        cold[size] = _time(look, fresh)
    gc.collect()
    gc.freeze()
    taken: dict[int, list[float]] = {number: [] for number in subjects}
    steps = _steps()
    for _ in range(_MEASURED):
        step = next(steps)
        for number, subject in subjects.items():
            taken[number].append(_time(_stepped, subject, step, look))
    gc.unfreeze()
    lines[name] = [f"{_us(median(taken[n]))} ({cold[n] * 1000:.1f})" for n in subjects]


def _stepped(subject: S, step: History, look: Callable[[S], object]) -> object:
    subject.extend(step)
    return look(subject)


def of_memory(sizes: Sequence[int]) -> Table:
    """The most that is held beside the history itself while it is written, in bytes a message."""
    traced = [size for size in sizes if size <= _TRACED]
    lines: list[list[str]] = []
    for name in ("project", *(f"{d}: {kind}" for d in BODIES for kind in ("bytes", "values"))):
        peaks = [peak_of(_kept(name, healthy(size))) / size for size in traced]
        lines.append([name, *(f"{peak:.0f}" for peak in peaks)])
    for dialect in BODIES:
        sent = [len(_builder(dialect, healthy(size)).encode()) / size for size in traced]
        lines.append([f"{dialect}: the bytes alone", *(f"{length:.0f}" for length in sent)])
    head = ["at most, bytes a message", *(f"{size:,}" for size in traced)]
    return Table("memory", head, lines)


def _kept(name: str, history: History) -> Callable[[], object]:
    dialect, _, kind = name.partition(": ")

    def make() -> object:
        if not kind:
            projection = IncrementalProjection()
            projection.extend(history)
            return projection, projection.messages()
        builder = _builder(dialect, history)
        return builder, builder.chunks() if kind == "bytes" else builder.request()

    return make


def of_session(dialect: str, steps: int, resends: Sequence[Resend]) -> Table:
    """A session from its first step to its last, in seconds, and as a ratio to wiremend's."""
    history = [Writer(2).prompt()]
    for step, _ in zip(_steps(), range(steps), strict=False):
        history += step
    gc.collect()
    builder = RequestBuilder(dialect, _fields(dialect))
    start = process_time()
    for end in range(1, len(history), 2):
        builder.extend(history[len(builder) : end])
        builder.encode()
    total = process_time() - start
    lines = [["wiremend.RequestBuilder", f"{total:.2f}", "1"]]
    stretch = min(STRETCH, steps)
    ends = range(stretch // 2, steps, stretch)
    for resend in resends:
        send = resend.prepared(history)
        taken = [_time(send, 2 * end + 1) for end in ends]
        whole = sum(taken) * stretch
        lines.append([resend.name(), f"{whole:.2f}", f"{whole / total:.0f}"])
    title = f"a session of {steps:,} steps, {dialect}"
    return Table(title, ["each step sent", "seconds", "times wiremend's"], lines)


def _builder(dialect: str, history: History) -> RequestBuilder:
    builder = RequestBuilder(dialect, _fields(dialect))
    builder.extend(history)
    return builder


def _fields(dialect: str) -> Body:
    return {name: value for name, value in BODIES[dialect]([]).items() if name != "messages"}


def _steps() -> Iterator[History]:
    writer = Writer(1)
    while True:
        call = writer.call()
        yield [writer.assistant(call), writer.result(call)]


def _time(work: Callable[..., object], *given: object) -> float:
    start = process_time()
    kept = work(*given)
    taken = process_time() - start
    del kept
    return taken


def _us(seconds: float) -> str:
    return f"{seconds * 1_000_000:,.0f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sessions", description=__doc__)
    add = parser.add_argument
    installed = [p.package for p in PEERS if importlib.util.find_spec(p.module) is not None]
    add("--sizes", type=int, nargs="+", default=SIZES, help="numbers of messages")
    add("--steps", type=int, default=STEPS, help="how many steps the session has")
    add("--peers", nargs="*", default=installed, choices=[p.package for p in PEERS])
    add("--markdown", type=Path, metavar="PAGE", help="put the tables into this page")
    return parser


if __name__ == "__main__":
    main()
