"""Tools that are loaded in the middle: each provider's own form, and from one to the other."""

from __future__ import annotations

from typing import Any

import pytest

import wiremend
from tests.judges import sdk_objections
from tests.properties.bodies import MODELS
from wiremend.context.dynamic_tools import announcement
from wiremend.context.select_tools import select_tools
from wiremend.model import ContextMessage, ToolCall, assistant, tool_result, user
from wiremend.providers import simulated

SCHEMA = {"type": "object", "properties": {"place": {"type": "string"}}}
AVAILABLE = {name: {"name": name, "parameters": SCHEMA} for name in ("weather", "maps")}
SELECT: dict[str, Any] = {
    "name": "select_tools",
    "input_schema": {"type": "object", "properties": {}},
}
CLAUDE = {"model": "claude-sonnet-4-5", "max_tokens": 99, "tools": [SELECT]}


def history(names: str = '["weather", "maps"]') -> list[ContextMessage]:
    asked = f'{{"names": {names}}}'
    before = [user("hi"), announcement(AVAILABLE)]
    selection = select_tools(before, asked, AVAILABLE)
    return [
        *before,
        assistant("", ToolCall("c1", "select_tools", asked)),
        selection.result("c1"),
        *selection.messages,
        assistant("", ToolCall("c2", "weather", '{"place": "Rome"}')),
        tool_result("c2", "sunny"),
        user("thanks"),
    ]


def results(body: dict[str, Any]) -> list[Any]:
    blocks = [b for m in body["messages"] if isinstance(m["content"], list) for b in m["content"]]
    return [b["content"] for b in blocks if b["type"] == "tool_result"]


def test_anthropic_defers_the_definition_and_refers_to_it() -> None:
    made = wiremend.request(history(), "anthropic", CLAUDE)
    assert results(made.body)[0] == [
        {"type": "tool_reference", "tool_name": "weather"},
        {"type": "tool_reference", "tool_name": "maps"},
    ]
    assert [tool.get("defer_loading") for tool in made.body["tools"]] == [None, True, True]
    assert made.anomalies == ()
    assert wiremend.check(made.body, "anthropic") == []
    assert simulated("anthropic").post(made.body).error == ""
    assert sdk_objections(made.body, "anthropic") == []
    assert wiremend.fix(made.body, "anthropic") == wiremend.Fixed(made.body, ())


def test_what_else_the_answer_says_follows_the_results() -> None:
    made = wiremend.request(history('["weather", "tides"]'), "anthropic", CLAUDE)
    assert results(made.body)[0] == [{"type": "tool_reference", "tool_name": "weather"}]
    assert "Unknown: tides" in str(made.body["messages"][4]["content"])
    assert wiremend.check(made.body, "anthropic") == []


@pytest.mark.parametrize(
    "settings",
    [
        {**CLAUDE, "tools": []},
        {**CLAUDE, "model": "claude-3-5-sonnet"},
        {**CLAUDE, "model": "some-model"},
    ],
    ids=["no other tool", "an old model", "an unknown model"],
)
def test_where_it_cannot_be_the_definitions_are_in_the_table(settings: dict[str, Any]) -> None:
    made = wiremend.request(history(), "anthropic", settings)
    assert results(made.body)[0] == "Loaded: weather, maps"
    assert {"weather", "maps"} <= {tool["name"] for tool in made.body["tools"]}
    assert not any("defer_loading" in tool for tool in made.body["tools"])


def test_a_result_of_another_tool_is_never_replaced() -> None:
    first, *rest = history()
    mixed = [
        first,
        rest[0],
        assistant("", ToolCall("c1", "select_tools", "{}"), ToolCall("c0", "other", "{}")),
        rest[2],
        tool_result("c0", "a real result"),
        *rest[3:],
    ]
    made = wiremend.request(mixed, "anthropic", CLAUDE)
    assert results(made.body)[1] == "a real result"
    assert results(made.body)[0][0]["type"] == "tool_reference"


@pytest.mark.parametrize("target", ["kimi", "openai-responses"])
def test_loaded_tools_go_to_another_provider_and_come_back_as_they_were(target: str) -> None:
    body = wiremend.request(history(), "anthropic", CLAUDE).body
    there = wiremend.convert(body, "anthropic", target)
    loading = [m for m in there.body[wiremend.DIALECTS[target].holds] if m.get("tools")]
    assert len(loading) == 1
    assert "weather" not in str(there.body["tools"])
    back = wiremend.convert(there.body, target, "anthropic")
    assert back.body == body
    assert there.lost == back.lost == ()


@pytest.mark.parametrize("target", ["openai-chat", "gemini", "bedrock", "mistral"])
def test_where_no_tool_can_be_loaded_all_are_in_the_table_and_that_is_said(target: str) -> None:
    body = wiremend.request(history(), "anthropic", CLAUDE).body
    there = wiremend.convert(body, "anthropic", target, model=MODELS[target])
    assert "weather" in str(there.body.get("tools") or there.body["toolConfig"])
    assert [lost.what for lost in there.lost] == ["loading of tools"]
    assert wiremend.check(there.body, target) == []
    assert sdk_objections(there.body, target) == []
