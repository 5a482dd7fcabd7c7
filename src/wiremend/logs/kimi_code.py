"""Kimi Code: a session's ``wire.jsonl``, records of what happened to its context.

They are folded into the history that the session goes on from (``wiremend.history``), and that is
judged as it is. Kimi Code itself projects it before it sends it, as wiremend does: what is found
here is what the projection repairs each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from wiremend.dialects.openai_chat.encode import encode_messages
from wiremend.dialects.profiles.kimi import KIMI_PROFILE
from wiremend.dialects.sanitise import sanitise
from wiremend.errors import WiremendError
from wiremend.history import ContextMemory, Entry, record_from_builtins
from wiremend.history import Record as AnyRecord
from wiremend.logs.base import Conversation, Fault, Home, Piece, Problem, Reading, Record
from wiremend.logs.closing import chat_closing
from wiremend.logs.faults import MISSHAPEN_RECORD, unreadable

_TYPES = {
    "context.append_message": "message",
    "context.append_loop_event": "event",
    "context.apply_compaction": "summary",
    "context.undo": "count",
    "context.clear": "type",
}


def recognise(value: Any) -> bool:
    """Whether a record says something about a context."""
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind in _TYPES and _TYPES[kind] in value


def read(records: Sequence[Record]) -> Reading:
    """The history that the session goes on from."""
    memory = ContextMemory()
    problems = list(unreadable(records))
    for index, record in enumerate(records):
        if not isinstance(record.value, dict) or "type" not in record.value:
            continue
        try:
            read_one = _record(record.value)
        except WiremendError as error:
            home = Home(index, error.pointer)
            problems.append(_problem(MISSHAPEN_RECORD, home, error.reason))
            continue
        if read_one is not None:
            # The time of a message then tells which record it came from.
            memory.apply(msgspec.structs.replace(read_one, time=float(index)))
    entries = list(_sent(memory.entries()))
    return Reading([_conversation(entries)] if entries else [], problems)


def _record(value: Any) -> AnyRecord | None:
    try:
        return record_from_builtins(value)
    except UnicodeEncodeError:
        # Half of a surrogate pair, which a log may have and a history may not.
        return record_from_builtins(sanitise(value, _ignore))


def _problem(fault: Fault, home: Home, reason: str) -> Problem:
    return Problem(fault, home, f"This record is not what its type says: {reason}.", None)


def _sent(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The messages without a step that is still open, and the results that it has so far."""
    open_calls: set[str] = set()
    for entry in entries:
        if entry.message.partial:
            open_calls.update(call.id for call in entry.message.tool_calls)
        elif entry.message.tool_call_id is None or entry.message.tool_call_id not in open_calls:
            yield entry


def _conversation(entries: Sequence[Entry]) -> Conversation:
    messages = encode_messages([entry.message for entry in entries], _ignore, KIMI_PROFILE)
    homes = [Home(int(entry.time or 0), _inside(entry)) for entry in entries]
    closing = chat_closing(messages)
    pieces = [
        Piece(message["role"], message, home) for message, home in zip(messages, homes, strict=True)
    ]
    return Conversation(
        dialect="kimi",
        body={"messages": [*messages, *closing]},
        recorded={"messages": messages},
        pieces=tuple(pieces),
        places={f"/messages/{number}": home for number, home in enumerate(homes)},
    )


def _inside(entry: Entry) -> str:
    return "/message" if entry.message.role in ("user", "system") else ""


def _ignore(_: object) -> None:
    return None
