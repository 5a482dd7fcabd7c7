"""``python -m benchmarks.run``: measure wiremend beside its floor and a peer, in one run."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import wiremend
from benchmarks import peers
from benchmarks.bodies import BODIES
from benchmarks.histories import KINDS
from benchmarks.measure import Work, import_times, in_turns, machine, peak_of
from benchmarks.report import HISTORY, Figures, Record, as_markdown, as_text
from benchmarks.subjects import of_body, of_history
from benchmarks.tables import into_page

SIZES = (1_000, 10_000, 100_000)
WHOLE = ("healthy", "one exchange in ten broken")
"""The kinds of history that the floor and the peer run on as well."""
TOO_SLOW = 60.0
"""Seconds: what is expected to take longer is left out."""
BODIES_UP_TO = 10_000
"""Messages: the largest request body of the other kinds, which would take an hour."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the tables."""
    wishes = _parser().parse_args(arguments)
    figures = Figures(machine(), sorted(wishes.sizes), [], {})
    for kind in wishes.kinds:
        _measure(figures, kind, wishes.peer, wishes.seconds)
        print(f"measured: {kind}", file=sys.stderr)
    if wishes.imports:
        figures.imports = import_times(wishes.imports)
    print(as_text(figures))
    if wishes.json:
        wishes.json.write_text(json.dumps(figures.as_json(), indent=1))
    if wishes.markdown:
        into_page(wishes.markdown, as_markdown(figures), "figures")


def _measure(figures: Figures, kind: str, peer: str, seconds: float) -> None:
    whole = kind in WHOLE
    for size in figures.sizes:
        history = KINDS[kind](size)
        works = of_history(history, peer, whole=whole)
        _time(figures, size, kind, HISTORY, works, seconds=seconds)
        if whole:
            messages = wiremend.history_from_json(wiremend.to_json(tuple(history)))
            peak = peak_of(lambda held=messages: wiremend.project(held))  # type: ignore[misc]
            figures.bytes_a_message.setdefault(kind, {})[size] = peak / size
            del messages
        for dialect in BODIES if whole or size <= BODIES_UP_TO else ():
            works = of_body(history, dialect, whole=whole)
            _time(figures, size, kind, dialect, works, seconds=seconds)


def _time(
    figures: Figures, size: int, kind: str, form: str, works: dict[str, Work], *, seconds: float
) -> None:
    bearable = {
        name: work
        for name, work in works.items()
        if _expected(figures, size, kind, form, name) < TOO_SLOW
    }
    for name, timing in in_turns(bearable, seconds).items():
        figures.records.append(Record(size, kind, form, name, timing))


def _expected(figures: Figures, size: int, kind: str, form: str, name: str) -> float:
    """How long a run will take if it goes on growing as it did up to here."""
    smaller = [n for n in figures.sizes if n < size]
    found = [figures.timing(n, kind, form, name) for n in smaller]
    if not found:
        return 0.0
    last = found[-1]
    if last is None:
        return TOO_SLOW
    before = found[-2] if len(found) > 1 else None
    return last.median * (last.median / before.median if before else size / smaller[-1])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    add = parser.add_argument
    add("--sizes", type=int, nargs="+", default=SIZES, help="numbers of messages")
    add("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS), metavar="KIND")
    add("--peer", default=peers.PYDANTIC_AI, choices=peers.PEERS)
    add("--seconds", type=float, default=4.0, help="about how long to measure each group")
    add("--imports", type=int, default=15, help="how often to import in a new process")
    add("--json", type=Path, metavar="OUT", help="write every figure, with minima")
    add("--markdown", type=Path, metavar="PAGE", help="put the tables into this page")
    return parser


if __name__ == "__main__":
    main()
