"""Tables of what became of the conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.repairs.run import Outcome, commonest
from benchmarks.tables import Table

NONE = "–"


def tables(found: Sequence[Outcome], *, each: bool, forgiving: bool) -> Iterator[Table]:
    """By kind of damage, by task and, where ``each``, the kinds of each task; then the reasons."""
    tools = list(dict.fromkeys(one.tool for one in found))
    tasks = list(dict.fromkeys(one.task for one in found))
    counted = [one for one in found if one.claimed or not forgiving]
    yield _table("by kind of damage", "what happened", counted, tools, lambda one: one.kind)
    yield _table("by task", "task", counted, tools, lambda one: one.task.name)
    for task in tasks if each else ():
        own = [one for one in counted if one.task == task]
        yield _table(task.name, "what happened", own, tools, lambda one: one.kind)
    yield _reasons(counted, tools)


def _table(
    title: str,
    label: str,
    found: Sequence[Outcome],
    tools: Sequence[str],
    row_of: Callable[[Outcome], str],
) -> Table:
    rows = dict.fromkeys(map(row_of, found))
    lines = [
        (row, *(_cell([o for o in found if o.tool == tool and row_of(o) == row]) for tool in tools))
        for row in rows
    ]
    total = ("all", *(_cell([one for one in found if one.tool == tool]) for tool in tools))
    claimed = [one for one in found if one.claimed]
    fair = [_cell([one for one in claimed if one.tool == tool]) for tool in tools]
    count = ("conversations", *(str(sum(one.tool == tool for one in found)) for tool in tools))
    return Table(title, (label, *tools), (*lines, total, ("all that it claims", *fair), count))


def _cell(found: Sequence[Outcome]) -> str:
    """Percent valid and nothing lost, and in brackets, where it differs, percent valid."""
    if not found:
        return NONE
    whole = _percent(sum(one.verdict.whole for one in found), len(found))
    valid = _percent(sum(one.verdict.valid for one in found), len(found))
    return whole if whole == valid else f"{whole} ({valid})"


def _percent(part: int, of: int) -> str:
    """Rounded, but all is all and none is none."""
    exact = 100 * part / of
    return (
        f"{exact:.0f}"
        if part in (0, of)
        else f"{min(max(exact, 0.1), 99.9):.1f}".rstrip("0").rstrip(".")
    )


def _reasons(found: Sequence[Outcome], tools: Sequence[str]) -> Table:
    lines = []
    for tool in tools:
        own = [one for one in found if one.tool == tool]
        failed = sum(not one.verdict.whole for one in own)
        if failed:
            why, times = commonest(own)
            words = why.replace("|", "\\|")
            lines.append((tool, f"{failed} of {len(own)}", str(times), words))
        else:
            lines.append((tool, f"0 of {len(own)}", NONE, NONE))
    return Table("the most common reason of failing", ("tool", "failed", "of these", "why"), lines)
