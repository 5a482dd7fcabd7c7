"""Reasoning that a provider wants back with every call, and that may have been lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.openai_chat.profile import Step
from wiremend.model import Message, ThinkPart, is_blank
from wiremend.projection.anomalies import OnAnomaly, ReasoningFilled, ThinkingDropped

LOST = "[The reasoning that led to call {} is not available.]"
"""Names the call, since models fall into repeating a text that is the same in every turn
(Lingtai-AI/lingtai-kernel#9)."""


def fill_reasoning(thinks: Callable[[Mapping[str, Any]], bool]) -> Step:
    """A step that gives messages with calls a line in the place of reasoning that is missing.

    ``thinks`` tells from the fields beside the messages whether thinking is on. An empty text
    counts as missing, one of white space does not (HKUDS/nanobot#946, hermes-agent#17341).
    """

    def step(
        messages: Sequence[Message], envelope: Mapping[str, Any], report: OnAnomaly
    ) -> Sequence[Message]:
        if not thinks(envelope):
            return messages
        return [
            _filled(message, report) if message.tool_calls and not _reasoned(message) else message
            for message in messages
        ]

    return step


def drop_reasoning(refuses: Callable[[Mapping[str, Any]], bool]) -> Step:
    """A step that leaves all reasoning out for a model that refuses it."""

    def step(
        messages: Sequence[Message], envelope: Mapping[str, Any], report: OnAnomaly
    ) -> Sequence[Message]:
        if not refuses(envelope):
            return messages
        return [_without(message, report) for message in messages]

    return step


def _reasoned(message: Message) -> bool:
    return any(type(part) is ThinkPart and part.think for part in message.content)


def _filled(message: Message, report: OnAnomaly) -> Message:
    first = message.tool_calls[0].id
    report(ReasoningFilled(first))
    rest = (part for part in message.content if type(part) is not ThinkPart)
    content = (ThinkPart(LOST.format(first)), *rest)
    return msgspec.structs.replace(message, content=content, call_positions=None)


def _without(message: Message, report: OnAnomaly) -> Message:
    thinking = [part for part in message.content if type(part) is ThinkPart]
    if not thinking:
        return message
    for part in thinking:
        if not is_blank(part.think):
            report(ThinkingDropped("refused by this model"))
    rest = tuple(part for part in message.content if type(part) is not ThinkPart)
    return msgspec.structs.replace(message, content=rest, call_positions=None)
