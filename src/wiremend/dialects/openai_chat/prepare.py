"""OpenAI Chat Completions: what is mended before, and what after, the projection."""

from __future__ import annotations

from collections.abc import Container, Sequence

import msgspec

from wiremend.dialects.base import extras_of
from wiremend.dialects.data_urls import parse_data_url
from wiremend.dialects.images import mend_image
from wiremend.dialects.openai_chat.fields import FIELD, NAME
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    VideoPart,
    with_content,
)
from wiremend.projection.anomalies import (
    ForeignPartDropped,
    MediaMoved,
    MediaReplaced,
    OnAnomaly,
    ThinkingDropped,
)
from wiremend.projection.media import STRIPPED

_MEDIA_NAMES: dict[type, str] = {
    ImagePart: "image",
    AudioPart: "audio",
    VideoPart: "video",
    DocumentPart: "document",
}


def prepare_messages(history: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """The history without parts that this API does not know, images under their right label."""
    return [_prepared(message, report) for message in history]


def move_media(
    messages: Sequence[Message], report: OnAnomaly, *, taken_from: Container[str] = ("user",)
) -> Sequence[Message]:
    """Media of tool and assistant messages, in a user message behind their exchange (report 115).

    ``taken_from`` are the roles from which the API takes media. Nothing may stand between a call
    and its results.
    """
    if not any(m.role not in taken_from and _media(m.content) for m in messages):
        return messages
    out: list[Message] = []
    moved: list[Part] = []
    for message in messages:
        if message.role != "tool" and moved:
            out.append(Message("user", tuple(moved)))
            moved = []
        media = _media(message.content) if message.role not in taken_from else []
        if media:
            named = f" of call {message.tool_call_id}" if message.role == "tool" else ""
            moved.append(TextPart(f"[Attached from the {message.role} message{named}:]"))
            moved.extend(media)
            for part in media:
                report(MediaMoved(_MEDIA_NAMES[type(part)], message.role))
        out.append(_without_media(message) if media else message)
        if moved and message.role != "tool" and not message.tool_calls:
            out.append(Message("user", tuple(moved)))
            moved = []
    if moved:
        out.append(Message("user", tuple(moved)))
    return out


def _media(content: tuple[Part, ...]) -> list[Part]:
    return [part for part in content if type(part) in _MEDIA_NAMES]


def _without_media(message: Message) -> Message:
    kept = [n for n, part in enumerate(message.content) if type(part) not in _MEDIA_NAMES]
    content = tuple(message.content[n] for n in kept)
    if not content and not message.tool_calls:
        return msgspec.structs.replace(
            message, content=(TextPart("[The attachment is in the next user message.]"),)
        )
    return with_content(message, content, kept)


def _prepared(message: Message, report: OnAnomaly) -> Message:
    if all(type(part) is TextPart for part in message.content):
        return message
    parts = [_prepared_part(part, report) for part in message.content]
    kept = [n for n, part in enumerate(parts) if part is not None]
    content = tuple(part for part in parts if part is not None)
    if len(kept) == len(parts) and all(
        new is old for new, old in zip(content, message.content, strict=True)
    ):
        return message
    return with_content(message, content, kept)


def _prepared_document(part: DocumentPart, report: OnAnomaly) -> Part:
    """A document as a file, whose content the API takes only in the request or from its store."""
    if part.text is not None:
        report(MediaReplaced("document", "type"))
        return TextPart(part.text)
    # Where a body had no such field, or another than a data URL, it is left as it was.
    if part.url is None or not part.url.startswith(("http:", "https:")):
        return part
    report(MediaReplaced("document", "type"))
    return TextPart(f"[document{f' {part.title}' if part.title else ''}: {part.url}]")


def _is_data(url: str) -> bool:
    return parse_data_url(url) is not None


def _prepared_part(part: Part, report: OnAnomaly) -> Part | None:
    if type(part) is ImagePart:
        return mend_image(part, report)
    if type(part) is VideoPart or (type(part) is AudioPart and not _is_data(part.audio_url.url)):
        kind = _MEDIA_NAMES[type(part)]
        report(MediaReplaced(kind, "type"))
        return TextPart(STRIPPED[kind])
    if type(part) is DocumentPart:
        return _prepared_document(part, report)
    if type(part) is ThinkPart and FIELD not in extras_of(part, NAME):
        report(ThinkingDropped("another provider's"))
        return None
    if type(part) is OpaquePart and part.provider != NAME:
        report(ForeignPartDropped(part.provider))
        return None
    return part
