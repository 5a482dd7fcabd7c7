"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.anthropic.decode import decode_body
from wiremend.dialects.anthropic.deferred import read_references, refer_to_loaded
from wiremend.dialects.anthropic.encode import encode_messages
from wiremend.dialects.anthropic.fields import NAME
from wiremend.dialects.anthropic.growth import growth_of
from wiremend.dialects.anthropic.marks import mend_marks
from wiremend.dialects.anthropic.models import takes_system_inside
from wiremend.dialects.anthropic.prepare import prepare_messages
from wiremend.dialects.anthropic.settings import read_settings, write_settings
from wiremend.dialects.anthropic.whole import (
    declare_tools,
    mend_end,
    mend_thinking,
    native_tool,
)
from wiremend.dialects.base import Dialect, Json, spoken, tool_table
from wiremend.dialects.images import replace_large_images
from wiremend.dialects.names import Alphabet, map_ids, map_names
from wiremend.limits import limits
from wiremend.model import Message
from wiremend.projection import OnAnomaly, Takes

# No length is documented for ids: any that a log could hold is taken.
_IDS = Alphabet(r"[a-zA-Z0-9_-]+", 10_000)
_NAMES = Alphabet(r"[a-zA-Z0-9_-]+", 128)
_TAKES = Takes(
    final_empty_assistant=True,
    empty_results=True,
    failed_results=True,
    results_in_any_order=True,
)

__all__ = ["ANTHROPIC"]


def _encode(
    messages: Sequence[Message],
    envelope: Mapping[str, Any],
    report: OnAnomaly,
    *,
    strict: bool = False,
) -> Json:
    messages, body = refer_to_loaded(messages, dict(envelope), native_tool, _NAMES.takes)
    body = declare_tools(messages, body, report)
    largest = limits(NAME, envelope.get("model")).image_data
    messages = replace_large_images(messages, largest, report)
    messages = map_ids(mend_end(spoken(messages), envelope, report), _IDS, report)
    defined = [
        tool["name"]
        for tool in tool_table(body)
        if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    ]
    messages, renamed = map_names(messages, defined, _NAMES, report)
    if renamed and tool_table(body):
        body["tools"] = [_renamed(tool, renamed) for tool in tool_table(body)]
    system, wire = encode_messages(
        messages,
        report,
        system_inside=takes_system_inside(envelope.get("model")),
        alternate=strict,
    )
    if system is not None:
        body["system"] = system
    elif body.get("system", "") is None:
        del body["system"]
    body["messages"] = wire
    return mend_thinking(mend_marks(body, report), report)


def _renamed(tool: Any, renamed: Mapping[str, str]) -> Any:
    name = tool.get("name") if isinstance(tool, dict) else None
    if isinstance(name, str) and name in renamed:
        return {**tool, "name": renamed[name]}
    return tool


ANTHROPIC = Dialect(
    name=NAME,
    holds="messages",
    family=NAME,
    thinking="claude",
    takes=_TAKES,
    decode=decode_body,
    prepare=prepare_messages,
    encode=_encode,
    read_settings=read_settings,
    write_settings=write_settings,
    read_tools=read_references,
    loads_tools=True,
    growth=growth_of(_IDS, _NAMES),
)
"""Messages of Anthropic: wants text that says something, and ids that are never used twice."""
