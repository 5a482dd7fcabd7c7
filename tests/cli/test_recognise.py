"""What a JSON value is taken for."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import EXAMPLES
from wiremend.inputs import NoConversation, Unusable, recognise

_CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
_USER = {"role": "user", "content": "hello"}


def _messages(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(blocks)}]}


_KNOWN: list[tuple[Any, str]] = [
    ({"messages": [_USER]}, "openai-chat"),
    ({"messages": [_USER], "model": "claude-opus-4-1"}, "anthropic"),
    ({"messages": [_USER], "system": "Be kind."}, "anthropic"),
    ({"messages": [_USER], "tools": [{"name": "f", "input_schema": {}}]}, "anthropic"),
    ({"messages": [_USER], "tools": [{"type": "function", "function": {}}]}, "openai-chat"),
    ({"messages": [{"role": "system", "content": "x"}, _USER]}, "openai-chat"),
    ({"messages": [{"role": "developer", "content": "x"}, _USER]}, "openai-chat"),
    ({"messages": [{"role": "assistant", "tool_calls": [_CALL]}]}, "openai-chat"),
    (_messages({"type": "tool_result", "tool_use_id": "x"}), "anthropic"),
    (_messages({"type": "thinking", "thinking": "x"}), "anthropic"),
    (_messages({"type": "text", "text": "x", "cache_control": {}}), "anthropic"),
    (_messages({"type": "image_url", "image_url": {}}), "openai-chat"),
    (_messages({"toolUse": {}}), "bedrock"),
    ({"contents": [{"role": "user", "parts": []}]}, "gemini"),
    ({"input": [_USER]}, "openai-responses"),
    ([_USER], "openai-chat"),
    ([{"role": "tool", "tool_call_id": "c", "content": "x"}], "openai-chat"),
    ([{"role": "assistant", "content": [{"type": "tool_use"}]}], "anthropic"),
    ([{"role": "user", "parts": [{"text": "x"}]}], "gemini"),
    ([{"type": "function_call", "call_id": "c"}], "openai-responses"),
    # A router's model name is one sign, the shape of its messages are several.
    (
        {
            "model": "anthropic/claude-opus-4",
            "messages": [
                {"role": "system", "content": "x"},
                {"role": "assistant", "tool_calls": [_CALL]},
            ],
        },
        "openai-chat",
    ),
]


@pytest.mark.parametrize(("value", "name"), _KNOWN)
def test_a_shape_is_recognised(value: Any, name: str) -> None:
    found = recognise(value)
    assert found.format == name
    assert found.is_bare is isinstance(value, list)


@pytest.mark.parametrize("name", ["openai-chat", "anthropic"])
@pytest.mark.parametrize("state", ["broken", "whole"])
def test_each_example_is_recognised_as_a_request_and_as_an_array(name: str, state: str) -> None:
    body = json.loads((EXAMPLES / f"{name}-{state}.json").read_text(encoding="utf-8"))
    assert recognise(body).format == name
    assert recognise(body["messages"]).format == name


def test_only_a_value_without_any_sign_is_a_guess() -> None:
    assert recognise([_USER]).is_default
    assert not recognise({"messages": [_USER], "system": "x"}).is_default


_KEYS = st.sampled_from(
    ["messages", "role", "content", "type", "model", "tools", "input", "contents", "toolCalls", "a"]
)
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(_ANY)
def test_any_json_is_recognised_or_unusable(value: Any) -> None:
    with contextlib.suppress(Unusable):
        assert recognise(value).format


_BESIDE_LOGS: list[Any] = [
    [{"type": "text", "text": "what a tool of MCP said"}],
    [{"sessionId": "s", "messageId": 0, "type": "user", "message": "hi", "timestamp": "t"}],
    {"input": ["src/a.ts", "src/b.ts"], "output": "dist"},
    {"contents": ["a", "b"]},
]


@pytest.mark.parametrize("value", _BESIDE_LOGS)
def test_what_lies_beside_logs_is_no_conversation(value: Any) -> None:
    with pytest.raises(NoConversation):
        recognise(value)
