"""Google's SDK writes base64 in the alphabet for URLs, which no other provider reads."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import pytest

import wiremend as wm


def picture() -> bytes:
    """A picture of one pixel whose base64 has both letters in which the alphabets differ."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"\0\0"))
    words = chunk(b"tEXt", b"Comment\0" + b"\xff\xfe\xfb\xef" * 3)
    return b"\x89PNG\r\n\x1a\n" + head + words + body + chunk(b"IEND", b"")


STANDARD = base64.b64encode(picture()).decode()
OF_URLS = base64.urlsafe_b64encode(picture()).decode().rstrip("=")


def request(data: str) -> dict[str, Any]:
    parts = [
        {"text": "What is it?"},
        {"inlineData": {"mimeType": "image/png", "data": data}},
        {"inlineData": {"mimeType": "application/pdf", "data": data}},
    ]
    return {"contents": [{"role": "user", "parts": parts}]}


@pytest.mark.parametrize("target", ["anthropic", "openai-chat", "openai-responses", "bedrock"])
def test_elsewhere_the_data_are_in_the_standard_alphabet(target: str) -> None:
    assert OF_URLS != STANDARD
    there = wm.convert(request(OF_URLS), "gemini", target)
    assert there.body == wm.convert(request(STANDARD), "gemini", target).body
    assert STANDARD in str(there.body)
    assert OF_URLS not in str(there.body)
    assert wm.check(there.body, target) == []


def test_at_home_they_stay_as_they_are() -> None:
    body = request(OF_URLS)
    assert wm.convert(body, "gemini", "gemini").body == body
    away = wm.convert(body, "gemini", "anthropic").body
    assert wm.convert(away, "anthropic", "gemini", home=body).body == body


def test_what_is_no_base64_is_left_for_the_target_to_judge() -> None:
    there = wm.convert(request("not base64!"), "gemini", "openai-chat")
    assert "not base64!" in str(there.body) or there.anomalies
