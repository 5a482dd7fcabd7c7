"""Rules judge; they never break on what they judge."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.saying import saying

from wiremend import DIALECTS
from wiremend.rules import RULES, check

WORDS = (
    *("user", "assistant", "system", "tool", "function", "text", "image", "image_url", "custom"),
    *("tool_use", "tool_result", "thinking", "server_tool_use", "web_search_tool_result"),
    *("model", "AAAA", "image/png", "gemini-3-pro"),
    *("message", "reasoning", "function_call", "function_call_output", "item_reference"),
    *("custom_tool_call", "local_shell_call_output", "input_text", "input_image", "output_text"),
    *("additional_tools", "tool_search_call", "msg_1", "rs_1"),
    *("base64", "enabled", "ephemeral", "a", "", " ", "\ud83d", "{}", "data:image/png;base64,!"),
)
KEYS = (
    *("role", "content", "type", "text", "id", "name", "input", "tool_use_id", "tool_call_id"),
    *("tool_calls", "function", "arguments", "source", "media_type", "data", "image_url", "url"),
    *("cache_control", "is_error", "signature", "messages", "tools", "system", "model", "\udc00"),
    *("contents", "parts", "functionCall", "function_response", "inlineData", "thoughtSignature"),
    *("args", "response", "mimeType", "systemInstruction", "functionDeclarations"),
    *("call_id", "output", "summary", "encrypted_content"),
    *("prefix", "partial", "reasoning_content", "audio_url", "document_url", "file_id", "function"),
    *("thinking", "output_config", "custom", "refusal", "document", "budget_tokens"),
    *("toolUse", "toolResult", "toolUseId", "reasoningContent", "reasoningText", "cachePoint"),
    *("image", "format", "bytes", "json", "status", "toolConfig", "inferenceConfig", "topP"),
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=30,
)


def _judge(body: Any) -> None:
    for dialect in DIALECTS:
        for found in check(body, dialect):
            # Everything that is said can be printed.
            json.dumps([found.pointer, found.message, found.provider_error]).encode()
            (found.pointer + found.message + found.provider_error).encode()


@given(VALUES)
def test_any_value_as_the_body_is_judged(value: Any) -> None:
    _judge(value)


@given(st.lists(VALUES, max_size=4), VALUES, VALUES)
def test_any_values_as_messages_tools_and_system_are_judged(
    messages: list[Any], tools: Any, system: Any
) -> None:
    _judge({"model": "claude-opus-5", "messages": messages, "tools": tools, "system": system})


@given(
    st.lists(
        st.fixed_dictionaries(
            {"role": st.sampled_from(["user", "assistant", "system", "tool"]) | VALUES},
            optional={"content": VALUES, "tool_calls": VALUES, "tool_call_id": VALUES},
        ),
        max_size=4,
    ),
    VALUES,
)
def test_any_content_of_messages_is_judged(messages: list[Any], thinking: Any) -> None:
    _judge({"messages": messages, "thinking": thinking})


@given(
    st.lists(
        st.fixed_dictionaries(
            {"type": st.sampled_from(WORDS) | VALUES},
            optional={key: VALUES for key in KEYS if key not in ("type", "messages")},
        ),
        max_size=4,
    )
)
@settings(max_examples=200)
def test_any_block_is_judged(blocks: list[Any]) -> None:
    said = [{"role": "user", "content": blocks}, {"role": "assistant", "content": blocks}]
    model = {"modelId": "anthropic.claude-sonnet-4-5"}
    _judge({"messages": said, "thinking": {"type": "enabled"}, **model})


@given(
    st.lists(
        st.fixed_dictionaries(
            {"role": st.sampled_from(["user", "model"]) | VALUES},
            optional={"parts": VALUES | st.lists(VALUES, max_size=4)},
        ),
        max_size=4,
    ),
    VALUES,
)
@settings(max_examples=200)
def test_any_parts_of_contents_are_judged(contents: list[Any], beside: Any) -> None:
    _judge({"contents": contents, "model": "gemini-3-pro", "systemInstruction": beside})


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6), max_size=6), VALUES)
def test_any_items_are_judged(items: list[Any], tools: Any) -> None:
    _judge({"model": "gpt-5", "input": items, "tools": tools, "store": False})


@pytest.mark.parametrize("value", [None, 1, "text", [], [{}], math.nan])
def test_what_is_no_request_at_all_is_malformed(value: Any) -> None:
    for dialect in DIALECTS:
        assert [found.code for found in check(value, dialect)] == ["WM003"]


def test_depth_is_no_trouble() -> None:
    deep: Any = "\ud83d"
    for _ in range(5000):
        deep = [deep]
    for dialect in DIALECTS:
        found = check({**saying(dialect, "hello"), "metadata": deep}, dialect)
        assert [one.code for one in found] == ["WM001"]
        assert found[0].pointer == "/metadata" + "/0" * 5000


def test_deep_arguments_are_left_to_the_provider() -> None:
    arguments = '{"a":' + "[" * 100_000 + "]" * 100_000 + "}"
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    body = {
        "messages": [
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": "x"},
        ]
    }
    assert check(body, "openai-chat") == []


@pytest.mark.parametrize("one", RULES, ids=lambda one: one.code)
def test_every_rule_takes_the_empty_body(one: Any) -> None:
    for found in one.check({}):
        assert one.code == "WM003"
        assert found.path == ()
