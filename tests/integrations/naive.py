"""The chat messages of ``damage`` as agents on other APIs hold them, damage included."""

from __future__ import annotations

import json
from typing import Any

from tests.integrations.damage import Message


def anthropic_messages(messages: list[Message]) -> list[Message]:
    return [_anthropic(message) for message in messages]


def _anthropic(message: Message) -> Message:
    if message["role"] == "tool":
        block = {"type": "tool_result", "tool_use_id": message["tool_call_id"]}
        return {"role": "user", "content": [{**block, "content": message["content"]}]}
    if message.get("tool_calls"):
        return {"role": "assistant", "content": [_tool_use(call) for call in message["tool_calls"]]}
    return message


def _tool_use(call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    arguments = json.loads(function["arguments"])
    return {"type": "tool_use", "id": call["id"], "name": function["name"], "input": arguments}


def responses_items(messages: list[Message]) -> list[Message]:
    return [item for message in messages for item in _items(message)]


def _items(message: Message) -> list[Message]:
    if message["role"] == "tool":
        call_id = message["tool_call_id"]
        return [
            {"type": "function_call_output", "call_id": call_id, "output": message["content"]},
        ]
    called = [
        {"type": "function_call", "call_id": call["id"], **call["function"]}
        for call in message.get("tool_calls", [])
    ]
    words = {"role": message["role"], "content": message["content"]}
    return called if called and not message["content"] else [words, *called]


def gemini_contents(messages: list[Message]) -> list[Message]:
    names = {
        call["id"]: call["function"]["name"]
        for message in messages
        for call in message.get("tool_calls", [])
    }
    return [_content(message, names) for message in messages]


def _content(message: Message, names: dict[str, str]) -> Message:
    if message["role"] == "tool":
        call_id = message["tool_call_id"]
        answer = {"id": call_id, "name": names.get(call_id, "weather")}
        part: dict[str, Any] = {**answer, "response": {"result": message["content"]}}
        return {"role": "user", "parts": [{"functionResponse": part}]}
    role = "model" if message["role"] == "assistant" else "user"
    if message.get("tool_calls"):
        return {
            "role": role,
            "parts": [
                {
                    "functionCall": {
                        "id": call["id"],
                        "name": call["function"]["name"],
                        "args": json.loads(call["function"]["arguments"]),
                    }
                }
                for call in message["tool_calls"]
            ],
        }
    return {"role": role, "parts": [{"text": message["content"]}]}


def ai_sdk_messages(messages: list[Message]) -> list[Message]:
    """For the Vercel AI SDK."""
    return [_ai_sdk(message) for message in messages]


def _ai_sdk(message: Message) -> Message:
    if message["role"] == "tool":
        output = {"type": "text", "value": message["content"]}
        about = {"toolCallId": message["tool_call_id"], "toolName": "weather", "output": output}
        return {"role": "tool", "content": [{"type": "tool-result", **about}]}
    called = [
        {
            "type": "tool-call",
            "toolCallId": call["id"],
            "toolName": call["function"]["name"],
            "input": json.loads(call["function"]["arguments"]),
        }
        for call in message.get("tool_calls", [])
    ]
    if not called:
        return message
    words = [{"type": "text", "text": message["content"]}] if message["content"] else []
    return {"role": "assistant", "content": [*words, *called]}
