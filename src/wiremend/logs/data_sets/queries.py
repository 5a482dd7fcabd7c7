"""A query with the calls that answer it: ``query``, ``answers``, ``tools``, as xLAM has them."""

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
from wiremend.logs.data_sets.turns import Said, calls_of


def is_query(value: Any) -> bool:
    """Whether a value is a query with calls and tools, or an array of such values."""
    return is_row_or_rows(value, _is_row)


def _is_row(row: Json) -> bool:
    has_lists = all(isinstance(row.get(name), str | list) for name in ("answers", "tools"))
    return isinstance(row.get("query"), str) and has_lists


def read_query(records: Sequence[Record]) -> Reading:
    """What is asked, and what is called."""
    return read_rows(records, _read)


def _read(row: Json, home: Home) -> Iterator[Conversation]:
    if not _is_row(row):
        return
    said = Said([], {})
    said.add({"role": "user", "content": row["query"]}, inside(home, "query"))
    called = calls_of(row["answers"], 1)
    if called is not None:
        said.add(called, inside(home, "answers"))
    elif isinstance(row["answers"], str) and row["answers"].strip() not in ("", "[]"):
        said.add({"role": "assistant", "content": row["answers"]}, inside(home, "answers"))
    yield conversation_of(said.messages, said.places, tools=tools_of(row["tools"]))
