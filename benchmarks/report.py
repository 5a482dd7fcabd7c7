"""Tables of what was measured, as plain text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.bodies import BODIES
from benchmarks.histories import KINDS
from benchmarks.measure import Timing
from benchmarks.subjects import DECODE, FIX, PROJECT, SENDING, STRICT
from benchmarks.tables import Table, markdown, plain

HISTORY = "history"
WORSE = 1.5
"""Growth that is marked: half as much again as the history grew. Taken of the minima."""


@dataclass(frozen=True)
class Record:
    """One figure: what was run, on what (a history or a dialect's body), of what kind and size."""

    size: int
    kind: str
    form: str
    name: str
    timing: Timing


@dataclass
class Figures:
    """All that one run measured."""

    machine: str
    sizes: Sequence[int]
    records: list[Record]
    bytes_a_message: dict[str, dict[int, float]]
    imports: tuple[Timing, Timing] | None = None

    def timing(self, size: int, kind: str, form: str, name: str) -> Timing | None:
        """One figure, where it was measured."""
        wanted = (size, kind, form, name)
        return next((r.timing for r in self.records if _key(r) == wanted), None)

    def names(self, kind: str, form: str) -> list[str]:
        """What was run on this kind and form, in the order of the first measurement."""
        return list(dict.fromkeys(r.name for r in self.records if (r.kind, r.form) == (kind, form)))

    def tables(self) -> Iterator[Table]:
        """The tables of the report."""
        for kind in ("healthy", "one exchange in ten broken"):
            for form in (HISTORY, *BODIES):
                title = f"{kind}: {form}" if form == HISTORY else f"{kind}: {form} body"
                yield self._table(
                    title, [(name, kind, form, name) for name in self.names(kind, form)]
                )
        for form, name in ((HISTORY, PROJECT), (HISTORY, STRICT), (HISTORY, SENDING)):
            yield self._table(f"{name}, each kind", [(k, k, form, name) for k in KINDS])
        for form in BODIES:
            yield self._table(f"{FIX}, {form}, each kind", [(k, k, form, FIX) for k in KINDS])
        sizes = [f"{size:,}" for size in self.sizes]
        lines = [
            (kind, *(f"{found[size]:,.0f}" for size in self.sizes))
            for kind, found in self.bytes_a_message.items()
        ]
        yield Table("peak memory of project, bytes a message", ("history", *sizes), lines)
        if self.imports is not None:
            below, own = self.imports
            rows = (("json and msgspec", below), ("wiremend, over that", own))
            cells = [(n, f"{1e3 * t.median:.1f}", f"{1e3 * t.minimum:.1f}") for n, t in rows]
            yield Table("import, milliseconds", ("what", "median", "minimum"), cells)

    def as_json(self) -> dict[str, Any]:
        """Everything, for a program to read. Seconds of processor time."""
        return {
            "machine": self.machine,
            "sizes": list(self.sizes),
            "records": [asdict(record) for record in self.records],
            "bytes_a_message": self.bytes_a_message,
            "imports": [asdict(timing) for timing in self.imports or ()],
        }

    def _table(self, title: str, rows: Sequence[tuple[str, str, str, str]]) -> Table:
        sizes = [f"{size:,}" for size in self.sizes]
        lines = [
            (label, *self._cells(kind, form, name))
            for label, kind, form, name in rows
            if self.timing(self.sizes[0], kind, form, name)
        ]
        return Table(title, ("", *sizes, "growth"), lines)

    def _cells(self, kind: str, form: str, name: str) -> list[str]:
        found = [self.timing(size, kind, form, name) for size in self.sizes]
        bases = [self.timing(size, kind, form, DECODE) for size in self.sizes]
        cells = [
            "not run" if own is None or base is None else _ratio(own, base, name)
            for own, base in zip(found, bases, strict=True)
        ]
        growth = [
            _growth(found[n], found[n + 1], self.sizes[n + 1] / self.sizes[n])
            for n in range(len(found) - 1)
        ]
        return [*cells, ", ".join(growth)]


def as_text(figures: Figures) -> str:
    """The report for a terminal."""
    return "\n".join([figures.machine, "", *(plain(table) for table in figures.tables())])


def as_markdown(figures: Figures) -> str:
    """The report for the documentation."""
    return "\n".join([f"Measured on {figures.machine}.", "", *map(markdown, figures.tables())])


def _key(record: Record) -> tuple[int, str, str, str]:
    return record.size, record.kind, record.form, record.name


def _ratio(own: Timing, base: Timing, name: str) -> str:
    ratio = f"{own.median / base.median:.2f}"
    return f"1 ({1e3 * own.median:.2f} ms)" if name == DECODE else ratio


def _growth(small: Timing | None, large: Timing | None, expected: float) -> str:
    if small is None or large is None:
        return "–"
    factor = large.minimum / small.minimum
    return f"×{factor:.1f}{' !' if factor > WORSE * expected else ''}"
