"""Claude Code: ``~/.claude/projects/<project>/<session>.jsonl``, and its subagents' logs.

A record of type ``user`` or ``assistant`` holds a message of the provider's format, or a part of
one: an answer is written block by block, and the tool puts the blocks of one ``message.id``, and
neighbouring user records, together before it sends them. So does this reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wiremend.logs.base import (
    Conversation,
    Home,
    Json,
    Piece,
    Reading,
    Record,
)
from wiremend.logs.claude_chain import Tree, message_id
from wiremend.logs.closing import anthropic_closing, closed
from wiremend.logs.faults import unreadable

SYNTHETIC = "<synthetic>"
EMPTY: Json = {"type": "text", "text": ""}
"""The piece of a message that has no content."""


def recognise(value: Any) -> bool:
    """Whether a record has what only Claude Code writes."""
    if not isinstance(value, dict):
        return False
    if "parentUuid" in value and "uuid" in value:
        return "sessionId" in value or "isSidechain" in value
    kind = value.get("type")
    return kind in _NOTES and _NOTES[kind] <= value.keys()


_NOTES: dict[Any, set[str]] = {
    "summary": {"summary", "leafUuid"},
    "file-history-snapshot": {"messageId", "snapshot"},
    "queue-operation": {"operation", "sessionId"},
    "last-prompt": {"sessionId"},
    "custom-title": {"customTitle", "sessionId"},
    "ai-title": {"aiTitle", "sessionId"},
    "permission-mode": {"permissionMode", "sessionId"},
}
"""Records that are no part of the conversation, and that a log may begin with."""


def read(records: Sequence[Record]) -> Reading:
    """The conversation that the session goes on from, and those of subagents in the same log."""
    tree = Tree(records)
    main = tree.leaf()
    leaves = [] if main is None else [(main, "")]
    leaves += [(leaf, "subagent") for leaf in tree.side_leaves()]
    found = (_conversation(tree, leaf, title) for leaf, title in leaves)
    return Reading([c for c in found if c.pieces], [*unreadable(records), *tree.problems])


def _conversation(tree: Tree, leaf: int, title: str) -> Conversation:
    turns = Turns()
    for record, _ in tree.conversation(leaf):
        turns.add(record, tree.values[record])
    return turns.finished(title)


class _Turn(NamedTuple):
    """A message."""

    role: str
    pieces: list[Piece]


class Turns:
    """The messages of a conversation, put together from records."""

    def __init__(self) -> None:
        self._turns: list[_Turn] = []
        # The answers since the last prompt, by their ids: blocks of one may come behind results.
        self._answers: dict[str, list[Piece]] = {}
        self._model: str | None = None

    def add(self, record: int, value: Json) -> None:
        """Take the message of a record, if it has one that is sent."""
        message = value.get("message")
        kind = value.get("type")
        if kind not in ("user", "assistant") or not isinstance(message, dict):
            return
        if value.get("isApiErrorMessage"):
            # What the provider refused is shown to the user, and never sent.
            return
        model = message.get("model")
        if isinstance(model, str) and model != SYNTHETIC:
            self._model = model
        pieces = list(_pieces(kind, record, message.get("content")))
        self._pieces_of(kind, message_id(value)).extend(pieces)
        if kind == "user" and not _has_only_results(pieces):
            self._answers.clear()

    def _pieces_of(self, role: str, answer: str | None) -> list[Piece]:
        """Where pieces of this role, of this answer of the provider, are put."""
        if role == "user" and self._turns and self._turns[-1].role == role:
            return self._turns[-1].pieces
        if answer is not None and answer in self._answers:
            return self._answers[answer]
        started = _Turn(role, [])
        self._turns.append(started)
        if answer is not None:
            self._answers[answer] = started.pieces
        return started.pieces

    def finished(self, title: str) -> Conversation:
        """The conversation."""
        messages: list[Json] = []
        pieces: list[Piece] = []
        places: dict[str, Home] = {}
        for role, own in self._turns:
            ordered = sorted(own, key=lambda piece: not is_result(piece.value))
            ordered = ordered if role == "user" else own
            at = f"/messages/{len(messages)}"
            content: list[Any] = []
            for piece in ordered:
                assert piece.home is not None
                places.setdefault(at, Home(piece.home.record, "/message"))
                if piece.value is not EMPTY:
                    places[f"{at}/content/{len(content)}"] = piece.home
                    content.append(piece.value)
            messages.append({"role": role, "content": content})
            pieces.extend(ordered)
        closing = anthropic_closing(messages)
        pieces.extend(Piece("user", block, None) for block in closing)
        around: Json = {"model": self._model} if self._model else {}
        return Conversation(
            dialect="anthropic",
            body={**around, "messages": closed(messages, closing)},
            recorded={**around, "messages": messages},
            pieces=tuple(pieces) if self._turns else (),
            places=places,
            title=title,
        )


def _pieces(role: str, record: int, content: Any) -> Iterator[Piece]:
    if isinstance(content, str):
        yield Piece(role, {"type": "text", "text": content}, Home(record, "/message/content"))
        return
    blocks = content if isinstance(content, list) else []
    for index, block in enumerate(blocks):
        yield Piece(role, block, Home(record, f"/message/content/{index}"))
    if not blocks:
        yield Piece(role, EMPTY, Home(record, "/message"))


def _has_only_results(pieces: Sequence[Piece]) -> bool:
    return all(is_result(piece.value) for piece in pieces)


def is_result(block: Any) -> bool:
    """Whether a block is the result of a call."""
    return isinstance(block, dict) and block.get("type") == "tool_result"
