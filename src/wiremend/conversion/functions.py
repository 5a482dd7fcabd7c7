"""OpenAI's functions, which came before tools: read as tools, for which every provider has words.

A call had no id: it gets one from its place, and the next result under its name answers it. Source:
OpenAI's API reference of chat completions, the deprecated ``functions``, ``function_call`` and role
``function``; fine-tuning data sets of that time are full of them.
"""

from __future__ import annotations

from typing import Any

from wiremend.dialects.base import Json

_CALL, _DEFINED = "function_call", "functions"


def as_tools(body: Json) -> Json:
    """The body of Chat Completions with tools instead of functions; the same where it has none."""
    messages = body.get("messages")
    if not isinstance(messages, list):
        return body
    new = _messages(messages)
    settings = _settings(body)
    if settings is None and all(a is b for a, b in zip(new, messages, strict=True)):
        return body
    return {**(body if settings is None else settings), "messages": new}


def _messages(messages: list[Any]) -> list[Any]:
    out: list[Any] = []
    waiting: dict[str, str] = {}  # the ids of the calls without a result yet, by what was called
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            out.append(message)
            continue
        called, name = message.get(_CALL), message.get("name")
        if isinstance(called, dict) and not message.get("tool_calls"):
            call_id = f"call_{index}"
            waiting[str(called.get("name"))] = call_id
            call = {"id": call_id, "type": "function", "function": called}
            rest = {name: value for name, value in message.items() if name != _CALL}
            out.append({**rest, "tool_calls": [call]})
        elif message.get("role") == "function" and isinstance(name, str) and name in waiting:
            rest = {key: value for key, value in message.items() if key not in ("role", "name")}
            out.append({"role": "tool", "tool_call_id": waiting.pop(name), **rest})
        else:
            out.append(message)
    return out


def _settings(body: Json) -> Json | None:
    """The body with its table and choice of functions as those of tools; None: it has neither."""
    defined, choice = body.get(_DEFINED), body.get(_CALL)
    out = dict(body)
    if isinstance(defined, list) and not body.get("tools"):
        del out[_DEFINED]
        out["tools"] = [{"type": "function", "function": function} for function in defined]
    known = choice if choice in ("none", "auto") else None
    if isinstance(choice, dict):
        known = {"type": "function", "function": choice}
    if known is not None and "tool_choice" not in body:
        del out[_CALL]
        out["tool_choice"] = known
    return out if out != body else None
