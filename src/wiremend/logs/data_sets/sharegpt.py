"""ShareGPT and its relatives: ``conversations`` of turns, with tools and a system prompt beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wiremend.logs.base import Conversation, Home, Json, Reading, Record
from wiremend.logs.data_sets.rows import (
    conversation_of,
    inside,
    is_row_or_rows,
    read_rows,
    tools_of,
)
from wiremend.logs.data_sets.turns import Said, are_turns, read_turns, tools_said

_LISTS = ("conversations", "conversation", "dialog", "dialogue")


def is_sharegpt(value: Any) -> bool:
    """Whether a value holds turns with who says them and what, or is an array of such values."""
    return _is_said(value) or is_row_or_rows(value, _is_row)


def _is_said(value: Any) -> bool:
    """Whether a value is turns alone, with ``from`` and ``value``."""
    return are_turns(value) and "from" in value[0]


def _is_row(value: Json) -> bool:
    return "messages" not in value and list_of(value) is not None


def list_of(value: Json) -> str | None:
    """The name of the list of turns."""
    return next((name for name in _LISTS if are_turns(value.get(name))), None)


def read_sharegpt(records: Sequence[Record]) -> Reading:
    """The conversations of a line, or of a whole file."""
    if len(records) == 1 and _is_said(records[0].value):
        said = Said([], {})
        read_turns(records[0].value, Home(0, ""), said)
        return Reading([conversation_of(said.messages, said.places)])
    return read_rows(records, _read)


def _read(row: Json, home: Home) -> Iterator[Conversation]:
    name = list_of(row)
    if name is not None:
        said = Said([], {})
        said_before(row, home, said)
        read_turns(row[name], inside(home, name), said)
        tools = tools_of(row.get("tools")) or tools_said(said.messages)
        yield conversation_of(said.messages, said.places, tools=tools)


def said_before(row: Json, home: Home, said: Said) -> None:
    """Add the system prompt that stands beside the turns."""
    if isinstance(row.get("system"), str) and row["system"]:
        said.add({"role": "system", "content": row["system"]}, inside(home, "system"))
