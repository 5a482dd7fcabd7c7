"""Gemini's settings: read in no provider's words, and written back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judges import sdk_objections
from wiremend.dialects.gemini.settings import read_settings, write_settings
from wiremend.dialects.settings import NamedTool, OutputSchema, Settings, Thinking, Tool

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
numbers = st.none() | st.sampled_from([0.0, 0.5, 1.0])
tools = st.builds(
    Tool,
    name=st.sampled_from(["read", "write"]),
    description=st.none() | st.just("reads"),
    parameters=st.none() | st.just(SCHEMA),
)
efforts = st.sampled_from(["none", "minimal", "low", "medium", "high"])
thinking = st.one_of(
    st.none(),
    st.just(Thinking()),
    st.builds(Thinking, effort=efforts),
    st.builds(Thinking, budget=st.integers(1, 9000)),
)
settings_of_any = st.builds(
    Settings,
    model=st.sampled_from([None, "gemini-3-pro-preview"]),
    tools=st.lists(tools, max_size=2, unique_by=lambda tool: tool.name).map(tuple),
    tool_choice=st.sampled_from([None, "auto", "none", "required", NamedTool("read")]),
    max_output_tokens=st.none() | st.integers(1, 9000),
    temperature=numbers,
    top_p=numbers,
    top_k=st.none() | st.integers(1, 40),
    stop=st.sampled_from([(), ("END",)]),
    thinking=thinking,
    output=st.sampled_from([None, OutputSchema(), OutputSchema(SCHEMA)]),
    rest=st.sampled_from(
        [
            {},
            {"cachedContent": "cachedContents/a"},
            {"tools": [{"googleSearch": {}}]},
            {"generationConfig": {"seed": 1, "thinkingConfig": {"includeThoughts": True}}},
            {"toolConfig": {"retrievalConfig": {"languageCode": "de"}}},
        ]
    ),
)


@given(settings_of_any)
def test_what_is_written_is_read_again_and_nothing_is_lost(settings: Settings) -> None:
    written = write_settings(settings)
    assert written.lost == ()
    assert sdk_objections({"contents": [], **written.fields}, "gemini") == []
    assert read_settings(written.fields) == settings


FIELDS = ("model", "tools", "toolConfig", "generation_config", "cachedContent")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("functionDeclarations", "name", "mode", "allowed_function_names"),
                    *("thinkingConfig", "thinkingBudget", "topK", "stopSequences", "parameters"),
                    *("functionCallingConfig", "responseMimeType", "responseSchema", "type"),
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, json_values)))
def test_any_json_is_read_and_what_is_not_understood_is_kept(body: dict[str, Any]) -> None:
    settings = read_settings(body)
    again = read_settings(write_settings(settings).fields)
    assert again == settings


def test_schemas_of_this_api_are_read_as_json_schema() -> None:
    function = {
        "name": "find",
        "parameters": {
            "type": "OBJECT",
            "properties": {"type": {"type": "STRING", "nullable": True, "enum": ["A"]}},
        },
    }
    settings = read_settings({"tools": [{"function_declarations": [function]}]})
    (tool,) = settings.tools
    assert tool.parameters == {
        "type": "object",
        "properties": {"type": {"type": ["string", "null"], "enum": ["A"]}},
    }


def test_both_spellings_are_read() -> None:
    settings = read_settings(
        {
            "contents": None,
            "system_instruction": None,
            "generation_config": {"max_output_tokens": 5, "stop_sequences": ["x"]},
            "tool_config": {"function_calling_config": {"mode": "ANY"}},
        }
    )
    expected = Settings(max_output_tokens=5, stop=("x",), tool_choice="required")
    assert settings == expected


def test_what_a_declaration_says_more_than_a_tool_can_hold_is_named() -> None:
    strange = {"name": "a", "behavior": "NON_BLOCKING"}
    twice = {"name": "c", "parameters": {}, "parametersJsonSchema": {}}
    table = [{"functionDeclarations": [strange, twice, {"name": "b"}], "codeExecution": {}}]
    settings = read_settings({"tools": table})
    assert settings.tools == (Tool(name="a", more=("behavior",)), Tool(name="b"))
    assert settings.rest == {"tools": [{"codeExecution": {}, "functionDeclarations": [twice]}]}


@pytest.mark.parametrize(
    ("settings", "lost"),
    [
        (Settings(parallel_calls=False), ("parallel_calls",)),
        (Settings(cache_key="k", stream=True), ("cache_key", "stream")),
        (Settings(tools=(Tool(name="a", strict=True),)), ("tools.strict",)),
        (Settings(tools=(Tool(name="a", deferred=True),)), ("tools.deferred",)),
        (
            Settings(output=OutputSchema(name="n", strict=True, description="d")),
            ("output.name", "output.strict", "output.description"),
        ),
        (Settings(thinking=Thinking(effort="max")), ("thinking.effort",)),
        (Settings(thinking=Thinking(effort="low", budget=9)), ("thinking.effort",)),
        (Settings(model="gemini-2.5-pro", thinking=Thinking(effort="low")), ("thinking.effort",)),
    ],
)
def test_what_cannot_be_said_is_named(settings: Settings, lost: tuple[str, ...]) -> None:
    assert write_settings(settings).lost == lost
