"""What there is to look at: conversations of a file, sessions of a store, requests of a journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

from wiremend.history import (
    AppendLoopEvent,
    AppendMessage,
    ApplyCompaction,
    Clear,
    ContentPart,
    ContextMemory,
    Record,
    StepBegin,
    StepEnd,
    ToolCallMade,
    ToolResultGiven,
    UndoPrompts,
)
from wiremend.inspector.entries import Shown
from wiremend.inspector.view import Conversation, History
from wiremend.model import Message
from wiremend.stores.media import without_references

SourceKind: TypeAlias = Literal["file", "log", "session", "journal"]
Weight: TypeAlias = Literal["prompt", "compaction", "undo", "clear", "fork", "step"]


class Item(Shown):
    """One conversation in a list. ``mark`` is ok, repaired, refused or "" where nobody knows.

    ``dialect`` is the provider that it is for, "" where its contents tell. ``detail`` are lines
    about what became of it.
    """

    title: str
    dialect: str
    subtitle: str = ""
    mark: str = ""
    detail: Sequence[str] = ()
    has_content: bool = True


class Moment(Shown):
    """A record of a session: ``at`` counts from 1, ``time`` is in milliseconds since the epoch."""

    at: int
    kind: Weight
    label: str
    time: float | None = None


class Timeline(Shown):
    """All that happened to a session: how many records, and those that one looks for."""

    count: int
    moments: Sequence[Moment]
    here: str = ""


class Source(Protocol):
    """A list of conversations that may grow, each opened when somebody looks at it."""

    kind: SourceKind
    title: str

    def items(self) -> Sequence[Item]:
        """What there is now."""
        ...

    def open(self, item: int, moment: int | None = None) -> Conversation:
        """The conversation of an item, as it was after ``moment`` records. ``WiremendError``."""
        ...

    def timeline(self, item: int, moment: int | None = None) -> Timeline | None:
        """How a session came to be; None for what has no past."""
        ...


class Listed:
    """Conversations that are there from the beginning.

    ``mends`` is the command that mends the file that they are from; "" where none does.
    """

    def __init__(
        self,
        kind: SourceKind,
        title: str,
        conversations: Sequence[tuple[Item, Conversation]],
        mends: str = "",
    ) -> None:
        self.kind = kind
        self.title = title
        self.mends = mends
        self._conversations = conversations

    def items(self) -> Sequence[Item]:
        """All of them."""
        return [item for item, _ in self._conversations]

    def open(self, item: int, moment: int | None = None) -> Conversation:  # noqa: ARG002
        """The conversation, which has no moments."""
        return self._conversations[item][1]

    def timeline(self, item: int, moment: int | None = None) -> Timeline | None:  # noqa: ARG002
        """None."""
        return None


class Recorded:
    """Sessions, each of which is its records.

    ``read`` gives the records of a session; ``forks`` where it was forked from another, and where
    others were forked from it.
    """

    kind: SourceKind = "session"

    def __init__(
        self,
        title: str,
        items: Sequence[Item],
        read: Callable[[int], Sequence[Record]],
        forks: Sequence[Sequence[Moment]] = (),
    ) -> None:
        self.title = title
        self._items = items
        self._read = read
        self._forks = forks
        self._kept: tuple[int, Sequence[Record]] | None = None

    def items(self) -> Sequence[Item]:
        """The sessions."""
        return self._items

    def open(self, item: int, moment: int | None = None) -> Conversation:
        """The history after so many records; after all of them if that is not said."""
        records = self._records(item)
        memory = ContextMemory.replay(records if moment is None else records[:moment])
        entries = memory.entries()
        history = without_references([entry.message for entry in entries])
        return History(messages=history, times=[entry.time for entry in entries])

    def timeline(self, item: int, moment: int | None = None) -> Timeline | None:
        """All that happened; ``here`` says what the record at ``moment`` is."""
        records = self._records(item)
        found = [m for at, one in enumerate(records, 1) if (m := _moment(at, one)) is not None]
        forks = self._forks[item] if self._forks else ()
        moments = sorted([*found, *forks], key=lambda one: one.at)
        at = len(records) if moment is None else moment
        here = _said(records[at - 1]) if 0 < at <= len(records) else "the beginning"
        return Timeline(len(records), moments, here)

    def _records(self, item: int) -> Sequence[Record]:
        # One session is looked at from many moments.
        if self._kept is None or self._kept[0] != item:
            self._kept = item, self._read(item)
        return self._kept[1]


def _moment(at: int, record: Record) -> Moment | None:
    if isinstance(record, AppendMessage):
        if record.message.role != "user" or not _is_prompt(record):
            return None
        return Moment(at, "prompt", _said(record), record.time)
    kinds: dict[type, Weight] = {ApplyCompaction: "compaction", UndoPrompts: "undo", Clear: "clear"}
    kind = kinds.get(type(record))
    return None if kind is None else Moment(at, kind, _said(record), record.time)


def _is_prompt(record: AppendMessage) -> bool:
    origin = record.message.origin
    return origin is None or origin.kept


def _said(record: Record) -> str:
    """What a record is, in words and without its contents."""
    if isinstance(record, AppendMessage):
        origin = record.message.origin
        by = f" ({origin.kind})" if origin is not None and not origin.kept else ""
        return f"a {record.message.role} message{by}"
    if isinstance(record, ApplyCompaction):
        after = f" to about {record.tokens_after:,}" if record.tokens_after is not None else ""
        return f"compaction: from about {record.tokens_before:,} tokens{after}"
    if isinstance(record, UndoPrompts):
        return f"undo of {record.count} prompt{'' if record.count == 1 else 's'}"
    if isinstance(record, Clear):
        return "the history was cleared"
    return _said_of_event(record)


def _said_of_event(record: AppendLoopEvent) -> str:
    event = record.event
    if isinstance(event, ToolCallMade):
        return f"the model called {event.name}"
    if isinstance(event, StepEnd) and event.finish_reason:
        return f"a step ended ({event.finish_reason})"
    words: dict[type, str] = {
        StepBegin: "a step began",
        StepEnd: "a step ended",
        ContentPart: "the model said or thought something",
        ToolResultGiven: "a tool answered",
    }
    return words.get(type(event), "an event that changes nothing")


def dialect_of(item: Item, conversation: Conversation) -> str:
    """The provider that an item is for."""
    if item.dialect or not isinstance(conversation, History):
        return item.dialect or "openai-chat"
    return likely_dialect(conversation.messages)


def likely_dialect(history: Sequence[Message]) -> str:
    """The provider that a history was most likely made with, by the form of its call ids."""
    for message in history:
        for call in message.tool_calls:
            if call.id.startswith("toolu_"):
                return "anthropic"
            if call.id.startswith("tooluse_"):
                return "bedrock"
            if ":" in call.id:
                return "kimi"
            if call.id:
                return "openai-chat"
    return "openai-chat"
