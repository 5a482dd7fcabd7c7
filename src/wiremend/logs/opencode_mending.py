"""An exported session of opencode, edited: a mended conversation in its parts."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from wiremend.logs.aligning import Spoken, align
from wiremend.logs.base import Conversation, Edits, Home, Json, Record, objects
from wiremend.logs.opencode import result_of, state_of

_ABORTED = "Tool execution aborted"
"""What opencode itself writes for a call that was stopped."""
_GONE: Any = object()


def write_back(records: Sequence[Record], conversation: Conversation, body: Json) -> Edits:
    """The edits after which the export holds what was mended of calls, results and blank parts.

    opencode puts results behind their calls itself, so what only moved needs no edit.
    """
    after = list(_spoken(body, conversation.dialect))
    origins = align(conversation.pieces, after)
    session = _Session(records)
    for said, origin in zip(after, origins, strict=True):
        home = conversation.pieces[origin].home if origin is not None else None
        if origin is None:
            session.answer(said.value)
        elif home is not None and conversation.pieces[origin].value != said.value:
            session.rename(home, said.value)
    kept = set(origins)
    for number, piece in enumerate(conversation.pieces):
        if number not in kept and piece.home is not None:
            session.remove(piece.home)
    return session.edits()


def _spoken(body: Json, dialect: str) -> Iterator[Spoken]:
    for number, message in enumerate(body["messages"]):
        if dialect != "anthropic":
            yield Spoken(message["role"], message, number)
            continue
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            yield Spoken(message["role"], block, number)


class _Session:
    """Copies of the records that change."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._before = [record.value for record in records]
        self._values = [copy.deepcopy(value) for value in self._before]

    def answer(self, value: Json) -> None:
        """A call that has no result was stopped."""
        call_id = value.get("tool_use_id", value.get("tool_call_id"))
        for part in self._tools():
            if call_id is not None and part.get("callID") == call_id and result_of(part) is None:
                state = state_of(part)
                time = state.get("time")
                start = time.get("start", 0) if isinstance(time, dict) else 0
                given = {"status": "error", "input": state.get("input", {}), "error": _ABORTED}
                known = {"metadata": state["metadata"]} if "metadata" in state else {}
                part["state"] = {**given, **known, "time": {"start": start, "end": start}}
                return

    def _tools(self) -> Iterator[Json]:
        for value in self._values:
            for message in objects(value.get("messages") if isinstance(value, dict) else None):
                parts = objects(message.get("parts"))
                yield from (part for part in parts if part.get("type") == "tool")

    def rename(self, home: Home, value: Json) -> None:
        """A call that repeats an id gets one of its own; its part holds the result too."""
        holder, step = self._place(home)
        part = holder[step]
        if not isinstance(part, dict):
            return
        if value.get("type") == "tool_use":
            part["callID"] = value["id"]
        elif part.get("type") in ("text", "reasoning") and isinstance(value.get("text"), str):
            part["text"] = value["text"]
        calls = iter(objects(value.get("tool_calls")))
        for other in holder[step:] if isinstance(holder, list) else ():
            if isinstance(other, dict) and other.get("type") == "tool":
                call = next(calls, None)
                if call is None:
                    return
                other["callID"] = call["id"]

    def remove(self, home: Home) -> None:
        """A part goes. A result stays with its call."""
        holder, step = self._place(home)
        if isinstance(holder, list):
            holder[step] = _GONE

    def _place(self, home: Home) -> tuple[Any, Any]:
        *around, last = home.pointer.split("/")[1:]
        value = self._values[home.record]
        for step in around:
            value = value[int(step)] if isinstance(value, list) else value[step]
        return value, int(last) if isinstance(value, list) else last

    def edits(self) -> Edits:
        """All of it."""
        changed = {}
        for number, value in enumerate(self._values):
            for message in objects(value.get("messages") if isinstance(value, dict) else None):
                if isinstance(message.get("parts"), list):
                    message["parts"] = [part for part in message["parts"] if part is not _GONE]
            if value != self._before[number]:
                changed[number] = value
        return Edits(changed)
