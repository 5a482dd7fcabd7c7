"""Gemini CLI's records, edited: a mended conversation in them."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wiremend.logs.aligning import Spoken, align
from wiremend.logs.base import Conversation, Edits, Home, Json, Record, numbered
from wiremend.logs.gemini_cli import as_parts, history_of, messages_of, parts_of

_GONE: Any = object()
_LOOK_BACK = 8


def write_back(records: Sequence[Record], conversation: Conversation, body: Json) -> Edits:
    """The edits after which the session holds the mended turns.

    A part that had to move stays where it is: the tool itself puts results behind their calls.
    """
    first: Any = records[0].value
    name = history_of(first) if isinstance(first, dict) else None
    if name is not None:
        return Edits({0: {**first, name: _turns_without_stand_ins(conversation, body)}})
    before = conversation.pieces
    after = list(parts_of(body))
    origins = align(before, after)
    session = _Session(records)
    kept = {origin for origin in origins if origin is not None}
    last = next((piece.home for piece in before if piece.home is not None), None)
    for said, origin in zip(after, origins, strict=True):
        home = before[origin].home if origin is not None else last
        if origin is None and home is not None:
            session.add(said, home)
        elif origin is not None and home is not None and before[origin].value != said.value:
            session.change(home, said)
        last = home or last
    for number, piece in enumerate(before):
        if number not in kept and piece.home is not None:
            session.remove(piece.home)
    homes = (before[origin].home if origin is not None else None for origin in origins)
    turns = zip(after, homes, strict=True)
    session.join(_Turn(said.message, home) for said, home in turns if home is not None)
    return session.edits()


def _turns_without_stand_ins(conversation: Conversation, body: Json) -> list[Any]:
    """What a checkpoint holds: the turns as they are sent, up to its end."""
    stand_ins = [piece.value for piece in conversation.pieces if piece.home is None]
    *turns, last = body["contents"]
    parts = [part for part in last["parts"] if part not in stand_ins]
    return [*turns, {**last, "parts": parts}] if parts else turns


class _Turn(NamedTuple):
    """A part of the mended turn with this number, and where it is written."""

    turn: int
    home: Home


class _Session:
    """Copies of the records that change."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._changed: dict[int, Any] = {}
        self._new: dict[Home, list[Json]] = {}
        self._removed: set[int] = set()
        self._homes = [said.home for said in messages_of(records)]
        self._places = {home: place for place, home in enumerate(self._homes)}

    def change(self, home: Home, said: Spoken) -> None:
        """A part becomes another one."""
        call = said.value.get("functionCall") if isinstance(said.value, dict) else None
        if "/toolCalls/" in home.pointer and isinstance(call, dict):
            for name in ("id", "name", "args"):
                if name in call:
                    self._put(home._replace(pointer=f"{home.pointer}/{name}"), call[name])
        elif home.pointer.endswith("/result"):
            self._put(home, [said.value])
        elif home.pointer.endswith("/content") and set(said.value) == {"text"}:
            self._put(home, said.value["text"])
        elif "/thoughts/" not in home.pointer:
            self._put(home, said.value)

    def remove(self, home: Home) -> None:
        """A part goes."""
        self._put(home, _GONE)

    def add(self, said: Spoken, behind: Home) -> None:
        """A new part: the result of a call that a message has, or a message of its own."""
        response = said.value.get("functionResponse")
        if isinstance(response, dict) and self._answer(response, said.value, behind):
            return
        self._new.setdefault(self._message(behind), []).append(
            {"role": said.role, "part": said.value}
        )

    def join(self, parts: Iterable[_Turn]) -> None:
        """Answers that became one turn become one message: two of them in a row are refused."""
        answers: dict[int, list[Home]] = {}
        for turn, home in parts:
            message = self._message(home)
            found = answers.setdefault(turn, [])
            is_result = "/toolCalls/" in home.pointer and "/result" in home.pointer
            if message not in found and not is_result and self._value(message)["type"] == "gemini":
                found.append(message)
        for found in answers.values():
            for other in found[1:]:
                self._join(found[0], other)

    def _join(self, first: Home, other: Home) -> None:
        one, two = self._at(first), self._at(other)
        if one.get("toolCalls"):
            # Its results stand between them.
            return
        one["content"] = [*as_parts(one.get("content")), *as_parts(two.get("content"))]
        for name in ("thoughts", "toolCalls"):
            if two.get(name):
                one[name] = [*(one.get(name) or []), *two[name]]
        if other.pointer:
            self._put(other, _GONE)
            return
        records = enumerate(self._records)
        self._removed |= {n for n, r in records if _id(r.value) == two["id"]}

    def _value(self, message: Home) -> Any:
        value = self._records[message.record].value
        for step in message.pointer.split("/")[1:]:
            value = value[int(step)] if isinstance(value, list) else value[step]
        return value

    def _answer(self, response: Json, part: Any, behind: Home) -> bool:
        end = self._places[self._message(behind)] + 1
        # A call may be in an earlier one of answers that are one turn when they are sent.
        for message in reversed(self._homes[max(0, end - _LOOK_BACK) : end]):
            for number, call in numbered(self._at(message).get("toolCalls")):
                same = call.get("id") == response.get("id") or not response.get("id")
                if same and call.get("name") == response.get("name") and not call.get("result"):
                    at = f"{message.pointer}/toolCalls/{number}/result"
                    self._put(Home(message.record, at), [part])
                    return True
        return False

    def _message(self, home: Home) -> Home:
        """The message that a part is in."""
        pointer = home.pointer
        while pointer and Home(home.record, pointer) not in self._places:
            pointer = pointer.rpartition("/")[0]
        return Home(home.record, pointer)

    def _copy(self, record: int) -> Any:
        if record not in self._changed:
            self._changed[record] = copy.deepcopy(self._records[record].value)
        return self._changed[record]

    def _at(self, home: Home) -> Any:
        value = self._copy(home.record)
        for step in home.pointer.split("/")[1:]:
            if value is _GONE:
                break
            value = value[int(step)] if isinstance(value, list) else value[step]
        return value

    def _put(self, home: Home, value: Any) -> None:
        around, _, step = home.pointer.rpartition("/")
        holder = self._at(Home(home.record, around))
        if holder is not _GONE:
            holder[int(step) if isinstance(holder, list) else step] = value

    def edits(self) -> Edits:
        """All of it."""
        inserted: dict[int, list[Json]] = {}
        # The last first, so that the places of the others stay.
        for home, new in sorted(self._new.items(), key=_depth, reverse=True):
            made = self._made(home, new)
            around, _, step = home.pointer.rpartition("/")
            if home.pointer:
                self._at(Home(home.record, around))[int(step) + 1 : int(step) + 1] = made
            else:
                inserted[home.record] = made
        changed = {record: _swept(value) for record, value in self._changed.items()}
        same = {r for r, value in changed.items() if value == self._records[r].value}
        changed = {r: value for r, value in changed.items() if r not in same | self._removed}
        return Edits(changed, self._removed, inserted)

    def _made(self, home: Home, new: Sequence[Json]) -> list[Json]:
        """Messages that hold new parts."""
        near = self._value(home)
        seed = f"{near.get('id')}/{len(new)}".encode("utf-8", "surrogatepass")
        return [
            {
                "id": f"{hashlib.sha256(seed).hexdigest()[:8]}-{number}",
                "timestamp": near.get("timestamp"),
                "type": "user" if one["role"] == "user" else "gemini",
                "content": [one["part"]],
            }
            for number, one in enumerate(new)
        ]


def _id(value: Any) -> Any:
    return value.get("id") if isinstance(value, dict) else None


def _depth(new: tuple[Home, list[Json]]) -> tuple[int, int]:
    step = new[0].pointer.rpartition("/")[2]
    return new[0].record, int(step or 0)


def _swept(value: Any) -> Any:
    """The value without what is gone; a call's result, and a text, stay as nothing."""
    if isinstance(value, list):
        return [_swept(item) for item in value if item is not _GONE]
    if isinstance(value, dict):
        kept = ((name, one) for name, one in value.items() if one is not _GONE or name == "content")
        return {name: "" if one is _GONE else _swept(one) for name, one in kept}
    return value
