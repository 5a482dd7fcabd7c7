"""Stage 5, when sending: who has to speak first, and who may not speak twice in a row."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wiremend.model import Message, TextPart, joined
from wiremend.projection.anomalies import LeadingUserInserted, NeighboursMerged, OnAnomaly
from wiremend.projection.wire import LEADING_USER


def lead_with_user(messages: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """Put a user message in front of a conversation that starts without one, or that is empty."""
    at = next((i for i, m in enumerate(messages) if m.role != "system"), len(messages))
    if at < len(messages) and messages[at].role == "user":
        return list(messages)
    report(LeadingUserInserted())
    return [*messages[:at], Message("user", (TextPart(LEADING_USER),)), *messages[at:]]


def merge_neighbours(
    messages: Sequence[Message],
    report: OnAnomaly,
    roles: tuple[str, ...] = ("user", "assistant"),
) -> list[Message]:
    """Make one message of messages of one of these roles in a row; a blank line between texts."""
    out: list[Message] = []
    run: list[Message] = []
    for message in messages:
        if run and (message.role != run[0].role or message.role not in roles):
            out.append(_one(run))
            run = []
        elif run:
            report(NeighboursMerged(message.role))
        run.append(message)
    if run:
        out.append(_one(run))
    return out


def _one(run: list[Message]) -> Message:
    if len(run) == 1:
        return run[0]
    texts = [_only_text(message) for message in run]
    if any(text is None for text in texts):
        return joined(run)
    text = "\n\n".join(text for text in texts if text is not None)
    return msgspec.structs.replace(joined(run), content=(TextPart(text),))


def _only_text(message: Message) -> str | None:
    content = message.content
    if len(content) == 1 and type(content[0]) is TextPart and content[0].extras is None:
        return content[0].text if not message.tool_calls else None
    return None
