"""Gemini parts and the parts of the model, both ways, calls and results left aside.

Source: ``google.genai.types.Part``, ``Blob`` and ``FileData``.
"""

from __future__ import annotations

from wiremend.dialects.base import Json, extras, extras_of, rest, wire_fields
from wiremend.dialects.data_urls import data_url, parse_data_url
from wiremend.dialects.gemini.fields import INNER, NAME, NAMES, THOUGHT, read_names, write_names
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    MediaSource,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    VideoPart,
)

_TYPES = {
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "heic": "image/heic",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "mp4": "video/mp4",
    "webm": "video/webm",
    "mov": "video/mov",
    "mp3": "audio/mp3",
    "wav": "audio/wav",
}
_MIME = "$mime"


def read_part(part: Json, role: str) -> Part:
    """The part that this is; what the model has no name for stays as it is, as opaque."""
    fields, names = read_names(part)
    note: Json = {NAMES: names} if names else {}
    text = fields.get("text")
    if isinstance(text, str):
        if role == "assistant" and fields.get("thought") is True:
            # The signature stays among the extras: no other provider may take it for its own.
            kept = {**note, THOUGHT: True, **rest(fields, "text", "thought")}
            return ThinkPart(text, extras={NAME: kept})
        return TextPart(text, extras=extras(NAME, {**note, **rest(fields, "text")}))
    for kind in ("inlineData", "fileData"):
        source = fields.get(kind)
        if isinstance(source, dict):
            inner, spelled = read_names(source)
            note = {NAMES: {**names, **spelled}} if names or spelled else {}
            found = _media(kind, inner, {**note, **rest(fields, kind)})
            if found is not None:
                return found
    return OpaquePart(NAME, part)


def write_part(part: Part) -> Json:
    """The part of the request that a part becomes."""
    if type(part) is OpaquePart:
        return dict(part.data)
    kept = extras_of(part, NAME)
    names = kept.get(NAMES, {})
    if type(part) is TextPart:
        out: Json = {"text": part.text}
    elif type(part) is ThinkPart:
        out = {"text": part.think, "thought": True}
    else:
        kind, source = _source(part, kept)
        out = {kind: write_names(source, names)}
    return write_names({**out, **wire_fields(kept)}, names)


def _media(kind: str, source: Json, kept: Json) -> Part | None:
    mime = source.get("mimeType")
    if kind == "inlineData":
        data = source.get("data")
        if not isinstance(mime, str) or not isinstance(data, str):
            return None
        url = data_url(mime, data)
        if parse_data_url(url) != (mime, data):
            return None
        inner = rest(source, "mimeType", "data")
    else:
        if not isinstance(source.get("fileUri"), str) or source["fileUri"].startswith("data:"):
            return None
        url = source["fileUri"]
        if "mimeType" in source:
            kept = {**kept, _MIME: mime}
        inner = rest(source, "fileUri", "mimeType")
    if inner:
        kept = {**kept, INNER: inner}
    label = mime if isinstance(mime, str) else guessed_type(url) or ""
    return _of_type(label, url, kept, inner)


def _of_type(label: str, url: str, kept: Json, inner: Json) -> Part:
    source, more = MediaSource(url), extras(NAME, kept)
    match label.partition("/")[0].lower():
        case "image":
            return ImagePart(source, extras=more)
        case "audio":
            return AudioPart(source, extras=more)
        case "video":
            return VideoPart(source, extras=more)
    title = inner.get("displayName")
    return DocumentPart(url=url, title=title if isinstance(title, str) else None, extras=more)


def _source(part: Part, kept: Json) -> tuple[str, Json]:
    """The field that media goes to, and what it holds."""
    url = _url(part)
    inner = kept.get(INNER, {})
    parsed = parse_data_url(url)
    if parsed is not None:
        return "inlineData", {"mimeType": parsed.media_type, "data": parsed.data, **inner}
    mime = kept[_MIME] if _MIME in kept else guessed_type(url)
    typed = {"mimeType": mime} if mime is not None or _MIME in kept else {}
    return "fileData", {**typed, "fileUri": url, **inner}


def guessed_type(url: str) -> str | None:
    """The media type that the ending of an address tells; None where it tells nothing."""
    ending = url.partition("?")[0].rpartition("/")[2].rpartition(".")[2].lower()
    return _TYPES.get(ending)


def _url(part: Part) -> str:
    if type(part) is ImagePart:
        return part.image_url.url
    if type(part) is AudioPart:
        return part.audio_url.url
    if type(part) is VideoPart:
        return part.video_url.url
    assert type(part) is DocumentPart, "text, thinking and opaque parts are written elsewhere"
    return part.url or ""
