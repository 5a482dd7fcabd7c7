"""The form that a Responses request must have before any other rule can judge it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from wiremend.errors import Path
from wiremend.rules.base import Body

Misshapen: TypeAlias = Iterator[tuple[Path, str]]

_ELSEWHERE = ("previous_response_id", "conversation", "prompt")
# Where one of these is not taken, a rule of its own says so.
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_WITH_PARTS = ("function_call_output", "custom_tool_call_output")
_TEXTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}


def misshapen(body: Body) -> Misshapen:
    """Each value of the wrong type, with what it should be."""
    value = body.get("input")
    if "input" not in body:
        if not any(body.get(name) for name in _ELSEWHERE):
            yield (), "an object with `input`"
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _item(item, ("input", index))
    elif not isinstance(value, str):
        yield ("input",), "a string or a list"


def _item(item: Any, path: Path) -> Misshapen:
    if not isinstance(item, dict):
        yield path, "an object"
        return
    kind = item.get("type")
    if kind is None and "role" not in item and isinstance(item.get("id"), str):
        return  # a reference
    if kind is None and "role" in item:
        kind = "message"
    if not isinstance(kind, str):
        yield path, "an item with a `type` or a `role`"
    elif kind == "message":
        if not isinstance(item.get("role"), str) or item["role"] not in _ROLES:
            yield (*path, "role") if "role" in item else path, "a message with a known role"
        yield from _content(item.get("content"), (*path, "content"))
    elif kind in _WITH_PARTS and isinstance(item.get("output"), list):
        yield from _content(item["output"], (*path, "output"))


def _content(content: Any, path: Path) -> Misshapen:
    if content is None or isinstance(content, str):
        return
    if not isinstance(content, list):
        yield path, "a string or a list"
        return
    for index, part in enumerate(content):
        yield from _part(part, (*path, index))


def _part(part: Any, path: Path) -> Misshapen:
    if not isinstance(part, dict):
        yield path, "an object"
        return
    kind = part.get("type")
    if not isinstance(kind, str):
        yield path, "an object with a `type`"
    elif kind in _TEXTS and not isinstance(part.get(_TEXTS[kind]), str):
        yield path, f"a part with a string `{_TEXTS[kind]}`"
    elif kind == "input_image" and not any(
        isinstance(part.get(name), str) for name in ("image_url", "file_id")
    ):
        yield path, "an image with a string `image_url` or `file_id`"
