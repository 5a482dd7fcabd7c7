"""What comes after the end of a log: the results that are still awaited, and the next prompt.

A log ends where the tool was when it was written: behind an answer, or in the middle of a turn.
Neither is a fault, so a log is judged and mended with what its tool would send next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiremend.logs.base import Json, objects

PROMPT = "(the next prompt)"
AWAITED = "(a result that is still awaited)"


def anthropic_closing(messages: Sequence[Json]) -> list[Json]:
    """The blocks of a user message that answers the calls of the last turn, and prompts."""
    calls: list[str] = []
    for message in reversed(messages):
        if message.get("role") == "assistant":
            blocks = objects(message.get("content"))
            calls = [str(b.get("id")) for b in blocks if b.get("type") == "tool_use"]
            break
        blocks = objects(message.get("content"))
        if not blocks or any(block.get("type") != "tool_result" for block in blocks):
            break
    last = objects(messages[-1].get("content")) if messages else []
    answered = {str(block.get("tool_use_id")) for block in last}
    content = [
        {"type": "tool_result", "tool_use_id": call, "content": AWAITED}
        for call in calls
        if call not in answered
    ]
    return [*content, {"type": "text", "text": PROMPT}]


def closed(messages: Sequence[Json], closing: Sequence[Json], parts: str = "content") -> list[Json]:
    """The messages with these parts of the user's behind them, in the last one if it is theirs."""
    if not closing:
        return list(messages)
    *before, last = messages or [{"role": "user", parts: []}]
    if last["role"] == "user":
        return [*before, {**last, parts: [*last[parts], *closing]}]
    return [*messages, {"role": "user", parts: list(closing)}]


def chat_closing(messages: Sequence[Json]) -> list[Json]:
    """Tool messages that answer the calls of the last turn, and a prompt."""
    answered: set[Any] = set()
    out: list[Json] = []
    for message in reversed(messages):
        if message.get("role") == "tool":
            answered.add(str(message.get("tool_call_id")))
            continue
        if message.get("role") == "assistant":
            calls = (call.get("id") for call in objects(message.get("tool_calls")))
            out = [
                {"role": "tool", "tool_call_id": call, "content": AWAITED}
                for call in calls
                if isinstance(call, str) and call not in answered
            ]
        break
    return [*out, {"role": "user", "content": PROMPT}]


_OUTPUTS = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    # What Codex answers it with.
    "local_shell_call": "function_call_output",
    "tool_search_call": "tool_search_output",
}


def responses_closing(items: Sequence[Json]) -> list[Json]:
    """Outputs for the calls of the last turn, and a prompt."""
    answered: set[Any] = set()
    out: list[Json] = []
    for item in reversed(items):
        kind = item.get("type", "message")
        if kind == "message" and item.get("role") != "assistant":
            break
        kind = kind if isinstance(kind, str) else ""
        if kind in _OUTPUTS.values():
            answered.add(str(item.get("call_id")))
        elif kind in _OUTPUTS and isinstance(item.get("call_id"), str):
            call = item["call_id"]
            if call not in answered:
                out.insert(0, _awaited(_OUTPUTS[kind], call))
    prompt = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": PROMPT}],
    }
    return [*out, prompt]


def _awaited(kind: str, call: str) -> Json:
    if kind == "tool_search_output":
        return {"type": kind, "call_id": call, "execution": "client", "tools": []}
    return {"type": kind, "call_id": call, "output": AWAITED}


def gemini_closing(contents: Sequence[Json]) -> list[Json]:
    """The parts of a user turn that answers the calls of the last one, or prompts.

    Where the last turn is the user's they belong to it.
    """
    last = contents[-1]
    responses = [r for part in objects(last.get("parts")) if (r := part.get("functionResponse"))]
    if last.get("role") != "model" and not responses:
        return []
    model = last if last.get("role") == "model" else contents[-2] if len(contents) > 1 else {}
    calls = objects([part.get("functionCall") for part in objects(model.get("parts"))])
    answered = [(r.get("id"), r.get("name")) for r in objects(responses)]
    out: list[Json] = []
    for call in calls:
        named = (call.get("id"), call.get("name"))
        if named in answered:
            answered.remove(named)
            continue
        about = {name: call[name] for name in ("id", "name") if name in call}
        out.append({"functionResponse": {**about, "response": {"output": AWAITED}}})
    return out if calls else [{"text": PROMPT}]
