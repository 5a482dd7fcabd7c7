"""ChatML: conversations as text, ``<|im_start|>role`` and a line each up to ``<|im_end|>``.

A text is a file of its own, or a field of a row. A row may have the prompt and its answers apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from wiremend.logs.base import Conversation, Home, Json, Reading, Record
from wiremend.logs.data_sets.rows import conversation_of
from wiremend.logs.data_sets.turns import Said, read_turns, tools_said
from wiremend.logs.faults import unreadable

START = "<|im_start|>"
_TURN = re.compile(
    r"<\|im_start\|>([^\n<]*)\n?(.*?)(?:<\|im_end\|>|(?=<\|im_start\|>)|\Z)", re.DOTALL
)
_END_OF_TEXT = "<|endoftext|>"
_ANSWERS = ("completion", "response", "output", "answer", "chosen", "rejected")


def is_chatml(value: Any) -> bool:
    """Whether a value holds a conversation as text with ``<|im_start|>``."""
    return _text_of(value) is not None


def _text_of(value: Any) -> tuple[str, str] | None:
    """The text, and the name of the field that it is in."""
    if isinstance(value, str):
        return ("", value) if START in value else None
    if isinstance(value, dict):
        for name, text in value.items():
            if isinstance(text, str) and text.lstrip().startswith(START):
                return name, text
    return None


def read_chatml(records: Sequence[Record]) -> Reading:
    """The conversations that each text is."""
    found = [
        conversation
        for index, record in enumerate(records)
        for title, text, home in _texts(record.value, index)
        for conversation in _read(title, text, home)
    ]
    return Reading(found, list(unreadable(records)))


def _texts(value: Any, index: int) -> Iterator[tuple[str, str, Home]]:
    found = _text_of(value)
    if found is None:
        return
    name, text = found
    home = Home(index, f"/{_step(name)}" if name else "")
    answers = [] if name != "prompt" else [(n, value[n]) for n in _ANSWERS if n in value]
    texts = [(n, answer) for n, answer in answers if isinstance(answer, str)]
    for at, answer in texts:
        is_whole = answer.lstrip().startswith(START) and answer.startswith(text.rstrip()[:64])
        yield at, answer if is_whole else text + answer, Home(index, f"/{at}")
    if not texts:
        yield "", text, home


def _step(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _read(title: str, text: str, home: Home) -> Iterator[Conversation]:
    for one in text.split(_END_OF_TEXT):
        turns = [(role.strip(), said) for role, said in _TURN.findall(one)]
        if turns and turns[-1] == ("assistant", ""):
            # The open end where the model is to go on.
            turns.pop()
        if turns:
            yield _conversation(title, turns, home)


def _conversation(title: str, turns: Sequence[tuple[str, str]], home: Home) -> Conversation:
    said = Said([], {})
    given: list[Json] = [{"from": role, "value": text.strip("\n")} for role, text in turns]
    read_turns(given, home, said)
    # All of it is in one text.
    places = dict.fromkeys(said.places, home)
    return conversation_of(said.messages, places, tools=tools_said(said.messages), title=title)
