"""A prompt with answers to it: pairs of which one is preferred, completions, and tests.

``preferred_output`` is OpenAI's, ``chosen`` and ``rejected`` those of everybody else: the answers
alone, or whole conversations. Rows of tests have ``input`` and ``ideal``.
"""

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
from wiremend.logs.data_sets.sharegpt import list_of, said_before
from wiremend.logs.data_sets.turns import Said, are_turns, is_turn, read_turns, tools_said

_OPENAI = ("preferred_output", "non_preferred_output")
_ANSWERS = ("chosen", "rejected", "completion")
_PROMPT = "prompt"


def is_preference(value: Any) -> bool:
    """Whether a value is a prompt with answers, or an array of such values."""
    return is_row_or_rows(value, _is_row)


def _is_row(row: Json) -> bool:
    given = row.get("input")
    if "preferred_output" in row and isinstance(given, dict):
        return isinstance(given.get("messages"), list)
    if "ideal" in row:
        return are_turns(given)
    if "messages" in row:
        return False
    answers = [row[name] for name in _ANSWERS if name in row]
    has_turns = are_turns(row.get(_PROMPT)) or (bool(answers) and list_of(row) is not None)
    return has_turns or any(are_turns(one) or is_turn(one) for one in answers)


def read_preference(records: Sequence[Record]) -> Reading:
    """The prompt with each of the answers: all are trained on."""
    return read_rows(records, _read)


def _read(row: Json, home: Home) -> Iterator[Conversation]:
    if not _is_row(row):
        return
    if "preferred_output" in row:
        yield from _of_openai(row, home)
    elif "ideal" in row:
        said = Said([], {})
        read_turns(row["input"], inside(home, "input"), said)
        yield conversation_of(said.messages, said.places, dialect="openai-chat")
    else:
        yield from _of_trainers(row, home)


def _of_openai(row: Json, home: Home) -> Iterator[Conversation]:
    given = row["input"]
    fields = {name: value for name, value in given.items() if name != "messages"}
    for name in _OPENAI:
        if isinstance(row.get(name), list):
            said = Said([], {})
            for at, messages in (("input/messages", given["messages"]), (name, row[name])):
                for number, message in enumerate(messages):
                    said.add(message, inside(inside(home, at), number))
            yield conversation_of(
                said.messages, said.places, dialect="openai-chat", title=name, more=fields
            )


def _of_trainers(row: Json, home: Home) -> Iterator[Conversation]:
    names = [name for name in _ANSWERS if name in row]
    # A prompt without answers is what a model is to be asked while it trains.
    for name in names or [_PROMPT]:
        said = Said([], {})
        said_before(row, home, said)
        if name == _PROMPT or not _is_whole(row[name]):
            _ask(row, home, said)
        if name != _PROMPT:
            _answer(row[name], inside(home, name), said)
        if said.messages:
            tools = tools_of(row.get("tools")) or tools_said(said.messages)
            title = name if name != _PROMPT else ""
            yield conversation_of(
                said.messages, said.places, dialect="openai-chat", tools=tools, title=title
            )


def _is_whole(answer: Any) -> bool:
    """Whether an answer begins with what it answers."""
    first = answer[0] if are_turns(answer) else {}
    said_by = first.get("from", first.get("role"))
    return isinstance(said_by, str) and said_by.lower() in ("system", "user", "human", "developer")


def _ask(row: Json, home: Home, said: Said) -> None:
    name = list_of(row)
    prompt = row.get(_PROMPT)
    if name is not None:
        read_turns(row[name], inside(home, name), said)
    elif isinstance(prompt, list):
        read_turns(prompt, inside(home, _PROMPT), said)
    elif isinstance(prompt, str):
        said.add({"role": "user", "content": prompt}, inside(home, _PROMPT))


def _answer(answer: Any, home: Home, said: Said) -> None:
    if isinstance(answer, list):
        read_turns(answer, home, said)
    elif isinstance(answer, dict):
        before = len(said.messages)
        read_turns([answer], home, said)
        for number in range(before, len(said.messages)):
            said.places[f"/messages/{number}"] = home
    elif isinstance(answer, str):
        said.add({"role": "assistant", "content": answer}, home)
