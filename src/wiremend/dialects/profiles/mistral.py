"""Mistral.

Sources: ``mistral_common.protocol.instruct.validator`` (order, counts, ids), the ``mistralai``
SDK (fields and chunks), reports 036, 038, 040 and 042.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.names import ShortIds
from wiremend.dialects.openai_chat import Profile, make_dialect
from wiremend.dialects.openai_chat.fields import FIELD
from wiremend.dialects.openai_chat.profile import LENIENT, PLAIN_ROLES, USUAL_NAMES
from wiremend.dialects.openai_chat.settings import Words
from wiremend.dialects.profiles.mistral_parts import (
    NAME,
    documents_by_address,
    known_fields,
    read_part,
    write_part,
)
from wiremend.dialects.profiles.order import system_not_after_the_model
from wiremend.model import Message, OpaquePart, Part, TextPart, with_content
from wiremend.projection.anomalies import (
    BridgeInserted,
    FieldDropped,
    FinalUserInserted,
    OnAnomaly,
)
from wiremend.projection.neighbours import lead_with_user

BRIDGE = "[The user goes on.]"
CONTINUE = "Continue."
_PREFIX = "prefix"


def lead_calls(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """A user message in front of calls that start the conversation, or of one answer alone.

    The validators begin to count calls with the second message.
    """
    alone = len(messages) == 1 and messages[0].role == "assistant"
    if alone or (messages and messages[0].tool_calls):
        return lead_with_user(messages, report)
    return messages


def bridge_to_user(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """An assistant message between a result and the user (report 036)."""
    out: list[Message] = []
    for message in messages:
        if out and out[-1].role == "tool" and message.role == "user":
            report(BridgeInserted())
            out.append(Message("assistant", (TextPart(BRIDGE),)))
        out.append(message)
    return out


def prefix_last(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """The last message is no finished answer, and no other message is a prefix (report 040)."""
    if not messages:
        return messages
    out = [_unmarked(message, report) for message in messages[:-1]]
    last = messages[-1]
    out.append(last)
    if last.role == "assistant" and not last.tool_calls and not any(map(_marks, last.content)):
        report(FinalUserInserted())
        out.append(Message("user", (TextPart(CONTINUE),)))
    return out


def _marks(part: Part) -> bool:
    """Whether this stands for the field that makes a message a prefix."""
    return (
        type(part) is OpaquePart and isinstance(part.data, dict) and part.data.get(FIELD) == _PREFIX
    )


def _unmarked(message: Message, report: OnAnomaly) -> Message:
    kept = [n for n, part in enumerate(message.content) if not _marks(part)]
    if len(kept) == len(message.content):
        return message
    report(FieldDropped(_PREFIX, message.role))
    return with_content(message, tuple(message.content[n] for n in kept), kept)


MISTRAL_PROFILE = Profile(
    words=Words(most_tokens="max_tokens", required="any", cache_key=None, bare_tools=False),
    name=NAME,
    takes=msgspec.structs.replace(LENIENT, blank_messages=frozenset({"system", "user"})),
    ids=ShortIds(r"[a-zA-Z0-9]{9}", 9),
    names=USUAL_NAMES,
    roles=PLAIN_ROLES,
    media=frozenset({"image", "audio", "document"}),
    remote_audio=True,
    remote_documents=True,
    foreign=frozenset({"file"}),
    reasoning=(),
    said_in_fields=(_PREFIX,),
    parsed_arguments=True,
    read_part=read_part,
    write_part=write_part,
    before=(documents_by_address, known_fields),
    steps=(lead_calls, system_not_after_the_model, bridge_to_user, prefix_last),
)
MISTRAL = make_dialect(MISTRAL_PROFILE)
"""Chat Completions of Mistral: short ids, roles in their order, and no unknown field."""
