"""OpenAI Responses: what is mended in a message taken alone, before the projection."""

from __future__ import annotations

from collections.abc import Sequence

from wiremend.dialects.base import extras_of, with_extras
from wiremend.dialects.images import mend_image
from wiremend.dialects.openai_responses.fields import AT, ITEM, NAME
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
    MediaReplaced,
    OnAnomaly,
    ThinkingDropped,
)
from wiremend.projection.media import STRIPPED


def prepare_messages(history: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """The history without parts that this API does not know, images under their right label.

    Results may stand anywhere behind their call here: where one does, each message remembers
    its place, since the projection puts results directly behind their calls.
    """
    prepared = prepare_alone(history, report)
    if _stand_together(prepared):
        return prepared
    return [
        with_extras(message, NAME, {**extras_of(message, NAME), AT: index})
        for index, message in enumerate(prepared)
    ]


def prepare_alone(history: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """The same where a result has to stand directly behind its call."""
    return [_prepared(message, report) for message in history]


def _stand_together(history: Sequence[Message]) -> bool:
    """Whether each result is in the run of results behind the message with its call."""
    called: set[str] = set()
    for message in history:
        if message.role != "tool":
            called = {call.id for call in message.tool_calls}
        elif message.tool_call_id not in called:
            return False
    return True


def _prepared(message: Message, report: OnAnomaly) -> Message:
    if all(type(part) is TextPart for part in message.content):
        return message
    parts = [_prepared_part(part, message.role, report) for part in message.content]
    kept = [n for n, part in enumerate(parts) if part is not None]
    content = tuple(part for part in parts if part is not None)
    if len(kept) == len(parts) and all(
        new is old for new, old in zip(content, message.content, strict=True)
    ):
        return message
    return with_content(message, content, kept)


def _prepared_part(part: Part, role: str, report: OnAnomaly) -> Part | None:
    if type(part) is ImagePart:
        return mend_image(part, report)
    if type(part) is VideoPart or type(part) is AudioPart:
        kind = "audio" if type(part) is AudioPart else "video"
        report(MediaReplaced(kind, "type"))
        return TextPart(STRIPPED[kind])
    if type(part) is DocumentPart and part.text is not None:
        report(MediaReplaced("document", "type"))
        return TextPart(part.text)
    if type(part) is ThinkPart and (role != "assistant" or ITEM not in extras_of(part, NAME)):
        report(ThinkingDropped("another provider's"))
        return None
    if type(part) is OpaquePart and part.provider != NAME:
        report(ForeignPartDropped(part.provider))
        return None
    return part
