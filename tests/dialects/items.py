"""Short names for the items of Responses requests."""

from __future__ import annotations

from typing import Any

from tests.dialects.blocks import PNG, Body

NAME = "openai-responses"
TOOLS = [{"type": "function", "name": "run", "parameters": None, "strict": False}]
ENCRYPTED = {"encrypted_content": "ZW5j"}


def user(*content: Any, role: str = "user") -> Body:
    given: Any = content[0] if isinstance(content[0], str) else list(content)
    return {"role": role, "content": given}


def given(text: str, **more: Any) -> Body:
    return {"type": "input_text", "text": text, **more}


def answer(*texts: str, **more: Any) -> Body:
    parts = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "role": "assistant", "content": parts, **more}


def image(url: str = f"data:image/png;base64,{PNG}") -> Body:
    return {"type": "input_image", "image_url": url, "detail": "auto"}


def call(call_id: Any = "a", kind: str = "function_call", **more: Any) -> Body:
    if kind == "function_call":
        more = {"name": "run", "arguments": "{}", **more}
    return {"type": kind, "call_id": call_id, **more}


def output(
    call_id: Any = "a", result: Any = "out", kind: str = "function_call", **more: Any
) -> Body:
    return {"type": f"{kind}_output", "call_id": call_id, "output": result, **more}


def reasoning(item_id: str = "rs_1", **more: Any) -> Body:
    return {"type": "reasoning", "id": item_id, "summary": [], **more}


ASK, MORE = user("q"), user("more")
SHELL: Body = {"action": {"commands": ["ls"]}, "status": "completed", "id": "sh_1"}
SCREEN = {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{PNG}"}
COMPUTER: Body = {"action": {"type": "screenshot"}, "id": "cu_1"}
COMPUTER |= {"pending_safety_checks": [], "status": "completed"}
DELETE = {"type": "delete_file", "path": "x"}
SEARCHED: Body = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
SEARCHED |= {"action": {"type": "search", "query": "x"}}


def body_of(fields: Body) -> Body:
    return {"model": "gpt-5", "tools": TOOLS, **fields}
