"""The form that a request body must have before any other rule can judge it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from wiremend.errors import Path
from wiremend.rules import bedrock_shape, gemini_shape, openai_responses_shape
from wiremend.rules.base import Body, dialect_of, one_of

Misshapen: TypeAlias = Iterator[tuple[Path, str]]

# All who take messages know these; where one does not take them, a rule of its own says so.
ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})

MISSING = {
    "gemini": "* GenerateContentRequest.contents: contents is not specified",
    "openai-responses": "input: Field required",
}
"""What a provider says where its list of messages is missing, if it has another name for it."""


def misshapen(body: Body) -> Misshapen:
    """Each value of the wrong type, with what it should be in the body's dialect."""
    return _SHAPES.get(dialect_of(body), _of_chat)(body)


_SHAPES = {
    "bedrock": bedrock_shape.misshapen,
    "gemini": gemini_shape.misshapen,
    "openai-responses": openai_responses_shape.misshapen,
}


def _of_chat(body: Body) -> Misshapen:
    yield from _list_of_objects(body, "tools")
    yield from _content(body, (), "system")
    if "messages" not in body:
        yield (), "an object with `messages`"
    elif not isinstance(body["messages"], list):
        yield ("messages",), "a list"
    else:
        for index, message in enumerate(body["messages"]):
            yield from _message(message, ("messages", index))


def _list_of_objects(owner: Body, key: str) -> Misshapen:
    value = owner.get(key)
    if value is None:
        return
    if not isinstance(value, list):
        yield (key,), "a list"
        return
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            yield (key, index), "an object"


def _message(message: Any, path: Path) -> Misshapen:
    if not isinstance(message, dict):
        yield path, "an object"
        return
    if not one_of(message.get("role"), ROLES):
        yield (*path, "role") if "role" in message else path, "a message with a known role"
    yield from _content(message, path, "content")
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        for index, call in enumerate(calls):
            yield from _call(call, (*path, "tool_calls", index))
    elif calls is not None:
        yield (*path, "tool_calls"), "a list"


def _content(owner: Body, path: Path, key: str) -> Misshapen:
    content = owner.get(key)
    if content is None or isinstance(content, str):
        return
    if not isinstance(content, list):
        yield (*path, key), "a string or a list"
        return
    for index, part in enumerate(content):
        yield from _part(part, (*path, key, index))


def _part(part: Any, path: Path) -> Misshapen:
    if not isinstance(part, dict):
        yield path, "an object"
        return
    kind = part.get("type")
    if not isinstance(kind, str):
        yield path, "an object with a `type`"
    elif kind == "text" and not isinstance(part.get("text"), str):
        yield path, "a text part with a string `text`"
    elif kind == "image_url":
        yield from _image_url(part.get("image_url"), path)
    elif kind == "image":
        yield from _image(part.get("source"), path)
    elif kind == "tool_result" and len(path) < 5:
        # Results do not nest, so this cannot go deeper than two levels.
        yield from _content(part, path, "content")


def _image_url(image: Any, path: Path) -> Misshapen:
    if isinstance(image, str):
        return  # another API's form, and Mistral's: a rule of its own judges it
    if not isinstance(image, dict) or not isinstance(image.get("url"), str):
        yield (*path, "image_url"), "an object with a string `url`"


def _image(source: Any, path: Path) -> Misshapen:
    if not isinstance(source, dict) or not isinstance(source.get("type"), str):
        yield (*path, "source"), "an object with a `type`"
    elif source["type"] == "base64":
        for key in ("media_type", "data"):
            if not isinstance(source.get(key), str):
                yield (*path, "source", key), "a string"


def _call(call: Any, path: Path) -> Misshapen:
    if not isinstance(call, dict):
        yield path, "an object"
        return
    kind = "custom" if call.get("type") == "custom" else "function"
    if not isinstance(call.get(kind), dict):
        yield path, f"a call with an object `{kind}`"
