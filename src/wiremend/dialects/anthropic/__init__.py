"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.anthropic.decode import decode_body
from wiremend.dialects.anthropic.encode import encode_messages
from wiremend.dialects.anthropic.fields import NAME
from wiremend.dialects.anthropic.models import takes_system_inside
from wiremend.dialects.anthropic.prepare import prepare_messages
from wiremend.dialects.anthropic.whole import (
    declare_tools,
    drop_surplus_marks,
    mend_end,
    mend_thinking,
)
from wiremend.dialects.base import Conversation, Json, tool_table
from wiremend.dialects.names import Alphabet, map_ids, map_names
from wiremend.model import Message
from wiremend.projection import OnAnomaly, Takes

# No length is documented for ids; the mapped ones are kept to what others take.
_IDS = Alphabet(r"[a-zA-Z0-9_-]+", 10_000)
_MAPPED_IDS = Alphabet(r"[a-zA-Z0-9_-]+", 64)
_NAMES = Alphabet(r"[a-zA-Z0-9_-]+", 128)
_TAKES = Takes(
    final_empty_assistant=True,
    empty_results=True,
    failed_results=True,
    results_in_any_order=True,
)

__all__ = ["Anthropic"]


class Anthropic:
    """The dialect ``anthropic``."""

    name = NAME

    def takes(self, envelope: Mapping[str, Any], *, strict: bool) -> Takes:  # noqa: ARG002
        """Anthropic wants text that says something and ids that are never used twice."""
        return _TAKES

    def decode(self, body: Json, report: OnAnomaly) -> Conversation:
        """See ``Dialect.decode``."""
        return decode_body(body, report)

    def prepare(self, conversation: Conversation, report: OnAnomaly) -> Sequence[Message]:
        """See ``Dialect.prepare``."""
        return prepare_messages(conversation.history, report)

    def encode(
        self,
        messages: Sequence[Message],
        envelope: Mapping[str, Any],
        report: OnAnomaly,
        *,
        strict: bool = False,
    ) -> Json:
        """See ``Dialect.encode``."""
        messages = map_ids(mend_end(messages, envelope, report), _IDS, report)
        body = declare_tools(messages, dict(envelope), report)
        defined = [
            tool["name"]
            for tool in tool_table(body)
            if isinstance(tool, dict) and isinstance(tool.get("name"), str)
        ]
        messages, renamed = map_names(messages, defined, _NAMES, report)
        if renamed and tool_table(body):
            body["tools"] = [_renamed(tool, renamed) for tool in tool_table(body)]
        system, wire = encode_messages(
            [m for m in messages if not (m.tools and not m.content and not m.tool_calls)],
            report,
            system_inside=takes_system_inside(envelope.get("model")),
            alternate=strict,
        )
        if system is not None:
            body["system"] = system
        elif body.get("system", "") is None:
            del body["system"]
        body["messages"] = wire
        return mend_thinking(drop_surplus_marks(body, report), report)


def _renamed(tool: Any, renamed: Mapping[str, str]) -> Any:
    name = tool.get("name") if isinstance(tool, dict) else None
    if isinstance(name, str) and name in renamed:
        return {**tool, "name": renamed[name]}
    return tool
