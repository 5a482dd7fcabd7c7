"""What names of models and first bytes of files tell."""

from __future__ import annotations

import base64

import pytest

from wiremend.rules import model_version
from wiremend.rules.media import parse_data_url, sniff


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("claude-sonnet-4-5", ("sonnet", (4, 5))),
        ("claude-opus-4-8-20260528", ("opus", (4, 8))),
        ("claude-sonnet-4-20250514", ("sonnet", (4, 0))),
        ("claude-3-5-sonnet-latest", ("sonnet", (3, 5))),
        ("claude-3-opus-20240229", ("opus", (3, 0))),
        ("claude-fable-5-2", ("fable", (5, 2))),
        ("claude-haiku-5", ("haiku", (5, 0))),
        ("claude-mythos-preview", ("mythos", (5, 0))),
        ("anthropic.claude-3-7-sonnet-20250219-v1:0", ("sonnet", (3, 7))),
        ("us.anthropic.claude-opus-4-6-v1", ("opus", (4, 6))),
        ("anthropic/claude-opus-4.6", ("opus", (4, 6))),
        ("claude-opus-4-5@20251101", ("opus", (4, 5))),
        ("claude-instant-1", ("instant", (1, 0))),
        ("claude-2.1", None),
        ("gpt-4o", None),
        ("", None),
        (None, None),
        (5, None),
    ],
)
def test_a_model_id_tells_family_and_version(
    model: object, expected: tuple[str, tuple[int, int]] | None
) -> None:
    assert model_version(model) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"\xff\xd8\xff\xe0....", "image/jpeg"),
        (b"GIF89a....", "image/gif"),
        (b"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"),
        (b"RIFF\x01\x02\x03\x04WAVEfmt ", None),
        (b"\0\0\0\x18ftypheic", "image/heic"),
        (b"\0\0\0\x18ftypavif", "image/avif"),
        (b"\0\0\0\x18ftypisom", "video/mp4"),
        (b"BM\x01\x02\x03\x04\0\0\0\0", "image/bmp"),
        (b"BM is also text", None),
        (b"%PDF-1.7", "application/pdf"),
        (b"PK\x03\x04....", "application/zip"),
        (b"\xef\xbb\xbf \n<!DOCTYPE html><p>", "text/html"),
        (b"<svg xmlns=", "image/svg+xml"),
        (b"hello", None),
        (b"", None),
    ],
)
def test_first_bytes_tell_the_format_or_nothing(head: bytes, expected: str | None) -> None:
    data = base64.b64encode(head).decode()
    assert sniff(data) == expected
    assert sniff(base64.urlsafe_b64encode(head).decode()) == expected
    assert sniff("\n".join(data[i : i + 4] for i in range(0, len(data), 4))) == expected


@pytest.mark.parametrize("data", ["", "a", "!!!!", "é" * 8, "iVBO\ud83d"])
def test_unreadable_data_tells_nothing(data: str) -> None:
    assert sniff(data) is None


def test_a_data_url_is_read_and_other_addresses_are_not() -> None:
    read = parse_data_url("data:Image/PNG;charset=x;base64,AAAA")
    assert read is not None
    assert (read.media_type, read.data) == ("image/png", "AAAA")
    plain = parse_data_url("data:text/plain,hello")
    assert plain is not None
    assert plain.data == ""
    assert parse_data_url("https://example.test/a.png") is None
    assert parse_data_url("data:image/png") is None
