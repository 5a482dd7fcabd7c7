"""Media on their way to another provider: their bytes in base64 that everybody reads."""

from __future__ import annotations

import msgspec

from wiremend.dialects.data_urls import in_standard_base64
from wiremend.model import DocumentPart, Message, Part, media_source

_FIELDS = {"image": "image_url", "audio": "audio_url", "video": "video_url"}


def with_standard_media(message: Message) -> Message:
    """The message with the data of its media in standard base64; the same where it is so."""
    content = tuple(_standard(part) for part in message.content)
    if all(new is old for new, old in zip(content, message.content, strict=True)):
        return message
    return msgspec.structs.replace(message, content=content)


def _standard(part: Part) -> Part:
    if type(part) is DocumentPart and part.url is not None:
        url = in_standard_base64(part.url)
        return part if url is part.url else msgspec.structs.replace(part, url=url)
    found = media_source(part)
    if found is None:
        return part
    kind, source = found
    url = in_standard_base64(source.url)
    if url is source.url:
        return part
    changed: Part = msgspec.structs.replace(
        part, **{_FIELDS[kind]: msgspec.structs.replace(source, url=url)}
    )
    return changed
