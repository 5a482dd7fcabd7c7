"""A dialect out of a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.base import Conversation, Dialect, Json, spoken, tool_table
from wiremend.dialects.moving import move_media
from wiremend.dialects.names import map_ids, map_names
from wiremend.dialects.openai_chat.decode import decode_body
from wiremend.dialects.openai_chat.encode import declare_tools, encode_messages, tool_name
from wiremend.dialects.openai_chat.fields import NAME
from wiremend.dialects.openai_chat.growth import growth_of
from wiremend.dialects.openai_chat.prepare import prepare_messages
from wiremend.dialects.openai_chat.profile import Profile
from wiremend.dialects.openai_chat.settings import settings_for
from wiremend.model import Message, is_vacuous
from wiremend.projection import OnAnomaly


def make_dialect(profile: Profile) -> Dialect:
    """The dialect of the server that a profile describes."""

    def decode(body: Json, report: OnAnomaly) -> Conversation:
        return decode_body(body, report, profile)

    def prepare(history: Sequence[Message], report: OnAnomaly) -> Sequence[Message]:
        return prepare_messages(history, report, profile)

    def encode(
        messages: Sequence[Message],
        envelope: Mapping[str, Any],
        report: OnAnomaly,
        *,
        strict: bool = False,  # noqa: ARG001 (one way to write is enough)
    ) -> Json:
        return _encode(messages, envelope, report, profile)

    read, write = settings_for(profile.settings)
    return Dialect(
        name=profile.name,
        holds="messages",
        family=NAME,
        thinking=NAME,
        takes=profile.takes,
        decode=decode,
        prepare=prepare,
        encode=encode,
        read_settings=read,
        write_settings=write,
        loads_tools=profile.tools_in_messages,
        growth=growth_of(profile),
    )


def _encode(
    messages: Sequence[Message], envelope: Mapping[str, Any], report: OnAnomaly, profile: Profile
) -> Json:
    body = dict(envelope)
    if not profile.tools_in_messages:
        body = declare_tools(envelope, messages)
        messages = [m for m in spoken(messages) if not _only_declares(m, profile)]
    messages = move_media(
        messages,
        report,
        taken_from=profile.media_roles,
        may_be_blank={"tool", *profile.takes.blank_messages},
    )
    for step in profile.steps:
        messages = step(messages, body, report)
    messages = map_ids(messages, profile.ids, report)
    declared = [tool for message in messages for tool in message.tools or ()]
    defined = [
        name for tool in (*tool_table(body), *declared) if (name := tool_name(tool)) is not None
    ]
    messages, renamed = map_names(messages, defined, profile.names, report)
    if renamed:
        messages = [_with_renamed_tools(message, renamed) for message in messages]
    if renamed and tool_table(body):
        body["tools"] = [_renamed(tool, renamed) for tool in tool_table(body)]
    body["messages"] = encode_messages(messages, report, profile)
    return body


def _only_declares(message: Message, profile: Profile) -> bool:
    """Whether a message that declared tools has nothing left but blank text that is refused."""
    return (
        bool(message.tools)
        and not message.tool_calls
        and message.role not in profile.takes.blank_messages
        and all(is_vacuous(part) for part in message.content)
    )


def _with_renamed_tools(message: Message, renamed: Mapping[str, str]) -> Message:
    if not message.tools:
        return message
    tools = tuple(_renamed(tool, renamed) for tool in message.tools)
    return msgspec.structs.replace(message, tools=tools)


def _renamed(tool: Any, renamed: Mapping[str, str]) -> Any:
    if not isinstance(tool, dict):
        return tool
    for key in ("function", "custom"):
        inner = tool.get(key)
        if isinstance(inner, dict):
            name = inner.get("name")
            if isinstance(name, str) and name in renamed:
                return {**tool, key: {**inner, "name": renamed[name]}}
    name = tool.get("name")
    return {**tool, "name": renamed[name]} if isinstance(name, str) and name in renamed else tool
