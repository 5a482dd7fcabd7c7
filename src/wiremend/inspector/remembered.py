"""A history as entries: what the agent remembers, with all that the provider never sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from wiremend.history.tokens import message_tokens
from wiremend.inspector.entries import Block, Entry, Origin
from wiremend.inspector.wire_blocks import as_json
from wiremend.model import (
    ContextMessage,
    DocumentPart,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    ToolCall,
    media_source,
    said_and_called,
    to_builtins,
)


def history_entries(history: Sequence[Message], times: Sequence[float | None] = ()) -> list[Entry]:
    """The entries of a history; ``times`` are when its messages came, in milliseconds."""
    out = [_entry(message, f"/{index}") for index, message in enumerate(history)]
    for entry, time in zip(out, times, strict=False):
        entry.time = time
    return out


def _entry(message: Message, pointer: str) -> Entry:
    blocks = [_block(piece) for piece in said_and_called(message)]
    if message.role == "tool":
        blocks = [Block("result", call=message.tool_call_id or "", parts=blocks)]
    if message.tools:
        blocks.append(Block("tools", as_json(msgspec.to_builtins(message.tools))))
    entry = Entry(
        message.role,
        message.role,
        blocks,
        pointer,
        partial=bool(message.partial),
        tokens=message_tokens(message),
    )
    if isinstance(message, ContextMessage):
        entry.id = message.id or ""
        entry.note = message.note or ""
        entry.failed = bool(message.is_error)
        entry.origin = _origin(message)
        if message.role == "tool":
            blocks[0].failed = entry.failed
    return entry


def _origin(message: ContextMessage) -> Origin | None:
    if message.origin is None:
        return None
    written: dict[str, Any] = dict(to_builtins(message)["origin"])
    kind = str(written.pop("kind", message.origin.kind))
    detail = {
        name: value if isinstance(value, str) else as_json(value) for name, value in written.items()
    }
    return Origin(kind, detail)


def _block(piece: Part | ToolCall) -> Block:
    if isinstance(piece, ToolCall):
        return Block("call", piece.arguments or "", piece.name, piece.id)
    if isinstance(piece, TextPart):
        return Block("text", piece.text)
    if isinstance(piece, ThinkPart):
        return Block("thinking", piece.think)
    if isinstance(piece, DocumentPart):
        address = piece.url or piece.file_id or ""
        return Block("document", piece.text or "", piece.title or "", source=address)
    if isinstance(piece, OpaquePart):
        kind = piece.data.get("type") if isinstance(piece.data, dict) else None
        return Block(
            "other", as_json(piece.data), kind if isinstance(kind, str) else piece.provider
        )
    found = media_source(piece)
    assert found is not None, "every other part is media"
    kind, source = found
    return Block(kind, source=source.url)  # type: ignore[arg-type]
