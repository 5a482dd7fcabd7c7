"""What a picture's first bytes give away about its format."""

from __future__ import annotations

import base64
import binascii

# Enough for every signature below, in whole base64 quadruples.
_HEAD = 256

_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\x1f\x8b\x08", "application/gzip"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (4, b"ftyp", "image/heic"),
)
_MARKUP = (b"<!doctype", b"<html", b"<?xml", b"<svg")

TAKEN = ("image/jpeg", "image/png", "image/gif", "image/webp")


def looks_like(data: str) -> str | None:
    """Return the media type that base64 data gives away, None where it could be anything.

    The alphabet may be the one for URLs: Gemini takes both, and Google's SDK writes that one.
    """
    head = "".join(data[:_HEAD].split())
    try:
        raw = base64.urlsafe_b64decode(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return None
    for offset, magic, kind in _SIGNATURES:
        if raw[offset : offset + len(magic)] == magic:
            return kind
    return "text/html" if raw.lstrip().lower().startswith(_MARKUP) else None
