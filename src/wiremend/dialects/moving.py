"""Media out of messages that may have none, into a user message behind their exchange."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TypeAlias

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

    def parted(message: Message) -> tuple[Message, Sequence[Part]]:
        media = _media(message.content) if message.role not in taken_from else []
        if not media:
            return message, ()
        for part in media:
            report(MediaMoved(MEDIA_NAMES[type(part)], message.role))
        named = f" of call {message.tool_call_id}" if message.role == "tool" else ""
        line = TextPart(f"[Attached from the {message.role} message{named}:]")
        return _without_media(message, may_be_blank), (line, *media)

    return behind_exchanges(messages, parted)


Parted: TypeAlias = Callable[[Message], tuple[Message, Sequence[Part]]]
"""Gives what stays of a message, and what the user has to say instead."""


def _user(parts: tuple[Part, ...]) -> Message:
    return Message("user", parts)


def behind_exchanges(
    messages: Sequence[Message],
    parted: Parted,
    attached: Callable[[tuple[Part, ...]], Message] = _user,
) -> list[Message]:
    """What leaves the messages, in a user message behind the exchange that each belongs to.

    An exchange at the end that still waits for results has it in front: nothing may come between
    its calls and what will be written behind them. ``attached`` makes the user message.
    """
    out: list[Message] = []
    moved: list[Part] = []
    start = 0
    for message in messages:
        if message.role != "tool":
            if moved:
                out.append(attached(tuple(moved)))
                moved = []
            start = len(out)
        staying, leaving = parted(message)
        out.append(staying)
        moved.extend(leaving)
        if moved and message.role != "tool" and not message.tool_calls:
            out.append(attached(tuple(moved)))
            moved = []
    if moved:
        out.insert(start if _waits(out[start:]) else len(out), attached(tuple(moved)))
    return out


def _waits(exchange: Sequence[Message]) -> bool:
    """Whether a call has no result yet."""
    return len(exchange) <= len(exchange[0].tool_calls)


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
