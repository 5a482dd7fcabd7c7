"""What the first bytes of a picture say about its format."""

from __future__ import annotations

import base64
import binascii
import re

import msgspec

from wiremend.limits import limits

IMAGE_TYPES = frozenset(limits("anthropic").image_types or ())

# Enough characters for every signature below and the first tag of a page.
_HEAD = 96
_STANDARD = str.maketrans("-_", "+/")
_BLANK = re.compile(r"[ \t\r\n]+")
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
)
_BRANDS = {
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"hevc": "image/heic",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
    b"avif": "image/avif",
    b"avis": "image/avif",
}
_MARKUP = (
    (b"<!doctype html", "text/html"),
    (b"<html", "text/html"),
    (b"<head", "text/html"),
    (b"<svg", "image/svg+xml"),
    (b"<?xml", "text/xml"),
)


class DataUrl(msgspec.Struct, frozen=True):
    """A ``data:`` URL: its media type in lower case, and its data where that is base64."""

    media_type: str
    data: str


def sniff(data: str) -> str | None:
    """The format that base64 data surely has; None for what is not known or not readable."""
    return _format(_first_bytes(data))


def parse_data_url(url: str) -> DataUrl | None:
    """Read a ``data:`` URL; None for every other address."""
    if url[:5].lower() != "data:":
        return None
    head, comma, data = url[5:].partition(",")
    media_type, *parameters = (part.strip().lower() for part in head.split(";"))
    if not comma:
        return None
    return DataUrl(media_type, data if "base64" in parameters else "")


def _first_bytes(data: str) -> bytes:
    head = _BLANK.sub("", data[: 2 * _HEAD])[:_HEAD]
    head = head[: len(head) - len(head) % 4]
    try:
        # Either alphabet, as protobuf's JSON takes both.
        return base64.b64decode(head.translate(_STANDARD), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _format(head: bytes) -> str | None:
    for signature, media_type in _SIGNATURES:
        if head.startswith(signature):
            return media_type
    if head[:4] == b"RIFF":
        return "image/webp" if head[8:12] == b"WEBP" else None
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "video/mp4")
    # The four reserved bytes of a bitmap are zero; "BM" alone also starts many a text.
    if head[:2] == b"BM" and head[6:10] == b"\0\0\0\0":
        return "image/bmp"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return next((media_type for start, media_type in _MARKUP if text.startswith(start)), None)
