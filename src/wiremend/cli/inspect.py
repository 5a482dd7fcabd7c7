"""``wiremend inspect``: a local page with history beside wire."""

from __future__ import annotations

import threading
import webbrowser

import click

from wiremend.cli.base import FINE, Command, complain, usable
from wiremend.cli.dialects import dialect_options, wanted
from wiremend.cli.opening import open_any

_EPILOG = """\b
Examples:
  wiremend inspect request.json
  wiremend inspect --for anthropic history.json
  wiremend inspect ~/.claude/projects/…/session.jsonl
  wiremend inspect agent.db --session greenhouse
  wiremend inspect proxy.jsonl              the proxy's journal, as requests come in

Exit status: 0 stopped, 2 unusable input or usage.
"""


@click.command("inspect", cls=Command, epilog=_EPILOG, short_help="A page: history beside wire.")
@click.argument("path", metavar="PATH|STORE")
@dialect_options
@click.option("--session", metavar="ID", help="Only this session of a store.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=True,
    help="The port to listen on; 0 takes a free one.",
)
@click.option("--no-open", is_flag=True, help="Print the address, and open no browser.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    path: str,
    wire_format: str,
    provider: str | None,
    session: str | None,
    port: int,
    no_open: bool,
) -> None:
    """Open a page that shows what an agent remembers, what its provider gets, and why they differ.

    PATH is a request, messages, a history, JSONL of these, a session's log, a store or a proxy's
    journal. The page is for this machine alone, loads nothing from outside, and writes nothing.
    Ctrl-C stops it.
    """
    source = open_any(path, wanted(wire_format, provider), session)
    with usable():
        from wiremend.inspector.serving import serving

        with serving(source, port=port) as url:
            click.echo(url)
            if not no_open:
                webbrowser.open(url)
            complain(None, "Ctrl-C stops it")
            try:
                threading.Event().wait()
            except KeyboardInterrupt:
                complain(None, "stopped")
    ctx.exit(FINE)
