"""Chat messages as frameworks hold them, as dicts or objects, read and made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.errors import WiremendError
from wiremend.integrations.mending import place_of, tag
from wiremend.model import (
    AudioPart,
    ImagePart,
    MediaSource,
    Message,
    OpaquePart,
    Part,
    Role,
    TextPart,
    ToolCall,
)

Json = dict[str, Any]

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}
_SAYING = ("thinking_blocks", "reasoning_items", "refusal", "audio", "images", "function_call")
# Stands for what a message says in other fields, which go where the message goes.
_ELSEWHERE = OpaquePart("elsewhere", None)


def as_dicts(messages: Any) -> list[Json]:
    """Messages as plain values; those that are no dicts are asked for theirs."""
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        raise WiremendError("expected an array of messages", ("messages",))
    return [_as_dict(message, at) for at, message in enumerate(messages)]


def _as_dict(message: Any, at: int) -> Json:
    if isinstance(message, dict):
        return message
    dump = getattr(message, "model_dump", None)
    if dump is None:
        raise WiremendError("expected a message: a dict or a model", ("messages", at))
    dumped: Json = dump(exclude_none=True)
    return dumped


def read(messages: Sequence[Json]) -> list[Message]:
    """The messages as a history, each value tagged with its place."""
    return [_read(message, at) for at, message in enumerate(messages)]


def _read(message: Json, at: int) -> Message:
    role = _ROLES.get(str(message.get("role")))
    if role is None:
        # Of another API, or of an older one: it passes as it is.
        return Message("user", (OpaquePart("unknown", None),), extras=tag(at))
    content = _parts(message.get("content"), at)
    if any(message.get(field) for field in _SAYING):
        content = (*content, _ELSEWHERE)
    call_id = message.get("tool_call_id")
    return Message(
        role,
        content,
        _calls(message.get("tool_calls"), at),
        tool_call_id=str(call_id) if call_id is not None else None,
        extras=tag(at),
    )


def _parts(content: Any, at: int) -> tuple[Part, ...]:
    if content is None:
        return ()
    if isinstance(content, str):
        return (TextPart(content),)
    if not isinstance(content, list):
        raise WiremendError("expected text or an array of blocks", ("messages", at, "content"))
    return tuple(_part(block, at, number) for number, block in enumerate(content))


def _part(block: Any, at: int, number: int) -> Part:
    kind = block.get("type") if isinstance(block, Mapping) else None
    if kind == "text" and isinstance(block.get("text"), str):
        return TextPart(block["text"], extras=tag(at, number))
    if kind == "image_url":
        named = block.get("image_url")
        url = named.get("url") if isinstance(named, Mapping) else named
        if isinstance(url, str):
            return ImagePart(MediaSource(url), extras=tag(at, number))
    if kind == "input_audio" and isinstance(block.get("input_audio"), Mapping):
        data = str(block["input_audio"].get("data"))
        return AudioPart(MediaSource(data), extras=tag(at, number))
    return OpaquePart("block", {"place": (at, number)})


def _calls(calls: Any, at: int) -> tuple[ToolCall, ...]:
    if not isinstance(calls, list):
        return ()
    return tuple(_call(call, at, number) for number, call in enumerate(calls))


def _call(call: Any, at: int, number: int) -> ToolCall:
    if not isinstance(call, dict):
        raise WiremendError("expected a tool call", ("messages", at, "tool_calls", number))
    function = call.get("function") or call.get("custom") or {}
    return ToolCall(
        str(call.get("id") or ""),
        str(function.get("name") or ""),
        function.get("arguments"),
        extras=tag(at, number),
    )


def write(message: Message, sources: Sequence[Json]) -> Json:
    """A changed or new message, with everything that its source had and that did not change."""
    place = place_of(message)
    source = sources[place[0]] if place is not None else {}
    made: Json = {**source, "role": message.role}
    if _ROLES.get(str(source.get("role"))) == message.role:
        made["role"] = source["role"]
    made["content"] = _content(message, sources)
    if message.tool_call_id is not None:
        made["tool_call_id"] = message.tool_call_id
    made.pop("tool_calls", None)
    if message.tool_calls:
        made["tool_calls"] = [_made_call(call, sources) for call in message.tool_calls]
    return made


def _content(message: Message, sources: Sequence[Json]) -> Any:
    parts = [part for part in message.content if part is not _ELSEWHERE]
    if not parts:
        return None if message.tool_calls else ""
    if len(parts) == 1 and type(parts[0]) is TextPart and place_of(parts[0]) is None:
        return parts[0].text
    return [_made_block(part, sources) for part in parts]


def _made_block(part: Part, sources: Sequence[Json]) -> Any:
    place = part.data["place"] if type(part) is OpaquePart else place_of(part)
    block = sources[place[0]]["content"][place[1]] if place is not None else {"type": "text"}
    return {**block, "text": part.text} if type(part) is TextPart else block


def _made_call(call: ToolCall, sources: Sequence[Json]) -> Json:
    place = place_of(call)
    assert place is not None, "no call is ever invented"
    return {**sources[place[0]]["tool_calls"][place[1]], "id": call.id}
