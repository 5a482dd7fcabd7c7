"""What all data sets share: rows, alone or in an array, and conversations made of them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from wiremend.logs.base import Conversation, Home, Json, Reading, Record
from wiremend.logs.closing import chat_closing
from wiremend.logs.faults import unreadable


def is_row_or_rows(value: Any, is_row: Callable[[Any], bool]) -> bool:
    """Whether a value is a row, or an array of rows."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, dict) and is_row(one) for one in value[:2])
    return isinstance(value, dict) and is_row(value)


def read_rows(
    records: Sequence[Record], read: Callable[[Json, Home], Iterable[Conversation]]
) -> Reading:
    """The conversations of a line, or of a whole file."""
    found = [
        conversation
        for index, record in enumerate(records)
        for row, home in _rows(record.value, index)
        for conversation in read(row, home)
    ]
    return Reading(found, list(unreadable(records)))


def _rows(value: Any, index: int) -> Iterator[tuple[Json, Home]]:
    if isinstance(value, dict):
        yield value, Home(index, "")
    elif isinstance(value, list):
        for number, row in enumerate(value):
            if isinstance(row, dict):
                yield row, Home(index, f"/{number}")


def inside(home: Home, step: str | int) -> Home:
    """A place within another."""
    return home._replace(pointer=f"{home.pointer}/{step}")


def conversation_of(
    messages: Sequence[Any],
    places: Mapping[str, Home],
    *,
    dialect: str = "generic",
    tools: list[Json] | None = None,
    title: str = "",
    more: Mapping[str, Any] | None = None,
) -> Conversation:
    """A row's conversation. A row may end in calls, whose results are then awaited.

    ``more`` are the other fields of a request.
    """
    fields = {**(more or {}), **({"tools": tools} if tools else {})}
    known = [message for message in messages if isinstance(message, dict)]
    awaited = chat_closing(known)[:-1] if len(known) == len(messages) else []
    return Conversation(
        dialect=dialect,
        body={**fields, "messages": [*messages, *awaited]},
        recorded={**fields, "messages": list(messages)},
        places=places,
        title=title,
    )


def parsed(value: Any) -> Any:
    """What a text of JSON says, or one that Python wrote; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        pass
    if len(value) > _MOST_PYTHON or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        # What is no JSON (sets, keys that are none) stays a text.
        return json.loads(json.dumps(ast.literal_eval(value.strip())))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return value


_MOST_PYTHON = 1 << 16
"""Characters; a model's call has a few hundred."""


def written(value: Any) -> str:
    """A value as JSON text."""
    return json.dumps(value, ensure_ascii=False)


def tools_of(given: Any) -> list[Json] | None:
    """Tools as Chat Completions defines them; None where there are none."""
    tools = parsed(given)
    if not isinstance(tools, list):
        return None
    return [_tool(one) for one in tools if isinstance(one, dict)] or None


def _tool(given: Json) -> Json:
    if not isinstance(given.get("name"), str) or "function" in given:
        return given
    fields = {name: value for name, value in given.items() if name != "type"}
    return {"type": "function", "function": {**fields, "parameters": _schema(given)}}


def _schema(tool: Json) -> Any:
    given = parsed(tool.get("parameters"))
    if not isinstance(given, dict):
        return {"type": "object", "properties": {}}
    if isinstance(given.get("type"), str) or "$ref" in given:
        return given
    if isinstance(given.get("properties"), dict):
        return {"type": "object", **given}
    # The properties alone, with types as Python calls them.
    return {"type": "object", "properties": {name: _property(one) for name, one in given.items()}}


_PYTHON = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "tuple": "array",
    "set": "array",
    "dict": "object",
}


def _property(given: Any) -> Any:
    kind = given.get("type") if isinstance(given, dict) else None
    if not isinstance(kind, str):
        return given
    name = kind.partition(",")[0].partition("[")[0].strip().lower()
    return {**given, "type": _PYTHON.get(name, name)}
