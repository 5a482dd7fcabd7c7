"""OpenAI Chat Completions, and the ground on which compatible servers stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.base import Dialect, Json, spoken, tool_table
from wiremend.dialects.names import Alphabet, map_ids, map_names
from wiremend.dialects.openai_chat.decode import decode_body
from wiremend.dialects.openai_chat.encode import declare_tools, encode_messages, tool_name
from wiremend.dialects.openai_chat.fields import NAME
from wiremend.dialects.openai_chat.prepare import move_media, prepare_messages
from wiremend.model import Message
from wiremend.projection import OnAnomaly, Takes

_IDS = Alphabet(r"(?s).+", 40)
_NAMES = Alphabet(r"[a-zA-Z0-9_-]+", 64)
_TAKES = Takes(
    blank_text=True,
    thinking_alone=False,
    results_in_any_order=True,
    reused_ids=True,
    assistant_first=True,
)

__all__ = ["OPENAI_CHAT"]


def _encode(
    messages: Sequence[Message],
    envelope: Mapping[str, Any],
    report: OnAnomaly,
    *,
    strict: bool = False,  # noqa: ARG001 (one way to write is enough)
) -> Json:
    messages = map_ids(move_media(messages, report), _IDS, report)
    body = declare_tools(envelope, messages)
    defined = [name for name in map(tool_name, tool_table(body)) if name is not None]
    messages, renamed = map_names(messages, defined, _NAMES, report)
    if renamed and tool_table(body):
        body["tools"] = [_renamed(tool, renamed) for tool in tool_table(body)]
    body["messages"] = encode_messages(spoken(messages), report)
    return body


def _renamed(tool: Any, renamed: Mapping[str, str]) -> Any:
    for key in ("function", "custom"):
        inner = tool.get(key) if isinstance(tool, dict) else None
        if not isinstance(inner, dict):
            continue
        name = inner.get("name")
        if isinstance(name, str) and name in renamed:
            return {**tool, key: {**inner, "name": renamed[name]}}
    return tool


OPENAI_CHAT = Dialect(
    name=NAME,
    holds="messages",
    takes=_TAKES,
    decode=decode_body,
    prepare=prepare_messages,
    encode=_encode,
)
"""Chat Completions of OpenAI: lenient about content, order and ids, strict about pairing."""
