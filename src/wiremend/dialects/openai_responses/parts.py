"""Content parts of items and the parts of the model, both ways.

Source: ``openai`` SDK, ``ResponseInputContentParam``, ``ResponseOutputMessageParam``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiremend.dialects.base import (
    CONTENT,
    Json,
    expect_object,
    extras,
    extras_of,
    rest,
    unprepared,
    wire_fields,
)
from wiremend.dialects.data_urls import data_url
from wiremend.dialects.foreign import read_foreign
from wiremend.dialects.openai_responses.fields import FIELD, KIND, NAME
from wiremend.errors import Path, WiremendError
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    MediaSource,
    OpaquePart,
    Part,
    TextPart,
)
from wiremend.projection.anomalies import ForeignPartConverted, ForeignPartDropped, OnAnomaly

_TEXTS = {"input_text": "text", "output_text": "text", "refusal": "refusal"}


def read_content(content: Any, role: str, path: Path, report: OnAnomaly) -> list[Part]:
    """The parts of a message's content, or of an output, of this role; None has none."""
    if content is None:
        return []
    if isinstance(content, str):
        return [TextPart(content)]
    if not isinstance(content, list):
        raise WiremendError("expected content that is text or a list of parts", path)
    parts: list[Part] = []
    for index, value in enumerate(content):
        block = expect_object(value, (*path, index), "a content part")
        part = _read_part(block, role)
        if part is None:
            kind = str(block.get("type"))
            part = read_foreign(block)
            report(ForeignPartDropped(kind) if part is None else ForeignPartConverted(kind))
        if part is not None:
            parts.append(part)
    return parts


def shape_of(content: Any) -> Json:
    """A note of how short content was written, to write it so again."""
    return {CONTENT: "list"} if isinstance(content, list) else {}


def write_content(parts: Sequence[Part], role: str, shape: str | None) -> Any:
    """The content of a message or of an output: text where that is all, or a list of parts."""
    if shape != "list":
        if not parts:
            return ""
        only = parts[0]
        if len(parts) == 1 and type(only) is TextPart and not wire_fields(extras_of(only, NAME)):
            return only.text
    return [write_part(part, role) for part in parts]


def write_part(part: Part, role: str) -> Json:
    """The block that a part becomes in a message of this role."""
    if type(part) is OpaquePart:
        return dict(part.data)
    kept = extras_of(part, NAME)
    if type(part) is TextPart:
        if role == "assistant":
            kind = kept.get(KIND, "output_text")
            return {"type": kind, _TEXTS[kind]: part.text, **wire_fields(kept)}
        return {"type": "input_text", "text": part.text, **wire_fields(kept)}
    if type(part) is ImagePart:
        # The SDK's type demands a detail; the API knows what to do without.
        fields = wire_fields(kept) if NAME in (part.extras or {}) else {"detail": "auto"}
        return {"type": "input_image", "image_url": part.image_url.url, **fields}
    if type(part) is not DocumentPart:
        raise unprepared(part)
    return {"type": "input_file", **_file_fields(part, kept), **wire_fields(kept)}


def _read_part(block: Json, role: str) -> Part | None:
    """A part that messages of this role take; None where it is none."""
    kind = block.get("type")
    if role == "assistant":
        if kind not in ("output_text", "refusal"):
            return None
        field = _TEXTS[kind]
        kept = rest(block, "type", field)
        if kind == "refusal":
            kept[KIND] = kind
        text = block.get(field)
        return TextPart(text, extras=extras(NAME, kept)) if isinstance(text, str) else None
    if kind == "input_text" and isinstance(block.get("text"), str):
        return TextPart(block["text"], extras=extras(NAME, rest(block, "type", "text")))
    if kind == "input_image":
        return _read_image(block)
    if kind == "input_file":
        return _read_file(block)
    if kind == "input_audio":
        return _read_audio(block)
    return None


def _read_image(block: Json) -> Part | None:
    url = block.get("image_url")
    if isinstance(url, str) and url:
        kept = rest(block, "type", "image_url")
        return ImagePart(MediaSource(url), extras={NAME: kept})
    # A picture in the provider's own store.
    return OpaquePart(NAME, block) if isinstance(block.get("file_id"), str) else None


def _read_file(block: Json) -> Part:
    field = next((f for f in ("file_data", "file_url") if isinstance(block.get(f), str)), None)
    texts = {f: block[f] for f in ("file_id", "filename") if isinstance(block.get(f), str)}
    kept = rest(block, "type", *texts, *([field] if field else []))
    if field:
        kept[FIELD] = field
    return DocumentPart(
        url=block[field] if field else None,
        file_id=texts.get("file_id"),
        title=texts.get("filename"),
        extras=extras(NAME, kept),
    )


def _read_audio(block: Json) -> Part | None:
    source = block.get("input_audio")
    if not isinstance(source, dict) or not isinstance(source.get("data"), str):
        return None
    url = data_url(f"audio/{source.get('format', '')}", source["data"])
    return AudioPart(MediaSource(url), extras={NAME: {}})


def _file_fields(part: DocumentPart, kept: Json) -> Json:
    url = part.url or ""
    remote = url.startswith(("http:", "https:"))
    field = kept.get(FIELD, "file_url" if remote else "file_data")
    fields = {"filename": part.title, field: part.url, "file_id": part.file_id}
    return {name: value for name, value in fields.items() if value is not None}
