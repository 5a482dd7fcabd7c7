"""The form that a generateContent request must have before any other rule can judge it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from wiremend.errors import Path
from wiremend.rules.base import Body
from wiremend.rules.gemini import field, is_foreign, key

Misshapen: TypeAlias = Iterator[tuple[Path, str]]

_OBJECTS = ("inlineData", "fileData", "functionCall", "functionResponse")


def misshapen(body: Body) -> Misshapen:
    """Each value of the wrong type, with what it should be.

    A single content or part needs no list around it: protobuf's JSON reads it as a list of one.
    """
    yield from _tools(body)
    name = key(body, "systemInstruction")
    if body.get(name) is not None:
        yield from _content(body[name], (name,))
    contents = body.get("contents")
    if "contents" not in body:
        yield (), "an object with `contents`"
    elif isinstance(contents, dict):
        yield from _content(contents, ("contents",))
    elif not isinstance(contents, list):
        yield ("contents",), "a list"
    else:
        for index, content in enumerate(contents):
            yield from _content(content, ("contents", index))


def _tools(body: Body) -> Misshapen:
    tools = body.get("tools")
    if tools is None or isinstance(tools, dict):
        return
    if not isinstance(tools, list):
        yield ("tools",), "a list"
        return
    for index, tool in enumerate(tools):
        if not isinstance(tool, dict):
            yield ("tools", index), "an object"


def _content(content: Any, path: Path) -> Misshapen:
    if not isinstance(content, dict):
        yield path, "an object"
        return
    if is_foreign(content):
        return
    role, parts = content.get("role"), content.get("parts")
    if role is not None and not isinstance(role, str):
        yield (*path, "role"), "a string"
    if isinstance(parts, dict):
        yield from _part(parts, (*path, "parts"))
    elif isinstance(parts, list):
        for index, part in enumerate(parts):
            yield from _part(part, (*path, "parts", index))
    elif parts is not None:
        yield (*path, "parts"), "a list"


def _part(part: Any, path: Path) -> Misshapen:
    if not isinstance(part, dict):
        yield path, "an object"
        return
    for name in ("text", "thoughtSignature"):
        value = field(part, name)
        if value is not None and not isinstance(value, str):
            yield (*path, key(part, name)), "a string"
    for name in _OBJECTS:
        value = field(part, name)
        place = (*path, key(part, name))
        if isinstance(value, dict):
            yield from _held(value, place, name)
        elif value is not None:
            yield place, "an object"


def _held(value: Body, path: Path, name: str) -> Misshapen:
    """What a call, a response or media holds of the wrong type."""
    if not isinstance(value.get("id"), (str, type(None))):
        yield (*path, "id"), "a string"
    if name == "functionResponse" and not isinstance(value.get("parts"), (list, dict, type(None))):
        yield (*path, "parts"), "a list"
