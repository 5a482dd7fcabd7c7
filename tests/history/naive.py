"""The behaviour of spec 2, written down as plainly as possible, to judge the real one by.

Everything is a list that is copied for each operation. It shares the model's types with what it
judges, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from wiremend.model import ContextMessage, TextPart, ThinkPart, ToolCall

INTERRUPTED = (
    "Tool execution was interrupted before its result was recorded. "
    "Do not assume the tool completed successfully."
)


def says_something(part: Any) -> bool:
    if isinstance(part, TextPart):
        return part.text.strip() != ""
    if isinstance(part, ThinkPart):
        return part.think.strip() != "" or part.encrypted is not None
    return True


def is_prompt(message: ContextMessage) -> bool:
    if message.role != "user":
        return False
    kind = message.origin.kind if message.origin else None
    by_hand = getattr(message.origin, "trigger", None) == "user-slash"
    return kind in (None, "user") or (kind in ("skill_activation", "plugin_command") and by_hand)


@dataclass(frozen=True)
class Naive:
    """A history and what is in flight. Each method gives a new one."""

    history: list[ContextMessage] = field(default_factory=list)
    step: str | None = None
    pending: list[str] = field(default_factory=list)
    waiting: list[ContextMessage] = field(default_factory=list)

    @property
    def open_at(self) -> int | None:
        marked = [n for n, message in enumerate(self.history) if message.partial]
        return marked[-1] if marked else None

    def append(self, message: ContextMessage) -> Naive:
        if self.pending:
            return replace(self, waiting=[*self.waiting, message])
        return replace(self, history=[*self.history, message])

    def settled(self) -> Naive:
        results = [
            ContextMessage("tool", (TextPart(INTERRUPTED),), tool_call_id=call_id, is_error=True)
            for call_id in self.pending
        ]
        history = [*self.history, *results]
        if self.open_at is not None:
            message = history[self.open_at]
            says = message.tool_calls or any(says_something(part) for part in message.content)
            closed = [msgspec.structs.replace(message, partial=None)] if says else []
            history = [*history[: self.open_at], *closed, *history[self.open_at + 1 :]]
        return Naive([*history, *self.waiting])

    def begin(self, step: str) -> Naive:
        before = self.settled()
        opened = ContextMessage("assistant", partial=True)
        return Naive([*before.history, opened], step=step)

    def _in_step(self, step: str, **added: Any) -> Naive:
        if self.open_at is None or step != self.step:
            return self
        history = list(self.history)
        message = history[self.open_at]
        changes = {name: (*getattr(message, name), value) for name, value in added.items()}
        history[self.open_at] = msgspec.structs.replace(message, **changes)
        return replace(self, history=history)

    def say(self, step: str, text: str) -> Naive:
        return self._in_step(step, content=TextPart(text))

    def call(self, step: str, call_id: str, arguments: str) -> Naive:
        after = self._in_step(step, tool_calls=ToolCall(call_id, "tool", arguments, "function"))
        return after if after is self else replace(after, pending=[*self.pending, call_id])

    def answer(self, call_id: str, text: str, *, failed: bool) -> Naive:
        if call_id not in self.pending:
            return self
        result = ContextMessage(
            "tool", (TextPart(text),), tool_call_id=call_id, is_error=True if failed else None
        )
        after = replace(
            self,
            history=[*self.history, result],
            pending=[other for other in self.pending if other != call_id],
        )
        if after.pending:
            return after
        return replace(after, history=[*after.history, *after.waiting], waiting=[])

    def end(self, step: str, reason: str | None) -> Naive:
        return self if reason in ("interrupted", "error") else self.settled()

    def undo(self, count: int) -> Naive:
        left = count
        for index in range(len(self.history) - 1, -1, -1):
            message = self.history[index]
            kind = message.origin.kind if message.origin else None
            if kind == "compaction_summary":
                return self
            if kind != "injection" and is_prompt(message):
                left -= 1
                if left == 0:
                    return self._back_to(self.history[:index])
        return self

    def _back_to(self, history: list[ContextMessage]) -> Naive:
        before = Naive(history)
        if before.open_at is None:
            return before
        answered = [message.tool_call_id for message in history[before.open_at :]]
        calls = [call.id for call in history[before.open_at].tool_calls]
        return Naive(history, step=self.step, pending=[i for i in calls if i not in answered])

    def compact(self, summary: ContextMessage) -> Naive:
        return Naive([*(m for m in self.history if is_prompt(m)), summary])
