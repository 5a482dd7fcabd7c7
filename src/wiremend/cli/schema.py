"""``wiremend schema``: JSON Schemas for editors, validators and other languages."""

from __future__ import annotations

import click

from wiremend.cli.base import Command, bold, put, usable
from wiremend.cli.writing import pretty
from wiremend.schemas import NAMES, schema

_EPILOG = """\b
Examples:
  wiremend schema
  wiremend schema history > history.schema.json

Exit status: 0 fine, 2 usage.
"""


@click.command("schema", cls=Command, epilog=_EPILOG, short_help="Print a JSON Schema.")
@click.argument("name", metavar="[NAME]", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema of what wiremend reads or writes, or the names that there are."""
    if name is not None:
        with usable():
            put(pretty(schema(name)) + "\n")
        return
    width = max(map(len, NAMES))
    for one, title in NAMES.items():
        put(f"{bold(one.ljust(width))}  {title}\n")
