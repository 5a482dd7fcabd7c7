"""Compaction: what stays of a history beside its summary (spec 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from wiremend.history.tokens import (
    CountTokens,
    estimate_tokens,
    first_tokens,
    last_tokens,
    message_tokens,
)
from wiremend.model import (
    CompactionSummaryOrigin,
    ContextMessage,
    InjectionOrigin,
    TextPart,
)

KEPT_TOKENS = 20_000
"""How many tokens of the user's inputs stay at most."""
HEAD_TOKENS = 2_000
"""How many of them are the oldest ones', where not all can stay."""
ELISION_VARIANT = "compaction_elision"
CONTINUATION_VARIANT = "compaction_continuation"


class Kept(NamedTuple):
    """The user's inputs that stay: the oldest, a gap of so many tokens (None: no gap), the rest."""

    head: list[ContextMessage]
    tail: list[ContextMessage]
    omitted_tokens: int | None

    def messages(self) -> list[ContextMessage]:
        """All of them, with a reminder where some are missing."""
        if self.omitted_tokens is None:
            return self.tail
        return [*self.head, elision_message(self.omitted_tokens), *self.tail]


def is_user_input(message: ContextMessage) -> bool:
    """Whether a message is a real input of the user's, by its origin; such messages stay."""
    if message.role != "user":
        return False
    return message.origin is None or message.origin.kept


def compacted(
    history: Sequence[ContextMessage],
    summary: str | ContextMessage,
    *,
    tail_from: int | None = None,
    count: CountTokens = estimate_tokens,
) -> list[ContextMessage]:
    """The history after compaction: the kept inputs, oldest first, then the summary.

    ``tail_from`` is for records of the older shape: the summary first, then everything from there.
    """
    message = summary_message(summary) if isinstance(summary, str) else summary
    if tail_from is not None:
        return [message, *history[tail_from:]]
    return [*select_inputs(history, count).messages(), message]


def select_inputs(history: Sequence[ContextMessage], count: CountTokens = estimate_tokens) -> Kept:
    """Which inputs stay. The message at each edge of a gap is cut to fit."""
    inputs = [message for message in history if is_user_input(message)]
    sizes = [message_tokens(message, count) for message in inputs]
    if sum(sizes) <= KEPT_TOKENS:
        return Kept([], inputs, None)
    tail: list[ContextMessage] = []
    room = KEPT_TOKENS - HEAD_TOKENS
    end = len(inputs)
    candidates = inputs
    while end > 0 and room > 0:
        end -= 1
        if sizes[end] <= room:
            tail.append(inputs[end])
            room -= sizes[end]
            candidates = inputs[:end]
            continue
        text = _text(inputs[end])
        suffix = last_tokens(text, room, count)
        tail.append(_retold(inputs[end], suffix))
        prefix = text[: len(text) - len(suffix)]
        candidates = [*inputs[:end], *([_retold(inputs[end], prefix)] if prefix else [])]
        break
    tail.reverse()
    head = _head(candidates, count)
    kept = sum(message_tokens(message, count) for message in (*head, *tail))
    return Kept(head, tail, max(0, sum(sizes) - kept))


def summary_message(text: str) -> ContextMessage:
    """The message that stands for what was removed."""
    return ContextMessage("user", (TextPart(text),), origin=CompactionSummaryOrigin())


def elision_message(omitted_tokens: int) -> ContextMessage:
    """The reminder between the oldest inputs and the most recent ones."""
    text = (
        f"<system-reminder>\nAbout {omitted_tokens} tokens of the user's messages were left out "
        "here when the context was compacted. Above are the oldest messages, below the most "
        "recent ones; the summary covers what is missing.\n</system-reminder>"
    )
    return ContextMessage(
        "user", (TextPart(text),), origin=InjectionOrigin(variant=ELISION_VARIANT)
    )


def continuation_message() -> ContextMessage:
    """The reminder behind a summary that the work goes on."""
    text = (
        "<system-reminder>\nThe context was compacted while work was in progress. "
        "Go on with that work.\n</system-reminder>"
    )
    return ContextMessage(
        "user", (TextPart(text),), origin=InjectionOrigin(variant=CONTINUATION_VARIANT)
    )


def _head(candidates: Sequence[ContextMessage], count: CountTokens) -> list[ContextMessage]:
    head: list[ContextMessage] = []
    room = HEAD_TOKENS
    for message in candidates:
        if room <= 0:
            break
        size = message_tokens(message, count)
        if size > room:
            head.append(_retold(message, first_tokens(_text(message), room, count)))
            break
        head.append(message)
        room -= size
    return head


def _text(message: ContextMessage) -> str:
    return "".join(part.text for part in message.content if isinstance(part, TextPart))


def _retold(message: ContextMessage, text: str) -> ContextMessage:
    return msgspec.structs.replace(message, content=(TextPart(text),), tool_calls=())
