"""OpenAI Chat Completions: projected messages to request body."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.arguments import arguments_text
from wiremend.dialects.base import CONTENT, Json, extras_of, tool_table, unprepared, wire_fields
from wiremend.dialects.data_urls import parse_data_url
from wiremend.dialects.openai_chat.fields import FIELD, FUNCTION, PARSED, ROLE, TYPE, VALUE
from wiremend.dialects.openai_chat.profile import OPENAI, Profile
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    ToolCall,
    VideoPart,
)
from wiremend.projection.anomalies import EmptyContentReshaped, OnAnomaly


def encode_messages(
    messages: Sequence[Message], report: OnAnomaly, profile: Profile = OPENAI
) -> list[Json]:
    """The messages of a request body."""
    return [_message(message, report, profile) for message in messages]


def declare_tools(envelope: Mapping[str, Any], messages: Sequence[Message]) -> Json:
    """The envelope with the tools that messages declare in its table, where they are not yet."""
    declared = [tool for message in messages for tool in message.tools or ()]
    if not declared:
        return dict(envelope)
    table = list(tool_table(envelope))
    names = {tool_name(tool) for tool in table}
    for tool in declared:
        if isinstance(tool, dict) and tool_name(tool) not in names:
            names.add(tool_name(tool))
            table.append(_definition(tool))
    return {**envelope, "tools": table}


def _definition(tool: Any) -> Any:
    """A tool that a message declares, in this API's form; a session log has the bare function."""
    bare = isinstance(tool, dict) and "function" not in tool and "type" not in tool
    return {"type": "function", "function": tool} if bare else tool


def tool_name(tool: Any) -> str | None:
    """The name in a tool's definition, as this API or as a session log writes it."""
    if not isinstance(tool, dict):
        return None
    inner = tool.get("function") or tool.get("custom") or tool
    name = inner.get("name") if isinstance(inner, dict) else None
    return name if isinstance(name, str) else None


def _message(message: Message, report: OnAnomaly, profile: Profile) -> Json:
    kept = extras_of(message, profile.name)
    parts: list[Part] = []
    fields: list[Part] = []
    for part in message.content:
        beside = type(part) is not TextPart and _field(part, profile)
        (fields if beside else parts).append(part)
    out: Json = {"role": kept.get(ROLE, message.role)}
    content = _content(message, parts, report, profile)
    if content is not _ABSENT:
        out["content"] = content
    if message.name is not None:
        out["name"] = message.name
    if message.role == "tool":
        out["tool_call_id"] = message.tool_call_id
    for part in fields:
        field, value = _field_value(part, profile)
        out[field] = _together(out[field], value) if field in out else value
    if message.tool_calls:
        out["tool_calls"] = [_call(call, report, profile) for call in message.tool_calls]
    if message.tools and profile.tools_in_messages:
        out["tools"] = [_definition(tool) for tool in message.tools]
    if kept:
        for name, value in wire_fields(kept).items():
            out.setdefault(name, value)
    return out


def _together(first: Any, second: Any) -> Any:
    """What a field holds that was said twice, in messages that became one."""
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n{second}"
    if isinstance(first, list) and isinstance(second, list):
        return [*first, *second]
    return second


class _Absent:
    """Stands for content that is not written at all, since None is ``null``."""


_ABSENT = _Absent()


def _content(message: Message, parts: list[Part], report: OnAnomaly, profile: Profile) -> Any:
    shape = extras_of(message, profile.name).get(CONTENT)
    if not parts:
        if _needs_content(message, profile):
            report(EmptyContentReshaped(message.role))
            return ""
        if shape == "list":
            report(EmptyContentReshaped(message.role))
        unsaid = shape == "absent" or (shape is None and message.tools)
        return _ABSENT if unsaid else None
    if shape != "list" and len(parts) == 1:
        only = parts[0]
        if type(only) is TextPart and not extras_of(only, profile.name):
            return only.text
    return [_part(part, profile) for part in parts]


_INSTEAD_OF_CONTENT = ("refusal", "audio", "function_call")


def _needs_content(message: Message, profile: Profile) -> bool:
    """Whether a message is there for a field beside its content that is none of OpenAI's."""
    fields = [_field(part, profile) for part in message.content]
    return bool(fields) and not (
        message.tool_calls or any(field in _INSTEAD_OF_CONTENT for field in fields)
    )


def _field(part: Part, profile: Profile) -> str | None:
    """The field of the message that a part belongs to; None for one of the content."""
    if type(part) is ThinkPart:
        if profile.write_part(part) is not None:
            return None
        kept = extras_of(part, profile.name)
        if FIELD not in kept and not profile.reasoning:
            raise unprepared(part)
        return str(kept[FIELD] if FIELD in kept else profile.reasoning[0])
    if type(part) is OpaquePart and isinstance(part.data, dict) and FIELD in part.data:
        return str(part.data[FIELD])
    return None


def _field_value(part: Part, profile: Profile) -> tuple[str, Any]:
    field = _field(part, profile)
    assert field is not None, "only parts of a field come here"
    if type(part) is ThinkPart:
        return field, part.think
    assert type(part) is OpaquePart, "thinking and opaque parts are all that fields hold"
    return field, part.data[VALUE]


def _part(part: Part, profile: Profile) -> Json:
    if type(part) is OpaquePart:
        return dict(part.data)
    own = profile.write_part(part)
    if own is not None:
        return own
    name = profile.name
    kept = extras_of(part, name)
    if type(part) is TextPart:
        return {"type": "text", "text": part.text, **kept}
    if type(part) is ImagePart:
        source = part.image_url
        return {
            "type": "image_url",
            "image_url": {"url": source.url, **extras_of(source, name)},
            **kept,
        }
    if type(part) is VideoPart:
        source = part.video_url
        return {
            "type": "video_url",
            "video_url": {"url": source.url, **extras_of(source, name)},
            **kept,
        }
    if type(part) is AudioPart:
        source = part.audio_url
        label, data = parse_data_url(source.url) or ("", source.url)
        audio_format = label.removeprefix("audio/")
        audio = {"data": data, **({"format": audio_format} if audio_format else {})}
        return {"type": "input_audio", "input_audio": {**audio, **extras_of(source, name)}, **kept}
    assert type(part) is DocumentPart, "thinking goes to a field"
    return {"type": "file", "file": _file(part, kept), **wire_fields(kept)}


def _file(part: DocumentPart, kept: Json) -> Json:
    fields = {"file_data": part.url, "file_id": part.file_id, "filename": part.title}
    known = {name: value for name, value in fields.items() if value is not None}
    return {**known, **kept.get("$file", {})}


def _call(call: ToolCall, report: OnAnomaly, profile: Profile) -> Json:
    kept = extras_of(call, profile.name)
    if not kept:
        function = {"name": call.name, "arguments": arguments_text(call, report)}
        return {"id": call.id, "type": "function", "function": function}
    kind = kept.get(TYPE, "function")
    inner = kept.get(FUNCTION, {})
    out: Json = {"id": call.id}
    if kind is not None:
        out["type"] = kind
    if kind == "custom":
        out["custom"] = {"name": call.name, "input": call.arguments or "", **inner}
    else:
        arguments: Any = arguments_text(call, report)
        if kept.get(PARSED):
            arguments = json.loads(arguments)
        out["function"] = {"name": call.name, "arguments": arguments, **inner}
    return {**out, **wire_fields(kept)}
