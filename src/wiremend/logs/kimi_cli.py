"""Kimi CLI: ``~/.kimi/sessions/<work dir>/<session>/context.jsonl``, which a session goes on from.

A record is a message in the form of Chat Completions, whose thinking is a part of its content, or a
note: the system prompt, a checkpoint, the number of tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wiremend.logs.aligning import Spoken
from wiremend.logs.base import Conversation, Edits, Home, Json, Piece, Reading, Record
from wiremend.logs.closing import chat_closing
from wiremend.logs.faults import unreadable
from wiremend.logs.lines import put_back

_NOTES = {"_system_prompt": "content", "_checkpoint": "id", "_usage": "token_count"}
_THINKING = "reasoning_content"


def recognise(value: Any) -> bool:
    """Whether a record is one of the notes, which the context has from its first line on."""
    role = value.get("role") if isinstance(value, dict) else None
    return isinstance(role, str) and role in _NOTES and _NOTES[role] in value


def read(records: Sequence[Record]) -> Reading:
    """The messages that the session goes on from."""
    pieces: list[Piece] = []
    places: dict[str, Home] = {}
    for index, record in enumerate(records):
        value = record.value
        role = value.get("role") if isinstance(value, dict) else None
        if role == "_system_prompt":
            pieces.insert(0, Piece("system", _system(value), Home(index, "")))
        elif isinstance(role, str) and not role.startswith("_"):
            pieces.append(Piece(role, sent(value), Home(index, "")))
    for number, piece in enumerate(pieces):
        assert piece.home is not None
        place(places, f"/messages/{number}", piece.home.record, records[piece.home.record].value)
    found = []
    if any(piece.role != "system" for piece in pieces):
        messages = [piece.value for piece in pieces]
        closing = chat_closing(messages)
        after = (Piece(message["role"], message, None) for message in closing)
        found.append(
            Conversation(
                dialect="kimi",
                body={"messages": [*messages, *closing]},
                recorded={"messages": messages},
                pieces=(*pieces, *after),
                places=places,
            )
        )
    return Reading(found, list(unreadable(records)))


def _system(value: Json) -> Json:
    return {"role": "system", "content": value.get("content")}


def sent(value: Json) -> Json:
    """The message as Kimi CLI sends it."""
    content = value.get("content")
    if not isinstance(content, list):
        return value
    said = [part for part in content if not _is_thinking(part)]
    sent = {**value, "content": said if said or not value.get("tool_calls") else None}
    if len(said) < len(content):
        sent[_THINKING] = "".join(str(p.get("think", "")) for p in content if _is_thinking(p))
    return sent


def _is_thinking(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "think"


def place(places: dict[str, Home], at: str, record: int, value: Json) -> None:
    """Note where a message that is sent at a place is in its record."""
    places[at] = Home(record, "")
    content = value.get("content")
    if value.get("role") == "_system_prompt" or not isinstance(content, list):
        return
    said = (number for number, part in enumerate(content) if not _is_thinking(part))
    for number, own in enumerate(said):
        places[f"{at}/content/{number}"] = Home(record, f"/content/{own}")
    places[f"{at}/{_THINKING}"] = Home(record, "/content")


def write_back(records: Sequence[Record], conversation: Conversation, body: Json) -> Edits:
    """The edits after which the context holds the mended messages."""
    prompts = {
        index
        for index, record in enumerate(records)
        if isinstance(record.value, dict) and record.value.get("role") == "_system_prompt"
    }
    return put_back(records, conversation, list(_spoken(body)), _put, fixed=prompts)


def _spoken(body: Json) -> Iterator[Spoken]:
    for number, message in enumerate(body["messages"]):
        yield Spoken(message["role"], message, number)


def _put(value: Any, messages: Sequence[Any], is_same: bool) -> Any:
    message = dict(messages[0])
    thinking = message.pop(_THINKING, None)
    was = sent(value) if is_same else {}
    if is_same and message.get("content") == was.get("content") and thinking == was.get(_THINKING):
        content = value.get("content")
    else:
        content = _content(value if is_same else {}, message.get("content"), thinking, was)
    kept = {name: value[name] for name in value if name in message} if is_same else {}
    return {**kept, **message, "content": content}


def _content(value: Json, said: Any, thinking: Any, was: Json) -> Any:
    parts = value.get("content")
    thought = [part for part in parts if _is_thinking(part)] if isinstance(parts, list) else []
    if thinking != was.get(_THINKING):
        thought = [{"type": "think", "think": thinking}] if thinking else []
    if isinstance(said, str) and thought:
        said = [{"type": "text", "text": said}] if said else []
    return [*thought, *(said or [])] if thought or said is None else said
