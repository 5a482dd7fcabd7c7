"""The same histories as request bodies, as a client of each API writes them, faults and all."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import groupby
from typing import Any, TypeAlias

from benchmarks.histories import TOOLS, History
from wiremend.model import ContextMessage, ImagePart, Part, TextPart, ThinkPart, ToolCall

Body: TypeAlias = dict[str, Any]

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}


def openai_chat(history: History) -> Body:
    """A body for Chat Completions."""
    tools = [{"type": "function", "function": {"name": n, "parameters": SCHEMA}} for n in TOOLS]
    return {"model": "gpt-5", "tools": tools, "messages": [_chat_message(m) for m in history]}


def anthropic(history: History) -> Body:
    """A body for Anthropic's Messages: the results of a step are one user message."""
    tools = [{"name": name, "input_schema": SCHEMA} for name in TOOLS]
    messages: list[Body] = []
    for is_result, run in groupby(history, key=lambda message: message.role == "tool"):
        if is_result:
            messages.append({"role": "user", "content": [_result_block(m) for m in run]})
        else:
            messages.extend({"role": m.role, "content": _blocks(m)} for m in run)
    return {
        "model": "claude-sonnet-4-5",
        "max_tokens": 8192,
        "thinking": {"type": "enabled", "budget_tokens": 4096},
        "tools": tools,
        "messages": messages,
    }


BODIES: dict[str, Callable[[History], Body]] = {
    "openai-chat": openai_chat,
    "anthropic": anthropic,
}


def text_of(message: ContextMessage) -> str:
    """The only text of a message, or an empty one."""
    return "".join(part.text for part in message.content if type(part) is TextPart)


def _chat_message(message: ContextMessage) -> Body:
    out: Body = {"role": message.role, "content": _chat_content(message)}
    thoughts = [part.think for part in message.content if type(part) is ThinkPart]
    if thoughts:
        out["reasoning_content"] = thoughts[0]
    if message.tool_calls:
        out["tool_calls"] = [_chat_call(call) for call in message.tool_calls]
    if message.role == "tool":
        out["tool_call_id"] = message.tool_call_id or ""
    return out


def _chat_content(message: ContextMessage) -> Any:
    said = [part for part in message.content if type(part) is not ThinkPart]
    if not said:
        return None
    if len(said) == 1 and type(said[0]) is TextPart:
        return said[0].text
    return [_chat_part(part) for part in said]


def _chat_part(part: Part) -> Body:
    if type(part) is ImagePart:
        return {"type": "image_url", "image_url": {"url": part.image_url.url}}
    assert type(part) is TextPart
    return {"type": "text", "text": part.text}


def _chat_call(call: ToolCall) -> Body:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _blocks(message: ContextMessage) -> list[Body]:
    return [*map(_block, message.content), *map(_call_block, message.tool_calls)]


def _block(part: Part) -> Body:
    if type(part) is ThinkPart:
        return {"type": "thinking", "thinking": part.think, "signature": part.encrypted or ""}
    if type(part) is ImagePart:
        return {"type": "image", "source": _source(part.image_url.url)}
    assert type(part) is TextPart
    return {"type": "text", "text": part.text}


def _source(url: str) -> Body:
    if not url.startswith("data:"):
        return {"type": "url", "url": url}
    label, _, data = url.removeprefix("data:").partition(";base64,")
    return {"type": "base64", "media_type": label, "data": data}


def _call_block(call: ToolCall) -> Body:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call.arguments)}


def _input(arguments: str | None) -> Any:
    """The arguments as a value; what does not parse as the text that it is."""
    try:
        return json.loads(arguments or "")
    except ValueError:
        return arguments


def _result_block(message: ContextMessage) -> Body:
    said = [part for part in message.content if type(part) is not TextPart]
    content = [_block(part) for part in message.content] if said else text_of(message)
    return {"type": "tool_result", "tool_use_id": message.tool_call_id or "", "content": content}
