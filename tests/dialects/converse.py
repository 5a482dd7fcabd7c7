"""Short names for the blocks and messages of Converse requests."""

from __future__ import annotations

from typing import Any

Body = dict[str, Any]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
PDF = "JVBERi0xLjQK"
CLAUDE = "anthropic.claude-sonnet-4-5-20250929-v1:0"
LLAMA = "us.meta.llama4-maverick-17b-instruct-v1:0"
NOVA = "amazon.nova-pro-v1:0"
TOOLS = {"tools": [{"toolSpec": {"name": "run", "inputSchema": {"json": {"type": "object"}}}}]}
POINT = {"cachePoint": {"type": "default"}}


def user(*blocks: Any) -> Body:
    return {"role": "user", "content": [_block(block) for block in blocks]}


def assistant(*blocks: Any) -> Body:
    return {"role": "assistant", "content": [_block(block) for block in blocks]}


def _block(block: Any) -> Any:
    return {"text": block} if isinstance(block, str) else block


def use(call_id: Any, given: Any = None, **more: Any) -> Body:
    return {"toolUse": {"toolUseId": call_id, "name": "run", "input": given or {}, **more}}


def result(call_id: Any, *content: Any, **more: Any) -> Body:
    blocks = [_block(block) for block in content]
    return {"toolResult": {"toolUseId": call_id, "content": blocks, **more}}


def thinking(words: Any, **more: Any) -> Body:
    return {"reasoningContent": {"reasoningText": {"text": words, **more}}}


def image(written: str = "png", data: Any = PNG) -> Body:
    return {"image": {"format": written, "source": {"bytes": data}}}


def document(name: Any, written: str = "pdf", **source: Any) -> Body:
    return {"document": {"format": written, "name": name, "source": source or {"bytes": PDF}}}
