"""Calls and their outputs, both ways."""

from __future__ import annotations

import json

import msgspec

from wiremend.dialects.arguments import arguments_text, dump_arguments, is_json
from wiremend.dialects.base import CONTENT, Json, extras, extras_of, rest, wire_fields
from wiremend.dialects.openai_responses.fields import ITEM, KEY, KIND, NAME
from wiremend.dialects.openai_responses.items import CALLS, TEXTUAL, call_key
from wiremend.dialects.openai_responses.parts import read_content, shape_of, write_content
from wiremend.errors import Path
from wiremend.model import (
    ContextMessage,
    ImagePart,
    MediaSource,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ToolCall,
)
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
        if call.arguments is None:
            report(ArgumentsMended(call.id, "emptied"))
        out["input"] = call.arguments or ""
    else:
        # This API takes JSON of any kind.
        sendable = is_json(call.arguments or "")
        out["arguments"] = call.arguments if sendable else arguments_text(call, report)
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
    if kind == "local_shell_call_output":
        if "call_id" not in item:
            kept.pop("id", None)
        elif "id" not in item:
            kept[KEY] = "call_id"
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


def write_output(message: Message, call: Json, report: OnAnomaly) -> Json | None:
    """The output that a tool message becomes, for the call that was written as the item ``call``.

    None for what cannot be written: a screen that nobody has a picture of.
    """
    kept = extras_of(message, NAME)
    called = CALLS[call["type"]]
    kind = kept.get(KIND, called.output)
    if not answers(kind, call["type"]):
        report(OutputReshaped(message.tool_call_id or "", "retyped"))
        return _retyped(message, called.output)
    if KIND in kept:
        return write_own_output(message)
    caller = {"caller": call["caller"]} if "caller" in call else {}
    if called.output not in TEXTUAL:
        out = _written_anew(kind, message.tool_call_id, said_in(message))
        return {**out, **caller} if out is not None and kind == "shell_call_output" else out
    return {**_textual(message, kind), **caller}


def answers(kind: str, called: str) -> bool:
    """Whether an output of this type is taken for a call of the type ``called``.

    The local shell's calls take those of functions too: Codex sends no other.
    """
    return CALLS[called].output == kind or (kind, called) == _CODEX


_CODEX = ("function_call_output", "local_shell_call")


def write_own_output(message: Message) -> Json:
    """The output that a message was read from."""
    kept = extras_of(message, NAME)
    if ITEM in kept:
        return {**kept[ITEM], "call_id": message.tool_call_id}
    return _textual(message, kept[KIND])


def _retyped(message: Message, kind: str) -> Json | None:
    """An output as one of another type, with what it says."""
    kept = extras_of(message, NAME)
    parts = tuple(_shown(part) for part in message.content)
    call_id = message.tool_call_id
    if kind == "shell_call_output":
        done = {"stdout": said_in(message), "stderr": "", "outcome": _outcome(0)}
        return {"type": kind, "call_id": call_id, "output": [done]}
    if kind == "computer_call_output":
        screen = next((part for part in parts if type(part) is ImagePart), None)
        if screen is None:
            return None
        shown = {"type": "computer_screenshot", "image_url": screen.image_url.url}
        return {"type": kind, "call_id": call_id, "output": shown}
    if kind not in TEXTUAL:
        return None
    plain = ContextMessage("tool", parts, tool_call_id=call_id)
    status = {"status": "completed"} if kind == "apply_patch_call_output" else {}
    caller = {"caller": kept["caller"]} if "caller" in kept else {}
    return {**_textual(plain, kind), **status, **caller}


def _shown(part: Part) -> Part:
    """A screen as a picture, which other outputs can hold; all else as it is."""
    data = part.data if type(part) is OpaquePart else None
    if not isinstance(data, dict) or data.get("type") != "computer_screenshot":
        return part
    url, stored = data.get("image_url"), data.get("file_id")
    if isinstance(url, str) and url:
        return ImagePart(MediaSource(url))
    return OpaquePart(NAME, {"type": "input_image", "file_id": stored, "detail": "auto"})


def _textual(message: Message, kind: str) -> Json:
    kept = extras_of(message, NAME)
    call_id = message.tool_call_id
    out: Json = {"type": kind, "call_id": call_id}
    if call_id is None:
        out = {"type": kind}
    if kind == "local_shell_call_output" and "id" not in kept and KEY not in kept:
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
        failed = {"stdout": "", "stderr": text, "outcome": _outcome(1)}
        return {"type": kind, "call_id": call_id, "output": [failed]}
    if kind == "tool_search_output":
        return {"type": kind, "call_id": call_id, "execution": "client", "tools": []}
    return None


def _outcome(code: int) -> Json:
    return {"type": "exit", "exit_code": code}


def said_in(message: Message) -> str:
    """The text of a result."""
    return "\n".join(part.text for part in message.content if type(part) is TextPart)
