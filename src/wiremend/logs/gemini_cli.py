"""Gemini CLI: ``~/.gemini/tmp/<project>/chats/session-….json`` and ``.jsonl``, and checkpoints.

A record of type ``gemini`` holds what the model said, and in ``toolCalls`` the calls with their
results: it is sent as two turns. In JSONL a record replaces the earlier one with its id, ``$set``
changes the session's data, and ``$rewindTo`` takes records back. A checkpoint has the turns
themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wiremend.logs.aligning import Spoken
from wiremend.logs.base import Conversation, Home, Json, Piece, Reading, Record, numbered, objects
from wiremend.logs.closing import closed, gemini_closing
from wiremend.logs.faults import unreadable

_HISTORIES = ("clientHistory", "history")
_NOT_SENT = ("/", "?", "<session_context>", "<hook_context>")


class Said(NamedTuple):
    """A message of the session, and where its record has it."""

    value: Json
    home: Home


def recognise(value: Any) -> bool:
    """Whether a record holds the session's data, or a checkpoint's turns."""
    if not isinstance(value, dict):
        return False
    return {"sessionId", "projectHash"} <= value.keys() or history_of(value) is not None


def history_of(value: Json) -> str | None:
    """The field of a checkpoint that holds its turns."""
    return next((name for name in _HISTORIES if _are_turns(value.get(name))), None)


def _are_turns(value: Any) -> bool:
    turns = objects(value)
    return bool(turns) and all("parts" in turn and "role" in turn for turn in turns)


def read(records: Sequence[Record]) -> Reading:
    """The turns that the session goes on from."""
    turns = _Turns()
    first: Any = records[0].value if len(records) == 1 else None
    name = history_of(first) if isinstance(first, dict) else None
    if name is not None:
        for number, turn in numbered(first[name]):
            turns.begin(str(turn["role"]), Home(0, f"/{name}/{number}"))
            turns.add_all(turn["parts"], Home(0, f"/{name}/{number}/parts"))
    else:
        for said in messages_of(records):
            _read_message(turns, said)
    return Reading(turns.conversations(), list(unreadable(records)))


def messages_of(records: Sequence[Record]) -> list[Said]:
    """The messages as the records leave them."""
    found: dict[str, Said] = {}
    for index, record in enumerate(records):
        value = record.value
        if not isinstance(value, dict):
            continue
        if isinstance(value.get("$rewindTo"), str):
            _rewind(found, value["$rewindTo"])
        elif isinstance(value.get("id"), str):
            found[value["id"]] = Said(value, Home(index, ""))
        for at, holder in (("", value), ("/$set", value.get("$set"))):
            if isinstance(holder, dict) and isinstance(holder.get("messages"), list):
                found = _by_id(holder["messages"], Home(index, f"{at}/messages"))
    return list(found.values())


def _by_id(messages: Sequence[Any], home: Home) -> dict[str, Said]:
    """Messages by their ids, by which records behind them replace them and take them back."""
    found: dict[str, Said] = {}
    for number, message in numbered(messages):
        name = message.get("id")
        if not isinstance(name, str) or name in found:
            name = f"#{number}"
        found[name] = Said(message, home._replace(pointer=f"{home.pointer}/{number}"))
    return found


def _rewind(found: dict[str, Said], last: str) -> None:
    kept = list(found)[: list(found).index(last)] if last in found else []
    for name in [name for name in found if name not in kept]:
        del found[name]


def _read_message(turns: _Turns, said: Said) -> None:
    value, home = said
    content = value.get("content")
    at = home._replace(pointer=f"{home.pointer}/content")
    if value.get("type") == "user":
        if not _is_command(content):
            turns.begin("user", home)
            turns.add_all(content, at)
    elif value.get("type") == "gemini":
        _read_answer(turns, said, at)


def _read_answer(turns: _Turns, said: Said, at: Home) -> None:
    value, home = said
    parts = as_parts(value.get("content"))
    calls = numbered(value.get("toolCalls"))
    turns.begin("model", home)
    is_whole = any("functionCall" in part or part.get("thought") for part in objects(parts))
    if not is_whole:
        for number, thought in numbered(value.get("thoughts")):
            place = home._replace(pointer=f"{home.pointer}/thoughts/{number}")
            turns.add({"text": _thought(thought), "thought": True}, place)
    turns.add_all(value.get("content"), at)
    for number, call in calls if not is_whole else ():
        made: Json = {name: call[name] for name in ("id", "name", "args") if name in call}
        place = home._replace(pointer=f"{home.pointer}/toolCalls/{number}")
        turns.add({"functionCall": made}, place)
    turns.begin("user", home)
    for number, call in calls:
        place = home._replace(pointer=f"{home.pointer}/toolCalls/{number}/result")
        if isinstance(call.get("result"), str) and call["result"]:
            about: Json = {name: call[name] for name in ("id", "name") if name in call}
            response = {**about, "response": {"output": call["result"]}}
            turns.add({"functionResponse": response}, place)
        elif call.get("result"):
            turns.add_all(call["result"], place)


def _thought(thought: Json) -> str:
    said = str(thought.get("description", ""))
    return f"**{thought['subject']}** {said}" if thought.get("subject") else said


def _is_command(content: Any) -> bool:
    texts = (part.get("text") for part in objects(as_parts(content)))
    said = "".join(text for text in texts if isinstance(text, str)).strip()
    return said.startswith(_NOT_SENT) or content in ("", [], None)


def as_parts(content: Any) -> list[Any]:
    """The parts of a content, which may be one of them, or a text."""
    if isinstance(content, list):
        return [{"text": part} if isinstance(part, str) else part for part in content]
    if isinstance(content, str):
        return [{"text": content}] if content else []
    return [content] if content is not None else []


class _Turns:
    """The turns that are sent, put together from messages."""

    def __init__(self) -> None:
        self._turns: list[tuple[str, Home, list[Piece]]] = []

    def begin(self, role: str, home: Home) -> None:
        """A new turn; one without parts is never sent."""
        if self._turns and not self._turns[-1][2]:
            self._turns.pop()
        self._turns.append((role, home, []))

    def add(self, part: Any, home: Home) -> None:
        """A part of the last turn."""
        role, _, pieces = self._turns[-1]
        pieces.append(Piece(role, part, home))

    def add_all(self, content: Any, home: Home) -> None:
        """The parts of a content, however it is written."""
        is_list = isinstance(content, list)
        for number, part in enumerate(as_parts(content)):
            place = f"{home.pointer}/{number}" if is_list else home.pointer
            self.add(part, home._replace(pointer=place))

    def conversations(self) -> list[Conversation]:
        """The conversation, if there is one."""
        turns = [turn for turn in self._turns if turn[2]]
        if not turns:
            return []
        places: dict[str, Home] = {}
        contents: list[Json] = []
        for number, (role, home, pieces) in enumerate(turns):
            places[f"/contents/{number}"] = home
            for place, piece in enumerate(pieces):
                assert piece.home is not None
                places[f"/contents/{number}/parts/{place}"] = piece.home
            contents.append({"role": role, "parts": [piece.value for piece in pieces]})
        after = gemini_closing(contents)
        pieces = [piece for _, _, own in turns for piece in own]
        pieces += [Piece("user", part, None) for part in after]
        found = Conversation(
            dialect="gemini",
            body={"contents": closed(contents, after, "parts")},
            recorded={"contents": contents},
            pieces=tuple(pieces),
            places=places,
        )
        return [found]


def parts_of(body: Json) -> Iterator[Spoken]:
    """The parts of a body, with the number of their turn."""
    for number, content in enumerate(body["contents"]):
        for part in content.get("parts", ()):
            yield Spoken(str(content.get("role", "user")), part, number)
