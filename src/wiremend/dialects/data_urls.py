"""``data:`` URLs, and what the bytes in them really are."""

from __future__ import annotations

import base64
import binascii
import re
from typing import NamedTuple

from wiremend.limits import limits

# Both alphabets, with or without padding, as protobuf's JSON and the AWS SDKs read them.
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_SNIFFED = 48  # base64 characters that are looked at: enough for every signature below
_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (4, b"ftypheic", "image/heic"),
    (4, b"ftypheix", "image/heic"),
    (4, b"ftypmif1", "image/heif"),
    (4, b"ftypavif", "image/avif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"BM", "image/bmp"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
)
IMAGES_TAKEN = limits("anthropic").image_types or ()
"""The types that Anthropic takes, which are those of most others as well."""


class DataUrl(NamedTuple):
    """The parts of ``data:<media_type>;base64,<data>``."""

    media_type: str
    data: str


def parse_data_url(url: str) -> DataUrl | None:
    """The parts of a base64 ``data:`` URL; None for any other URL."""
    if not url.startswith("data:"):
        return None
    head, comma, data = url.partition(",")
    if not comma or not head.endswith(";base64"):
        return None
    return DataUrl(head[len("data:") : -len(";base64")], data)


def data_url(media_type: str, data: str) -> str:
    """A base64 ``data:`` URL."""
    return f"data:{media_type};base64,{data}"


def in_standard_base64(url: str) -> str:
    """The URL with its data in the alphabet and with the padding that everybody reads.

    Google's SDK writes the alphabet for URLs, which other providers refuse.
    """
    parsed = parse_data_url(url)
    if parsed is None or not is_base64(parsed.data):
        return url
    data = parsed.data.rstrip("=").replace("-", "+").replace("_", "/")
    data += "=" * (-len(data) % 4)
    return url if data == parsed.data else data_url(parsed.media_type, data)


def is_base64(data: str) -> bool:
    """Whether this can be read as bytes."""
    return _BASE64.fullmatch(data) is not None and len(data.rstrip("=")) % 4 != 1


def sniff(data: str) -> str | None:
    """The media type that the first bytes of base64 data tell; None where they tell nothing."""
    try:
        head = base64.urlsafe_b64decode(data[:_SNIFFED])
    except (binascii.Error, ValueError):
        return None
    for offset, magic, media_type in _SIGNATURES:
        if head[offset : offset + len(magic)] == magic:
            return media_type
    if head.lstrip()[:1] == b"<":
        return "text/html"
    return None
