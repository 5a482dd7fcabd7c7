"""``wiremend prefix``: how much of a request a provider's prompt cache can use again."""

from __future__ import annotations

from typing import Any, Literal

import click
import msgspec

import wiremend
from wiremend.caching import Prefix
from wiremend.cli.base import FINE, FOUND, Command, label, put, usable
from wiremend.cli.dialects import AUTO, dialect_type
from wiremend.cli.writing import compact
from wiremend.inputs import Chosen, Unusable, Wanted, choose, open_source
from wiremend.projection import anomaly_to_builtins

_EPILOG = """\b
Examples:
  wiremend prefix request-41.json request-42.json
  wiremend prefix --mended --for anthropic before.json after.json

Exit status: 0 all of BEFORE is the beginning of AFTER, 1 it is not, 2 unusable input or usage.
"""


@click.command(
    "prefix",
    cls=Command,
    epilog=_EPILOG,
    short_help="Say what a prompt cache can use again.",
)
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@click.option(
    "--for",
    "provider",
    type=dialect_type(AUTO),
    default=AUTO,
    show_default=True,
    help="The provider; auto looks at the requests.",
)
@click.option("--mended", is_flag=True, help="Mend both first, and name the repairs that matter.")
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    ctx: click.Context,
    *,
    before: str,
    after: str,
    provider: str,
    mended: bool,
    output: Literal["text", "json"],
) -> None:
    """Say how many leading bytes and messages of AFTER are those of BEFORE, and what differs."""
    asked = Wanted(None, None if provider == AUTO else provider)
    first, second = _read(before, asked), _read(after, asked)
    if first.dialect != second.dialect:
        raise Unusable(f"{before} is for {first.dialect}, {after} for {second.dialect}")
    with usable():
        found = _compared(first, second, mended=mended)
    if output == "json":
        put(compact(_as_json(found)) + "\n")
    else:
        put(_as_text(found))
    ctx.exit(FINE if found.broken_at is None else FOUND)


def _read(path: str, asked: Wanted) -> Chosen:
    with usable(), open_source(path) as source:
        for document in source:
            if not document.is_blank:
                return choose(document.value(), asked)
    raise Unusable(f"{label(path)}: holds no request")


def _compared(first: Chosen, second: Chosen, *, mended: bool) -> Prefix:
    dialect = first.dialect
    if not mended:
        return wiremend.compare_prefix(first.body, second.body, dialect)
    one, other = (wiremend.fix(chosen.body, dialect) for chosen in (first, second))
    return wiremend.compare_prefix(
        one.body,
        other.body,
        dialect,
        repaired_before=one.anomalies,
        repaired_after=other.anomalies,
    )


def _as_json(found: Prefix) -> dict[str, Any]:
    written: dict[str, Any] = msgspec.to_builtins(found)
    return {**written, "repairs": [anomaly_to_builtins(anomaly) for anomaly in found.repairs]}


def _as_text(found: Prefix) -> str:
    share = 100 * found.bytes // max(found.of_bytes, 1)
    lines = [
        f"{found.messages} of {found.of_messages} messages, "
        f"{found.bytes} of {found.of_bytes} bytes ({share} %) can be used again"
    ]
    if found.broken_at is not None:
        lines.append(f"the first difference is at {found.broken_at or 'the top'}")
    lines += [f"a repair that may be the reason: {one.describe()}" for one in found.repairs]
    return "\n".join(lines) + "\n"
