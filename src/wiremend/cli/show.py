"""``wiremend show``: history beside wire at a terminal, each repair where it happened."""

from __future__ import annotations

from typing import Literal

import click

from wiremend.cli.base import FINE, FOUND, Command, is_terminal, put, usable
from wiremend.cli.dialects import dialect_options, wanted
from wiremend.cli.opening import open_any
from wiremend.cli.side_by_side import side_by_side
from wiremend.inputs import Unusable
from wiremend.inspector.sources import dialect_of
from wiremend.inspector.view import Options, look

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
@click.argument("path", metavar="PATH|STORE")
@dialect_options
@click.option("--strict", is_flag=True, help="As for a provider that refused the mended request.")
@click.option("--media", type=click.Choice(["degraded", "strip"]), help="What becomes of pictures.")
@click.option("--number", type=click.IntRange(min=1), default=1, help="Which conversation of many.")
@click.option("--session", metavar="ID", help="Which session of a store.")
@click.option("--at", "moment", type=click.IntRange(min=0), help="After so many records.")
@click.option("--all", "everything", is_flag=True, help="Unchanged messages and long texts too.")
@click.option("--pager/--no-pager", default=True, help="Page what a terminal shows.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    path: str,
    wire_format: str,
    provider: str | None,
    strict: bool,
    media: Literal["degraded", "strip"] | None,
    number: int,
    session: str | None,
    moment: int | None,
    everything: bool,
    pager: bool,
) -> None:
    """Show what an agent remembers beside what its provider gets, and why they differ.

    PATH is a request, messages, a history, JSONL of these, a session's log, a store or a proxy's
    journal; - is standard input. Long runs of unchanged messages are folded.
    """
    source = open_any(path, wanted(wire_format, provider), session)
    with usable():
        items = source.items()
        if number > len(items):
            raise Unusable(f"there is no conversation {number}: it has {len(items)}")
        conversation = source.open(number - 1, moment)
        dialect = provider or dialect_of(items[number - 1], conversation)
        view = look(conversation, Options(dialect=dialect, strict=strict, media=media))
    pages = side_by_side(view, everything=everything)
    if pager and is_terminal():
        click.echo_via_pager(pages)
    else:
        for page in pages:
            put(page)
    ctx.exit(FINE if view.verdict in ("fine", "repaired") else FOUND)
