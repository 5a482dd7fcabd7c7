"""Anthropic Messages: dynamic tools in the API's own form, and read from it.

A loaded tool is in the table with ``defer_loading`` and is shown to the model where a result of a
tool refers to it, so that the table before it, and with it the prompt cache, stays as it was.
Source: ``anthropic`` SDK, ``ToolReferenceBlockParam`` and ``ToolParam.defer_loading``; the
documentation of custom tool search. A result with references holds nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.anthropic.fields import NAME
from wiremend.dialects.anthropic.models import model_version
from wiremend.dialects.base import Json, tool_table
from wiremend.dialects.settings import Settings, Tool
from wiremend.model import Message, OpaquePart, Part, TextPart

_REFERENCE = "tool_reference"
_SINCE = (4, 5)


def refer_to_loaded(
    messages: Sequence[Message],
    body: Json,
    native: Callable[[Json], Json],
    legal: Callable[[str], bool],
) -> tuple[Sequence[Message], Json]:
    """The messages with references where tools were loaded, and the body with their definitions.

    Tools are loaded by a message that only declares them, behind the result that says so.
    ``native`` writes a definition as the API has it, ``legal`` knows the names that it takes.
    Where the model is too old, or the table has no other tool, which the API demands, all stays as
    it is, and the definitions go into the table as usual.
    """
    version = model_version(body.get("model"))
    if version is None or version < _SINCE or not any(message.tools for message in messages):
        return messages, body
    table = list(tool_table(body))
    if all(isinstance(tool, dict) and tool.get("defer_loading") for tool in table):
        return messages, body
    known = {tool.get("name") for tool in table if isinstance(tool, dict)}
    out: list[Message] = []
    for message in messages:
        loaded = _definitions(message, native, legal)
        names = [tool["name"] for tool in loaded]
        place = _answer(out, names) if loaded else None
        if place is None:
            out.append(message)
            continue
        out[place], said = _referring(out[place], names)
        if said:
            out.append(Message("user", said))
        table += [{**tool, "defer_loading": True} for tool in loaded if tool["name"] not in known]
        known.update(tool["name"] for tool in loaded)
    return out, {**body, "tools": table}


def _answer(messages: Sequence[Message], names: list[str]) -> int | None:
    """The place of the result that says that these were loaded, among those at the end."""
    for place in range(len(messages) - 1, -1, -1):
        if messages[place].role != "tool":
            return None
        if _text(messages[place].content).partition("\n")[0] == _loaded_line(names):
            return place
    return None


def _definitions(
    message: Message, native: Callable[[Json], Json], legal: Callable[[str], bool]
) -> list[Json]:
    """What a message that only declares tools declares; nothing where one cannot be named."""
    if not message.tools or message.content or message.tool_calls:
        return []
    found = [native(tool) for tool in message.tools if isinstance(tool, dict)]
    names = [tool.get("name") for tool in found]
    return found if all(isinstance(name, str) and legal(name) for name in names) else []


def _referring(result: Message, names: list[str]) -> tuple[Message, tuple[Part, ...]]:
    """The result as references, and what it said beyond that."""
    references = tuple(OpaquePart(NAME, {"type": _REFERENCE, "tool_name": n}) for n in names)
    said = result.content if _text(result.content) != _loaded_line(names) else ()
    return msgspec.structs.replace(result, content=references), said


def _loaded_line(names: list[str]) -> str:
    return f"Loaded: {', '.join(names)}"


def _text(parts: Sequence[Part]) -> str:
    return "".join(part.text if type(part) is TextPart else "\ufffc" for part in parts)


def read_references(
    history: Sequence[Message], settings: Settings
) -> tuple[Sequence[Message], Settings]:
    """The history with loaded tools declared where results refer to them, for other providers.

    A tool that is referred to is no longer in the settings' table.
    """
    deferred = {tool.name: tool for tool in settings.tools if tool.deferred}
    loaded: set[str] = set()
    out: list[Message] = []
    waiting: list[Tool] = []
    for message in history:
        if message.role != "tool" and waiting:
            out.append(_declaration(waiting))
            waiting = []
        names = [name for part in message.content if (name := _name_in(part)) in deferred]
        if not names:
            out.append(message)
            continue
        fresh = [deferred[str(name)] for name in dict.fromkeys(names) if name not in loaded]
        loaded.update(tool.name for tool in fresh)
        waiting += fresh
        kept = tuple(part for part in message.content if _name_in(part) not in deferred)
        line = TextPart(_loaded_line([str(name) for name in names]))
        out.append(msgspec.structs.replace(message, content=(line, *kept)))
    if waiting:
        out.append(_declaration(waiting))
    left = tuple(tool for tool in settings.tools if tool.name not in loaded)
    return out, msgspec.structs.replace(settings, tools=left)


def _declaration(tools: list[Tool]) -> Message:
    return Message("system", tools=tuple(_neutral(tool) for tool in tools))


def _neutral(tool: Tool) -> Mapping[str, Any]:
    fields = {"description": tool.description, "parameters": tool.parameters, "strict": tool.strict}
    return {"name": tool.name, **{n: value for n, value in fields.items() if value is not None}}


def _name_in(part: Part) -> str | None:
    """The name of the tool that a part refers to."""
    data = part.data if type(part) is OpaquePart and part.provider == NAME else None
    if not isinstance(data, dict) or data.get("type") != _REFERENCE:
        return None
    name = data.get("tool_name")
    return name if isinstance(name, str) else None
