"""Prompt caches: marks where a provider wants them, and what broke a prefix."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiremend
from tests.judges import sdk_objections
from tests.properties.bodies import BODIES
from wiremend.providers import simulated

TOOL = {"name": "f", "input_schema": {"type": "object"}}
MARK = {"type": "ephemeral"}
Json = dict[str, Any]


def said(role: str, words: str) -> Json:
    return {"role": role, "content": words}


def body(*messages: Json, **more: Any) -> Json:
    return {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": list(messages), **more}


def marks(value: Any) -> int:
    return json.dumps(value).count('"cache_control"') + json.dumps(value).count('"cachePoint"')


def test_tools_system_and_the_last_two_turns_are_marked() -> None:
    request = body(
        said("user", "a"), said("assistant", "b"), said("user", "c"), system="s", tools=[TOOL]
    )
    before = copy.deepcopy(request)
    marked = wiremend.mark_cache(request, "anthropic")
    assert request == before
    assert marked["tools"] == [{**TOOL, "cache_control": MARK}]
    assert marked["system"] == [{"type": "text", "text": "s", "cache_control": MARK}]
    assert [marks(message) for message in marked["messages"]] == [1, 0, 1]
    assert wiremend.check(marked, "anthropic") == []


def test_the_callers_own_marks_stay_and_there_are_never_more_than_four() -> None:
    own = [{"type": "text", "text": str(n), "cache_control": MARK} for n in range(3)]
    request = body({"role": "user", "content": own}, said("assistant", "b"), said("user", "c"))
    marked = wiremend.mark_cache(request, "anthropic")
    assert marked["messages"][0] == request["messages"][0]
    assert marks(marked) == 4


def test_thinking_blank_texts_and_deferred_tools_are_not_marked() -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    request = body(
        said("user", "a"),
        {"role": "assistant", "content": [{"type": "text", "text": "b"}, thinking]},
        tools=[TOOL, {**TOOL, "name": "g", "defer_loading": True}],
    )
    marked = wiremend.mark_cache(request, "anthropic")
    assert [marks(tool) for tool in marked["tools"]] == [1, 0]
    assert [marks(block) for block in marked["messages"][1]["content"]] == [1, 0]


def test_bedrock_has_cache_points_as_blocks() -> None:
    request = {
        "modelId": "anthropic.claude-sonnet-4-5-20250929-v1:0",
        "system": [{"text": "s"}],
        "messages": [{"role": "user", "content": [{"text": "a"}]}],
    }
    marked = wiremend.mark_cache(request, "bedrock")
    point = {"cachePoint": {"type": "default"}}
    assert marked["system"] == [{"text": "s"}, point]
    assert marked["messages"][0]["content"] == [{"text": "a"}, point]


def test_providers_that_find_their_prefix_themselves_get_no_marks() -> None:
    request = {"model": "gpt-5", "messages": [said("user", "a")]}
    assert wiremend.mark_cache(request, "openai-chat") is request


@pytest.mark.parametrize("dialect", ["anthropic", "bedrock"])
@given(data=st.data())
def test_marks_break_no_rule_and_a_marked_request_gets_no_more(
    dialect: str, data: st.DataObject
) -> None:
    request = data.draw(BODIES[dialect])
    marked = wiremend.mark_cache(request, dialect)
    assert wiremend.check(marked, dialect) == []
    assert simulated(dialect).post(marked).error == ""
    assert sdk_objections(marked, dialect) == []
    assert marks(wiremend.mark_cache(marked, dialect)) <= 4


def test_a_request_that_goes_on_with_the_last_one_breaks_nothing() -> None:
    first = body(said("user", "a"), system="s")
    second = body(said("user", "a"), said("assistant", "b"), said("user", "c"), system="s")
    prefix = wiremend.compare_prefix(first, second, "anthropic")
    assert (prefix.messages, prefix.of_messages) == (1, 1)
    assert prefix.bytes == prefix.of_bytes > 0
    assert prefix.broken_at is None


@pytest.mark.parametrize(
    ("change", "place", "messages"),
    [
        ({"tools": [{**TOOL, "name": "g"}]}, "/tools/0/name", 0),
        ({"system": "t"}, "/system", 0),
        ({"messages": [said("user", "a"), said("assistant", "x")]}, "/messages/1/content", 1),
        ({"messages": [said("user", "a")]}, "/messages/1", 1),
    ],
)
def test_the_first_thing_that_differs_is_named(change: Json, place: str, messages: int) -> None:
    first = body(said("user", "a"), said("assistant", "b"), system="s", tools=[TOOL])
    prefix = wiremend.compare_prefix(first, {**first, **change}, "anthropic")
    assert (prefix.broken_at, prefix.messages) == (place, messages)
    assert prefix.bytes < prefix.of_bytes


def test_the_repair_that_broke_the_prefix_is_named() -> None:
    call = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": n, "type": "function", "function": {"name": "f", "arguments": "{}"}}
            for n in ("a", "b")
        ],
    }
    answer = {"role": "tool", "tool_call_id": "a", "content": "A"}
    late = {"role": "tool", "tool_call_id": "b", "content": "B"}
    history = [said("user", "x"), call, answer]
    first = wiremend.fix({"messages": [*history, said("user", "y")]}, "openai-chat")
    second = wiremend.fix({"messages": [*history, said("user", "y"), late]}, "openai-chat")
    prefix = wiremend.compare_prefix(
        first.body,
        second.body,
        "openai-chat",
        repaired_before=first.anomalies,
        repaired_after=second.anomalies,
    )
    assert prefix.broken_at == "/messages/3/content"
    assert prefix.messages == 3
    assert [anomaly.kind for anomaly in prefix.repairs] == ["tool_result_reordered"]
