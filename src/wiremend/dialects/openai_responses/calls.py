"""Calls and their outputs, both ways."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from wiremend.dialects.arguments import arguments_text, dump_arguments
from wiremend.dialects.base import CONTENT, Json, extras, extras_of, rest, wire_fields
from wiremend.dialects.openai_responses.fields import ITEM, KIND, NAME
from wiremend.dialects.openai_responses.items import CALLS, TEXTUAL, call_key
from wiremend.dialects.openai_responses.parts import read_content, shape_of, write_content
from wiremend.errors import Path
from wiremend.model import ContextMessage, Message, OpaquePart, Part, TextPart, ToolCall
from wiremend.projection.anomalies import ArgumentsMended, OnAnomaly, OutputReshaped


def read_call(item: Json, kind: str, report: OnAnomaly) -> ToolCall:
    """The call that an item is; what only this provider knows of it stays in its extras."""
    known = CALLS[kind]
    call_id = call_key(item, kind) or ""
    if known.name is not None:
        action = item.get(known.field, item.get("actions"))
        return ToolCall(call_id, known.name, dump_arguments(action), extras={NAME: {ITEM: item}})
    name, text = item.get("name"), item.get(known.field)
    if text is not None and not isinstance(text, str):
        text = dump_arguments(text)
        report(ArgumentsMended(call_id, "serialised"))
    kept = rest(item, "type", "call_id", "name", known.field)
    if kind != "function_call":
        kept[KIND] = kind
    return ToolCall(call_id, name if isinstance(name, str) else "", text, extras=extras(NAME, kept))


def call_kind(call: ToolCall) -> str:
    """The type of the item that a call is written as."""
    kept = extras_of(call, NAME)
    kind = kept[ITEM]["type"] if ITEM in kept else kept.get(KIND, "function_call")
    return str(kind)


def write_call(call: ToolCall, report: OnAnomaly) -> Json:
    """The item that a call becomes."""
    kept = extras_of(call, NAME)
    if ITEM in kept:
        return {**kept[ITEM], "call_id": call.id}
    kind = call_kind(call)
    out: Json = {"type": kind, "call_id": call.id, "name": call.name}
    if kind == "custom_tool_call":
        out["input"] = call.arguments or ""
    else:
        out["arguments"] = call.arguments if _is_json(call) else arguments_text(call, report)
    return {**out, **wire_fields(kept)}


def read_output(item: Json, kind: str, path: Path, report: OnAnomaly) -> ContextMessage:
    """The tool message that an output is."""
    call_id = call_key(item, kind)
    if kind not in TEXTUAL:
        parts = _foreign_view(item, kind)
        return ContextMessage(
            "tool", parts, tool_call_id=call_id, extras={NAME: {ITEM: item, KIND: kind}}
        )
    output = item.get("output")
    if output is None and kind != "apply_patch_call_output":
        report(OutputReshaped(call_id or "", "missing"))
    if output is not None and not isinstance(output, (str, list)):
        output = dump_arguments(output)
        report(OutputReshaped(call_id or "", "serialised"))
    kept = {**rest(item, "type", "call_id", "output"), **shape_of(output), KIND: kind}
    if kind == "local_shell_call_output" and "call_id" not in item:
        kept.pop("id", None)
    if call_id is None and "call_id" in item and "name" in item:
        kept["call_id"] = None
    if kind == "apply_patch_call_output" and "output" not in item:
        kept[CONTENT] = "absent"
    parts = tuple(read_content(output, "tool", (*path, "output"), report))
    return ContextMessage("tool", parts, tool_call_id=call_id, extras={NAME: kept})


def read_stray_output(item: Json, kind: str, path: Path, report: OnAnomaly) -> ContextMessage:
    """The output of a call that is not here but on the server, as something that a user gives."""
    message = read_output(item, kind, path, report)
    if not message.content and item.get("output") is None and kind != "apply_patch_call_output":
        message = msgspec.structs.replace(message, content=(TextPart(""),))
    if not message.content:
        return ContextMessage("user", (OpaquePart(NAME, {ITEM: item}),))
    return msgspec.structs.replace(message, role="user")


def write_output(message: Message, called: str = "function_call") -> Json | None:
    """The output that a tool message becomes, for a call of the type ``called``.

    None for what cannot be written: a screen that nobody has a picture of.
    """
    kept = extras_of(message, NAME)
    call_id = message.tool_call_id
    if ITEM in kept:
        return {**kept[ITEM], "call_id": call_id}
    kind = kept.get(KIND) or CALLS[called].output
    if kind not in TEXTUAL:
        return _written_anew(kind, call_id, _text(message))
    out: Json = {"type": kind, "call_id": call_id}
    if call_id is None:
        out = {"type": kind}
    if kind == "local_shell_call_output" and "id" not in kept:
        out = {"type": kind, "id": call_id}
    if kind == "apply_patch_call_output":
        out["status"] = "failed" if KIND not in kept else kept.get("status")
    if kept.get(CONTENT) != "absent" or message.content:
        out["output"] = write_content(message.content, "tool", kept.get(CONTENT))
    return {**out, **wire_fields(kept)}


def _foreign_view(item: Json, kind: str) -> tuple[Part, ...]:
    """What other providers can be told of an output that has a form of its own."""
    if kind == "computer_call_output":
        return (OpaquePart(NAME, item.get("output")),)
    shown = item.get("output", item.get("tools"))
    return (TextPart(json.dumps(shown, ensure_ascii=False)),)


def _written_anew(kind: str, call_id: str | None, text: str) -> Json | None:
    if kind == "shell_call_output":
        failed = {"stdout": "", "stderr": text, "outcome": {"type": "exit", "exit_code": 1}}
        return {"type": kind, "call_id": call_id, "output": [failed]}
    if kind == "tool_search_output":
        return {"type": kind, "call_id": call_id, "execution": "client", "tools": []}
    return None


def _text(message: Message) -> str:
    return "\n".join(part.text for part in message.content if type(part) is TextPart)


def _is_json(call: ToolCall) -> bool:
    """Whether the arguments are JSON of any kind, which is all that this API asks for."""
    try:
        json.loads(call.arguments or "", parse_constant=_refuse, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
