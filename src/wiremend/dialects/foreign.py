"""Parts in the shape of another API than the one they were sent to.

Histories are passed on between SDKs, and parts of one end up in requests to another (reports 028,
087 and 089). What is meant is plain, so it is read as what it means.
"""

from __future__ import annotations

from typing import Any

from wiremend.dialects.base import Json
from wiremend.dialects.data_urls import data_url
from wiremend.model import DocumentPart, ImagePart, MediaSource, Part, TextPart


def read_foreign(block: Json) -> Part | None:
    """The part that a block of any API stands for; None where that is not plain."""
    kind = block.get("type")
    text = block.get("text")
    if isinstance(text, str):
        return TextPart(text)
    if kind == "refusal" and isinstance(block.get("refusal"), str):
        return TextPart(block["refusal"])
    if kind in ("image_url", "input_image"):
        return _image(block.get("image_url"))
    if kind == "image":
        return _anthropic_image(block.get("source"))
    if kind in ("file", "input_file"):
        return _file(block.get("file", block))
    return None


def _image(source: Any) -> Part | None:
    url = source.get("url") if isinstance(source, dict) else source
    return ImagePart(MediaSource(url)) if isinstance(url, str) and url else None


def _anthropic_image(source: Any) -> Part | None:
    if not isinstance(source, dict):
        return None
    url, data, media_type = (source.get(name) for name in ("url", "data", "media_type"))
    if isinstance(url, str):
        return ImagePart(MediaSource(url))
    if isinstance(data, str) and isinstance(media_type, str):
        return ImagePart(MediaSource(data_url(media_type, data)))
    return None


def _file(source: Any) -> Part | None:
    if not isinstance(source, dict):
        return None
    data = source.get("file_data") or source.get("file_url")
    title = source.get("filename")
    if isinstance(data, str):
        return DocumentPart(url=data, title=title if isinstance(title, str) else None)
    return None
