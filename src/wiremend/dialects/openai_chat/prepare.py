"""OpenAI Chat Completions: what is mended before, and what after, the projection."""

from __future__ import annotations

from collections.abc import Container, Sequence

import msgspec

from wiremend.dialects.base import extras_of, with_extras
from wiremend.dialects.data_urls import parse_data_url
from wiremend.dialects.images import mend_image
from wiremend.dialects.openai_chat.fields import FIELD, ROLE
from wiremend.dialects.openai_chat.profile import Profile
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
    is_blank,
    is_vacuous,
    with_content,
)
from wiremend.projection.anomalies import (
    ForeignPartDropped,
    MediaMoved,
    MediaReplaced,
    OnAnomaly,
    RoleRewritten,
    ThinkingDropped,
)
from wiremend.projection.media import STRIPPED

_MEDIA_NAMES: dict[type, str] = {
    ImagePart: "image",
    AudioPart: "audio",
    VideoPart: "video",
    DocumentPart: "document",
}


def prepare_messages(
    history: Sequence[Message], report: OnAnomaly, profile: Profile
) -> Sequence[Message]:
    """The history without parts that this API does not know, images under their right label."""
    prepared: Sequence[Message] = [_prepared(message, report, profile) for message in history]
    for repair in profile.before:
        prepared = repair(prepared, report)
    return prepared


def move_media(
    messages: Sequence[Message], report: OnAnomaly, profile: Profile
) -> Sequence[Message]:
    """Media of roles that may have none, in a user message behind their exchange.

    Nothing may stand between a call and its results (report 115).
    """
    roles = profile.media_roles
    if not any(m.role not in roles and _media(m.content) for m in messages):
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
        media = _media(message.content) if message.role not in roles else []
        media = _media(message.content) if message.role not in taken_from else []
        if media:
            named = f" of call {message.tool_call_id}" if message.role == "tool" else ""
            moved.append(TextPart(f"[Attached from the {message.role} message{named}:]"))
            moved.extend(media)
            for part in media:
                report(MediaMoved(_MEDIA_NAMES[type(part)], message.role))
        out.append(_without_media(message, profile) if media else message)
        if moved and message.role != "tool" and not message.tool_calls:
            out.append(Message("user", tuple(moved)))
            moved = []
    if moved:
        out.append(Message("user", tuple(moved)))
    return out


def _media(content: tuple[Part, ...]) -> list[Part]:
    return [part for part in content if type(part) in _MEDIA_NAMES]


def _without_media(message: Message, profile: Profile) -> Message:
    kept = [n for n, part in enumerate(message.content) if type(part) not in _MEDIA_NAMES]
    content = tuple(message.content[n] for n in kept)
    may_be_blank = message.role == "tool" or message.role in profile.takes.blank_messages
    thinking = tuple(part for part in content if type(part) is ThinkPart)
    said = [p for p in content if type(p) is not ThinkPart and (may_be_blank or not is_vacuous(p))]
    if not said and not message.tool_calls:
        line = TextPart("[The attachment is in the next user message.]")
        return msgspec.structs.replace(message, content=(*thinking, line))
    return with_content(message, content, kept)


def _prepared(message: Message, report: OnAnomaly, profile: Profile) -> Message:
    message = _known_role(message, report, profile)
    if all(type(part) is TextPart for part in message.content):
        return message
    parts = [_prepared_part(part, message.role, report, profile) for part in message.content]
    kept = [n for n, part in enumerate(parts) if part is not None]
    content = tuple(part for part in parts if part is not None)
    if len(kept) == len(parts) and all(
        new is old for new, old in zip(content, message.content, strict=True)
    ):
        return message
    return with_content(message, content, kept)


def _known_role(message: Message, report: OnAnomaly, profile: Profile) -> Message:
    kept = extras_of(message, profile.name)
    if ROLE not in kept or kept[ROLE] in profile.roles:
        return message
    report(RoleRewritten(kept[ROLE], message.role))
    rest = {name: value for name, value in kept.items() if name != ROLE}
    known: Message = with_extras(message, profile.name, rest)
    return known


def _prepared_part(part: Part, role: str, report: OnAnomaly, profile: Profile) -> Part | None:
    if type(part) in _MEDIA_NAMES:
        return _prepared_media(part, report, profile)
    if type(part) is ThinkPart and not _is_sent(part, role, profile):
        report(ThinkingDropped("another provider's"))
        return None
    if type(part) is OpaquePart and part.provider != profile.name:
        report(ForeignPartDropped(part.provider))
        return None
    return part


def _is_sent(part: ThinkPart, role: str, profile: Profile) -> bool:
    """Whether thinking is the provider's own, or such as it takes from anywhere."""
    if FIELD in extras_of(part, profile.name) or profile.write_part(part) is not None:
        return True
    return profile.any_thinking and role == "assistant" and not is_blank(part.think)


def _prepared_media(part: Part, report: OnAnomaly, profile: Profile) -> Part:
    kind = _MEDIA_NAMES[type(part)]
    if type(part) is DocumentPart:
        return _prepared_document(part, report, profile)
    local = type(part) is not AudioPart or _is_data(part.audio_url.url)
    if kind not in profile.media or not (local or profile.remote_audio):
        report(MediaReplaced(kind, "type"))
        return TextPart(STRIPPED[kind])
    if type(part) is ImagePart and profile.labelled_images:
        return mend_image(part, report)
    return part


def _prepared_document(part: DocumentPart, report: OnAnomaly, profile: Profile) -> Part:
    """A document as a file, whose content most take only in the request or from their store."""
    if part.text is not None:
        report(MediaReplaced("document", "type"))
        return TextPart(part.text)
    if "document" not in profile.media:
        report(MediaReplaced("document", "type"))
        return TextPart(f"[document {part.title or 'omitted'}]")
    # Where a body had no such field, or another than a data URL, it is left as it was.
    remote = part.url is not None and part.url.startswith(("http:", "https:"))
    if profile.remote_documents or not remote:
        return part
    report(MediaReplaced("document", "type"))
    return TextPart(f"[document{f' {part.title}' if part.title else ''}: {part.url}]")


def _is_data(url: str) -> bool:
    return parse_data_url(url) is not None
