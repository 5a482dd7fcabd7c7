"""Who may speak where: repairs for servers whose chat templates are strict about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wiremend.context.reminders import CLOSE, OPEN
from wiremend.model import Message, TextPart
from wiremend.projection.anomalies import LeadingUserInserted, OnAnomaly, SystemMessageMoved
from wiremend.projection.wire import LEADING_USER


def system_in_front(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """System messages behind any other become reminders in a user message.

    They stay where they are, so that what was sent before never changes (report 048).
    """
    return _demoted(messages, report, lambda before: bool(before) and before[-1].role != "system")


def system_not_after_the_model(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """System messages right behind the assistant or a tool become reminders in a user message."""
    return _demoted(
        messages, report, lambda before: bool(before) and before[-1].role in ("assistant", "tool")
    )


def some_user(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """A user message in a conversation that has none, in front of all but system messages."""
    if not messages or any(message.role == "user" for message in messages):
        return messages
    at = next((n for n, m in enumerate(messages) if m.role != "system"), len(messages))
    report(LeadingUserInserted())
    return [*messages[:at], Message("user", (TextPart(LEADING_USER),)), *messages[at:]]


def _demoted(
    messages: Sequence[Message], report: OnAnomaly, misplaced: Callable[[list[Message]], bool]
) -> Sequence[Message]:
    """``misplaced`` judges a system message by what was written before it."""
    out: list[Message] = []
    for message in messages:
        if message.role == "system" and misplaced(out):
            report(SystemMessageMoved("a reminder in a user message"))
            out.append(_reminder(message))
        else:
            out.append(message)
    return out


def _reminder(message: Message) -> Message:
    text = "\n\n".join(part.text for part in message.content if type(part) is TextPart)
    return Message("user", (TextPart(f"{OPEN}\n{text}\n{CLOSE}"),))
