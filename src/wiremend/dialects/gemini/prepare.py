"""Gemini: what is mended in a message taken alone, before the projection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from wiremend.dialects.base import SPLIT, Json, extras_of, with_extras
from wiremend.dialects.data_urls import is_base64, parse_data_url, sniff
from wiremend.dialects.gemini.fields import AT, NAME, PART, THOUGHT, kinds_of, read_names
from wiremend.dialects.images import bare_data, mend_image
from wiremend.model import (
    DocumentPart,
    ImagePart,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    ToolCall,
    joined,
    media_source,
    with_content,
)
from wiremend.projection.anomalies import (
    EmptyPartDropped,
    EmptyTextDropped,
    ForeignPartDropped,
    MediaReplaced,
    NeighboursMerged,
    OnAnomaly,
    SignatureDropped,
    ThinkingDropped,
    VacuousMessageDropped,
)
from wiremend.projection.media import STRIPPED

IMAGES = ("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif")
"""ai.google.dev, "Image understanding": the formats that are taken."""

_PHONES = {"image/heic", "image/heif", None}
_SIGNATURE = "thoughtSignature"


def prepare_messages(history: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """The history without what the API refuses in a part."""
    return _closed([_prepared(message, report) for message in history], report)


def _closed(messages: list[Message], report: OnAnomaly) -> list[Message]:
    """The messages without those of the model that say nothing between two of the user.

    What the user said before and after becomes one, so that the roles alternate (report 070).
    """
    runs: list[list[Message]] = []
    silent = False
    for message in messages:
        if silent and _is_whole_prompt(message) and _is_whole_prompt(runs[-2][-1]):
            report(VacuousMessageDropped("assistant"))
            report(NeighboursMerged("user"))
            runs.pop()
            runs[-1].append(message)
        else:
            runs.append([message])
        said = bool(message.content or message.tool_calls)
        silent = message.role == "assistant" and not said and len(runs) > 1
    return [joined(run) if len(run) > 1 else run[0] for run in runs]


def _is_whole_prompt(message: Message) -> bool:
    """Whether a user said this in a content of its own, not beside results."""
    split = extras_of(message, NAME).get(SPLIT)
    return message.role == "user" and bool(message.content) and split is None


def _prepared(message: Message, report: OnAnomaly) -> Message:
    calls = tuple(_signed_call(call, report) for call in message.tool_calls)
    if not all(new is old for new, old in zip(calls, message.tool_calls, strict=True)):
        message = msgspec.structs.replace(message, tool_calls=calls)
    parts = [_mended(part, message.role, report) for part in message.content]
    kept = [n for n, part in enumerate(parts) if part is not None]
    content = tuple(part for part in parts if part is not None)
    if len(content) == len(message.content) and all(
        new is old for new, old in zip(content, message.content, strict=True)
    ):
        return message
    return with_content(_placed(message, kept), content, kept)


def _placed(message: Message, kept: list[int]) -> Message:
    """The message with the places of only these parts, where it remembers places."""
    fields = extras_of(message, NAME)
    places = fields.get(AT)
    if not isinstance(places, list):
        return message
    out: Message = with_extras(message, NAME, {**fields, AT: [places[n] for n in kept]})
    return out


def _signed_call(call: ToolCall, report: OnAnomaly) -> ToolCall:
    kept = extras_of(call, NAME)
    beside = kept.get(PART, {})
    if not _is_forged(beside.get(_SIGNATURE)):
        return call
    report(SignatureDropped())
    rest = {name: value for name, value in beside.items() if name != _SIGNATURE}
    fields = {**{n: v for n, v in kept.items() if n != PART}, **({PART: rest} if rest else {})}
    unsigned: ToolCall = with_extras(call, NAME, fields)
    return unsigned


def _is_forged(signature: Any) -> bool:
    return isinstance(signature, str) and not is_base64(signature)


def _mended(part: Part, role: str, report: OnAnomaly) -> Part | None:
    part = _without_forged_signature(part, report)
    if type(part) is OpaquePart:
        return _mended_opaque(part, role, report)
    if type(part) is TextPart:
        if part.text or role == "tool" or extras_of(part, NAME).get(_SIGNATURE):
            return part
        report(EmptyTextDropped(role))
        return None
    if type(part) is ThinkPart:
        return _mended_thinking(part, role, report)
    part = bare_data(part, report)
    if type(part) is DocumentPart:
        return _mended_document(part, report)
    return _mended_media(part, report)


def _without_forged_signature(part: Part, report: OnAnomaly) -> Part:
    if type(part) is OpaquePart:
        fields, names = read_names(part.data) if isinstance(part.data, dict) else ({}, {})
        if part.provider != NAME or not _is_forged(fields.get(_SIGNATURE)):
            return part
        report(SignatureDropped())
        spelled = names.get(_SIGNATURE, _SIGNATURE)
        data = {name: value for name, value in part.data.items() if name != spelled}
        return msgspec.structs.replace(part, data=data)
    kept = extras_of(part, NAME)
    if not _is_forged(kept.get(_SIGNATURE)):
        return part
    report(SignatureDropped())
    unsigned: Part = with_extras(part, NAME, {n: v for n, v in kept.items() if n != _SIGNATURE})
    return unsigned


def _mended_opaque(part: OpaquePart, role: str, report: OnAnomaly) -> Part | None:
    if part.provider != NAME:
        report(ForeignPartDropped(part.provider))
        return None
    fields: Json = read_names(part.data)[0] if isinstance(part.data, dict) else {}
    if not kinds_of(fields) and role != "tool":  # in a response nothing is known to mind
        report(EmptyPartDropped(role))
        return None
    blob = fields.get("inlineData")
    inner = read_names(blob)[0].get("data") if isinstance(blob, dict) else None
    if inner is not None and not isinstance(inner, str):
        report(MediaReplaced("media", "content"))
        return TextPart("[media omitted: it could not be read]")
    return part


def _mended_thinking(part: ThinkPart, role: str, report: OnAnomaly) -> Part | None:
    if THOUGHT not in extras_of(part, NAME):
        report(ThinkingDropped("another provider's"))
        return None
    if role != "assistant":
        report(ThinkingDropped("not the assistant's"))
        return None
    if not part.think and not extras_of(part, NAME).get(_SIGNATURE):
        report(EmptyTextDropped(role))
        return None
    return part


def _mended_document(part: DocumentPart, report: OnAnomaly) -> Part:
    if part.text is not None:
        report(MediaReplaced("document", "type"))
        return TextPart(part.text or "[empty document]")
    if part.url is None:
        report(MediaReplaced("document", "type"))
        return TextPart(f"[document: {part.title or part.file_id or 'without content'}]")
    if _holds_no_bytes(part.url):
        report(MediaReplaced("document", "content"))
        return TextPart(f"[document omitted: {part.title or 'it could not be read'}]")
    return part


def _mended_media(part: Part, report: OnAnomaly) -> Part:
    found = media_source(part)
    assert found is not None, "all other parts were mended before"
    kind, source = found
    if _holds_no_bytes(source.url):
        report(MediaReplaced(kind, "content"))
        return TextPart(STRIPPED[kind])
    if type(part) is not ImagePart or _is_of_phones(source.url):
        return part
    return mend_image(part, report, taken=IMAGES)


def _is_of_phones(url: str) -> bool:
    """Whether this is HEIC or HEIF under the label of either, which is one format to the API."""
    parsed = parse_data_url(url)
    return parsed is not None and {parsed.media_type, sniff(parsed.data)} <= _PHONES


def _holds_no_bytes(url: str) -> bool:
    """Whether this is data that no server reads as bytes."""
    parsed = parse_data_url(url)
    return url.startswith("data:") if parsed is None else not is_base64(parsed.data)
