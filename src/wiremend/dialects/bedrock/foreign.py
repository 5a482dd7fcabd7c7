"""Blocks and messages in the shape of another API, as what they mean.

Converse has no ``type`` in its blocks: one that has it comes from the APIs of Anthropic or OpenAI.
"""

from __future__ import annotations

from wiremend.dialects.anthropic.blocks import read_block as read_anthropic
from wiremend.dialects.arguments import dump_arguments
from wiremend.dialects.base import Json
from wiremend.dialects.bedrock.blocks import member_of
from wiremend.dialects.foreign import read_foreign
from wiremend.model import ContextMessage, OpaquePart, Part, TextPart, ToolCall
from wiremend.model.parts import ThinkPart
from wiremend.projection.anomalies import ForeignPartConverted, ForeignPartDropped, OnAnomaly


def is_foreign(block: Json) -> bool:
    """Whether a block is another API's: it has a ``type``, and no member that only Converse has."""
    return isinstance(block.get("type"), str) and member_of(block) in (None, "text")


def at_home(message: ContextMessage) -> ContextMessage:
    """A message in another API's shape: what only that API knows does not come along."""
    parts = tuple(part for part in message.content if type(part) is not OpaquePart)
    return ContextMessage(
        message.role,
        parts,
        message.tool_calls,
        tool_call_id=message.tool_call_id,
        is_error=message.is_error,
    )


def read_type(block: Json, report: OnAnomaly) -> Part | None:
    """A part from a block with a ``type``; None, and a report, where its meaning is not plain."""
    kind = str(block["type"])
    part: Part | None = read_anthropic(block)
    if type(part) is TextPart:
        part = TextPart(part.text)
    elif type(part) is ThinkPart:
        part = ThinkPart(part.think, part.encrypted)
    elif type(part) is OpaquePart:
        part = read_foreign(block)
    report(ForeignPartDropped(kind) if part is None else ForeignPartConverted(kind))
    return part


def foreign_call(block: Json, report: OnAnomaly) -> ToolCall:
    """A call from a ``tool_use`` block."""
    report(ForeignPartConverted("tool_use"))
    call_id, name = block.get("id"), block.get("name")
    return ToolCall(
        call_id if isinstance(call_id, str) else "",
        name if isinstance(name, str) else "",
        dump_arguments(block.get("input", {})),
    )


def foreign_result(block: Json, report: OnAnomaly) -> ContextMessage:
    """A result from a ``tool_result`` block."""
    report(ForeignPartConverted("tool_result"))
    content = block.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    parts = [
        read_type(item, report)
        for item in (content if isinstance(content, list) else ())
        if isinstance(item, dict) and is_foreign(item)
    ]
    call_id = block.get("tool_use_id")
    return ContextMessage(
        "tool",
        tuple(part for part in parts if part is not None),
        tool_call_id=call_id if isinstance(call_id, str) else None,
        is_error=True if block.get("is_error") is True else None,
    )
