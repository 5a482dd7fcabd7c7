"""Anthropic Messages: what is mended in a message taken alone, before the projection."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import msgspec

from wiremend.context.tool_results import FAILED
from wiremend.dialects.anthropic.blocks import read_block, write_block
from wiremend.dialects.anthropic.fields import LABEL, NAME
from wiremend.dialects.anthropic.marks import MARK
from wiremend.dialects.anthropic.places import inner_blocks, replaced
from wiremend.dialects.anthropic.server_tools import mend_server_tools
from wiremend.dialects.base import extras_of, with_extras
from wiremend.dialects.data_urls import DataUrl, parse_data_url
from wiremend.dialects.images import mend_image
from wiremend.limits import limits
from wiremend.model import (
    AudioPart,
    ContextMessage,
    DocumentPart,
    ImagePart,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    VideoPart,
    is_blank,
    media_source,
    with_content,
)
from wiremend.projection.anomalies import (
    CacheMarkDropped,
    EmptyTextDropped,
    FailureSaidInWords,
    ForeignPartDropped,
    MediaRelabelled,
    MediaReplaced,
    OnAnomaly,
    ThinkingDropped,
    WhitespaceTextDropped,
)
from wiremend.projection.media import STRIPPED

# Whatever the model is: what a cloud takes less of is replaced once the model is known.
_LONGEST_IMAGE = limits(NAME).image_data
_PDF = "application/pdf"
_TEXTS = frozenset(("application/json", "application/xml", "application/x-ndjson"))


def prepare_messages(history: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """The history without what the API refuses in a part, and without halves of server tools."""
    return [_prepared(message, report) for message in mend_server_tools(history, report)]


def _prepared(message: Message, report: OnAnomaly) -> Message:
    for part in message.content:
        if type(part) is not TextPart or is_blank(part.text):
            return _with_mended_parts(message, report)
    return message


def _with_mended_parts(message: Message, report: OnAnomaly) -> Message:
    parts: list[Part] = []
    kept: list[int] = []
    for n, part in enumerate(message.content):
        mended = _mended(part, message.role, report)
        if mended is None:
            continue
        if type(mended) is TextPart and is_blank(mended.text) and parts:
            mended, parts[-1] = _moved_mark(mended, parts[-1], report)
        parts.append(mended)
        kept.append(n)
    if _fails_with_more_than_text(message, parts):
        report(FailureSaidInWords(message.tool_call_id or ""))
        message = msgspec.structs.replace(
            message, content=(TextPart(FAILED), *message.content), is_error=None
        )
        parts, kept = [message.content[0], *parts], [0, *(n + 1 for n in kept)]
    if len(parts) == len(message.content) and all(
        new is old for new, old in zip(parts, message.content, strict=True)
    ):
        return message
    return with_content(message, tuple(parts), kept)


def _fails_with_more_than_text(message: Message, parts: Sequence[Part]) -> bool:
    return (
        isinstance(message, ContextMessage)
        and message.is_error is True
        and any(type(part) is not TextPart for part in parts)
    )


def _mended(part: Part, role: str, report: OnAnomaly) -> Part | None:
    if type(part) is TextPart:
        return part
    if type(part) is ThinkPart and role != "assistant":
        report(ThinkingDropped("not the assistant's"))
        return None
    if role == "system" and type(part) is not OpaquePart:
        return _said_to_system(part, report)
    if type(part) is ThinkPart and not part.encrypted:
        report(ThinkingDropped("unsigned"))
        return None
    if type(part) is OpaquePart:
        return _mended_opaque(part, report)
    if type(part) is AudioPart or type(part) is VideoPart:
        kind = "audio" if type(part) is AudioPart else "video"
        report(MediaReplaced(kind, "type"))
        return TextPart(STRIPPED[kind])
    if type(part) is ImagePart:
        return mend_image(part, report, longest=_LONGEST_IMAGE)
    if type(part) is DocumentPart:
        return _mended_document(part, report)
    return part


def _mended_document(part: DocumentPart, report: OnAnomaly) -> Part:
    """The document as a PDF or as plain text, which are the two that are taken."""
    kept = extras_of(part, NAME)
    if LABEL in kept:
        report(MediaRelabelled(kept[LABEL], "text/plain"))
        unlabelled: Part = with_extras(part, NAME, {n: v for n, v in kept.items() if n != LABEL})
        return unlabelled
    parsed = parse_data_url(part.url) if part.url is not None else None
    if parsed is None or parsed.media_type == _PDF:
        return part
    text = _text_in(parsed) if _is_text(parsed.media_type) else None
    if text is None:
        report(MediaReplaced("document", "type"))
        named = f" {part.title}" if part.title else ""
        return TextPart(f"[document{named} omitted: it is of a type that cannot be sent]")
    report(MediaRelabelled(parsed.media_type, "text/plain"))
    return msgspec.structs.replace(part, url=None, text=text)


def _is_text(media_type: str) -> bool:
    kind = media_type.partition(";")[0]
    return kind.startswith("text/") or kind in _TEXTS or kind.endswith(("+json", "+xml"))


def _text_in(parsed: DataUrl) -> str | None:
    try:
        return base64.b64decode(parsed.data, validate=True).decode()
    except ValueError:
        return None


def _said_to_system(part: Part, report: OnAnomaly) -> Part:
    """Media of a system message, which is text alone, as a line of text."""
    if type(part) is DocumentPart:
        report(MediaReplaced("document", "type"))
        return TextPart(part.text or f"[document {part.title or part.url or part.file_id}]")
    kind = (media_source(part) or ("image",))[0]
    report(MediaReplaced(kind, "type"))
    return TextPart(STRIPPED[kind])


def _mended_opaque(part: OpaquePart, report: OnAnomaly) -> Part | None:
    if part.provider != NAME:
        report(ForeignPartDropped(part.provider))
        return None
    kind = part.data.get("type") if isinstance(part.data, dict) else None
    if kind == "thinking":
        report(ThinkingDropped("unsigned"))
        return None
    data = part.data.get("data") if kind == "redacted_thinking" else "none is needed"
    if not (data and isinstance(data, str)):
        report(ThinkingDropped("without data"))
        return None
    return part if kind is None else _with_mended_inside(part, report)


def _with_mended_inside(part: OpaquePart, report: OnAnomaly) -> Part:
    """A document or a search result whose own blocks are mended as those of a message are."""
    held, at = inner_blocks(part.data)
    if not isinstance(held, list):
        return part
    mended = [_mended_inner(block, report) for block in held]
    if all(new is old for new, old in zip(mended, held, strict=True)):
        return part
    kept = [block for block in mended if block is not None]
    if not kept:
        report(MediaReplaced("document", "content"))
        return TextPart(f"[{part.data['type']} omitted: it is empty]")
    return msgspec.structs.replace(part, data=replaced(part.data, {at: kept}))


def _mended_inner(block: Any, report: OnAnomaly) -> Any:
    """A block inside of another one; None where it says nothing."""
    part = read_block(block) if isinstance(block, dict) else None
    if type(part) is TextPart and is_blank(part.text):
        report(WhitespaceTextDropped("user") if part.text else EmptyTextDropped("user"))
        return None
    if type(part) is not ImagePart:
        return block
    mended = mend_image(part, report, longest=_LONGEST_IMAGE)
    return block if mended is part else write_block(mended)


def _moved_mark(blank: TextPart, before: Part, report: OnAnomaly) -> tuple[TextPart, Part]:
    """Let the part before a blank text, which is going to be dropped, carry its cache mark."""
    kept = extras_of(blank, NAME)
    if MARK not in kept or type(before) in (ThinkPart, OpaquePart):
        return blank, before
    own = extras_of(before, NAME)
    if MARK in own:
        return blank, before
    report(CacheMarkDropped("moved"))
    return blank, with_extras(before, NAME, {**own, MARK: kept[MARK]})
