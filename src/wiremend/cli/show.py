"""``wiremend show``: history beside wire at a terminal, each repair where it happened."""

from __future__ import annotations

from typing import Any

import click

from wiremend.cli.base import FINE, FOUND, Command, is_terminal, put
from wiremend.cli.looking import Sight, view_of, view_options
from wiremend.cli.side_by_side import side_by_side

_EPILOG = """\b
Examples:
  wiremend show request.json
  wiremend show --for anthropic history.json
  wiremend show --all --no-pager conversations.jsonl --number 3 | less
  wiremend show agent.db --session greenhouse --at 40

Exit status: 0 the provider takes it as it is or mended, 1 something is still refused, 2 unusable
input or usage.
"""


@click.command("show", cls=Command, epilog=_EPILOG, short_help="History beside wire, here.")
@view_options
@click.option("--all", "everything", is_flag=True, help="Unchanged messages and long texts too.")
@click.option("--pager/--no-pager", default=True, help="Page what a terminal shows.")
@click.pass_context
def command(ctx: click.Context, /, *, everything: bool, pager: bool, **sight: Any) -> None:
    """Show what an agent remembers beside what its provider gets, and why they differ.

    PATH is a request, messages, a history, JSONL of these, a session's log, a store or a proxy's
    journal; - is standard input. Long runs of unchanged messages are folded.
    """
    looked = view_of(Sight(**sight))
    view = looked.view
    pages = side_by_side(view, everything=everything, mends=looked.mends)
    if pager and is_terminal():
        click.echo_via_pager(pages)
    else:
        for page in pages:
            put(page)
    ctx.exit(FINE if view.verdict in ("fine", "repaired") else FOUND)
