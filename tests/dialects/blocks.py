"""Short names for the blocks and messages of request bodies."""

from __future__ import annotations

from typing import Any

Body = dict[str, Any]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
TOOLS = [{"name": "run", "input_schema": {"type": "object"}}]
CHAT_TOOLS = [{"type": "function", "function": {"name": "run", "parameters": {"type": "object"}}}]
MARK = {"type": "ephemeral"}


def user(*content: Any) -> Body:
    return {"role": "user", "content": _content(content)}


def assistant(*content: Any) -> Body:
    return {"role": "assistant", "content": _content(content)}


def system(text: str) -> Body:
    return {"role": "system", "content": text}


def _content(content: tuple[Any, ...]) -> Any:
    return content[0] if content and isinstance(content[0], str) else list(content)


def text(words: str, **more: Any) -> Body:
    return {"type": "text", "text": words, **more}


def thinking(words: str, **more: Any) -> Body:
    return {"type": "thinking", "thinking": words, **more}


def use(call_id: Any, given: Any = None, **more: Any) -> Body:
    return {"type": "tool_use", "id": call_id, "name": "run", "input": given or {}, **more}


def result(call_id: Any, content: Any = "out", **more: Any) -> Body:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def search(call_id: str) -> Body:
    return {"type": "server_tool_use", "id": call_id, "name": "web_search", "input": {"query": "x"}}


def found(call_id: str) -> Body:
    return {"type": "web_search_tool_result", "tool_use_id": call_id, "content": []}


def image(media_type: str = "image/png", data: str = PNG) -> Body:
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": media_type, "data": data},
    }


def image_url(url: str = f"data:image/png;base64,{PNG}") -> Body:
    return {"type": "image_url", "image_url": {"url": url}}


def call(call_id: Any, arguments: Any = "{}", name: Any = "run") -> Body:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls: Body, content: Any = None) -> Body:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def tool(call_id: Any, content: Any = "out") -> Body:
    return {"role": "tool", "tool_call_id": call_id, "content": content}
