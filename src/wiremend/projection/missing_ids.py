"""Stage 0, when sending: calls and results that lost their id get it back where it is certain."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import msgspec

from wiremend.model import Message
from wiremend.projection.anomalies import (
    OnAnomaly,
    ToolCallIdRestored,
    ToolResultWithoutIdDropped,
)


def restore_ids(history: Sequence[Message], report: OnAnomaly) -> Sequence[Message]:
    """Name calls without an id, and join results without one to the only call they can answer.

    A nameless result belongs to a call when it stands in the run of results behind it and as
    many calls there are unanswered as there are nameless results; otherwise it is dropped.
    """
    if not _any_lacks_id(history):
        return history
    out: list[Message] = []
    index = 0
    while index < len(history):
        message = history[index]
        end = index + 1
        while end < len(history) and history[end].role == "tool":
            end += 1
        if message.role == "tool":
            out.extend(_named_results(history[index:end], [], report))
        else:
            message = _named_calls(message, index, report)
            out.append(message)
            open_ids = [call.id for call in message.tool_calls]
            out.extend(_named_results(history[index + 1 : end], open_ids, report))
        index = end
    return out


def _any_lacks_id(history: Sequence[Message]) -> bool:
    for message in history:
        if message.role == "tool":
            if not message.tool_call_id:
                return True
        else:
            for call in message.tool_calls:
                if not call.id:
                    return True
    return False


def _named_calls(message: Message, index: int, report: OnAnomaly) -> Message:
    if not any(not call.id for call in message.tool_calls):
        return message
    calls = list(message.tool_calls)
    for n, call in enumerate(calls):
        if not call.id:
            # The place in the history is what tells calls apart on every later request too.
            calls[n] = msgspec.structs.replace(call, id=f"call_{index}_{n}")
            report(ToolCallIdRestored(message.role, calls[n].id))
    return msgspec.structs.replace(message, tool_calls=tuple(calls))


def _named_results(
    results: Sequence[Message], open_ids: list[str], report: OnAnomaly
) -> list[Message]:
    answered = {message.tool_call_id for message in results}
    waiting = deque(call_id for call_id in open_ids if call_id not in answered)
    nameless = sum(1 for message in results if not message.tool_call_id)
    certain = len(waiting) == nameless
    out: list[Message] = []
    for message in results:
        if message.tool_call_id:
            out.append(message)
        elif certain:
            call_id = waiting.popleft()
            out.append(msgspec.structs.replace(message, tool_call_id=call_id))
            report(ToolCallIdRestored(message.role, call_id))
        else:
            report(ToolResultWithoutIdDropped())
    return out
