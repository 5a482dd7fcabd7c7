"""The form that a Converse request must have before any other rule can judge it.

Source: botocore's service model of ``bedrock-runtime``: required members, types, one member in a
block.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from wiremend.errors import Path
from wiremend.rules.base import Body, one_of
from wiremend.rules.bedrock import MEDIA, MEMBERS, is_foreign

Misshapen: TypeAlias = Iterator[tuple[Path, str]]

_ROLES = frozenset({"user", "assistant", "system", "developer", "tool"})
_SOURCES = {
    **dict.fromkeys(("image", "video", "audio"), ("bytes", "s3Location")),
    "document": ("bytes", "s3Location", "text", "content"),
}


def misshapen(body: Body) -> Misshapen:
    """Each value of the wrong type, with what it should be."""
    config = body.get("toolConfig")
    if config is not None and not isinstance(config, dict):
        yield ("toolConfig",), "an object"
    elif config is not None:
        yield from _tools(config.get("tools"))
    system = body.get("system")
    if isinstance(system, list):
        for place, block in enumerate(system):
            yield from _block(block, ("system", place))
    elif system is not None and not isinstance(system, str):
        yield ("system",), "a list"
    if "messages" not in body:
        yield (), "an object with `messages`"
    elif not isinstance(body["messages"], list):
        yield ("messages",), "a list"
    else:
        for index, message in enumerate(body["messages"]):
            yield from _message(message, ("messages", index))


def _tools(tools: Any) -> Misshapen:
    path: Path = ("toolConfig", "tools")
    if tools is not None and not isinstance(tools, list):
        yield path, "a list"
        return
    for place, tool in enumerate(tools or ()):
        if not isinstance(tool, dict):
            yield (*path, place), "an object"
        elif "toolSpec" in tool:
            yield from _tool(tool["toolSpec"], (*path, place, "toolSpec"))


def _tool(spec: Any, path: Path) -> Misshapen:
    if not isinstance(spec, dict):
        yield path, "an object"
        return
    if not isinstance(spec.get("name"), str):
        yield (*path, "name"), "a string"
    schema = spec.get("inputSchema")
    if not isinstance(schema, dict) or not isinstance(schema.get("json"), dict):
        yield (*path, "inputSchema"), "an object with a JSON schema in `json`"


def _message(message: Any, path: Path) -> Misshapen:
    if not isinstance(message, dict):
        yield path, "an object"
        return
    if not one_of(message.get("role"), _ROLES):
        yield (*path, "role") if "role" in message else path, "a message with a known role"
    content = message.get("content")
    if isinstance(content, list):
        for place, block in enumerate(content):
            yield from _block(block, (*path, "content", place))
    elif content is not None and not isinstance(content, str):
        yield (*path, "content"), "a list"


def _block(block: Any, path: Path) -> Misshapen:
    if not isinstance(block, dict):
        yield path, "an object"
        return
    if is_foreign(block):
        return  # another API's: that has a rule of its own
    found = [name for name in block if name in MEMBERS]
    if not block:
        yield path, "a block with one member"
    if len(found) > 1:
        return  # that has a rule of its own too
    for member in found:
        yield from _member(member, block[member], (*path, member))


def _member(member: str, value: Any, path: Path) -> Misshapen:
    if member == "json":
        return
    if member == "text":
        if not isinstance(value, str):
            yield path, "a string"
    elif not isinstance(value, dict):
        yield path, "an object"
    elif member in MEDIA:
        yield from _media(member, value, path)
    elif member == "toolResult" and len(path) < 6:
        # Results do not nest, so this cannot go deeper than two levels.
        content = value.get("content")
        if isinstance(content, list):
            for place, inner in enumerate(content):
                yield from _block(inner, (*path, "content", place))
        elif content is not None and not isinstance(content, str):
            yield (*path, "content"), "a list"


def _media(kind: str, value: Body, path: Path) -> Misshapen:
    if not isinstance(value.get("format"), str | None):
        yield (*path, "format"), "a string"
    if kind == "document" and not isinstance(value.get("name"), str):
        yield (*path, "name"), "a string"
    source = value.get("source")
    if not isinstance(source, dict):
        yield (*path, "source"), "an object"
        return
    if kind != "document" and value.get("format") is None and source.get("bytes") is None:
        yield (*path, "format"), "a string"
    found = [name for name in _SOURCES[kind] if source.get(name) is not None]
    if len(found) != 1:
        yield (*path, "source"), f"an object with one of {', '.join(_SOURCES[kind])}"
    elif found[0] == "bytes" and not (source["bytes"] and isinstance(source["bytes"], str | bytes)):
        yield (*path, "source", "bytes"), "base64 text, and not empty"
