"""Amazon Bedrock Converse: what is mended in a message taken alone, before the projection."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wiremend.dialects.base import SPLIT, extras_of, with_extras
from wiremend.dialects.bedrock.blocks import MEDIA, member_of
from wiremend.dialects.bedrock.fields import BLOCK, FORMAT, NAME
from wiremend.dialects.bedrock.media import (
    DOCUMENTS,
    format_of,
    meant_format,
    refuses_format,
    type_of,
)
from wiremend.dialects.data_urls import data_url, is_base64, parse_data_url
from wiremend.dialects.images import bare_data, mend_image
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    is_blank,
    with_content,
)
from wiremend.model.parts import media_source
from wiremend.projection.anomalies import (
    CacheMarkDropped,
    EmptyPartDropped,
    ForeignPartConverted,
    ForeignPartDropped,
    MediaRelabelled,
    MediaReplaced,
    OnAnomaly,
    ThinkingDropped,
)
from wiremend.projection.media import STRIPPED

IN_RESULTS = ("json", "text", "image", "document", "video", "searchResult")
IN_SYSTEM = ("text", "guardContent", "cachePoint", "toolAddition", "toolRemoval")
"""The members of blocks in results and in system prompts (botocore, ``bedrock-runtime``)."""


def prepare_messages(history: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """The history without what the API refuses in a part, wherever it stands."""
    return [_prepared(message, report) for message in history]


def _prepared(message: Message, report: OnAnomaly) -> Message:
    if all(type(part) is TextPart and part.extras is None for part in message.content):
        return message
    alone = _marks_alone(message)
    parts: list[Part] = []
    kept: list[int] = []
    for n, part in enumerate(message.content):
        if alone and is_cache_point(part):
            report(CacheMarkDropped("empty"))
            continue
        mended = _mended(part, message.role, report)
        if mended is not None:
            parts.append(mended)
            kept.append(n)
    if getattr(message, "is_error", None) and all(map(_is_kept_blank, parts)):
        parts, kept = [], []  # the failure is going to be said in words
    if len(parts) == len(message.content) and all(
        new is old for new, old in zip(parts, message.content, strict=True)
    ):
        return message
    return with_content(message, tuple(parts), kept)


def is_cache_point(part: Part) -> bool:
    """Whether the part is a cache point."""
    return type(part) is OpaquePart and isinstance(part.data, dict) and "cachePoint" in part.data


def _is_kept_blank(part: Part) -> bool:
    """Whether this is a blank text that stands beside others in a result."""
    data = part.data if type(part) is OpaquePart and isinstance(part.data, dict) else {}
    return isinstance(data.get("text"), str)


def _marks_alone(message: Message) -> bool:
    """Whether only cache points would be left of a message whose texts are blank."""
    said = [part for part in message.content if not is_cache_point(part)]
    return (
        bool(said)
        and not message.tool_calls
        and SPLIT not in extras_of(message, NAME)
        and all(type(part) is TextPart and is_blank(part.text) for part in said)
    )


def _mended(part: Part, role: str, report: OnAnomaly) -> Part | None:
    if type(part) is TextPart:
        return _text(part, role, report)
    if type(part) is OpaquePart:
        return _opaque(part, role, report)
    if type(part) is ThinkPart:
        if role != "assistant":
            report(ThinkingDropped("not the assistant's"))
            return None
        return part
    part = bare_data(part, report)
    if type(part) is DocumentPart:
        return _document(_named(part, report), role, report)
    if type(part) is ImagePart and role != "system":
        mended = mend_image(part, report)
        return _known("image", mended, report) if type(mended) is ImagePart else mended
    found = media_source(part)
    assert found is not None, "every other part was one of the above"
    if role == "system" or (role == "tool" and type(part) is AudioPart):
        return _replaced(found[0], report)
    return _known(found[0], part, report)


def _text(part: TextPart, role: str, report: OnAnomaly) -> TextPart:
    block = extras_of(part, NAME).get(BLOCK)
    if block is None:
        return part
    if "json" in block:
        if role == "tool" and isinstance(block["json"], dict):
            return part
        value = block["json"]
        report(ForeignPartConverted("json"))
        return TextPart(value if isinstance(value, str) and not is_blank(value) else part.text)
    member = member_of(block) or ""
    if (role == "tool" and member not in IN_RESULTS) or (
        role == "system" and member not in IN_SYSTEM
    ):
        report(ForeignPartConverted(member))
        return TextPart(part.text)
    return part


def _opaque(part: OpaquePart, role: str, report: OnAnomaly) -> Part | None:
    if part.provider != NAME:
        report(ForeignPartDropped(part.provider))
        return None
    if part.data == {}:
        report(EmptyPartDropped(role))
        return None
    member = member_of(part.data) if isinstance(part.data, dict) else None
    taken = {"tool": IN_RESULTS, "system": IN_SYSTEM}.get(role)
    if member in MEDIA and (
        refuses_format(member, part.data[member]) or _is_link(part.data[member])
    ):
        report(MediaReplaced(member, "type"))
        return TextPart(STRIPPED.get(member, "[document that cannot be sent]"))
    if member is None or (taken is None and member != "json") or (taken and member in taken):
        return part
    if member == "cachePoint":
        report(CacheMarkDropped("in a result"))
    else:
        report(ForeignPartDropped(member))
    return None


def _is_link(value: object) -> bool:
    """Whether media is an address, as other APIs take it, which this one does not fetch."""
    source = value.get("source") if isinstance(value, dict) else None
    return isinstance(source, dict) and list(source) == ["url"]


def _named(part: DocumentPart, report: OnAnomaly) -> DocumentPart:
    """The document under the format that is meant by what was written: ``.pdf``, ``text/plain``."""
    kept = extras_of(part, NAME)
    written = kept.get(FORMAT)
    if not isinstance(written, str):
        return part
    meant = meant_format("document", written)
    if meant is None or meant == written:
        return part
    report(MediaRelabelled(written, meant))
    parsed = parse_data_url(part.url) if part.url is not None else None
    if parsed is not None:
        url = data_url(type_of("document", meant), parsed.data)
        part = msgspec.structs.replace(part, url=url)
    named: DocumentPart = with_extras(part, NAME, {**kept, FORMAT: meant})
    return named


def _document(part: DocumentPart, role: str, report: OnAnomaly) -> Part:
    parsed = parse_data_url(part.url) if part.url is not None else None
    named = extras_of(part, NAME).get(FORMAT)
    if role != "system":
        if part.text is not None and (named is None or named in DOCUMENTS):
            return part
        unsaid = FORMAT in extras_of(part, NAME) and named is None
        if parsed and parsed.data and not is_base64(parsed.data):
            report(MediaReplaced("document", "content"))
            return TextPart(f"[document {part.title or 'that cannot be read'}]")
        if parsed and parsed.data and (unsaid or format_of("document", parsed.media_type)):
            return part
    report(MediaReplaced("document", "type"))
    if part.text:
        return TextPart(part.text)
    where = part.file_id if parsed is not None else part.url or part.file_id
    return TextPart(f"[document {part.title or where or 'that cannot be sent'}]")


def _known(kind: str, part: Part, report: OnAnomaly) -> Part:
    """The media where its type is known here, else a line of text."""
    found = media_source(part)
    parsed = parse_data_url(found[1].url) if found else None
    if parsed is None or format_of(kind, parsed.media_type) is None or not parsed.data:
        return _replaced(kind, report)
    if not is_base64(parsed.data):
        report(MediaReplaced(kind, "content"))
        return TextPart(STRIPPED[kind])
    kept = extras_of(part, NAME)
    if FORMAT not in kept:
        return part
    named: Part = with_extras(part, NAME, {n: v for n, v in kept.items() if n != FORMAT})
    return named


def _replaced(kind: str, report: OnAnomaly) -> TextPart:
    report(MediaReplaced(kind, "type"))
    return TextPart(STRIPPED[kind])
