"""Tables of figures, as plain text and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Table:
    """A title, a line of headings and lines of cells."""

    title: str
    head: Sequence[str]
    lines: Sequence[Sequence[str]]


def plain(table: Table) -> str:
    """A table for a terminal."""
    rows = [table.head, *table.lines]
    widths = [max(len(row[n]) for row in rows) for n in range(len(table.head))]
    out = [table.title]
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)),
        ]
        out.append("  " + "  ".join(cells).rstrip())
    return "\n".join([*out, ""])


def markdown(table: Table) -> str:
    """A table for the documentation, under a heading."""
    rule = ["---", *("---:" for _ in table.head[1:])]
    rows = [table.head, rule, *table.lines]
    return "\n".join([f"### {_capital(table.title)}", "", *map(_markdown_row, rows), ""])


def into_page(page: Path, text: str, name: str) -> None:
    """Put a text into a page, between the marks of this name; without the page, make it."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    whole = page.read_text() if page.exists() else f"{begin}\n{end}\n"
    before, _, rest = whole.partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}")


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
