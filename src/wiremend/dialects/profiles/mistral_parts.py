"""The content chunks of Mistral: what no other server has, both ways, and what it refuses in one.

Source: ``mistralai`` SDK, ``client.models.ContentChunk`` and the messages that hold it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from wiremend.dialects.base import Json, extras, extras_of, rest, with_extras
from wiremend.dialects.data_urls import data_url, parse_data_url
from wiremend.dialects.openai_chat.fields import FUNCTION
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    MediaSource,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    ToolCall,
    is_blank,
    with_content,
)
from wiremend.projection.anomalies import FieldDropped, MediaReplaced, OnAnomaly

NAME = "mistral"
_BLOCK = "$block"
"""In a part's extras: the whole chunk as it came."""
_SHORT = "$short"
"""In an image's extras: its address was written without an object around it."""
_TURNS = ("user", "assistant", "tool")
_ROLES_OF_OWN = {"resource_link": ("user",)}
_OWN = {
    "reference": "reference_ids",
    "file": "file_id",
    "resource": "resource",
    "resource_link": "uri",
}
"""Types of chunks that mean nothing elsewhere, each with the field that tells it for certain."""


def read_part(block: Json, role: str) -> Part | None:
    """A chunk that only Mistral has, or has in a form of its own."""
    kind = block.get("type")
    if not isinstance(kind, str):
        return None
    if kind in _OWN and _OWN[kind] in block and role in _ROLES_OF_OWN.get(kind, _TURNS):
        return OpaquePart(NAME, block)
    value = block.get(kind)
    if kind == "thinking" and role == "assistant":
        return _thinking(block)
    if kind == "input_audio" and (url := _audio_url(value)) is not None:
        return AudioPart(MediaSource(url), extras=_kept(block))
    if not isinstance(value, str):
        return None
    if kind == "image_url":
        kept = extras(NAME, {_SHORT: True, **rest(block, "type", kind)})
        return ImagePart(MediaSource(value), extras=kept)
    if kind == "document_url":
        title = _text_or_none(block, "document_name")
        return DocumentPart(url=value, title=title, extras=_kept(block))
    return None


def write_part(part: Part) -> Json | None:
    """The chunk of a part that is written otherwise than by the others."""
    kept = extras_of(part, NAME) if type(part) is not OpaquePart else {}
    if _BLOCK in kept:
        return dict(kept[_BLOCK])
    if type(part) is ImagePart and _SHORT in kept:
        return {"type": "image_url", "image_url": part.image_url.url, **_fields(kept)}
    if type(part) is AudioPart:
        parsed = parse_data_url(part.audio_url.url)
        return {"type": "input_audio", "input_audio": parsed.data if parsed else part.audio_url.url}
    if type(part) is DocumentPart:
        named = {} if part.title is None else {"document_name": part.title}
        return {"type": "document_url", "document_url": part.url, **named}
    return None


def documents_by_address(messages: Sequence[Message], report: OnAnomaly) -> Sequence[Message]:
    """Documents that only another provider's store has, as a line of text."""

    def readable(part: Part) -> Part:
        if type(part) is not DocumentPart or part.url is not None:
            return part
        report(MediaReplaced("document", "type"))
        return TextPart(f"[document {part.title or 'omitted'}]")

    return [
        _with_parts(message, [readable(part) for part in message.content]) for message in messages
    ]


_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# Names and calls have their places in the model, except where they are null.
_MESSAGE_FIELDS = {"assistant": ("prefix", "tool_calls"), "tool": ("name",)}


def known_fields(messages: Sequence[Message], report: OnAnomaly) -> Sequence[Message]:
    """Messages, calls and chunks without the fields that are refused as unknown (report 042)."""
    return [_known(message, report) for message in messages]


def _known(message: Message, report: OnAnomaly) -> Message:
    role = message.role
    known: Message = _without(message, _MESSAGE_FIELDS.get(role, ()), role, report)
    if known.name is not None and not (role == "tool" and _NAME.fullmatch(known.name)):
        report(FieldDropped("name", role))
        known = msgspec.structs.replace(known, name=None)
    calls = tuple(_known_call(call, report) for call in known.tool_calls)
    if not _same(calls, known.tool_calls):
        known = msgspec.structs.replace(known, tool_calls=calls)
    return _with_parts(known, [_known_part(part, report) for part in known.content])


def _known_call(call: ToolCall, report: OnAnomaly) -> ToolCall:
    known: ToolCall = _without(call, ("index",), "call", report)
    kept = extras_of(known, NAME)
    for field in kept.get(FUNCTION, {}):
        report(FieldDropped(field, "call"))
    if FUNCTION in kept:
        known = with_extras(known, NAME, {n: v for n, v in kept.items() if n != FUNCTION})
    return known


def _known_part(part: Part, report: OnAnomaly) -> Part:
    if type(part) is ImagePart:
        source = _without(part.image_url, ("detail",), "part", report)
        if source is not part.image_url:
            part = msgspec.structs.replace(part, image_url=source)
    if type(part) in (TextPart, ImagePart):
        known: Part = _without(part, (), "part", report)
        return known
    return part


def _without(value: Any, allowed: tuple[str, ...], where: str, report: OnAnomaly) -> Any:
    """The value with only the fields in its extras that are allowed, and the notes."""
    kept = extras_of(value, NAME)
    refused = [name for name in kept if not name.startswith("$") and name not in allowed]
    if not refused:
        return value
    for name in refused:
        report(FieldDropped(name, where))
    return with_extras(value, NAME, {n: v for n, v in kept.items() if n not in refused})


def _with_parts(message: Message, parts: list[Part]) -> Message:
    if _same(parts, message.content):
        return message
    return with_content(message, tuple(parts), list(range(len(parts))))


def _same(new: Sequence[Any], old: Sequence[Any]) -> bool:
    return all(a is b for a, b in zip(new, old, strict=True))


def _kept(block: Json) -> Json:
    return {NAME: {_BLOCK: block}}


def _fields(kept: Json) -> Json:
    return {name: value for name, value in kept.items() if not name.startswith("$")}


def _text_or_none(block: Json, field: str) -> str | None:
    value = block.get(field)
    return value if isinstance(value, str) else None


def _thinking(block: Json) -> Part | None:
    """Thinking; where it holds nothing that another model could read, it is kept for this one."""
    text = _thinking_text(block["thinking"]) if "thinking" in block else None
    if text is None:
        return None
    if is_blank(text):
        return OpaquePart(NAME, block)
    return ThinkPart(text, _text_or_none(block, "signature"), _kept(block))


def _thinking_text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    texts = (item.get("text") for item in value if isinstance(item, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _audio_url(value: Any) -> str | None:
    """The address of audio, given as text or in OpenAI's form."""
    label = "audio/mpeg"
    if isinstance(value, dict):
        label = f"audio/{value.get('format', 'mpeg')}"
        value = value.get("data")
    if not isinstance(value, str):
        return None
    return value if value.startswith(("http:", "https:", "data:")) else data_url(label, value)
