"""``wiremend export-html``: the inspector's view as one file, to attach to a bug report."""

from __future__ import annotations

from typing import Any

import click

from wiremend.cli.base import FINE, Command, complain, label, stdout, usable
from wiremend.cli.looking import Sight, view_of, view_options
from wiremend.cli.replacing import check_target, replacing
from wiremend.inputs import STDIN
from wiremend.inspector.sharing import static_page

_EPILOG = """\b
Examples:
  wiremend export-html request.json -o conversation.html
  wiremend export-html --placeholders --for anthropic session.jsonl -o report.html

Exit status: 0 fine, 2 unusable input or usage.
"""


@click.command("export-html", cls=Command, epilog=_EPILOG, short_help="The same page as one file.")
@view_options
@click.option(
    "--placeholders",
    is_flag=True,
    help="Letters of the same number instead of all texts; ids and names of tools stay.",
)
@click.option("-o", "target", metavar="OUT", help="Write to this file.")
@click.pass_context
def command(ctx: click.Context, /, *, placeholders: bool, target: str | None, **sight: Any) -> None:
    """Write what `wiremend inspect` shows as one HTML file that needs nothing else."""
    asked = Sight(**sight)
    if target is not None and target != STDIN:
        check_target(asked.path, target)
    looked = view_of(asked)
    with usable():
        page = static_page(looked.view, looked.title, placeholders=placeholders).encode()
    if target is None or target == STDIN:
        stdout().write(page)
    else:
        with replacing(target) as out:
            out.file.write(page)
        complain(label(target), f"{len(page):,} bytes; any browser opens it")
    ctx.exit(FINE)
