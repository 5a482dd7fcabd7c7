"""Responses that are not what an API promises: an answer, or an error that says where."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.service.asking import STRANGE, places

from wiremend.errors import WiremendError
from wiremend.model import ContextMessage
from wiremend.service.answers import read_response

_CALL = {"name": "look", "arguments": "{}"}
RESPONSES: dict[str, Any] = {
    "openai-chat": {
        "id": "r",
        "model": "m",
        "choices": [
            {
                "finish_reason": "stop",
                "message": {
                    "role": "assistant",
                    "content": "hi",
                    "tool_calls": [{"id": "a", "type": "function", "function": _CALL}],
                },
            }
        ],
        "usage": {"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 1}},
    },
    "openai-responses": {
        "id": "r",
        "model": "m",
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "output": [
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "hi"}],
            },
            {"type": "function_call", "call_id": "a", **_CALL},
        ],
        "usage": {"input_tokens": 3, "input_tokens_details": {"cached_tokens": 1}},
    },
    "anthropic": {
        "id": "r",
        "model": "m",
        "content": [
            {"type": "text", "text": "hi"},
            {"type": "tool_use", "id": "a", "name": "look", "input": {}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 2, "output_tokens": 1, "cache_read_input_tokens": 1},
    },
    "gemini": {
        "responseId": "r",
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [{"text": "hi"}, {"functionCall": {"name": "look", "args": {}}}],
                },
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 1},
    },
    "bedrock": {
        "output": {
            "message": {
                "role": "assistant",
                "content": [
                    {"text": "hi"},
                    {"toolUse": {"toolUseId": "a", "name": "look", "input": {}}},
                ],
            }
        },
        "stopReason": "tool_use",
        "usage": {"inputTokens": 3, "outputTokens": 1},
    },
}


def count_of_places(family: str) -> int:
    return len([*places(RESPONSES[family])])


@pytest.mark.parametrize("family", RESPONSES)
def test_whatever_a_response_holds_it_is_read_or_the_error_is_ours(family: str) -> None:
    for number in range(count_of_places(family)):
        for strange in STRANGE:
            response = json.loads(json.dumps(RESPONSES[family]))
            container, key = [*places(response)][number]
            container[key] = strange
            try:
                found = read_response(response, family)
            except WiremendError:
                continue
            assert isinstance(found.message, ContextMessage)
            for word in (found.finish_reason, found.model, found.response_id):
                assert word is None or type(word) is str
            for count in (found.usage.input, found.usage.output, found.usage.cached):
                assert count is None or type(count) is int


@pytest.mark.parametrize("family", RESPONSES)
def test_strange_token_counts_cost_nobody_the_answer(family: str) -> None:
    for name in ("usage", "usageMetadata"):
        for strange in STRANGE:
            found = read_response({**RESPONSES[family], name: strange}, family)
            assert [call.name for call in found.message.tool_calls] == ["look"]
