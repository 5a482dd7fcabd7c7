"""How rules read a generateContent request, in either spelling of its fields."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from wiremend.rules.base import Body, objects, once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

DATA = (
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)
"""The fields of which a part has exactly one."""

_USERS = ("user", "function", "", None)
_CAPITAL = re.compile(r"[A-Z]")


def request(*said: Body, **more: Any) -> Body:
    """A complete request with these contents, for the examples of the rules."""
    return {"model": "gemini-2.5-flash", "contents": list(said), **more}


def user(*parts: Body) -> Body:
    """A user's content."""
    return {"role": "user", "parts": list(parts) or [text("What is the weather in Oslo?")]}


def model(*parts: Body) -> Body:
    """A content of the model."""
    return {"role": "model", "parts": list(parts)}


def text(words: str) -> Body:
    """A part with text."""
    return {"text": words}


def call(name: Any = "weather", **more: Any) -> Body:
    """A part with a function call."""
    return {"functionCall": {"name": name, "args": {"in": "Oslo"}, **more}}


def answer(name: Any = "weather", response: Any = None, **more: Any) -> Body:
    """A part with a function response."""
    said = {"result": "rain"} if response is None else response
    return {"functionResponse": {"name": name, "response": said, **more}}


@cache
def snake(name: str) -> str:
    """A field's name as the schema spells it: ``inlineData`` is ``inline_data``."""
    return _CAPITAL.sub(lambda found: f"_{found[0].lower()}", name)


def key(owner: Body, name: str) -> str:
    """How an object spells this field; in camelCase where it does not have it."""
    return name if name in owner or snake(name) not in owner else snake(name)


def field(owner: Body, name: str) -> Any:
    """The value of a field in either spelling; None where it is absent, as null is."""
    return owner[name] if name in owner else owner.get(snake(name))


def data_of(part: Body) -> list[str]:
    """Which kinds of data a part holds, in the order of its fields."""
    return [_KINDS[name] for name, value in part.items() if name in _KINDS and value is not None]


def speaker(content: Body) -> str:
    """``user`` or ``model``; empty for a role that there is not."""
    role = content.get("role")
    if role == "model":
        return "model"
    return "user" if role is None or (isinstance(role, str) and role in _USERS) else ""


def is_foreign(content: Body) -> bool:
    """Whether a content has the shape of another API's message."""
    return "parts" not in content and ("content" in content or "tool_calls" in content)


_KINDS = {spelled: name for name in DATA for spelled in (name, snake(name))}


@once
def contents(body: Body) -> Iterator[tuple[Path, Body]]:
    """Every content that is an object, with its path; a single one needs no list around it."""
    value = body.get("contents")
    if isinstance(value, dict):
        yield ("contents",), value
    for index, content in objects(value):
        yield ("contents", index), content


def listed(content: Body, path: Path) -> Iterator[tuple[Path, Body]]:
    """The parts of a content that are objects; a single one needs no list around it."""
    parts = content.get("parts")
    if isinstance(parts, dict):
        yield (*path, "parts"), parts
    for index, part in objects(parts):
        yield (*path, "parts", index), part


@once
def parts_of(body: Body) -> Iterator[tuple[Path, str, Body]]:
    """Every part with its path and who says it: ``user``, ``model`` or ``system``."""
    name = key(body, "systemInstruction")
    instruction = body.get(name)
    if isinstance(instruction, dict):
        for path, part in listed(instruction, (name,)):
            yield path, "system", part
    for place, content in contents(body):
        for path, part in listed(content, place):
            yield path, speaker(content), part


def held(body: Body, kind: str) -> Iterator[tuple[Path, Body]]:
    """Every functionCall, inlineData or other object of this kind in a part, with its path."""
    for path, _, part in parts_of(body):
        value = field(part, kind)
        if isinstance(value, dict):
            yield (*path, key(part, kind)), value


def named(path: Path) -> str:
    """A path in the notation of the API's errors: ``contents[1].parts[0].function_call``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{snake(step)}" for step in path)
    return "".join(steps).removeprefix(".").encode("ascii", "backslashreplace").decode()


def full(path: Path) -> str:
    """The same with the request's type in front, as the API's validator writes it."""
    return f"GenerateContentRequest.{named(path)}"
