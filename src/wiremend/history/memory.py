"""Context memory: the history that an agent goes on with, as the sum of its records (spec 2).

Pure: it has no store and no clock. Each operation is one record; ``on_record`` gets it before it
is applied (and may refuse it by raising), so that replaying the records gives the same history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from wiremend.history.compaction import compacted, continuation_message, select_inputs
from wiremend.history.events import LoopEvent
from wiremend.history.fold import Fold, FoldState
from wiremend.history.records import (
    AppendLoopEvent,
    AppendMessage,
    ApplyCompaction,
    Clear,
    Record,
    UndoPrompts,
    record_from_builtins,
)
from wiremend.history.tokens import CountTokens, estimate_tokens, history_tokens
from wiremend.history.undo import Undo, plan_undo
from wiremend.model import ContextMessage, TextPart

STILL_EXECUTING = (
    "This tool call was still executing when this conversation snapshot was inherited from the "
    "source agent, so its result is not part of this context. The outcome is unknown — do not "
    "assume it succeeded or failed, and do not wait for it."
)

Time: TypeAlias = float | None


class Entry(NamedTuple):
    """A message of the transcript and when it came, in milliseconds since the epoch."""

    message: ContextMessage
    time: Time


class ContextMemory:
    """The current history, and the transcript of everything that ever was in it.

    ``count`` is a tokenizer for compaction; the default is an estimate.
    """

    def __init__(
        self,
        *,
        on_record: Callable[[Record], object] | None = None,
        count: CountTokens = estimate_tokens,
    ) -> None:
        self._fold: Fold[Time] = Fold()
        self._transcript = _Transcript()
        self._on_record = on_record
        self._count = count

    def state(self) -> FoldState:
        """The current history, open step included, as a value; without the transcript."""
        return self._fold.state()

    @classmethod
    def from_state(
        cls,
        state: FoldState,
        *,
        on_record: Callable[[Record], object] | None = None,
        count: CountTokens = estimate_tokens,
    ) -> ContextMemory:
        """A memory that goes on where ``state`` was taken. Its transcript starts there."""
        memory = cls(on_record=on_record, count=count)
        memory._fold = Fold.from_state(state, None)
        memory._transcript.fold = Fold.from_state(state, None, replaces=False)
        return memory

    @property
    def pending(self) -> tuple[str, ...]:
        """The ids of the calls that wait for a result."""
        return self._fold.pending

    @property
    def waiting(self) -> tuple[ContextMessage, ...]:
        """The messages that wait for the last of these results."""
        return tuple(message for message, _ in self._fold.waiting())

    @property
    def is_open(self) -> bool:
        """Whether a step has begun and is not settled."""
        return self._fold.is_open

    @classmethod
    def replay(
        cls, records: Iterable[Record | dict[str, Any]], *, count: CountTokens = estimate_tokens
    ) -> ContextMemory:
        """The memory after these records, typed or as JSON has them; others are passed over."""
        memory = cls(count=count)
        for number, item in enumerate(records):
            record = record_from_builtins(item, (number,)) if isinstance(item, dict) else item
            if record is not None:
                memory.apply(record)
        return memory

    def messages(self) -> list[ContextMessage]:
        """The history as it is now. Messages that wait for a pending call are not in it yet."""
        return self._fold.messages()

    def changes(self) -> tuple[int, list[ContextMessage]]:
        """From where on the history changed since this was last asked, and what is there now.

        It has one reader: what was told once is not told again.
        """
        return self._fold.changes()

    def entries(self) -> list[Entry]:
        """The same with the time of each."""
        return [Entry(*pair) for pair in self._fold.marked()]

    def transcript(self) -> list[Entry]:
        """Every message ever, across compactions and clears; undone ones are not in it."""
        return self._transcript.entries()

    def append(self, message: ContextMessage, *, time: Time = None) -> None:
        """Append a message; it waits while calls are pending."""
        self._record(AppendMessage(message, time))

    def append_loop_event(self, event: LoopEvent, *, time: Time = None) -> None:
        """Fold an event of the agent's loop."""
        self._record(AppendLoopEvent(event, time))

    def clear(self, *, time: Time = None) -> None:
        """Empty the history."""
        self._record(Clear(time))

    def undo(self, count: int = 1, *, time: Time = None) -> Undo:
        """Take back so many user prompts and all that came of them, or nothing and say why."""
        plan = plan_undo(self.messages(), count)
        if plan.ok:
            self._record(UndoPrompts(count, time))
        return plan

    def apply_compaction(
        self, summary: str, *, context_summary: str | None = None, time: Time = None
    ) -> ApplyCompaction:
        """Put a summary in the place of everything but the user's own inputs."""
        record = self.plan_compaction(summary, context_summary=context_summary, time=time)
        self._record(record)
        return record

    def plan_compaction(
        self, summary: str, *, context_summary: str | None = None, time: Time = None
    ) -> ApplyCompaction:
        """The record of a compaction that was not made yet."""
        history = self.messages()
        kept = select_inputs(history, self._count)
        after = compacted(history, context_summary or summary, count=self._count)
        return ApplyCompaction(
            summary=summary,
            context_summary=context_summary,
            compacted_count=len(history),
            tokens_before=history_tokens(history, self._count),
            tokens_after=history_tokens(after, self._count),
            kept_user_message_count=len(kept.head) + len(kept.tail),
            kept_head_user_message_count=len(kept.head)
            if kept.omitted_tokens is not None
            else None,
            time=time,
        )

    def fork(self) -> list[ContextMessage]:
        """The history as another agent inherits it: what is in flight is closed as unknown."""
        return inherited(self.messages())

    def apply(self, record: Record) -> None:
        """Apply a record that is durable already."""
        if isinstance(record, AppendMessage):
            self._fold.append(record.message, record.time)
            self._transcript.fold.append(record.message, record.time)
        elif isinstance(record, AppendLoopEvent):
            if record.event is not None:
                self._fold.apply(record.event, record.time)
                self._transcript.fold.apply(record.event, record.time)
        elif isinstance(record, Clear):
            self._fold = Fold()
            self._transcript.clear()
        elif isinstance(record, UndoPrompts):
            self._undo(record)
        else:
            self._compact(record)

    def _record(self, record: Record) -> None:
        if self._on_record is not None:
            self._on_record(record)
        self.apply(record)

    def _undo(self, record: UndoPrompts) -> None:
        plan = plan_undo(self._fold.messages(), record.count)
        if plan.ok:
            self._fold.cut(plan.cut)
            self._transcript.undo(record.count)

    def _compact(self, record: ApplyCompaction) -> None:
        is_older = record.kept_user_message_count is None
        history = compacted(
            self.messages(),
            record.text,
            tail_from=record.compacted_count if is_older else None,
            count=self._count,
        )
        summary = history[0] if is_older else history[-1]
        if record.has_continuation and not is_older:
            history.append(continuation_message())
        self._fold = Fold([(message, record.time) for message in history])
        self._transcript.compact(summary, record.time)


class _Transcript:
    """Everything ever: what was closed before the last clear or compaction, and the fold since."""

    def __init__(self) -> None:
        self.fold: Fold[Time] = Fold(replaces=False)
        self._closed: list[tuple[ContextMessage, Time]] = []

    def entries(self) -> list[Entry]:
        return [Entry(*pair) for pair in (*self._closed, *self.fold.marked())]

    def clear(self) -> None:
        self._closed = [*self._closed, *self.fold.marked()]
        self.fold = Fold(replaces=False)

    def compact(self, summary: ContextMessage, time: Time) -> None:
        self.fold.settle(time)
        self._closed = [*self._closed, *self.fold.marked(), (summary, time)]
        self.fold = Fold(replaces=False)

    def undo(self, count: int) -> None:
        """Remove so many prompts and what followed; injections stay unless they belong to one."""
        plan = plan_undo(self.fold.messages(), count)
        self.fold.cut(plan.cut if plan.ok else 0)


def inherited(history: Sequence[ContextMessage]) -> list[ContextMessage]:
    """A history whose last step may be open, closed for an agent that inherits it (spec 2)."""
    last = len(history) - 1
    while last >= 0 and history[last].role == "tool":
        last -= 1
    if last < 0 or history[last].role != "assistant" or not history[last].tool_calls:
        return list(history)
    answered = {message.tool_call_id for message in history[last + 1 :]}
    unanswered = [call.id for call in history[last].tool_calls if call.id not in answered]
    if not unanswered:
        return list(history)
    closed = msgspec.structs.replace(history[last], partial=None)
    return [
        *history[:last],
        closed,
        *history[last + 1 :],
        *(
            ContextMessage("tool", (TextPart(STILL_EXECUTING),), tool_call_id=call_id)
            for call_id in unanswered
        ),
    ]
