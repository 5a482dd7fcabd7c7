"""A view for a terminal: two columns of messages with what was repaired between them."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable, Iterator

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from wiremend.cli.base import count, has_colours, printable
from wiremend.inspector.entries import Block, Entry
from wiremend.inspector.linking import Link, Row
from wiremend.inspector.placing import Problem, Repair
from wiremend.inspector.view import View
from wiremend.rules import find_rule

_FEW_ROWS = 12
_AROUND = 1
_LINES, _LETTERS = 8, 1_200
_NARROW = 84
_SIGNS = {"same": "=", "changed": "~", "moved": "↕", "dropped": "✕", "added": "+"}
_STYLES = {
    "same": "dim",
    "changed": "yellow",
    "moved": "cyan",
    "dropped": "red",
    "added": "green",
}
_KINDS = {"thinking": "thinks", "call": "calls", "result": "result of", "tools": "declares tools"}


def side_by_side(view: View, *, everything: bool, mends: str = "") -> Iterator[str]:
    """The view in pieces of text, ready for a pager; ``mends`` is the command that mends it."""
    shown = _Shown(view, everything=everything)
    yield shown.head()
    folded = 0
    for number in range(len(view.linked.rows)):
        if shown.is_folded(number):
            folded += 1
            continue
        if folded:
            yield shown.fold(folded)
            folded = 0
        yield shown.row(number)
    if folded:
        yield shown.fold(folded)
    yield shown.end(mends)


class _Shown:
    """Writes the parts of a view for the width and the colours of this terminal."""

    def __init__(self, view: View, *, everything: bool) -> None:
        self._view = view
        self._everything = everything
        self._width = min(max(shutil.get_terminal_size((100, 24)).columns, 40), 160)
        self._repairs: dict[int, list[Repair]] = {}
        self._problems: dict[int, list[Problem]] = {}
        self._general: list[Repair] = []
        self._place()
        self._told: set[str] = set()
        self._to_left: dict[int, list[Link]] = {}
        self._to_right: dict[int, list[Link]] = {}
        for one in view.linked.links:
            self._to_left.setdefault(one.left, []).append(one)
            self._to_right.setdefault(one.right, []).append(one)

    def _place(self) -> None:
        linked = self._view.linked
        for repair in self._view.repairs:
            if repair.left:
                row = linked.row_of_left[repair.left[0]]
            elif repair.right:
                row = linked.row_of_right[repair.right[0]]
            else:
                self._general.append(repair)
                continue
            self._repairs.setdefault(row, []).append(repair)
        for problem in self._view.problems:
            if problem.entry >= 0:
                row = linked.row_of_left[problem.entry]
                self._problems.setdefault(row, []).append(problem)

    def is_folded(self, number: int) -> bool:
        rows = len(self._view.linked.rows)
        if self._everything or rows <= _FEW_ROWS:
            return False
        near = range(max(0, number - _AROUND), min(rows, number + _AROUND + 1))
        return not any(self._is_notable(one) for one in near) and 0 < number < rows - 1

    def _is_notable(self, number: int) -> bool:
        row = self._view.linked.rows[number]
        entries = [self._view.left[n] for n in row.left] + [self._view.right[n] for n in row.right]
        return (
            number in self._repairs
            or number in self._problems
            or any(entry.state != "same" for entry in entries)
        )

    def fold(self, rows: int) -> str:
        return "\n" + self._written(
            Text(f"  ⋯ {count(rows, 'row')} unchanged (--all shows them)", "dim")
        )

    def head(self) -> str:
        view = self._view
        out = Text()
        said, style = _verdict(view)
        out.append(said, style)
        written = self._written(out)
        # A provider names the first fault, in these words; all are shown where they are.
        for problem in view.problems[:1]:
            told = Text("it would answer: ", "dim")
            told.append(printable(problem.provider_error), "yellow")
            written += self._written(_indented(told, ""))
        general = [one for one in view.problems if one.entry < 0]
        for problem in general[:_FEW_ROWS]:
            written += self._written(_indented(f"✗ {problem.code} {problem.message}", "red"))
        for repair in self._general:
            written += self._written(_indented(f"✎ {printable(repair.said)}", "yellow"))
        table = self._table()
        left = sum(entry.tokens for entry in view.left)
        right = sum(entry.tokens for entry in view.right)
        table.add_row(
            Text(f"REMEMBERED  {count(len(view.left), 'message')}, ~{left:,} tokens", "bold"),
            "",
            Text(f"SENT ({view.options.dialect})  {len(view.right)}, ~{right:,} tokens", "bold"),
        )
        return f"{written}\n{self._written(table)}"

    def end(self, mends: str) -> str:
        signs = "= as it was  ~ changed  ↕ moved  ✕ left out  + put in  ✗ refused  ✎ repaired"
        out = Text(f"\n{signs}", "dim")
        for found in self._view.remaining:
            out.append(f"\nstill refused at {found.pointer or '(root)'}: {found.message}", "red")
        for one in self._view.lost:
            out.append(
                f"\nhas no place there: {printable(one.what)} of {printable(one.where)}", "magenta"
            )
        written = self._written(out)
        if mends and self._view.problems and not self._view.failure:
            command = Text("to mend it: ", "dim").append(mends, "bold")
            written += self._written(command, is_copied=True)
        return written

    def row(self, number: int) -> str:
        row = self._view.linked.rows[number]
        states = {self._view.left[n].state for n in row.left}
        states |= {self._view.right[n].state for n in row.right}
        state = next((one for one in _SIGNS if one != "same" and one in states), "same")
        table = self._table()
        sign = Text(_SIGNS[state], _STYLES[state])
        table.add_row(self._cell(row, "left"), sign, self._cell(row, "right"))
        return "\n" + self._written(table) + "".join(self._notes(number))

    def _notes(self, number: int) -> Iterator[str]:
        for problem in self._problems.get(number, ()):
            note = Text(f"✗ {problem.code} ", "bold red")
            note.append(printable(problem.message), "red")
            yield self._written(Padding(note, (0, 0, 0, 2)))
        for repair in self._repairs.get(number, ()):
            note = Text("✎ ", "bold yellow").append(printable(repair.said), "yellow")
            yield self._written(Padding(note, (0, 0, 0, 2)))
            yield from self._why(repair)

    def _why(self, repair: Repair) -> Iterator[str]:
        """What was wrong, once for each kind."""
        if repair.kind in self._told:
            return
        self._told.add(repair.kind)
        rule = find_rule(repair.rules[0]) if repair.rules else None
        said = f"{repair.doc} ({rule.code}: {rule.summary})" if rule else repair.doc
        yield self._written(Padding(Text(said, "dim italic"), (0, 0, 0, 4)))

    def _cell(self, row: Row, side: str) -> Group:
        """The entries of a row on one side, or why there are none."""
        numbers, entries = (
            (row.left, self._view.left) if side == "left" else (row.right, self._view.right)
        )
        if not numbers:
            return Group(Text(self._absence(row, side), "dim italic"))
        return Group(*(line for n in numbers for line in self._entry(n, entries[n])))

    def _absence(self, row: Row, side: str) -> str:
        if side == "left":
            moved = {one.left for n in row.right for one in self._to_right.get(n, ())}
            return f"remembered as {_numbers(moved)}" if moved else "not remembered: put in"
        moved = {one.right for n in row.left for one in self._to_left.get(n, ())}
        return f"sent in {_numbers(moved)}" if moved else "left out"

    def _entry(self, number: int, entry: Entry) -> Iterator[Text | Padding]:
        head = Text(f"{number + 1} ", "dim")
        head.append(
            printable(entry.role), "bold strike dim" if entry.state == "dropped" else "bold"
        )
        if entry.origin is not None:
            head.append(f" [{printable(entry.origin.kind)}]", "magenta")
        if entry.partial:
            head.append(" [unfinished]", "magenta")
        yield head
        for block in entry.blocks:
            yield from self._block(block)
        if entry.note:
            yield _indented(f"note to the model: {self._cut(entry.note)}", "blue")
        if entry.why:
            yield _indented(entry.why, "dim italic")

    def _block(self, block: Block) -> Iterator[Padding]:
        style = _STYLES[block.state] if block.state in ("dropped", "added", "changed") else ""
        words = _KINDS.get(block.kind, "" if block.kind == "text" else block.kind)
        name = " ".join(part for part in (words, block.name, block.call) if part)
        if name:
            mark = " (failed)" if block.failed else ""
            yield _indented(f"{printable(name)}{mark}", f"cyan {style}")
        text = block.text or "".join(part.text for part in block.parts)
        if block.source:
            text = _address(block.source)
        if not text.strip() and block.kind in ("text", "result"):
            text = "(blank)" if text else "(nothing)"
        if text:
            yield _indented(self._cut(text), style)
        for part in block.parts:
            if part.source:
                yield _indented(f"{part.kind} {_address(part.source)}", style)

    def _cut(self, text: str) -> str:
        """A text without anything that a terminal would act on; long ones are cut."""
        lines = text.split("\n")
        if self._everything:
            return "\n".join(map(printable, lines))
        kept = "\n".join(lines[:_LINES])[:_LETTERS]
        more = len(text) - len(kept)
        cut = "\n".join(map(printable, kept.split("\n")))
        return f"{cut}… ({more:,} more)" if more else cut

    def _table(self) -> Table:
        table = Table.grid(padding=(0, 1), expand=True)
        table.add_column(ratio=1, overflow="fold")
        table.add_column(width=1)
        table.add_column(ratio=1, overflow="fold")
        return table

    def _written(self, what: Text | Table | Padding, *, is_copied: bool = False) -> str:
        """As the terminal gets it; what is copied from there is not broken into lines."""
        console = Console(
            file=io.StringIO(),
            width=self._width,
            force_terminal=has_colours(),
            no_color=not has_colours(),
            highlight=False,
            legacy_windows=False,
        )
        console.print(what, soft_wrap=is_copied)
        found: str = console.file.getvalue()  # type: ignore[attr-defined]
        return "\n".join(line.rstrip() for line in found.split("\n"))


def _indented(text: str | Text, style: str) -> Padding:
    return Padding(Text(text, style) if isinstance(text, str) else text, (0, 0, 0, 2))


def _numbers(found: Iterable[int]) -> str:
    return ", ".join(str(number + 1) for number in sorted(found))


def _verdict(view: View) -> tuple[str, str]:
    target = view.options.dialect
    if view.failure:
        return f"Nothing could be made of it: {printable(view.failure)}", "bold red"
    repairs = count(len(view.repairs), "repair")
    if view.remaining:
        return f"{target} refuses this even mended ({repairs})", "bold red"
    if view.problems:
        author = view.judged_for or target
        problems = count(len(view.problems), "problem")
        said = f"{author} refuses this as it is: {problems}; "
        if author == target:
            return f"{said}with {repairs} it is taken", "bold yellow"
        return f"{said}converted and with {repairs}, {target} takes it", "bold yellow"
    if view.repairs:
        return f"{target} takes what is sent, with {repairs}", "bold yellow"
    return f"{target} takes this as it is", "bold green"


def _address(source: str) -> str:
    if source.startswith("data:"):
        label, _, data = source.partition(",")
        return f"{printable(label[:60])}, {len(data) * 3 // 4:,} bytes"
    return printable(source[:200])
