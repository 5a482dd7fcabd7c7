"""``wiremend proxy``: stand between an agent and its provider."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wiremend.cli.base import FINE, Command, complain, count, printable, usable

if TYPE_CHECKING:
    from wiremend.proxy import Entry, Settings

_EPILOG = """\b
Examples:
  wiremend proxy --upstream https://api.anthropic.com
  ANTHROPIC_BASE_URL=http://127.0.0.1:8400 claude
  wiremend proxy --upstream /openai=https://api.openai.com --upstream /kimi=https://api.moonshot.ai
  wiremend proxy --upstream 'claude-*=https://api.anthropic.com' --upstream https://api.openai.com
  wiremend proxy --upstream generic+http://localhost:8000/v1 --dry-run

The first upstream that matches takes a request. DIALECT says by whose rules Chat Completions are
judged (kimi, deepseek, mistral, qwen, openrouter, generic); well-known hosts need none.

Keys pass through, and are neither stored nor logged. Metrics: /metrics; liveness: /healthz.

Exit status: 0 stopped, 2 unusable input or usage.
"""

_SIZE = re.compile(r"(\d+)\s*([KMG]?)(?:i?B)?", re.IGNORECASE)
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30}


class _Size(click.ParamType[int]):
    name = "size"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        if isinstance(value, int):
            return value
        found = _SIZE.fullmatch(str(value).strip())
        if found is None:
            self.fail(f"{value!r} is no size, such as 64M", param, ctx)
        return int(found[1]) << _UNITS[found[2].upper()]


_Seconds = click.FloatRange(min=0, min_open=True)


@click.command(
    "proxy", cls=Command, epilog=_EPILOG, short_help="Stand between an agent and its provider."
)
@click.option(
    "--upstream",
    "upstreams",
    metavar="[/PATH=|MODEL=][DIALECT+]URL",
    multiple=True,
    required=True,
    help="Where requests go; repeat it for several, by path or by model.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8400,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be mended, and change nothing.")
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append a line of JSON for each request to this file.",
)
@click.option(
    "--journal-content", is_flag=True, help="With conversations in it, as they came and as sent."
)
@click.option(
    "--max-body", type=_Size(), default="64M", show_default=True, help="The largest conversation."
)
@click.option(
    "--connect-timeout", type=_Seconds, default=10.0, show_default=True, help="In seconds."
)
@click.option(
    "--read-timeout",
    type=_Seconds,
    default=600.0,
    show_default=True,
    help="The longest silence of an upstream, in seconds.",
)
@click.option(
    "--grace",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    help="How long answers in flight may take to finish at the end, in seconds.",
)
@click.option("--quiet", is_flag=True, help="Write only what goes wrong.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    upstreams: tuple[str, ...],
    host: str,
    port: int,
    dry_run: bool,
    journal: Path | None,
    journal_content: bool,
    max_body: int,
    connect_timeout: float,
    read_timeout: float,
    grace: float,
    quiet: bool,
) -> None:
    """Listen for an agent, mend what its provider would refuse, and pass everything else on.

    Set the agent's base URL to this proxy; nothing else changes. A request that breaks no rule
    passes byte for byte. A refusal is classified, and the request sent again under the next
    policy. Answers say what was done: x-wiremend-repairs, x-wiremend-policy, x-wiremend-attempts.
    """
    if journal_content and journal is None:
        raise click.UsageError("--journal-content needs --journal")
    with usable():
        from wiremend.proxy import Settings, parse_upstream

        settings = Settings(
            upstreams=tuple(parse_upstream(upstream) for upstream in upstreams),
            host=host,
            port=port,
            dry_run=dry_run,
            max_body=max_body,
            connect_timeout=connect_timeout,
            read_timeout=read_timeout,
            grace=grace,
            journal=journal,
            journal_contents=journal_content,
        )
        asyncio.run(_serve(settings, quiet=quiet))
    ctx.exit(FINE)


async def _serve(settings: Settings, *, quiet: bool) -> None:
    from wiremend.proxy import running

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sort in (signal.SIGINT, signal.SIGTERM):
        # The second one does not wait any longer.
        loop.add_signal_handler(sort, lambda: stop.set() if not stop.is_set() else sys.exit(130))
    notice = _say_nothing if quiet else _say
    async with running(settings, notice=notice, complain=_complain) as url:
        if not quiet:
            _introduce(url, settings)
        _warn_of_strangers(settings.host)
        # What is there now stays: looked through once more for each large body, it would cost more
        # than the body itself.
        gc.collect()
        gc.freeze()
        await stop.wait()
        if not quiet:
            click.echo("wiremend: finishing what is in flight (again to stop at once)", err=True)


def _introduce(url: str, settings: Settings) -> None:
    for upstream in settings.upstreams:
        of = upstream.path or (f"/ for {upstream.model}" if upstream.model else "/")
        click.echo(f"wiremend proxy on {url}{of} -> {upstream.url}", err=True)
    first = settings.upstreams[0].path
    click.echo(f"  ANTHROPIC_BASE_URL={url}{first}", err=True)
    click.echo(f"  OPENAI_BASE_URL={url}{first}/v1", err=True)
    if settings.journal is not None:
        click.echo(f"  to look at its journal: wiremend inspect {settings.journal}", err=True)


def _warn_of_strangers(host: str) -> None:
    try:
        is_own = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_own = host == "localhost"
    if not is_own:
        complain(None, f"listening on {host}: whoever reaches it can send through it, unencrypted")


def _complain(said: str) -> None:
    complain(None, said)


def _say_nothing(_: Entry) -> None:
    pass


def _say(entry: Entry) -> None:
    """One line for each request with something to tell, without contents."""
    if not (entry.anomalies or entry.fault or len(entry.attempts) > 1 or entry.ended != "complete"):
        return
    tried = " then ".join(f"{one.policy} {one.status or one.fault}" for one in entry.attempts)
    parts = [f"{entry.method} {entry.path}", entry.model or "", tried, entry.fault or ""]
    if entry.anomalies:
        parts.append(count(len(entry.anomalies), "repair"))
    if entry.ended not in ("complete", "refused"):
        parts.append(entry.ended)
    click.echo(printable("  ".join(part for part in parts if part)), err=True)
