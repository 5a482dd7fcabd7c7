"""Images under the label that their bytes deserve, or a line of text where they are none; media
whose data was written as a whole ``data:`` URL."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wiremend.dialects.data_urls import IMAGES_TAKEN, data_url, parse_data_url, sniff
from wiremend.model import DocumentPart, ImagePart, Message, Part, TextPart, media_source
from wiremend.projection.anomalies import (
    ForeignPartConverted,
    MediaRelabelled,
    MediaReplaced,
    OnAnomaly,
)
from wiremend.projection.media import STRIPPED

_ALIASES = {"image/jpg": "image/jpeg"}


def mend_image(
    part: ImagePart,
    report: OnAnomaly,
    *,
    longest: int | None = None,
    taken: Sequence[str] = IMAGES_TAKEN,
) -> Part:
    """The image as every provider takes it: a label that is true, a type that is known.

    ``longest`` is the most base64 characters that are taken, ``taken`` are the media types. Bytes
    that tell nothing keep their label. Sources: case 021, reports 108, 110 and 111; the figures
    are in ``limits``.
    """
    parsed = parse_data_url(part.image_url.url)
    if parsed is None:
        return part
    if longest is not None and len(parsed.data) > longest:
        return _replaced("size", report)
    found = sniff(parsed.data) or _ALIASES.get(parsed.media_type)
    if found is None:
        return part if parsed.media_type in taken else _replaced("type", report)
    if found not in taken:
        return _replaced("content", report)
    if found == parsed.media_type:
        return part
    report(MediaRelabelled(parsed.media_type, found))
    source = msgspec.structs.replace(part.image_url, url=data_url(found, parsed.data))
    return msgspec.structs.replace(part, image_url=source)


def bare_data(part: Part, report: OnAnomaly) -> Part:
    """Media with its data alone where a whole ``data:`` URL, as other APIs take it, was given."""
    found = media_source(part)
    url = part.url if type(part) is DocumentPart else found[1].url if found else None
    parsed = parse_data_url(url) if url is not None else None
    inner = parse_data_url(parsed.data) if parsed is not None else None
    if parsed is None or inner is None:
        return part
    report(ForeignPartConverted("data URL"))
    bare = data_url(parsed.media_type, inner.data)
    if found is None:
        return msgspec.structs.replace(part, url=bare)
    kind, source = found
    return msgspec.structs.replace(
        part, **{f"{kind}_url": msgspec.structs.replace(source, url=bare)}
    )


def replace_large_images(
    messages: Sequence[Message], longest: int | None, report: OnAnomaly
) -> Sequence[Message]:
    """The messages with a line of text for each image of more than ``longest`` characters."""
    if longest is None:
        return messages
    return [_with_small_images(message, longest, report) for message in messages]


def _with_small_images(message: Message, longest: int, report: OnAnomaly) -> Message:
    if not any(_is_large(part, longest) for part in message.content):
        return message
    content = tuple(
        _replaced("size", report) if _is_large(part, longest) else part for part in message.content
    )
    return msgspec.structs.replace(message, content=content)


def _is_large(part: Part, longest: int) -> bool:
    if type(part) is not ImagePart:
        return False
    parsed = parse_data_url(part.image_url.url)
    return parsed is not None and len(parsed.data) > longest


def _replaced(reason: str, report: OnAnomaly) -> TextPart:
    report(MediaReplaced("image", reason))
    return TextPart(STRIPPED["image"])
