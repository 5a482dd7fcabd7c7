"""Stage 6: media that is too much, or that a provider refused, becomes text (spec 3.8)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from wiremend.model import Message, Part, TextPart, media_source
from wiremend.projection.anomalies import MediaReplaced, OnAnomaly

KEPT_WHEN_DEGRADED = 2

_SENSES = {"image": "view", "audio": "hear", "video": "view"}
DEGRADED = {
    kind: f"[{kind} omitted: dropped to fit the provider request size limit; "
    f"re-read the file to {sense} it]"
    for kind, sense in _SENSES.items()
}
STRIPPED = {
    kind: f"[{kind} omitted for provider compatibility; re-read the file to {sense} it"
    f"{' or get conversion guidance' if kind == 'image' else ''}]"
    for kind, sense in _SENSES.items()
}


def media_key(part: Part) -> str | None:
    """What identifies a media part: a hash of its kind, id and URL. None for other parts."""
    found = media_source(part)
    if found is None:
        return None
    kind, source = found
    text = f"{kind}\0{source.id or ''}\0{source.url}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def take_snapshot(messages: Iterable[Message]) -> frozenset[str]:
    """The keys of all media in projected messages, for ``Strip``."""
    keys = (media_key(part) for message in messages for part in message.content)
    return frozenset(key for key in keys if key is not None)


def degrade(messages: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """Keep the two most recent media parts; older ones become text."""
    count = sum(1 for m in messages for part in m.content if media_source(part) is not None)
    surplus = count - KEPT_WHEN_DEGRADED
    out = list(messages)
    for index, message in enumerate(messages):
        if surplus <= 0:
            break
        parts = list(message.content)
        for n, part in enumerate(parts):
            found = media_source(part)
            if found is not None and surplus > 0:
                surplus -= 1
                parts[n] = TextPart(DEGRADED[found[0]])
                report(MediaReplaced(found[0], "degraded"))
        out[index] = _with_parts(message, parts)
    return out


def strip(
    messages: Sequence[Message], snapshot: frozenset[str], report: OnAnomaly
) -> list[Message]:
    """Replace the media of the snapshot; media added later still goes out."""
    out = list(messages)
    for index, message in enumerate(messages):
        parts = list(message.content)
        for n, part in enumerate(parts):
            found = media_source(part)
            if found is not None and media_key(part) in snapshot:
                parts[n] = TextPart(STRIPPED[found[0]])
                report(MediaReplaced(found[0], "stripped"))
        out[index] = _with_parts(message, parts)
    return out


def _with_parts(message: Message, parts: list[Part]) -> Message:
    if all(new is old for new, old in zip(parts, message.content, strict=True)):
        return message
    return msgspec.structs.replace(message, content=tuple(parts))
