"""Anthropic content blocks and the parts of the model, both ways."""

from __future__ import annotations

from typing import Any

from wiremend.dialects.anthropic.fields import LABEL, NAME, SOURCE
from wiremend.dialects.base import Json, extras, extras_of, rest, unprepared, wire_fields
from wiremend.dialects.data_urls import data_url, parse_data_url
from wiremend.model import (
    DocumentPart,
    ImagePart,
    MediaSource,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
)


def read_block(block: Json) -> Part:
    """The part that a block is; what the model has no name for stays as it is, as opaque."""
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return TextPart(block["text"], extras=extras(NAME, rest(block, "type", "text")))
    if kind == "thinking" and isinstance(block.get("thinking"), str):
        signature = block.get("signature")
        if signature is None or isinstance(signature, str):
            kept = rest(block, "type", "thinking", "signature")
            return ThinkPart(block["thinking"], signature, extras=extras(NAME, kept))
    source = block.get("source")
    if isinstance(source, dict):
        part = _image(block, source) if kind == "image" else _document(block, source)
        if part is not None and kind in ("image", "document"):
            return part
    return OpaquePart(NAME, block)


def write_block(part: Part) -> Json:
    """The block that a part becomes."""
    if type(part) is OpaquePart:
        return dict(part.data)
    kept = wire_fields(extras_of(part, NAME))
    if type(part) is TextPart:
        return {"type": "text", "text": part.text, **kept}
    if type(part) is ThinkPart:
        return {"type": "thinking", "thinking": part.think, "signature": part.encrypted, **kept}
    if type(part) is ImagePart:
        source = _url_source(part.image_url.url)
        return {"type": "image", "source": {**source, **_source_fields(part)}, **kept}
    if type(part) is not DocumentPart:
        raise unprepared(part)
    out: Json = {"type": "document", "source": {**_document_source(part), **_source_fields(part)}}
    if part.title is not None:
        out["title"] = part.title
    return {**out, **kept}


def _image(block: Json, source: Json) -> Part | None:
    url = _url_of(source)
    if url is None:
        return None
    return ImagePart(MediaSource(url), extras=extras(NAME, _kept(block, source, "type", "source")))


def _document(block: Json, source: Json) -> Part | None:
    kept = extras(NAME, _kept(block, source, "type", "source", "title"))
    title = block.get("title")
    if title is not None and not isinstance(title, str):
        return None
    url = _url_of(source)
    if url is not None:
        return DocumentPart(url=url, title=title, extras=kept)
    if source.get("type") == "file" and isinstance(source.get("file_id"), str):
        return DocumentPart(file_id=source["file_id"], title=title, extras=kept)
    label, text = source.get("media_type"), source.get("data")
    if source.get("type") == "text" and isinstance(label, str) and isinstance(text, str):
        if label != "text/plain":
            kept = extras(NAME, {**_kept(block, source, "type", "source", "title"), LABEL: label})
        return DocumentPart(text=text, title=title, extras=kept)
    return None


def _url_of(source: Json) -> str | None:
    kind, url = source.get("type"), source.get("url")
    if kind == "url" and isinstance(url, str):
        return url
    media_type, data = source.get("media_type"), source.get("data")
    if kind == "base64" and isinstance(media_type, str) and isinstance(data, str):
        return data_url(media_type, data)
    return None


def _kept(block: Json, source: Json, *known: str) -> Json:
    kept = rest(block, *known)
    inner = rest(source, "type", "url", "media_type", "data", "file_id")
    if inner:
        kept[SOURCE] = inner
    return kept


def _source_fields(part: Part) -> Json:
    fields: Json = extras_of(part, NAME).get(SOURCE, {})
    return fields


def _url_source(url: str) -> Json:
    parsed = parse_data_url(url)
    if parsed is None:
        return {"type": "url", "url": url}
    return {"type": "base64", "media_type": parsed.media_type, "data": parsed.data}


def _document_source(part: DocumentPart) -> dict[str, Any]:
    if part.file_id is not None:
        return {"type": "file", "file_id": part.file_id}
    if part.url is not None:
        return _url_source(part.url)
    label = extras_of(part, NAME).get(LABEL, "text/plain")
    return {"type": "text", "media_type": label, "data": part.text or ""}
