"""Conversations damaged in the ways that agents damage them, as chat messages; one place for all.

Each is refused by one strict provider or another as it is; the tests of the integrations give each
to the framework's own types and send it.
"""

from __future__ import annotations

import json
from typing import Any

Message = dict[str, Any]


def call(call_id: str) -> dict[str, Any]:
    # No two calls are alike: LiteLLM makes one of those that are, for Gemini.
    arguments = json.dumps({"city": {"call_2": "Rome", "call_3": "Bari"}.get(call_id, "Turin")})
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": "weather", "arguments": arguments},
    }


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def said(text: str) -> Message:
    return {"role": "assistant", "content": text}


def calls(*ids: str, text: str = "") -> Message:
    return {"role": "assistant", "content": text, "tool_calls": [call(name) for name in ids]}


def result(call_id: str, text: str = "sunny, 21 degrees") -> Message:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


ASKED = user("What is the weather in Turin?")
NEXT = user("Never mind. What is in the fridge?")

DAMAGED: dict[str, list[Message]] = {
    "a call that nothing answers": [ASKED, calls("call_1"), NEXT],
    "parallel calls, cancelled half way": [
        *(ASKED, calls("call_1", "call_2", "call_3"), result("call_1"), NEXT),
    ],
    "a result without its call": [ASKED, said("Sunny."), result("call_9", "late news"), NEXT],
    "a result that comes late": [ASKED, calls("call_1"), NEXT, result("call_1")],
    "a result given twice": [
        *(ASKED, calls("call_1"), result("call_1"), result("call_1", "rainy"), NEXT),
    ],
    "a message of blanks": [ASKED, said("Sunny."), user(" \n\t"), said("Anything else?"), NEXT],
    "a system message in the middle": [
        *(ASKED, calls("call_1"), {"role": "system", "content": "Answer briefly."}),
        *(result("call_1"), said("Sunny."), NEXT),
    ],
    "a call id used twice": [
        *(ASKED, calls("call_1"), result("call_1"), said("Sunny."), user("And in Rome?")),
        *(calls("call_1"), calls("call_2"), result("call_2", "rainy"), NEXT),
    ],
    "two users in a row around a cancelled step": [
        *(ASKED, user("Are you there?"), calls("call_1"), user("Hello?"), NEXT),
    ],
    "a head cut off by compaction": [result("call_0", "old news"), said("It was sunny."), NEXT],
    "an assistant that says nothing": [
        *(ASKED, calls("call_1"), result("call_1"), said(""), calls("call_2"), NEXT),
    ],
}
"""By name; each ends with the user's ``NEXT``, which a provider has to get."""

TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}

WORDS = NEXT["content"]

HEALTHY: list[Message] = [ASKED, calls("call_1"), result("call_1"), said("Sunny."), NEXT]
