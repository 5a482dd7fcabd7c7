"""Write the pages of ``docs/`` that are made from the code: ``python -m scripts.write_docs``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from scripts.dialect_pages import dialects_page
from scripts.error_pages import errors_page
from scripts.rule_pages import rules_page

from wiremend.cli.writing import pretty
from wiremend.limits import ROWS, Limits, Row, limits
from wiremend.projection import KINDS
from wiremend.schemas import NAMES, schema

DOCS = Path(__file__).parents[1] / "docs"


def anomalies_page() -> str:
    """Every kind of repair, its fields and what it means."""
    head = (
        "# Anomalies\n\nWhat a repair is reported as: in Python a value of its class, in JSON "
        '`{"kind": …, …its fields in camelCase}`. Made by `scripts/write_docs.py`.\n'
    )
    table = ["| kind | fields | meaning |", "| --- | --- | --- |"]
    for kind, cls in KINDS.items():
        fields = ", ".join(f"`{name}`" for name in cls.__struct_encode_fields__)
        meaning = " ".join((cls.__doc__ or "").split())
        table.append(f"| `{kind}` | {fields} | {meaning} |")
    return "\n".join([head, *table, ""])


def limits_page() -> str:
    """What providers take: a table of figures for each dialect, and where they are from."""
    head = (
        "# Limits\n\nWhat providers take, as far as a source tells; where nothing stands, no "
        "limit is known. `wiremend.limits.limits(dialect, model)` gives it to a program, "
        "`wiremend fix --media fit` makes images keep to it. Made by `scripts/write_docs.py`.\n"
    )
    names = list(dict.fromkeys(row.dialect for row in ROWS))
    table = [f"| | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
    for field in Limits.__struct_fields__:
        figures = [_figure(field, getattr(limits(name), field)) for name in names]
        table.append(f"| {field.replace('_', ' ')} | {' | '.join(figures)} |")
    rows = ["## Where it is from", "", "| dialect | models | figures | source |"]
    rows.append("| --- | --- | --- | --- |")
    for row in ROWS:
        models = row.models.words if row.models else "all"
        rows.append(f"| {row.dialect} | {models} | {_figures(row)} | {row.source} |")
    return "\n".join([head, *table, "", *rows, ""])


def _figures(row: Row) -> str:
    if row.models is None:
        return "those above"
    return "; ".join(
        f"{field.replace('_', ' ')}: {_figure(field, value) or 'unknown'}"
        for field, value in row.figures.items()
    )


def _figure(field: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(kind.partition("/")[2] for kind in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and field in ("image_data", "document_bytes", "request_bytes"):
        return f"{value / 1024**2:.4g} MB"
    return str(value)


def schema_file(name: str) -> str:
    """A JSON Schema, as `wiremend schema` prints it."""
    return pretty(schema(name)) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "rules.md": rules_page,
    "errors.md": errors_page,
    "anomalies.md": anomalies_page,
    "limits.md": limits_page,
    "dialects.md": dialects_page,
    **{f"schemas/{name}.json": partial(schema_file, name) for name in NAMES},
}


if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).parent.mkdir(exist_ok=True)
        (DOCS / name).write_text(page(), encoding="utf-8")
        sys.stdout.write(f"wrote docs/{name}\n")
