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
from wiremend.providers import Reply, simulated

_EPILOG = """\b
Example:
  wiremend demo

Nothing is sent anywhere: the providers are simulated. Exit status: 0.
"""

_SHOWN = (("openai-chat", "OpenAI Chat Completions"), ("anthropic", "Anthropic Messages"))


@click.command("demo", cls=Command, epilog=_EPILOG, short_help="Show a conversation being mended.")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show a broken conversation being refused, mended and accepted.

    The provider is a simulated one that judges a request as strictly as the real one does.
    """
    accepted = [_show(dialect, title) for dialect, title in _SHOWN]
    ctx.exit(FINE if all(accepted) else FOUND)


def _show(dialect: str, title: str) -> bool:
    body = conversation(dialect)
    provider = simulated(dialect)
    fixed = wiremend.fix(body, dialect)
    mended = provider.post(fixed.body)
    _head(title)
    _section("The conversation", [_message(message) for message in body["messages"]])
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


def _message(message: dict[str, Any]) -> str:
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    said = [_block(block) for block in blocks if block.get("text") != ""]
    said += [f"calls {c['function']['name']} ({c['id']})" for c in message.get("tool_calls", ())]
    who = message["role"]
    if "tool_call_id" in message:
        who += f" ({message['tool_call_id']})"
    return f"{who}: {'; '.join(part for part in said if part)}"


def _block(block: dict[str, Any]) -> str:
    match block["type"]:
        case "tool_use":
            return f"calls {block['name']} ({block['id']})"
        case "tool_result":
            return f"result of {block['tool_use_id']}"
        case "text":
            return "" if block["text"] is None else short(block["text"])
        case kind:
            return f"[{kind}]"


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
