"""What a request body says, whatever its format: texts, calls and results, in order.

What may live here: plain walks over JSON, which share nothing with wiremend's own decoders.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from benchmarks.bodies import Body


class Event(NamedTuple):
    """A text (``user``, ``assistant``, ``system``), a ``call`` or a ``result``.

    ``text`` of a call is its arguments, ``id`` of a text is empty.
    """

    kind: str
    text: str
    id: str = ""


def events(body: Body, dialect: str) -> list[Event]:
    """All that a body says."""
    return list(_READERS[dialect](body))


def _chat(body: Body) -> Iterator[Event]:
    for message in body["messages"]:
        if message["role"] == "tool":
            yield Event("result", _text(message.get("content")), message.get("tool_call_id", ""))
            continue
        role = message["role"].replace("developer", "system")
        yield Event(role, _text(message.get("content")))
        for call in message.get("tool_calls") or ():
            yield Event("call", str(call["function"].get("arguments")), call.get("id", ""))


def _anthropic(body: Body) -> Iterator[Event]:
    yield Event("system", _text(body.get("system")))
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            match block["type"]:
                case "tool_use":
                    yield Event("call", _json(block["input"]), block["id"])
                case "tool_result":
                    yield Event("result", _text(block.get("content")), block["tool_use_id"])
                case "text":
                    yield Event(message["role"], block["text"])


def _responses(body: Body) -> Iterator[Event]:
    yield Event("system", body.get("instructions") or "")
    given = body["input"]
    for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
        match item.get("type", "message"):
            case "function_call":
                yield Event("call", str(item["arguments"]), item["call_id"])
            case "function_call_output":
                yield Event("result", _text(item["output"]), item["call_id"])
            case "message":
                yield Event(item["role"].replace("developer", "system"), _text(item["content"]))


def _bedrock(body: Body) -> Iterator[Event]:
    yield Event("system", _text(body.get("system")))
    for message in body["messages"]:
        for block in message["content"]:
            if "toolUse" in block:
                yield Event("call", _json(block["toolUse"]["input"]), block["toolUse"]["toolUseId"])
            elif "toolResult" in block:
                result = block["toolResult"]
                yield Event("result", _json(result.get("content")), result["toolUseId"])
            else:
                yield Event(message["role"], block.get("text") or "")


def _gemini(body: Body) -> Iterator[Event]:
    """Calls and responses without an id are told by their name and how many there were of it."""
    told = body.get("systemInstruction") or body.get("system_instruction") or {}
    yield Event("system", _text(told.get("parts")))
    counts: dict[tuple[str, str], int] = defaultdict(int)

    def identity(kind: str, held: Body) -> str:
        counts[kind, held["name"]] += 1
        return str(held.get("id") or f"{held['name']} {counts[kind, held['name']]}")

    for content in body["contents"]:
        for part in content["parts"]:
            call = part.get("functionCall") or part.get("function_call")
            answer = part.get("functionResponse") or part.get("function_response")
            if call:
                yield Event("call", _json(call.get("args")), identity("call", call))
            elif answer:
                yield Event("result", _json(answer.get("response")), identity("result", answer))
            elif not part.get("thought"):
                role = content.get("role", "user").replace("model", "assistant")
                yield Event(role, part.get("text") or "")


_READERS: dict[str, Callable[[Body], Iterator[Event]]] = {
    "openai-chat": _chat,
    "anthropic": _anthropic,
    "openai-responses": _responses,
    "gemini": _gemini,
    "bedrock": _bedrock,
}


def _text(content: Any) -> str:
    """All text in a content, a blank line between the parts."""
    if isinstance(content, list):
        return "\n\n".join(_text(part) for part in content)
    if isinstance(content, dict):
        return str(content.get("text") or content.get("content") or "")
    return content if isinstance(content, str) else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
