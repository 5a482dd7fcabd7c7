"""Events of Anthropic's Messages put together."""

from __future__ import annotations

import json
from typing import Any

from wiremend.service.deltas import CallDelta, Delta, TextDelta, ThinkDelta
from wiremend.service.failures import BrokenAnswerError, ProviderError
from wiremend.service.readers.base import Json, text_of

_APPENDED = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
    "compaction_delta": ("content", "content"),
}
"""By the kind of a delta: its field, and the field of the block that it goes to."""


class AnthropicReader:
    """One message, block by block."""

    def __init__(self) -> None:
        self._message: Json = {}
        self._blocks: dict[int, Json] = {}
        self._inputs: dict[int, str] = {}
        self._calls: dict[int, int] = {}

    def feed(self, chunk: Json) -> list[Delta]:
        """See ``Reader``."""
        kind = chunk.get("type")
        if kind == "error":
            raise ProviderError(200, chunk)
        if kind == "message_start":
            self._message = dict(chunk["message"])
        elif kind == "content_block_start":
            return self._start(chunk["index"], dict(chunk["content_block"]))
        elif kind == "content_block_delta":
            return self._delta(chunk["index"], chunk["delta"])
        elif kind == "message_delta":
            self._message.update(chunk.get("delta") or {})
            extra = {n: v for n, v in chunk.items() if n not in ("type", "delta", "usage")}
            self._message.update(extra)
            used = {n: v for n, v in (chunk.get("usage") or {}).items() if v is not None}
            self._message["usage"] = {**(self._message.get("usage") or {}), **used}
        return []

    def response(self) -> Json:
        """See ``Reader``."""
        if not self._message.get("stop_reason"):
            raise BrokenAnswerError
        content = [self._whole(index) for index in sorted(self._blocks)]
        return {**self._message, "content": content}

    def _start(self, index: int, block: Json) -> list[Delta]:
        self._blocks[index] = block
        if block.get("type") == "tool_use":
            self._calls[index] = len(self._calls)
            return [self._piece(index, "")]
        text = text_of(block.get("text"))
        return [TextDelta(text)] if text else []

    def _delta(self, index: int, delta: Json) -> list[Delta]:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        kind = delta.get("type", "")
        if kind == "input_json_delta":
            piece = text_of(delta.get("partial_json"))
            self._inputs[index] = self._inputs.get(index, "") + piece
            return [self._piece(index, piece)] if index in self._calls and piece else []
        if kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta.get("citation")]
            return []
        if kind not in _APPENDED:
            block.update({n: v for n, v in delta.items() if n != "type" and v is not None})
            return []
        source, target = _APPENDED[kind]
        piece = text_of(delta.get(source))
        block[target] = text_of(block.get(target)) + piece
        if not piece or kind not in ("text_delta", "thinking_delta"):
            return []
        return [TextDelta(piece) if kind == "text_delta" else ThinkDelta(piece)]

    def _piece(self, index: int, arguments: str) -> Delta:
        block = self._blocks[index]
        return CallDelta(
            self._calls[index], text_of(block.get("id")), text_of(block.get("name")), arguments
        )

    def _whole(self, index: int) -> Json:
        block, written = self._blocks[index], self._inputs.get(index)
        return block if not written else {**block, "input": _parsed(written)}


def _parsed(written: str) -> Any:
    try:
        return json.loads(written)
    except json.JSONDecodeError:
        # Cut off by a limit of tokens: kept as it came, for whoever mends it.
        return written
