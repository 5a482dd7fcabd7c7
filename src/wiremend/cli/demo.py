"""``wiremend demo``: refused as it is, accepted once mended."""

from __future__ import annotations

import json
import textwrap
from importlib import resources
from typing import Any

import click

import wiremend
from wiremend.cli.base import FINE, FOUND, Command, bold, printable, put
from wiremend.cli.excerpt import short
from wiremend.model import Message, Part, TextPart, ToolCall, media_source, said_and_called
from wiremend.projection.anomalies import ignore
from wiremend.providers import Reply, simulated

_EPILOG = """\b
Examples:
  wiremend demo
  wiremend demo --for gemini

Nothing is sent anywhere: the providers are simulated. Exit status: 0.
"""

_TITLES = {
    "openai-chat": "OpenAI Chat Completions",
    "anthropic": "Anthropic Messages",
    "openai-responses": "OpenAI Responses",
    "gemini": "Gemini generateContent",
    "bedrock": "Amazon Bedrock Converse",
}
_SHOWN = ("openai-chat", "anthropic")


@click.command("demo", cls=Command, epilog=_EPILOG, short_help="Show a conversation being mended.")
@click.option(
    "--for", "provider", type=click.Choice(list(_TITLES)), help="Whose; the default shows two."
)
@click.pass_context
def command(ctx: click.Context, provider: str | None) -> None:
    """Show a broken conversation being refused, mended and accepted.

    The provider is a simulated one that judges a request as strictly as the real one does.
    """
    accepted = [_show(dialect) for dialect in ([provider] if provider else _SHOWN)]
    ctx.exit(FINE if all(accepted) else FOUND)


def _show(dialect: str) -> bool:
    body = conversation(dialect)
    provider = simulated(dialect)
    fixed = wiremend.fix(body, dialect)
    mended = provider.post(fixed.body)
    _head(_TITLES[dialect])
    _section("The conversation", _told(body, dialect))
    _section("Sent as it is", [_said(provider.post(body))])
    found = wiremend.check(body, dialect)
    _section("wiremend check", [f"{one.code} {one.rule} at {one.pointer}" for one in found])
    _section("wiremend fix", [anomaly.describe() for anomaly in fixed.anomalies])
    _section("Sent once mended", [_said(mended)])
    return mended.accepted


def conversation(dialect: str) -> dict[str, Any]:
    """The broken conversation that is shown for a dialect."""
    data = resources.files("wiremend.cli").joinpath("demo_data", f"{dialect}-broken.json")
    body: dict[str, Any] = json.loads(data.read_text(encoding="utf-8"))
    return body


def _told(body: dict[str, Any], dialect: str) -> list[str]:
    """What the conversation says, a line a message, in no provider's words."""
    history = wiremend.DIALECTS[dialect].decode(body, ignore).history
    return [_message(message) for message in history]


def _message(message: Message) -> str:
    said = [_item(item) for item in said_and_called(message)]
    who = f"{message.role} ({message.tool_call_id})" if message.tool_call_id else message.role
    return f"{who}: {'; '.join(words for words in said if words)}"


def _item(item: Part | ToolCall) -> str:
    if isinstance(item, ToolCall):
        return f"calls {item.name} ({item.id})"
    if isinstance(item, TextPart):
        return short(item.text)
    media = media_source(item)
    return f"[{media[0] if media else type(item).__name__.removesuffix('Part').lower()}]"


def _said(reply: Reply) -> str:
    return f"{reply.status} " + ("accepted" if reply.accepted else f"refused: {reply.error}")


def _head(title: str) -> None:
    put(f"{bold(title)}\n{'=' * len(title)}\n")


def _section(title: str, lines: list[str]) -> None:
    put(f"\n{bold(title)}\n")
    for line in lines:
        put(_wrapped(line))
    if title == "Sent once mended":
        put("\n")


def _wrapped(line: str) -> str:
    return (
        textwrap.fill(
            printable(line),
            88,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        + "\n"
    )
