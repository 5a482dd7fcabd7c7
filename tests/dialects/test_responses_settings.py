"""What stands beside a Responses input, in neutral words and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiremend.dialects.openai_responses.settings import read_settings, write_settings
from wiremend.dialects.settings import NamedTool, OutputSchema, Settings, Thinking, Tool

SCHEMA = {"type": "object", "properties": {}}
HOSTED = {"type": "web_search"}
BODY: dict[str, Any] = {
    "model": "gpt-5",
    "input": None,
    "instructions": None,
    "tools": [
        {"type": "function", "name": "run", "parameters": SCHEMA, "strict": True},
        HOSTED,
        {"type": "function", "name": "later", "parameters": None, "strict": None}
        | {"defer_loading": True, "description": "d"},
    ],
    "tool_choice": {"type": "function", "name": "run"},
    "parallel_tool_calls": False,
    "max_output_tokens": 9,
    "temperature": 0.5,
    "reasoning": {"effort": "low", "summary": "auto"},
    "text": {
        "verbosity": "low",
        "format": {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True},
    },
    "prompt_cache_key": "k",
    "stream": True,
    "store": False,
}


def test_each_field_is_read_as_what_it_means() -> None:
    assert read_settings(BODY) == Settings(
        model="gpt-5",
        tools=(
            Tool(name="run", parameters=SCHEMA, strict=True),
            Tool(name="later", description="d", deferred=True),
        ),
        tool_choice=NamedTool("run"),
        parallel_calls=False,
        max_output_tokens=9,
        temperature=0.5,
        thinking=Thinking(effort="low"),
        output=OutputSchema(SCHEMA, "n", True),
        cache_key="k",
        stream=True,
        rest={
            "tools": [HOSTED],
            "reasoning": {"summary": "auto"},
            "text": {"verbosity": "low"},
            "store": False,
        },
    )


def test_what_was_read_is_written_back() -> None:
    written = write_settings(read_settings(BODY))
    assert written.lost == ()
    by_name = {tool.get("name"): tool for tool in written.fields.pop("tools")}
    assert list(by_name.values()) == [BODY["tools"][0], BODY["tools"][2], HOSTED]
    left_out = ("tools", "input", "instructions")
    assert written.fields == {k: v for k, v in BODY.items() if k not in left_out}


def test_what_the_api_cannot_be_told_is_named() -> None:
    written = write_settings(
        Settings(top_k=3, stop=("x",), thinking=Thinking(budget=4000), output=OutputSchema())
    )
    assert written.lost == ("top_k", "stop", "thinking.budget")
    assert written.fields == {
        "reasoning": {"effort": "medium"},
        "text": {"format": {"type": "json_object"}},
    }


def test_fields_of_a_function_that_only_this_api_has_are_named() -> None:
    tool = {"type": "function", "name": "x", "output_schema": {}}
    assert read_settings({"tools": [tool]}).tools == (Tool(name="x", more=("output_schema",)),)


@pytest.mark.parametrize(
    "fields",
    [
        {"tools": "none", "tool_choice": {"type": "web_search"}, "reasoning": {"effort": "so-so"}},
        {"tools": [3, {"type": "function"}], "text": {"format": {"type": "text"}}},
        {"text": {"format": {"type": "json_schema", "name": "n"}}, "temperature": True},
        {"model": ["x"], "max_output_tokens": "9", "tool_choice": ["auto"]},
    ],
)
def test_what_is_not_understood_stays_as_it_is(fields: dict[str, Any]) -> None:
    settings = read_settings(fields)
    assert settings == Settings(rest=fields)
    assert write_settings(settings).fields == fields


tools = st.builds(
    Tool,
    name=st.sampled_from(["run", "look"]),
    description=st.sampled_from([None, "d"]),
    parameters=st.sampled_from([None, SCHEMA]),
    strict=st.sampled_from([None, True, False]),
    deferred=st.booleans(),
)
any_settings = st.builds(
    Settings,
    model=st.sampled_from([None, "gpt-5"]),
    tools=st.lists(tools, max_size=2).map(tuple),
    tool_choice=st.sampled_from([None, "auto", "none", "required", NamedTool("run")]),
    parallel_calls=st.sampled_from([None, True, False]),
    max_output_tokens=st.sampled_from([None, 5]),
    temperature=st.sampled_from([None, 1.0]),
    top_p=st.sampled_from([None, 0.5]),
    thinking=st.sampled_from([None, Thinking(), Thinking(effort="none"), Thinking(effort="max")]),
    output=st.sampled_from(
        [None, OutputSchema(), OutputSchema(SCHEMA), OutputSchema(SCHEMA, "n", None, "d")]
    ),
    cache_key=st.sampled_from([None, "k"]),
    stream=st.sampled_from([None, False]),
    rest=st.sampled_from(
        [{}, {"store": False}, {"tools": [HOSTED]}, {"text": {"verbosity": "low"}}]
    ),
)


@given(settings=any_settings)
def test_what_is_written_is_read_back(settings: Settings) -> None:
    written = write_settings(settings)
    assert written.lost == ()
    assert read_settings(written.fields) == settings
