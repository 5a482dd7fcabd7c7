"""Requests of the time before tools are understood by every other provider."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import wiremend as wm
from wiremend.conversion import transcribe
from wiremend.dialects import DIALECTS

SHAPE = {"type": "object", "properties": {"place": {"type": "string"}}}
LEGACY: dict[str, Any] = {
    "model": "gpt-4",
    "functions": [{"name": "soil", "description": "How wet it is.", "parameters": SHAPE}],
    "function_call": "auto",
    "messages": [
        {"role": "user", "content": "Is it dry in the garden, and in the pot?"},
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "soil", "arguments": '{"place": "garden"}'},
        },
        {"role": "function", "name": "soil", "content": "12 %"},
        {
            "role": "assistant",
            "content": "And the pot.",
            "function_call": {"name": "soil", "arguments": '{"place": "pot"}'},
        },
        {"role": "function", "name": "soil", "content": "40 %"},
        {"role": "assistant", "content": "Only in the garden."},
        {"role": "user", "content": "Thanks."},
    ],
}
ELSEWHERE = sorted(name for name in DIALECTS if name != "openai-chat")


@pytest.mark.parametrize("target", ELSEWHERE)
def test_functions_become_tools_with_nothing_lost_but_what_has_no_place(target: str) -> None:
    before = copy.deepcopy(LEGACY)
    there = wm.convert(LEGACY, "openai-chat", target)
    assert before == LEGACY
    assert wm.check(there.body, target) == []
    assert not [lost for lost in there.lost if "function" in lost.what or "name" in lost.what]
    back = wm.convert(there.body, target, "openai-responses").body
    items = [item for item in back["input"] if "call_id" in item]
    assert [item["type"] for item in items] == ["function_call", "function_call_output"] * 2
    assert [item["call_id"] for item in items[::2]] == [item["call_id"] for item in items[1::2]]
    assert len({item["call_id"] for item in items}) == 2
    assert [item["output"] for item in items[1::2]] == ["12 %", "40 %"]
    assert [tool["name"] for tool in back["tools"]] == ["soil"]


def test_at_home_functions_stay_what_they_are() -> None:
    assert wm.convert(LEGACY, "openai-chat", "openai-chat").body == LEGACY


def test_a_choice_of_a_function_is_a_choice_of_a_tool() -> None:
    chosen = {**LEGACY, "function_call": {"name": "soil"}}
    there = wm.convert(chosen, "openai-chat", "anthropic").body
    assert there["tool_choice"] == {"type": "tool", "name": "soil"}


def test_a_call_without_a_result_is_closed_and_a_result_without_a_call_stays_as_words() -> None:
    messages = [*LEGACY["messages"][:2], *LEGACY["messages"][5:]]
    stray = {"role": "function", "name": "weather", "content": "It rains."}
    there = wm.convert({**LEGACY, "messages": [*messages, stray]}, "openai-chat", "anthropic")
    assert wm.check(there.body, "anthropic") == []
    assert [anomaly.kind for anomaly in there.anomalies] == ["tool_result_synthesized"]
    assert "It rains." in str(there.body["messages"][-1])


def test_what_is_no_call_of_a_function_is_left_as_it_is() -> None:
    strange = {
        "messages": [{"role": "user", "content": "hi"}, {"role": "function", "content": "12"}],
        "functions": "soil",
        "function_call": 7,
    }
    there = wm.convert(strange, "openai-chat", "anthropic")
    assert {"functions", "function_call"} <= {lost.where for lost in there.lost} | {
        lost.what for lost in there.lost
    }


def test_a_conversation_of_functions_is_judged_for_any_other_provider() -> None:
    for target in ELSEWHERE:
        assert wm.check(transcribe(LEGACY, "openai-chat", target).body, target) == []


def test_what_comes_home_comes_as_tools() -> None:
    there = wm.convert(LEGACY, "openai-chat", "anthropic").body
    back = wm.convert(there, "anthropic", "openai-chat", home=LEGACY)
    assert wm.check(back.body, "openai-chat") == []
    assert [message["role"] for message in back.body["messages"]].count("tool") == 2
