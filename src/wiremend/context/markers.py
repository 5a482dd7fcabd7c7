"""Control tags that are not the engine's: made harmless in what tools and users bring in (spec 4).

A tag is made harmless by its first character: ``<system>`` becomes ``&lt;system>``, which reads
the same and is no tag. Nothing else in the text changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from wiremend.model import (
    ContextMessage,
    DocumentPart,
    Part,
    Role,
    ShellCommandOrigin,
    TextPart,
    UserOrigin,
    with_content,
)

OnGuarded: TypeAlias = Callable[[Role, str | None, int], None]
"""Called with a message's role, the call that it answers (if any), and how many tags it had."""

NEUTRAL = "&lt;"

# Blank, invisible and control characters, which a model reads over. The repetition is possessive,
# so that a long run of them is looked at once.
GAP = r"[\s/\x00-\x1f\x7f\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]*+"
_NAMES = r"(?:system(?:[-_]reminder)?|notification|tools[-_](?:added|removed))"
# A longer name, such as <system.web> or <notification-list>, is somebody else's tag.
TAG_REST = rf"{GAP}{_NAMES}(?![\w.:-])"
"""Pattern of what follows the ``<`` of a control tag; for ``re.IGNORECASE``."""

_FOREIGN = frozenset((type(None), UserOrigin, ShellCommandOrigin))
"""Origins of texts that the engine did not write: what a user typed, what a shell printed."""

_TAG = re.compile(rf"<(?={TAG_REST})", re.IGNORECASE)


def neutralise(text: str) -> tuple[str, int]:
    """The text without control tags, and how many it had; the same text where it had none."""
    if "<" not in text:
        return text, 0
    return _TAG.subn(NEUTRAL, text)


def guard_markers(
    history: Sequence[ContextMessage], on_guarded: OnGuarded
) -> Sequence[ContextMessage]:
    """The history with no control tag in tool results, in what the user wrote and a shell printed.

    Messages that the engine made itself are left alone. What has no such tag is shared; a history
    without any comes back as the same object.
    """
    guarded = [_guarded(message, on_guarded) for message in history]
    same = all(new is old for new, old in zip(guarded, history, strict=True))
    return history if same else guarded


def _guarded(message: ContextMessage, on_guarded: OnGuarded) -> ContextMessage:
    if not _is_foreign(message):
        return message
    content, count = _guarded_parts(message.content)
    if not count:
        return message
    on_guarded(message.role, message.tool_call_id, count)
    changed = with_content(message, content, list(range(len(content))))
    assert isinstance(changed, ContextMessage)
    return changed


def _is_foreign(message: ContextMessage) -> bool:
    if message.role == "tool":
        return True
    return message.role == "user" and type(message.origin) in _FOREIGN


def _guarded_parts(content: tuple[Part, ...]) -> tuple[tuple[Part, ...], int]:
    texts = [part.text for part in content if type(part) is TextPart]
    # Merged prompts are joined without a separator, so a tag may begin in one part and end in the
    # next.
    guarded, count = _neutralised_together(texts)
    replaced = iter(guarded)
    parts: list[Part] = []
    for part in content:
        if type(part) is TextPart:
            parts.append(_with_text(part, next(replaced)))
        elif type(part) is DocumentPart:
            document, found = _guarded_document(part)
            parts.append(document)
            count += found
        else:
            parts.append(part)
    return tuple(parts), count


def _with_text(part: TextPart, text: str) -> TextPart:
    return part if text == part.text else msgspec.structs.replace(part, text=text)


def _guarded_document(part: DocumentPart) -> tuple[DocumentPart, int]:
    text, in_text = neutralise(part.text or "")
    title, in_title = neutralise(part.title or "")
    if not in_text + in_title:
        return part, 0
    changed = msgspec.structs.replace(
        part, text=text if in_text else part.text, title=title if in_title else part.title
    )
    return changed, in_text + in_title


def _neutralised_together(texts: list[str]) -> tuple[list[str], int]:
    """Each text without the control tags that begin in it, read as one text."""
    if not any("<" in text for text in texts):
        return texts, 0
    if len(texts) == 1:
        text, count = neutralise(texts[0])
        return [text], count
    places = [found.start() for found in _TAG.finditer("".join(texts))]
    waiting = iter([*places, -1])
    place = next(waiting)
    done: list[str] = []
    begin = 0
    for text in texts:
        own: list[int] = []
        while begin <= place < begin + len(text):
            own.append(place - begin)
            place = next(waiting)
        done.append("".join(_pieces(text, own)))
        begin += len(text)
    return done, len(places)


def _pieces(text: str, places: list[int]) -> Iterator[str]:
    begin = 0
    for place in places:
        yield text[begin:place]
        yield NEUTRAL
        begin = place + 1
    yield text[begin:]
