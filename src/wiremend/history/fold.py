"""The fold: loop events become messages (spec 2).

Its state is a table: which step is open, which calls wait for a result, which messages wait for
the last of them. Each event costs what it holds, never what the history holds: the open message
is collected in lists and made a frozen value when somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import msgspec

from wiremend.history.events import (
    ContentPart,
    LoopEvent,
    StepBegin,
    StepEnd,
    ToolCallMade,
    ToolResultGiven,
)
from wiremend.model import (
    ContextMessage,
    InjectionOrigin,
    Message,
    Part,
    TextPart,
    ToolCall,
    is_vacuous,
)

INTERRUPTED_BEFORE_RESULT = (
    "Tool execution was interrupted before its result was recorded. "
    "Do not assume the tool completed successfully."
)

REPLACED_VARIANTS = frozenset(("environment_binding", "project_context"))
"""Injections that state how things are: a new one takes the place of those before (newer logs)."""

T = TypeVar("T")


class FoldState(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A fold as a value: the history, the step that is open, and what waits for what."""

    messages: tuple[ContextMessage, ...]
    open_at: int | None = None
    step: str | None = None
    pending: tuple[str, ...] = ()
    waiting: tuple[ContextMessage, ...] = ()


class Fold(Generic[T]):
    """Folds events and messages into a list of messages.

    Each message is kept with what the caller says about it (``mark``: a time, a record's number).
    ``messages`` are those of a history to go on with; with ``resume`` the last one that is marked
    partial is open again, and its unanswered calls are pending. Without ``replaces`` what was
    stated earlier stays beside what took its place.
    """

    def __init__(
        self,
        messages: Iterable[tuple[ContextMessage, T]] = (),
        *,
        resume: bool = False,
        replaces: bool = True,
    ) -> None:
        pairs = list(messages)
        self._messages: list[ContextMessage | None] = [message for message, _ in pairs]
        self._marks: list[T] = [mark for _, mark in pairs]
        self._pending: dict[str, None] = {}
        self._waiting: list[tuple[ContextMessage, T]] = []
        self._open: _OpenStep | None = None
        self._replaces = replaces
        self._stated: set[str] = set()
        self._same = 0  # how many messages at the begin did not change since ``changes``
        if resume:
            self._resume()

    @property
    def is_open(self) -> bool:
        """Whether a step has begun and is not settled."""
        return self._open is not None

    @property
    def pending(self) -> tuple[str, ...]:
        """The ids of the calls that wait for a result, in the order in which they were made."""
        return tuple(self._pending)

    def messages(self) -> list[ContextMessage]:
        """The history as it is now; the message of an open step is marked partial."""
        found = list(self._messages)
        if self._open is not None:
            found[self._open.index] = self._open.message(partial=True)
        return [message for message in found if message is not None]

    def changes(self) -> tuple[int, list[ContextMessage]]:
        """From where on the history changed since this was last asked, and what is there now.

        It has one reader: what was told once is not told again.
        """
        start = self._same
        changed = self._messages[start:]
        self._same = len(self._messages)
        if self._open is not None:
            changed[self._open.index - start] = self._open.message(partial=True)
            self._same = self._open.index
        return start, [message for message in changed if message is not None]

    def marked(self) -> list[tuple[ContextMessage, T]]:
        """The same with what was said about each message."""
        return list(zip(self.messages(), self._marks, strict=True))

    def append(self, message: ContextMessage, mark: T) -> None:
        """Append a plain message; it waits while calls are pending."""
        if self._pending:
            self._waiting.append((message, mark))
        else:
            self._add(message, mark)

    def _add(self, message: ContextMessage, mark: T) -> None:
        origin = message.origin
        if self._replaces and type(origin) is InjectionOrigin:
            self._drop_earlier(origin.variant)
        self._push(message, mark)

    def _drop_earlier(self, variant: str) -> None:
        """Remove the injections of a variant of which only the last one is true.

        Once they were looked for there is one at most: from then on each message is passed over
        once, however often things are stated.
        """
        if variant not in REPLACED_VARIANTS:
            return
        is_last = variant in self._stated
        self._stated.add(variant)
        for index in range(len(self._messages) - 1, -1, -1):
            message = self._messages[index]
            origin = message.origin if message is not None else None
            if type(origin) is InjectionOrigin and origin.variant == variant:
                del self._messages[index]
                del self._marks[index]
                self._same = min(self._same, index)
                if self._open is not None and self._open.index > index:
                    self._open.index -= 1
                if is_last:
                    return

    def waiting(self) -> list[tuple[ContextMessage, T]]:
        """The messages that wait for pending calls."""
        return list(self._waiting)

    def apply(self, event: LoopEvent, mark: T) -> None:
        """Fold one event; one that fits nowhere is ignored."""
        _TRANSITIONS[type(event)](self, event, mark)

    def state(self) -> FoldState:
        """Everything that the fold knows but the marks, to go on from it elsewhere."""
        return FoldState(
            messages=tuple(self.messages()),
            open_at=self._open.index if self._open else None,
            step=self._open.uuid if self._open else None,
            pending=tuple(self._pending),
            waiting=tuple(message for message, _ in self._waiting),
        )

    @classmethod
    def from_state(cls, state: FoldState, mark: T, *, replaces: bool = True) -> Fold[T]:
        """A fold that goes on where ``state`` was taken."""
        fold = cls(((message, mark) for message in state.messages), replaces=replaces)
        if state.open_at is not None:
            fold._open = _OpenStep(state.step, state.open_at, state.messages[state.open_at])
            fold._messages[state.open_at] = None
        fold._pending = dict.fromkeys(state.pending)
        fold._waiting = [(message, mark) for message in state.waiting]
        return fold

    def cut(self, end: int) -> None:
        """Go back to the first ``end`` messages. A step that is open in them is open still, and
        waits for every result that is not among them; what waited for a result is gone."""
        step = self._open
        del self._messages[end:], self._marks[end:]
        self._same = min(self._same, end)
        self._waiting.clear()
        self._pending.clear()
        if step is None or step.index >= end:
            self._open = None
            return
        answered = {m.tool_call_id for m in self._messages[step.index :] if m is not None}
        self._pending = dict.fromkeys(c.id for c in step.calls if c.id not in answered)

    def settle(self, mark: T) -> None:
        """Close the open step: interrupted results, and no message that says nothing."""
        step = self._open
        if step is None:
            return
        for call_id in self._pending:
            result = (TextPart(INTERRUPTED_BEFORE_RESULT),)
            self._push(ContextMessage("tool", result, tool_call_id=call_id, is_error=True), mark)
        self._pending.clear()
        self._open = None
        if step.says_nothing:
            del self._messages[step.index]
            del self._marks[step.index]
        else:
            self._messages[step.index] = step.message(partial=False)
        self._flush()

    def _begin(self, event: StepBegin, mark: T) -> None:
        self.settle(mark)
        self._open = _OpenStep(event.uuid, len(self._messages))
        self._push(None, mark)

    def _part(self, event: ContentPart, mark: T) -> None:  # noqa: ARG002 (one shape for all)
        if self._open is not None and self._open.takes(event.step_uuid):
            self._open.parts.append(event.part)

    def _call(self, event: ToolCallMade, mark: T) -> None:  # noqa: ARG002
        if self._open is not None and self._open.takes(event.step_uuid):
            call = ToolCall(
                event.tool_call_id, event.name, event.arguments, "function", event.extras
            )
            self._open.calls.append(call)
            self._pending[event.tool_call_id] = None

    def _result(self, event: ToolResultGiven, mark: T) -> None:
        if event.tool_call_id not in self._pending:
            return
        del self._pending[event.tool_call_id]
        result = ContextMessage(
            "tool",
            event.output,
            tool_call_id=event.tool_call_id,
            is_error=event.is_error,
            note=event.note,
        )
        self._push(result, mark)
        self._flush()

    def _end(self, event: StepEnd, mark: T) -> None:
        if event.settles:
            self.settle(mark)
            self._flush()

    def _push(self, message: ContextMessage | None, mark: T) -> None:
        self._messages.append(message)
        self._marks.append(mark)

    def _flush(self) -> None:
        if not self._pending and self._waiting:
            for message, mark in self._waiting:
                self._add(message, mark)
            self._waiting.clear()

    def _resume(self) -> None:
        messages: Sequence[Message | None] = self._messages
        for index in range(len(messages) - 1, -1, -1):
            message = messages[index]
            if message is not None and message.partial:
                answered = {m.tool_call_id for m in messages[index + 1 :] if m is not None}
                self._open = _OpenStep(None, index, self._messages[index])
                calls = [call.id for call in message.tool_calls]
                self._pending = dict.fromkeys(i for i in calls if i not in answered)
                self._messages[index] = None
                return


class _OpenStep:
    """A step that is not settled. ``uuid`` is None for one of a stored history: the first event
    that names a step says which it is."""

    def __init__(self, uuid: str | None, index: int, stored: ContextMessage | None = None) -> None:
        self.index = index
        self.parts: list[Part] = list(stored.content) if stored else []
        self.calls: list[ToolCall] = list(stored.tool_calls) if stored else []
        self.uuid = uuid
        self._stored = stored or ContextMessage("assistant")

    def takes(self, uuid: str) -> bool:
        """Whether an event that names this step, or none, belongs to it."""
        if not self.uuid and uuid:
            self.uuid = uuid
        return not uuid or self.uuid == uuid

    @property
    def says_nothing(self) -> bool:
        return not self.calls and all(is_vacuous(part) for part in self.parts)

    def message(self, *, partial: bool) -> ContextMessage:
        return msgspec.structs.replace(
            self._stored,
            content=tuple(self.parts),
            tool_calls=tuple(self.calls),
            partial=True if partial else None,
        )


_TRANSITIONS: dict[type[LoopEvent], Callable[..., None]] = {
    StepBegin: Fold._begin,  # noqa: SLF001 (the table of the class's own transitions)
    ContentPart: Fold._part,  # noqa: SLF001
    ToolCallMade: Fold._call,  # noqa: SLF001
    ToolResultGiven: Fold._result,  # noqa: SLF001
    StepEnd: Fold._end,  # noqa: SLF001
}
