"""OpenAI Chat Completions: what is mended before, and what after, the projection."""

from __future__ import annotations

from collections.abc import Sequence

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
    with_content,
)
from wiremend.projection.anomalies import (
    ForeignPartDropped,
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


def _prepared(message: Message, report: OnAnomaly, profile: Profile) -> Message:
    if message.extras:
        message = _known_role(message, report, profile)
    for part in message.content:
        if type(part) is not TextPart:
            return _with_prepared_parts(message, report, profile)
    return message


def _with_prepared_parts(message: Message, report: OnAnomaly, profile: Profile) -> Message:
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
