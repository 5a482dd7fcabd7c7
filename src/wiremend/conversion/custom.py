"""Custom tools, which are called with free text: OpenAI's two APIs have them, nobody else.

Between those two they go over as they are, each in the other's shape. Elsewhere a function with
one text as its argument stands in for such a tool, and that is said.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec

from wiremend.dialects import Dialect
from wiremend.dialects.base import Json, extras_of
from wiremend.dialects.openai_chat import fields as chat
from wiremend.dialects.openai_responses import fields as responses
from wiremend.dialects.settings import Tool
from wiremend.model import Message, ToolCall

INPUT = "input"
"""The argument of the function that stands in for a custom tool."""
_PARAMETERS = {"type": "object", "properties": {INPUT: {"type": "string"}}, "required": [INPUT]}
_NOTES: dict[str, Json] = {
    chat.NAME: {chat.TYPE: "custom"},
    responses.NAME: {responses.KIND: "custom_tool_call"},
}
"""How the two who have custom tools remember that a call was one."""


def with_custom_calls(message: Message, origin: Dialect, goal: Dialect) -> Message:
    """The message with calls of custom tools as the target writes them."""
    if not any(_is_custom(call, origin) for call in message.tool_calls):
        return message
    calls = tuple(
        _written_call(call, goal) if _is_custom(call, origin) else call
        for call in message.tool_calls
    )
    return msgspec.structs.replace(message, tool_calls=calls)


def custom_tools(
    table: Any, origin: Dialect, goal: Dialect
) -> tuple[list[Json], list[Tool], list[Any]]:
    """The custom tools among those that are no functions: as the target's own, or as functions.

    And those that are neither.
    """
    native: list[Json] = []
    stand_ins: list[Tool] = []
    others: list[Any] = []
    for tool in table if isinstance(table, list) else ():
        fields = _definition(tool) if origin.name in _NOTES else None
        if fields is None:
            others.append(tool)
        elif goal.name in _NOTES:
            native.append(_written_definition(fields, goal))
        else:
            described = fields.get("description")
            stand_ins.append(
                Tool(
                    name=fields["name"],
                    description=described if isinstance(described, str) else None,
                    parameters=_PARAMETERS,
                    more=("custom", *(["format"] if "format" in fields else [])),
                )
            )
    return native, stand_ins, others


def with_told_tools(
    message: Message, origin: Dialect, goal: Dialect, lost: Counter[tuple[str, str]]
) -> Message:
    """The message with the tools that it loads defined as every other dialect reads them.

    That is as Chat Completions defines them; Responses alone has a shape of its own.
    """
    if not message.tools or origin.name != responses.NAME:
        return message
    tools: list[Json] = []
    for given in message.tools:
        fields = given if isinstance(given, dict) else {}
        native, stand_ins, others = custom_tools([given], origin, goal)
        tools += native
        if stand_ins:
            tools += map(_function, stand_ins)
            lost["custom", "tools"] += 1
        elif others and fields.get("type") == "function" and isinstance(fields.get("name"), str):
            told = {name: fields[name] for name in _TOLD if fields.get(name) is not None}
            tools.append({"type": "function", "function": told})
            lost.update((name, "tools") for name in fields if name not in ("type", *_TOLD))
        elif others:
            lost[str(fields.get("type", "tool")), "tools"] += 1
    return msgspec.structs.replace(message, tools=tuple(tools) or None)


_TOLD = ("name", "description", "parameters", "strict")


def _function(tool: Tool) -> Json:
    described = {} if tool.description is None else {"description": tool.description}
    function = {"name": tool.name, **described, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _is_custom(call: ToolCall, origin: Dialect) -> bool:
    notes = _NOTES.get(origin.name, {})
    kept = extras_of(call, origin.name)
    return bool(notes) and all(kept.get(name) == value for name, value in notes.items())


def _written_call(call: ToolCall, goal: Dialect) -> ToolCall:
    if goal.name in _NOTES:
        return msgspec.structs.replace(call, extras={goal.name: _NOTES[goal.name]})
    text = json.dumps({INPUT: call.arguments or ""}, ensure_ascii=False)
    return msgspec.structs.replace(call, arguments=text, extras=None)


def _definition(tool: Any) -> Json | None:
    """The fields of a custom tool, whose own object Chat Completions has and Responses has not."""
    if not isinstance(tool, dict) or tool.get("type") != "custom":
        return None
    held = tool.get("custom", tool)
    if not isinstance(held, dict) or not isinstance(held.get("name"), str):
        return None
    form = held.get("format")
    if isinstance(form, dict) and isinstance(form.get("grammar"), dict):
        held = {**held, "format": {"type": "grammar", **form["grammar"]}}
    return {name: value for name, value in held.items() if name != "type"}


def _written_definition(fields: Json, goal: Dialect) -> Json:
    if goal.name == responses.NAME:
        return {"type": "custom", **fields}
    form = fields.get("format")
    if isinstance(form, dict) and form.get("type") == "grammar":
        grammar = {name: value for name, value in form.items() if name != "type"}
        fields = {**fields, "format": {"type": "grammar", "grammar": grammar}}
    return {"type": "custom", "custom": fields}
