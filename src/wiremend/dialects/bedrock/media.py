"""Pictures, documents, sound and films of Converse, and the parts of the model, both ways.

Source: botocore's ``bedrock-runtime``, ``ImageBlock``, ``DocumentBlock``, ``VideoBlock`` and
``AudioBlock``: a format and a source, which is ``bytes`` (base64 text in JSON), a place in S3, or
for documents text. What lies in S3 only this provider can read, so it stays a block.
"""

from __future__ import annotations

import base64
from typing import Any

from wiremend.dialects.base import Json, extras, extras_of, rest, unprepared, wire_fields
from wiremend.dialects.bedrock.fields import BESIDE, BYTES, FORMAT, NAME, SOURCE
from wiremend.dialects.data_urls import data_url, parse_data_url
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    MediaSource,
    Part,
    VideoPart,
)
from wiremend.model.parts import media_source

_OFFICE = "application/vnd.openxmlformats-officedocument"
_TYPES: dict[str, dict[str, str]] = {
    "image": {name: f"image/{name}" for name in ("png", "jpeg", "gif", "webp")},
    "document": {
        "pdf": "application/pdf",
        "csv": "text/csv",
        "doc": "application/msword",
        "docx": f"{_OFFICE}.wordprocessingml.document",
        "xls": "application/vnd.ms-excel",
        "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
        "html": "text/html",
        "txt": "text/plain",
        "md": "text/markdown",
    },
    "video": {
        "mkv": "video/x-matroska",
        "mov": "video/quicktime",
        "mp4": "video/mp4",
        "webm": "video/webm",
        "flv": "video/x-flv",
        "mpeg": "video/mpeg",
        "mpg": "video/mpg",
        "wmv": "video/x-ms-wmv",
        "three_gp": "video/3gpp",
    },
    "audio": {
        name: f"audio/{name}"
        for name in (
            *("mp3", "opus", "wav", "aac", "flac", "mp4", "ogg", "mkv", "mka", "x-aac", "m4a"),
            *("mpeg", "mpga", "pcm", "webm"),
        )
    },
}
_FORMATS = {
    kind: {media_type: name for name, media_type in known.items()} for kind, known in _TYPES.items()
}
_ALIASES = {
    "image": {"jpg": "jpeg"},
    "document": {"markdown": "md", "text": "txt", "plain": "txt", "htm": "html"},
    "video": {"3gp": "three_gp", "3gpp": "three_gp"},
    "audio": {"wave": "wav", "mpeg3": "mp3"},
}
DOCUMENTS = tuple(_TYPES["document"])
"""The formats of documents."""
UNNAMED = "document"
"""The name of a document that has none."""


def format_of(kind: str, media_type: str) -> str | None:
    """The format that a media type is called by here; None where this kind has none such."""
    return _FORMATS[kind].get(media_type.partition(";")[0].strip().lower())


def meant_format(kind: str, written: str) -> str | None:
    """The format that is meant by an ending, a media type or another name of the same."""
    name = written.strip().lower().removeprefix(".")
    name = (format_of(kind, name) or "") if "/" in name else name
    name = _ALIASES[kind].get(name, name)
    return name if name in _TYPES[kind] else None


def type_of(kind: str, named: str) -> str:
    """The media type of a format."""
    return _TYPES[kind][named]


def refuses_format(kind: str, value: Any) -> bool:
    """Whether a block's value names a format that this kind does not have."""
    named = value.get("format") if isinstance(value, dict) else None
    return isinstance(named, str) and named not in _TYPES[kind]


def read_media(kind: str, value: Json, beside: Json) -> Part | None:
    """The part that an image, document, video or audio block is; None where only Bedrock knows."""
    source, named = value.get("source"), value.get("format")
    if not isinstance(source, dict) or not isinstance(named, str | None):
        return None
    kept = rest(value, "format", "source", *(("name",) if kind == "document" else ()))
    kept.update({BESIDE: beside} if beside else {})
    data = source.get("bytes")
    inner = rest(source, "bytes")
    if kind == "document" and not isinstance(value.get("name"), str):
        return None
    if kind == "document" and "format" in value and named is None:
        return None  # null is taken, and not the same as no format
    if kind == "document" and isinstance(source.get("text"), str) and data is None:
        kept[FORMAT] = named
        inner = rest(source, "text")
        kept.update({SOURCE: inner} if inner else {})
        found = extras(NAME, kept)
        return DocumentPart(text=source["text"], title=value["name"], extras=found)
    if isinstance(data, bytes):
        kept[BYTES] = True
        data = base64.b64encode(data).decode()
    if not isinstance(data, str) or not data or "s3Location" in source:
        return None
    media_type = _TYPES[kind].get(named or "")
    if media_type is None:
        kept[FORMAT] = named
        media_type = f"{'application' if kind == 'document' else kind}/{named or 'octet-stream'}"
    kept.update({SOURCE: inner} if inner else {})
    return _part(kind, data_url(media_type, data), value.get("name"), extras(NAME, kept))


def _part(kind: str, url: str, name: Any, kept: Any) -> Part:
    if kind == "image":
        return ImagePart(MediaSource(url), extras=kept)
    if kind == "audio":
        return AudioPart(MediaSource(url), extras=kept)
    if kind == "video":
        return VideoPart(MediaSource(url), extras=kept)
    return DocumentPart(url=url, title=name, extras=kept)


def write_media(part: Part) -> Json:
    """The block that a picture, document, film or recording becomes; its data is in the part."""
    kept = extras_of(part, NAME)
    fields, beside = wire_fields(kept), kept.get(BESIDE, {})
    if type(part) is DocumentPart:
        named = {"name": UNNAMED if part.title is None else part.title}
        if part.text is not None:
            written = _text_document(part.text, kept)
        else:
            written = _data(part, "document", part.url or "")
        return {"document": {**_first(written, named), **fields}, **beside}
    found = media_source(part)
    if found is None:
        raise unprepared(part)
    kind, source = found
    return {kind: {**_data(part, kind, source.url), **fields}, **beside}


def _first(written: Json, named: Json) -> Json:
    """The name behind the format, as the documentation has it."""
    return {**rest(written, "source"), **named, "source": written["source"]}


def _text_document(text: str, kept: Json) -> Json:
    if FORMAT not in kept:
        # From another provider: as bytes every model takes it, as text only some.
        return {"format": "txt", "source": {"bytes": base64.b64encode(text.encode()).decode()}}
    named = {} if kept[FORMAT] is None else {"format": kept[FORMAT]}
    return {**named, "source": {"text": text, **kept.get(SOURCE, {})}}


def _data(part: Part, kind: str, url: str) -> Json:
    parsed, kept = parse_data_url(url), extras_of(part, NAME)
    if parsed is None:
        raise unprepared(part)
    named = kept[FORMAT] if FORMAT in kept else format_of(kind, parsed.media_type)
    data: Any = base64.b64decode(parsed.data) if kept.get(BYTES) else parsed.data
    source = {"bytes": data, **kept.get(SOURCE, {})}
    return {**({} if named is None else {"format": named}), "source": source}
