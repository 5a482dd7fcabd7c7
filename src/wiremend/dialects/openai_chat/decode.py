"""OpenAI Chat Completions: request body to history.

Source: ``openai`` SDK types ``chat.ChatCompletionMessageParam`` and what they hold.
"""

from __future__ import annotations

from typing import Any

from wiremend.dialects.arguments import dump_arguments
from wiremend.dialects.base import (
    CONTENT,
    Conversation,
    Json,
    expect_list,
    expect_object,
    extras,
    rest,
)
from wiremend.dialects.data_urls import data_url
from wiremend.dialects.foreign import read_foreign
from wiremend.dialects.openai_chat.fields import FIELD, FUNCTION, PARSED, ROLE, TYPE, VALUE
from wiremend.dialects.openai_chat.profile import OPENAI, Profile
from wiremend.errors import Path, WiremendError
from wiremend.model import (
    AudioPart,
    ContextMessage,
    DocumentPart,
    ImagePart,
    MediaSource,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    ToolCall,
    VideoPart,
)
from wiremend.projection.anomalies import (
    ArgumentsMended,
    DuplicateToolCallDropped,
    EmptyToolCallsDropped,
    ForeignPartConverted,
    ForeignPartDropped,
    OnAnomaly,
)

# "function" is the legacy result of a legacy function_call: no tool message, since it has no id.
_ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "user",
}
_KNOWN = ("role", "content", "name", "tool_calls")


def decode_body(body: Json, report: OnAnomaly, profile: Profile = OPENAI) -> Conversation:
    """A request body as history."""
    messages = expect_list(body.get("messages"), ("messages",), "messages")
    history: list[ContextMessage] = []
    for index, message in enumerate(messages):
        history.extend(decode_message(message, ("messages", index), report, profile))
    return Conversation(tuple(history), {**body, "messages": None})


def decode_message(
    value: Any, path: Path, report: OnAnomaly, profile: Profile = OPENAI
) -> list[ContextMessage]:
    """A wire message as history; more than one where it holds results in another API's shape."""
    message = expect_object(value, path, "a message")
    role = message.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        known = ", ".join(_ROLES)
        raise WiremendError(f"expected a role, one of: {known}", (*path, "role"))
    reader = _Reader(role, report, profile)
    parts = reader.content(message, (*path, "content"))
    kept: Json = rest(message, *_KNOWN, *(("tool_call_id",) if role == "tool" else ()))
    if role != _ROLES[role]:
        kept[ROLE] = role
    kept.update(_shape(message))
    calls = reader.calls(message, (*path, "tool_calls"), kept)
    if role == "assistant":
        parts = [*_thinking(kept, profile), *parts, *_field_parts(kept, profile)]
    tools = kept.pop("tools") if declares_tools(message, profile) else ()
    name, call_id = message.get("name"), message.get("tool_call_id")
    if name is not None and not isinstance(name, str):
        raise WiremendError("expected a name that is text", (*path, "name"))
    if name is None and "name" in message:
        kept["name"] = None
    decoded = ContextMessage(
        _ROLES[role],  # type: ignore[arg-type]
        tuple(parts),
        tuple(calls),
        name=name,
        tool_call_id=call_id if role == "tool" and isinstance(call_id, str) else None,
        tools=tuple(tools) or None,
        extras=extras(profile.name, kept),
    )
    if reader.results and not parts and not calls:
        return reader.results
    return [*reader.results, decoded]


def _shape(message: Json) -> Json:
    """A note of how empty or short content was written, to write it so again."""
    if "content" not in message:
        return {CONTENT: "absent"}
    content = message["content"]
    if content is None:
        return {CONTENT: "null"}
    return {CONTENT: "list"} if isinstance(content, list) else {}


def declares_tools(message: Json, profile: Profile) -> bool:
    """Whether a message declares tools, as a system message of some providers may."""
    tools = message.get("tools")
    return profile.tools_in_messages and isinstance(tools, list) and bool(tools)


def _thinking(kept: Json, profile: Profile) -> list[Part]:
    """The thinking that stands in fields of its own, taken out of ``kept``."""
    return [
        ThinkPart(kept.pop(field), extras={profile.name: {FIELD: field}})
        for field in profile.reasoning
        if isinstance(kept.get(field), str)
    ]


def _field_parts(kept: Json, profile: Profile) -> list[Part]:
    """What an assistant says outside of its content: it says something, so it is a part."""
    return [
        OpaquePart(profile.name, {FIELD: field, VALUE: kept.pop(field)})
        for field in (*profile.said_in_fields, *profile.marks)
        if (kept.get(field) is True if field in profile.marks else kept.get(field))
    ]


class _Reader:
    """Reads one message; ``results`` are tool results that its content held."""

    def __init__(self, role: str, report: OnAnomaly, profile: Profile) -> None:
        self._role = role
        self._profile = profile
        self._report = report
        self._foreign_calls: list[ToolCall] = []
        self.results: list[ContextMessage] = []

    def content(self, message: Json, path: Path) -> list[Part]:
        content = message.get("content")
        if content is None:
            return []
        if isinstance(content, str):
            return [TextPart(content)]
        if not isinstance(content, list):
            raise WiremendError("expected content that is text, a list of parts or null", path)
        parts: list[Part] = []
        for index, value in enumerate(content):
            at = (*path, index)
            block = expect_object(value, at, "a content part")
            part = _part(block, self._role, self._profile)
            if part is None:
                part = self._foreign(block)
            if part is not None:
                parts.append(part)
        return parts

    def calls(self, message: Json, path: Path, kept: Json) -> list[ToolCall]:
        value = message.get("tool_calls")
        if value is None:
            if "tool_calls" in message:
                kept["tool_calls"] = None
            return self._foreign_calls
        listed = expect_list(value, path, "tool calls")
        if not listed and not self._foreign_calls:
            self._report(EmptyToolCallsDropped())
        calls = [
            _call(item, (*path, n), self._report, self._profile) for n, item in enumerate(listed)
        ]
        known = {call.id for call in calls}
        for call in self._foreign_calls:
            if call.id in known:
                self._report(DuplicateToolCallDropped(call.id))
            else:
                calls.append(call)
        return calls

    def _foreign(self, block: Json) -> Part | None:
        """Read a part that this API does not know: as what it means, or not at all."""
        kind = str(block.get("type"))
        if kind == "tool_use" and isinstance(block.get("name"), str):
            arguments = dump_arguments(block.get("input", {}))
            self._foreign_calls.append(
                ToolCall(str(block.get("id") or ""), block["name"], arguments)
            )
            self._report(ForeignPartConverted(kind))
            return None
        if kind == "tool_result":
            self.results.append(self._result(block))
            self._report(ForeignPartConverted(kind))
            return None
        part = read_foreign(block)
        self._report(ForeignPartDropped(kind) if part is None else ForeignPartConverted(kind))
        return part

    def _result(self, block: Json) -> ContextMessage:
        content = block.get("content")
        inner = _Reader("tool", self._report, self._profile)
        parts = inner.content(
            {"content": content if isinstance(content, (str, list)) else None}, ()
        )
        call_id = block.get("tool_use_id")
        return ContextMessage(
            "tool",
            tuple(parts),
            tool_call_id=call_id if isinstance(call_id, str) else None,
            is_error=True if block.get("is_error") is True else None,
        )


def _part(block: Json, role: str, profile: Profile) -> Part | None:
    """A part of this API in a message of this role; None where the block is none."""
    own = profile.read_part(block, role)
    if own is not None:
        return own
    name = profile.name
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return TextPart(block["text"], extras=extras(name, rest(block, "type", "text")))
    if isinstance(kind, str) and kind in profile.foreign:
        return None
    if kind == "refusal" and role == "assistant" and isinstance(block.get("refusal"), str):
        return OpaquePart(name, block)
    source = block.get(kind) if isinstance(kind, str) else None
    if not isinstance(source, dict):
        return None
    kept = extras(name, rest(block, "type", str(kind)))
    if kind in ("image_url", "video_url") and isinstance(source.get("url"), str):
        media = MediaSource(source["url"], extras=extras(name, rest(source, "url")))
        if kind == "image_url":
            return ImagePart(media, extras=kept)
        return VideoPart(media, extras=kept)
    if kind == "input_audio" and isinstance(source.get("data"), str):
        kind_of_audio = source.get("format")
        known = (
            ("data", "format") if kind_of_audio and isinstance(kind_of_audio, str) else ("data",)
        )
        label = f"audio/{kind_of_audio}" if len(known) > 1 else "audio/"
        inner = extras(name, rest(source, *known))
        return AudioPart(MediaSource(data_url(label, source["data"]), extras=inner), extras=kept)
    if kind == "file":
        return _file(source, rest(block, "type", "file"), name)
    return None


def _file(source: Json, beside: Json, name: str) -> Part:
    texts = {
        field: source[field]
        for field in ("file_data", "file_id", "filename")
        if isinstance(source.get(field), str)
    }
    inner = rest(source, *texts)
    kept = {**beside, **({"$file": inner} if inner else {})}
    return DocumentPart(
        url=texts.get("file_data"),
        file_id=texts.get("file_id"),
        title=texts.get("filename"),
        extras=extras(name, kept),
    )


def _call(value: Any, path: Path, report: OnAnomaly, profile: Profile) -> ToolCall:
    call = expect_object(value, path, "a tool call")
    custom = call.get("type") == "custom"
    key = "custom" if custom else "function"
    function = expect_object(call.get(key), (*path, key), "what is called")
    call_id, name = call.get("id"), function.get("name")
    call_id = call_id if isinstance(call_id, str) else ""
    text_field = "input" if custom else "arguments"
    text = function.get(text_field)
    kept = rest(call, "id", "type", key)
    if isinstance(text, dict) and profile.parsed_arguments:
        kept[PARSED] = True
        text = dump_arguments(text)
    elif text is not None and not isinstance(text, str):
        text = dump_arguments(text)
        report(ArgumentsMended(call_id, "serialised"))
    inner = rest(function, "name", text_field)
    if inner:
        kept[FUNCTION] = inner
    if call.get("type") != "function":
        kept[TYPE] = call.get("type")
    return ToolCall(
        call_id, name if isinstance(name, str) else "", text, extras=extras(profile.name, kept)
    )
