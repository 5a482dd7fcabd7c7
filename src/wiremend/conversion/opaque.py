"""Parts that only their own provider understands, in words that every other one does.

What was said or shown goes over as text or as a picture; what a provider keeps in a store of its
own is named where it stood. What a provider ran or sealed by itself has no words: it stays behind.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from wiremend.dialects import Dialect
from wiremend.dialects.base import Json
from wiremend.dialects.openai_chat.fields import FIELD, VALUE
from wiremend.dialects.openai_responses.fields import ITEM
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    MediaSource,
    OpaquePart,
    Part,
    TextPart,
    VideoPart,
    media_source,
)

_OPENAI = ("openai-chat", "openai-responses")
_GEMINI_FILES = "https://generativelanguage.googleapis.com/"
_MEDIA = (ImagePart, AudioPart, VideoPart)


class Retold(NamedTuple):
    """What a part became (None: nothing), and the name of what is lost by that."""

    part: Part | None
    lost: str


def retold(part: Part, origin: Dialect, goal: Dialect) -> Retold | None:
    """What another provider can be told of a part; None where it can have the part itself."""
    if type(part) is OpaquePart:
        return _retold_opaque(part, origin, goal)
    if {origin.name, goal.name} <= set(_OPENAI):
        return None  # one provider, one store of files
    if type(part) is DocumentPart and part.file_id is not None and part.url is None:
        # Where a text stands beside it, that is all that is needed.
        told = TextPart(part.text) if part.text else _omitted("document", origin, part.file_id)
        return Retold(told, "stored document")
    found = media_source(part)
    kind, url = (found[0], found[1].url) if found else ("document", getattr(part, "url", None))
    if type(part) in (*_MEDIA, DocumentPart) and isinstance(url, str) and _is_stored(url):
        return Retold(_omitted(kind, origin, url), f"stored {kind}")
    return None


def _is_stored(url: str) -> bool:
    """Whether a link leads into the store of one provider, which asks for its own key."""
    scheme, colon, _ = url.partition("://")
    if url.startswith(_GEMINI_FILES):
        return True
    return bool(colon) and scheme.lower() not in ("http", "https") and not url.startswith("data:")


def _omitted(kind: str, origin: Dialect, stored: object) -> TextPart:
    return TextPart(f"[{kind} omitted: stored with {origin.name} as {stored}]")


def _retold_opaque(part: OpaquePart, origin: Dialect, goal: Dialect) -> Retold:
    kind, block = _opened(part.data)
    sealed = _sealed_thinking(part.data)
    if sealed is not None:
        passes = origin.thinking == goal.thinking and goal.name in _SEALS and _is_base64(sealed)
        return Retold(OpaquePart(goal.name, _SEALS[goal.name](sealed)) if passes else None, _SEALED)
    tell = _TOLD.get(kind)
    told = tell(block) if tell is not None else None
    if isinstance(told, str):
        return Retold(TextPart(told), kind)
    if isinstance(told, _Stored):
        named = f"{told.kind} {told.title}" if told.title else told.kind
        return Retold(_omitted(named, origin, told.place), f"stored {told.kind}")
    return Retold(told, kind)


def _opened(data: Any) -> tuple[str, Json]:
    """The kind of what an opaque part holds, and its fields."""
    if not isinstance(data, dict) or not data:
        return "content", {}
    if FIELD in data:
        value = data.get(VALUE)
        return str(data[FIELD]), value if isinstance(value, dict) else {"text": value}
    block = data.get(ITEM, data)
    if not isinstance(block, dict):
        return "content", {}
    kind = block.get("type")
    if isinstance(kind, str):
        return kind, block
    if ITEM in data:
        return "message" if "role" in block else "item_reference", block
    member = next(iter(block))
    value = block[member]
    return str(member), value if isinstance(value, dict) else {"text": value}


# --- thinking that cannot be read -------------------------------------------------------------

_SEALED = "redacted thinking"
_SEALS: dict[str, Callable[[str], Json]] = {
    "anthropic": lambda sealed: {"type": "redacted_thinking", "data": sealed},
    "bedrock": lambda sealed: {"reasoningContent": {"redactedContent": sealed}},
}
"""How those who pass on Claude's words write thinking that they were not shown."""


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except ValueError:
        return False
    return True


def _sealed_thinking(data: Any) -> str | None:
    if not isinstance(data, dict):
        return None
    reasoning = data.get("reasoningContent")
    sealed = reasoning.get("redactedContent") if isinstance(reasoning, dict) else None
    if data.get("type") == "redacted_thinking":
        sealed = data.get("data")
    return sealed if isinstance(sealed, str) else None


# --- what was said or shown -------------------------------------------------------------------


class _Stored(msgspec.Struct, frozen=True):
    kind: str
    place: str
    title: str = ""


_Told = str | _Stored | Part | None


def _text(value: Any) -> str:
    """All text of a content: a text, a block, or a list of these."""
    if isinstance(value, list):
        return "\n".join(text for text in map(_text, value) if text)
    if isinstance(value, dict):
        value = value.get("text")
    return value if isinstance(value, str) else ""


def _refusal(block: Json) -> _Told:
    return _text(block.get("refusal", block.get("text"))) or None


def _search_result(block: Json) -> _Told:
    lines = (block.get("title"), block.get("source"), _text(block.get("content")))
    return "\n".join(line for line in lines if isinstance(line, str) and line) or None


def _file(kind: str) -> Callable[[Json], _Told]:
    """A file of this kind in a store, or a document whose content is blocks of text."""

    def told(block: Json) -> _Told:
        source = block.get("source", block)
        if not isinstance(source, dict):
            return None
        place = source.get("s3Location")
        stored = place.get("uri") if isinstance(place, dict) else None
        stored = stored or source.get("file_id") or source.get("fileUri") or source.get("id")
        title = block.get("title") or block.get("name")
        title = title if isinstance(title, str) else ""
        if isinstance(stored, str):
            return _Stored(kind, stored, title)
        said = _text(source.get("content")) or _text(source.get("text"))
        return f"{title}\n{said}" if said and title else said or None

    return told


def _screen(block: Json) -> _Told:
    url = block.get("image_url")
    return ImagePart(MediaSource(url)) if isinstance(url, str) and url else _file("image")(block)


_TOLD: dict[str, Callable[[Json], _Told]] = {
    "refusal": _refusal,
    "search_result": _search_result,
    "searchResult": _search_result,
    "document": _file("document"),
    "image": _file("image"),
    "input_image": _file("image"),
    "video": _file("video"),
    "audio": _file("audio"),
    "fileData": _file("file"),
    "container_upload": _file("file"),
    "file": _file("document"),
    "computer_screenshot": _screen,
}
