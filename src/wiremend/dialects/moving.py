"""Media out of messages that may have none, into a user message behind their exchange."""

from __future__ import annotations

from collections.abc import Container, Sequence

import msgspec

from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkPart,
    VideoPart,
    is_vacuous,
    with_content,
)
from wiremend.projection.anomalies import MediaMoved, OnAnomaly

MEDIA_NAMES: dict[type[Part], str] = {
    ImagePart: "image",
    AudioPart: "audio",
    VideoPart: "video",
    DocumentPart: "document",
}


def move_media(
    messages: Sequence[Message],
    report: OnAnomaly,
    *,
    taken_from: Container[str] = ("user",),
    may_be_blank: Container[str] = ("tool",),
) -> Sequence[Message]:
    """The messages with media only in those of the roles ``taken_from`` (report 115).

    Nothing may stand between a call and its results. A message of another role than
    ``may_be_blank`` says where its media went, if it has nothing else to say.
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
                report(MediaMoved(MEDIA_NAMES[type(part)], message.role))
        out.append(_without_media(message, may_be_blank) if media else message)
        if moved and message.role != "tool" and not message.tool_calls:
            out.append(Message("user", tuple(moved)))
            moved = []
    if moved:
        out.append(Message("user", tuple(moved)))
    return out


def _media(content: tuple[Part, ...]) -> list[Part]:
    return [part for part in content if type(part) in MEDIA_NAMES]


def _without_media(message: Message, may_be_blank: Container[str]) -> Message:
    kept = [n for n, part in enumerate(message.content) if type(part) not in MEDIA_NAMES]
    content = tuple(message.content[n] for n in kept)
    thinking = tuple(part for part in content if type(part) is ThinkPart)
    blank = message.role in may_be_blank
    said = [p for p in content if type(p) is not ThinkPart and (blank or not is_vacuous(p))]
    if not said and not message.tool_calls:
        line = TextPart("[The attachment is in the next user message.]")
        return msgspec.structs.replace(message, content=(*thinking, line))
    return with_content(message, content, kept)
