"""Tool definitions, in the table of a request and among the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.base import Json, tool_table
from wiremend.dialects.names import Alphabet, map_names
from wiremend.model import Message
from wiremend.projection.anomalies import OnAnomaly, ToolDefinitionReshaped

# Measured by others at the API: 129 characters are refused.
NAMES = Alphabet(r"[a-zA-Z0-9_-]+", 128)


def with_tools(
    messages: Sequence[Message], envelope: Mapping[str, Any], report: OnAnomaly
) -> tuple[Sequence[Message], Json]:
    """The messages and the envelope with tools in this API's shape, under names that it takes."""
    body = dict(envelope)
    table = [_flat(tool, report) for tool in tool_table(envelope)]
    messages = [_with_flat_tools(message, report) for message in messages]
    declared = [tool for message in messages for tool in message.tools or ()]
    defined = [name for name in map(tool_name, (*table, *declared)) if name is not None]
    messages, renamed = map_names(messages, defined, NAMES, report)
    if renamed:
        table = [_renamed(tool, renamed) for tool in table]
        if "tool_choice" in body:
            body["tool_choice"] = _renamed(body["tool_choice"], renamed)
        messages = [
            msgspec.structs.replace(m, tools=tuple(_renamed(tool, renamed) for tool in m.tools))
            if m.tools
            else m
            for m in messages
        ]
    if table and any(new is not old for new, old in zip(table, body["tools"], strict=True)):
        body["tools"] = table
    return messages, body


def tool_name(tool: Any) -> str | None:
    """The name of a function or a custom tool; None for every other definition."""
    if not isinstance(tool, dict) or tool.get("type") not in ("function", "custom"):
        return None
    name = tool.get("name")
    return name if isinstance(name, str) else None


def _with_flat_tools(message: Message, report: OnAnomaly) -> Message:
    if not message.tools:
        return message
    tools = tuple(_flat(tool, report, declared=True) for tool in message.tools)
    if all(new is old for new, old in zip(tools, message.tools, strict=True)):
        return message
    return msgspec.structs.replace(message, tools=tools)


def _flat(tool: Any, report: OnAnomaly, *, declared: bool = False) -> Any:
    """A definition in this API's shape.

    ``declared``: it stood in a message, where a session's log writes it without any type, so that
    it is nobody's mistake.
    """
    if not isinstance(tool, dict):
        return tool
    inner = tool.get("function")
    if isinstance(inner, dict) and "name" not in tool:
        if not declared:
            report(ToolDefinitionReshaped(str(inner.get("name"))))
        return _complete({**inner, "type": "function"})
    if declared and "type" not in tool:
        return _complete({**tool, "type": "function"})
    return tool


def _complete(tool: Json) -> Json:
    """A definition with the fields that the SDK's type demands; not strict, which none said."""
    empty = {"type": "object", "properties": {}}
    return {"parameters": empty, "strict": False, **tool}


def _renamed(tool: Any, renamed: Mapping[str, str]) -> Any:
    name = tool_name(tool)
    return {**tool, "name": renamed[name]} if name is not None and name in renamed else tool
