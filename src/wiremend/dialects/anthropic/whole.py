"""Anthropic Messages: what shows only in the whole request, mended on the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.anthropic.models import refuses_prefill
from wiremend.dialects.anthropic.server_tools import is_open_call
from wiremend.dialects.base import Json, tool_table
from wiremend.model import (
    BLANK_CHARACTERS,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    with_content,
)
from wiremend.projection.anomalies import (
    FinalUserInserted,
    OnAnomaly,
    ThinkingDropped,
    ThinkingSwitchedOff,
    ToolsDeclared,
    TrailingWhitespaceTrimmed,
)

CONTINUE = "Continue."

_THINKING = ("thinking", "redacted_thinking")


def mend_end(
    messages: Sequence[Message], envelope: Mapping[str, Any], report: OnAnomaly
) -> list[Message]:
    """The messages with a last one that the model takes.

    Sources: case 015; report 058 (trailing white space); wire rules 5 and 6 (prefill, thinking).
    """
    out = list(messages)
    if not out or out[-1].role != "assistant" or _paused(out[-1]) or out[-1].tool_calls:
        return out
    if refuses_prefill(envelope.get("model")):
        report(FinalUserInserted())
        return [*out, Message("user", (TextPart(CONTINUE),))]
    if not _thinks(envelope):
        out[-1] = _without_thinking(out[-1], report)
    out[-1] = _trimmed(out[-1], report)
    return out


def mend_thinking(body: Json, report: OnAnomaly) -> Json:
    """Thinking off where the open turn has no thinking block: none can be invented (report 073)."""
    thinking = body.get("thinking")
    if not isinstance(thinking, dict) or thinking.get("type") != "enabled":
        return body
    turn = _open_turn(body["messages"])
    if not turn or any(has_thinking(message) for message in turn):
        return body
    report(ThinkingSwitchedOff())
    return {**body, "thinking": {"type": "disabled"}}


def declare_tools(messages: Sequence[Message], envelope: Json, report: OnAnomaly) -> Json:
    """The envelope with a definition for each tool that has to be defined (report 104)."""
    declared = [tool for message in messages for tool in message.tools or ()]
    table = list(tool_table(envelope))
    names = [tool.get("name") for tool in table if isinstance(tool, dict)]
    added = [native_tool(tool) for tool in declared if isinstance(tool, dict)]
    added = [tool for tool in added if tool.get("name") not in names]
    if not table and not added:
        for name in dict.fromkeys(call.name for m in messages for call in m.tool_calls):
            report(ToolsDeclared(name))
            schema = {"type": "object", "properties": {}}
            described = "Used earlier in this conversation."
            added.append({"name": name, "description": described, "input_schema": schema})
    return {**envelope, "tools": [*table, *added]} if added else envelope


def native_tool(tool: Json) -> Json:
    """A definition as a session log or another API writes it, in this API's words."""
    inner = tool.get("function", tool)
    if not isinstance(inner, dict) or "input_schema" in inner:
        return tool
    schema = inner.get("parameters") or {"type": "object", "properties": {}}
    native: Json = {"name": inner.get("name"), "input_schema": schema}
    if inner.get("description"):
        native["description"] = inner["description"]
    return native


def _thinks(envelope: Mapping[str, Any]) -> bool:
    thinking = envelope.get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") != "disabled"


def _is_thinking(part: Part) -> bool:
    if type(part) is OpaquePart and isinstance(part.data, dict):
        return part.data.get("type") == "redacted_thinking"
    return type(part) is ThinkPart


def _open_turn(messages: Sequence[Json]) -> list[Json]:
    """The assistant messages of the turn whose results, and nothing else, end the request."""
    turn: list[Json] = []
    if not messages or not all(_is_result(block) for block in _blocks(messages[-1]) or [{}]):
        return turn
    for message in reversed(messages):
        if message["role"] == "assistant":
            turn.append(message)
        elif is_prompt(message):
            break
    return turn


def _is_result(block: Json) -> bool:
    return block.get("type") == "tool_result"


def is_prompt(message: Json) -> bool:
    """Whether a turn begins with this message of the user's, which holds no result."""
    return not any(_is_result(block) for block in _blocks(message))


def has_thinking(message: Json) -> bool:
    """Whether a message of the assistant's starts with thinking."""
    return any(block.get("type") in _THINKING for block in _blocks(message)[:1])


def _blocks(message: Json) -> list[Json]:
    content = message["content"]
    return content if isinstance(content, list) else []


def _paused(message: Message) -> bool:
    """Whether the turn ends with a server tool at work, which the next request continues."""
    return bool(message.content) and is_open_call(message.content[-1])


def _without_thinking(message: Message, report: OnAnomaly) -> Message:
    kept = [n for n, part in enumerate(message.content) if not _is_thinking(part)]
    for _ in range(len(message.content) - len(kept)):
        report(ThinkingDropped("thinking is off"))
    if len(kept) == len(message.content):
        return message
    return with_content(message, tuple(message.content[n] for n in kept), kept)


def _trimmed(message: Message, report: OnAnomaly) -> Message:
    last = message.content[-1] if message.content else None
    if type(last) is not TextPart:
        return message
    text = last.text.rstrip(BLANK_CHARACTERS)
    text = text.rstrip()
    if text == last.text:
        return message
    report(TrailingWhitespaceTrimmed())
    trimmed = msgspec.structs.replace(last, text=text)
    return msgspec.structs.replace(message, content=(*message.content[:-1], trimmed))
