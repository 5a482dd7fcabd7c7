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
from wiremend.dialects.openai_chat.settings import SettingWords
from wiremend.dialects.profiles.mistral_parts import (
    NAME,
    documents_by_address,
    known_fields,
    read_part,
    write_part,
)
from wiremend.dialects.profiles.order import system_not_after_the_model
from wiremend.model import Message, OpaquePart, Part, TextPart, is_vacuous, with_content
from wiremend.projection.anomalies import (
    BridgeInserted,
    FieldDropped,
    FinalUserInserted,
    OnAnomaly,
    VacuousMessageDropped,
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


def only_last_prefix(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """The messages without the mark of a prefix on any but the last one."""
    out: list[Message] = []
    for message in messages[:-1]:
        plain = _unmarked(message, report)
        if plain is not message and not plain.tool_calls and all(map(is_vacuous, plain.content)):
            report(VacuousMessageDropped(plain.role))
        else:
            out.append(plain)
    return [*out, *messages[-1:]]


def open_end(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """A user message behind a last answer that is no prefix (report 040)."""
    last = messages[-1] if messages else None
    if last is None or last.role != "assistant" or last.tool_calls:
        return messages
    if any(map(_marks, last.content)):
        return messages
    report(FinalUserInserted())
    return [*messages, Message("user", (TextPart(CONTINUE),))]


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
    name=NAME,
    takes=msgspec.structs.replace(
        LENIENT, thinking_alone=True, blank_messages=frozenset({"system", "user"})
    ),
    ids=ShortIds(r"[a-zA-Z0-9]{9}", 9),
    names=USUAL_NAMES,
    roles=PLAIN_ROLES,
    media=frozenset({"image", "audio", "document"}),
    remote_audio=True,
    remote_documents=True,
    foreign=frozenset({"file", "refusal"}),
    reasoning=(),
    said_in_fields=(),
    marks=(_PREFIX,),
    parsed_arguments=True,
    read_part=read_part,
    write_part=write_part,
    before=(documents_by_address, known_fields),
    settings=SettingWords(max_tokens="max_tokens", top_k=True, needs_parameters=True),
    steps_look_around=False,
    steps=(only_last_prefix, lead_calls, system_not_after_the_model, bridge_to_user, open_end),
)
MISTRAL = make_dialect(MISTRAL_PROFILE)
"""Chat Completions of Mistral: short ids, roles in their order, and no unknown field."""
