"""Stage 4, for providers that still object: spec 3.5 on messages that are paired already."""

from __future__ import annotations

from collections.abc import Sequence

from wiremend.model import Message, ToolCall, is_vacuous, joined, with_calls
from wiremend.projection.anomalies import (
    ConsecutiveAssistantsMerged,
    DuplicateToolCallDropped,
    DuplicateToolResultDropped,
    LeadingNonUserDropped,
    OnAnomaly,
    VacuousMessageDropped,
)
from wiremend.projection.wire import reads_like_synthetic

_TWO_ASSISTANTS = "assistant assistant"


def drop_duplicates(messages: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """Drop later calls, and later results, that repeat an id.

    A real result takes the place of an earlier one that only stands in for it.
    """
    called: set[str] = set()
    answered: dict[str, int] = {}
    out: list[Message] = []
    for message in messages:
        if message.role == "assistant":
            calls = message.tool_calls
            if not calls:
                out.append(message)
                continue
            if len(calls) == 1 and calls[0].id not in called:
                called.add(calls[0].id)
                out.append(message)
                continue
            remaining = _without_repeated_calls(message, called, report)
            if remaining is not None:
                out.append(remaining)
            continue
        call_id = message.tool_call_id if message.role == "tool" else None
        if call_id is not None:
            earlier = answered.get(call_id)
            if earlier is not None:
                if reads_like_synthetic(out[earlier]) and not reads_like_synthetic(message):
                    out[earlier] = message
                else:
                    report(DuplicateToolResultDropped(call_id))
                continue
            answered[call_id] = len(out)
        out.append(message)
    return out


def merge_assistants(messages: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """Make one message of assistant messages in a row, their parts and calls in order."""
    # Nearly always there are none, and one search in a text settles that.
    if _TWO_ASSISTANTS not in " ".join([message.role for message in messages]):
        return list(messages)
    out: list[Message] = []
    start = -1  # where the run of assistants at the end of the output starts
    for message in messages:
        if message.role == "assistant":
            if start < 0:
                start = len(out)
            else:
                report(ConsecutiveAssistantsMerged())
        elif start >= 0:
            if len(out) - start > 1:
                out[start:] = [joined(out[start:])]
            start = -1
        out.append(message)
    if 0 <= start < len(out) - 1:
        out[start:] = [joined(out[start:])]
    return out


def drop_leading(
    messages: Sequence[Message], report: OnAnomaly, *, keep_system: bool
) -> list[Message]:
    """Drop what stands before the first user message.

    ``keep_system`` keeps system messages, and keeps everything where there is no user message.
    """
    start = next((i for i, m in enumerate(messages) if m.role == "user"), len(messages))
    if keep_system and start == len(messages):
        return list(messages)
    kept: list[Message] = []
    for message in messages[:start]:
        if keep_system and message.role == "system":
            kept.append(message)
        else:
            report(LeadingNonUserDropped(message.role))
    return [*kept, *messages[start:]]


def _without_repeated_calls(
    message: Message, called: set[str], report: OnAnomaly
) -> Message | None:
    calls: list[ToolCall] = []
    kept: list[int] = []
    for index, call in enumerate(message.tool_calls):
        if call.id in called:
            report(DuplicateToolCallDropped(call.id))
            continue
        called.add(call.id)
        calls.append(call)
        kept.append(index)
    if len(calls) == len(message.tool_calls):
        return message
    if calls or not all(is_vacuous(part) for part in message.content):
        return with_calls(message, tuple(calls), kept)
    if message.content:
        report(VacuousMessageDropped(message.role))
    return None
