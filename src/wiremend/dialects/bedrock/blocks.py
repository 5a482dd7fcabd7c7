"""Converse content blocks and the parts of the model, both ways.

A block is an object with one member, which says of what kind it is. What only Bedrock has (cache
points, server tools, files in S3, guarded pictures) stays as it is, as an opaque part.
"""

from __future__ import annotations

from typing import Any

from wiremend.dialects.arguments import dump_arguments
from wiremend.dialects.base import Json, extras, extras_of, rest
from wiremend.dialects.bedrock.fields import BESIDE, BLOCK, NAME
from wiremend.dialects.bedrock.media import read_media, write_media
from wiremend.model import OpaquePart, Part, TextPart, ThinkPart, is_blank
from wiremend.projection.anomalies import OnAnomaly, PartSplit

MEMBERS = (
    *("text", "image", "document", "video", "audio", "toolUse", "toolResult", "guardContent"),
    *("cachePoint", "reasoningContent", "citationsContent", "searchResult", "toolAddition"),
    *("toolRemoval", "json"),
)
"""The members that a block can have; ``json`` only inside a result."""
MEDIA = ("image", "document", "video", "audio")


def member_of(block: Json) -> str | None:
    """The one member of a block; None where it has none that is known, or several."""
    found = [name for name in MEMBERS if name in block]
    return found[0] if len(found) == 1 else None


def one_of_each(block: Json, report: OnAnomaly) -> list[Json]:
    """The blocks of a block, which has one member, or is split where it has several.

    What is beside the members stays with the first.
    """
    found = [name for name in MEMBERS if name in block]
    if len(found) < 2:
        return [block]
    report(PartSplit(len(found)))
    first = rest(block, *found[1:])
    return [first, *({name: block[name]} for name in found[1:])]


def read_block(block: Json) -> Part:
    """The part that a block is; what the model has no name for stays as it is, as opaque."""
    member = member_of(block)
    value = block.get(member) if member else None
    if member is None or (member == "text") != isinstance(value, str):
        return _json(block) if member == "json" else OpaquePart(NAME, block)
    beside = rest(block, member)
    if isinstance(value, str):
        return TextPart(value, extras=extras(NAME, {BESIDE: beside} if beside else {}))
    part: Part | None = None
    if isinstance(value, dict):
        if member in MEDIA:
            part = read_media(member, value, beside)
        elif member == "reasoningContent":
            part = _thinking(value, beside)
        elif member in ("citationsContent", "guardContent"):
            said = _words(block)
            part = None if is_blank(said) else TextPart(said, extras={NAME: {BLOCK: block}})
    return (_json(block) if member == "json" else OpaquePart(NAME, block)) if part is None else part


def write_block(part: Part) -> Json:
    """The block that a part becomes."""
    if type(part) is OpaquePart:
        return dict(part.data) if isinstance(part.data, dict) else part.data
    kept = extras_of(part, NAME)
    if type(part) is TextPart:
        block = kept.get(BLOCK)
        if block is not None and part.text == _words(block):
            return dict(block)
        return {"text": part.text, **kept.get(BESIDE, {})}
    if type(part) is ThinkPart:
        signed = {} if part.encrypted is None else {"signature": part.encrypted}
        inner = {"text": part.think, **signed, **rest(kept, BESIDE)}
        return {"reasoningContent": {"reasoningText": inner}, **kept.get(BESIDE, {})}
    return write_media(part)


def _json(block: Json) -> Part:
    """A JSON result as text, which other providers can read, with a note of what it was."""
    return TextPart(dump_arguments(block.get("json")), extras={NAME: {BLOCK: block}})


def _words(block: Json) -> str:
    """The text that a block says, where it is no plain text block."""
    if "json" in block:
        return dump_arguments(block["json"])
    guarded = block.get("guardContent")
    if isinstance(guarded, dict):
        inner = guarded.get("text")
        return _text_of(inner)
    cited = block.get("citationsContent")
    content = cited.get("content") if isinstance(cited, dict) else None
    return "".join(map(_text_of, content)) if isinstance(content, list) else ""


def _text_of(value: Any) -> str:
    text = value.get("text") if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""


def _thinking(value: Json, beside: Json) -> Part | None:
    inner = value.get("reasoningText")
    if not isinstance(inner, dict) or len(value) != 1:
        return None
    text, signature = inner.get("text"), inner.get("signature")
    if not isinstance(text, str) or not isinstance(signature, str | None):
        return None
    if signature is None and ("signature" in inner or is_blank(text)):
        # Blank thinking says nothing to a projection, and some models give it all the same.
        return None
    kept = rest(inner, "text", "signature")
    return ThinkPart(
        text, signature, extras(NAME, {**kept, **({BESIDE: beside} if beside else {})})
    )
