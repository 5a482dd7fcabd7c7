"""Codex: ``~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl``.

A record is an envelope with ``type`` and ``payload``; those of type ``response_item`` hold an item
of the provider's format. A compaction replaces all items before it, a rollback takes turns back.
Rollouts of 2025 and before begin with the session's data, and have items without an envelope.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wiremend.logs.aligning import Spoken
from wiremend.logs.base import Conversation, Edits, Home, Json, Piece, Reading, Record, objects
from wiremend.logs.closing import responses_closing
from wiremend.logs.faults import unreadable
from wiremend.logs.lines import put_back

_TYPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state")
)
_BARE = (
    *("message", "reasoning", "function_call", "function_call_output", "local_shell_call"),
    *("custom_tool_call", "custom_tool_call_output", "web_search_call"),
)
_SESSION = {"id", "timestamp", "instructions"}
_NOT_SENT = ("ghost_snapshot", "other")
_OF_THE_TOOL = (
    *("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>"),
    *("<user_shell_command>", "<skill>", "<subagent_notification>", "<permissions instructions>"),
)
"""How messages begin that the tool puts in for the user; they are no turns of their own."""


def recognise(value: Any) -> bool:
    """Whether a record has an envelope of Codex, or is the first of an old rollout."""
    if not isinstance(value, dict):
        return False
    if value.get("type") in _TYPES:
        return isinstance(value.get("payload"), dict) and "timestamp" in value
    return value.keys() >= _SESSION and "input" not in value and "type" not in value


def read(records: Sequence[Record]) -> Reading:
    """The items that the session goes on from."""
    history = _History()
    for index, record in enumerate(records):
        if isinstance(record.value, dict):
            history.take(index, record.value)
    found = [history.finished()] if history.pieces else []
    return Reading(found, list(unreadable(records)))


class _History:
    """The items as the records leave them, one after the other."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._model: str | None = None

    def take(self, index: int, value: Json) -> None:
        """What a record does to the items."""
        payload = value.get("payload")
        if not isinstance(payload, dict):
            if value.get("type") in _BARE:
                self._add(value, Home(index, ""))
            return
        match value.get("type"):
            case "response_item":
                self._add(payload, Home(index, "/payload"))
            case "compacted":
                self._compact(index, payload)
            case "turn_context":
                model = payload.get("model")
                self._model = model if isinstance(model, str) else self._model
            case "event_msg" if payload.get("type") == "thread_rolled_back":
                self._roll_back(payload.get("num_turns"))

    def _add(self, item: Json, home: Home) -> None:
        kind = item.get("type")
        if isinstance(kind, str) and kind not in _NOT_SENT and item.get("role") != "system":
            self.pieces.append(Piece(str(item.get("role", "")), item, home))

    def _compact(self, index: int, payload: Json) -> None:
        replacement = payload.get("replacement_history")
        if isinstance(replacement, list):
            self.pieces = []
            for number, item in enumerate(replacement):
                if isinstance(item, dict):
                    self._add(item, Home(index, f"/payload/replacement_history/{number}"))
            return
        self.pieces = [piece for piece in self.pieces if _is_prompt(piece.value)]
        summary = payload.get("message")
        if isinstance(summary, str) and summary:
            self._add(_said_by_user(summary), Home(index, "/payload/message"))

    def _roll_back(self, turns: Any) -> None:
        prompts = [n for n, piece in enumerate(self.pieces) if _is_prompt(piece.value)]
        if isinstance(turns, int) and turns > 0 and prompts:
            self.pieces = self.pieces[: prompts[max(0, len(prompts) - turns)]]

    def finished(self) -> Conversation:
        """The conversation."""
        items = [piece.value for piece in self.pieces]
        closing = responses_closing(items)
        places = {f"/input/{n}": p.home for n, p in enumerate(self.pieces) if p.home is not None}
        around: Json = {"model": self._model} if self._model else {}
        around["store"] = False
        after = (Piece(str(item.get("role", "")), item, None) for item in closing)
        return Conversation(
            dialect="openai-responses",
            body={**around, "input": [*items, *closing]},
            recorded={**around, "input": items},
            pieces=(*self.pieces, *after),
            places=places,
        )


def _said_by_user(text: str) -> Json:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def _is_prompt(item: Json) -> bool:
    """Whether the user said this, and not the tool in the user's name."""
    if item.get("type") != "message" or item.get("role") != "user":
        return False
    texts = [
        text for part in objects(item.get("content")) if isinstance(text := part.get("text"), str)
    ]
    return not any(text.lstrip().startswith(_OF_THE_TOOL) for text in texts)


_COMPACTED = ("/payload/replacement_history", "/payload/message")


def write_back(records: Sequence[Record], conversation: Conversation, body: Json) -> Edits:
    """The edits after which the rollout holds the mended items."""
    compacted = {
        piece.home.record: "replacement_history" in piece.home.pointer
        for piece in conversation.pieces
        if piece.home is not None and piece.home.pointer.startswith(_COMPACTED)
    }
    return put_back(
        records,
        conversation,
        list(_spoken(body)),
        _put,
        containers={record for record, is_list in compacted.items() if is_list},
        fixed={record for record, is_list in compacted.items() if not is_list},
    )


def _spoken(body: Json) -> Iterator[Spoken]:
    for number, item in enumerate(body["input"]):
        yield Spoken(str(item.get("role", "")), item, number)


def _put(value: Any, items: Sequence[Any], is_same: bool) -> Any:
    payload = value.get("payload")
    if not isinstance(payload, dict):
        return items[0]
    if is_same and value.get("type") == "compacted":
        return {**value, "payload": {**payload, "replacement_history": list(items)}}
    if is_same:
        return {**value, "payload": items[0]}
    time = {"timestamp": value["timestamp"]} if "timestamp" in value else {}
    return {**time, "type": "response_item", "payload": items[0]}
