"""Rows with ``messages`` that no provider takes as they are, but every trainer does.

Tools or messages are texts of JSON, calls have objects for arguments and no ids, roles are those of
a trainer (``tool_call``, ``tool_response``, ``observation``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wiremend.logs.base import Conversation, Home, Json, Reading, Record
from wiremend.logs.data_sets.rows import (
    conversation_of,
    inside,
    is_row_or_rows,
    parsed,
    read_rows,
    tools_of,
)
from wiremend.logs.data_sets.sharegpt import said_before
from wiremend.logs.data_sets.turns import Said, are_turns, is_foreign, read_turns, tools_said

_FIELD = "messages"


def is_messages(value: Any) -> bool:
    """Whether a value is such a row, or an array of them."""
    return is_row_or_rows(value, _is_row)


def _is_row(row: Json) -> bool:
    messages = row.get(_FIELD)
    if "model" in row:
        # A request, whatever is wrong with it.
        return False
    if isinstance(messages, str):
        return are_turns(parsed(messages))
    if not isinstance(messages, list) or not are_turns(messages):
        return False
    return isinstance(parsed(_text(row.get("tools"))), list) or any(map(is_foreign, messages))


def _text(value: Any) -> Any:
    return value if isinstance(value, str) else None


def read_messages(records: Sequence[Record]) -> Reading:
    """The conversations of a line, or of a whole file."""
    return read_rows(records, _read)


def _read(row: Json, home: Home) -> Iterator[Conversation]:
    turns = parsed(row.get(_FIELD))
    if isinstance(turns, list) and turns:
        said = Said([], {})
        said_before(row, home, said)
        start = len(said.messages)
        read_turns(turns, inside(home, _FIELD), said)
        if isinstance(row[_FIELD], str):
            # Within a text there are no places.
            for number in range(start, len(said.messages)):
                said.places[f"/messages/{number}"] = inside(home, _FIELD)
        tools = tools_of(row.get("tools")) or tools_said(said.messages)
        yield conversation_of(said.messages, said.places, dialect="openai-chat", tools=tools)
