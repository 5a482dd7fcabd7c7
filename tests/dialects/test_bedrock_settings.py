"""What stands beside the messages of a Converse request, in no provider's words and back."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.converse import converse_objections
from wiremend.dialects.bedrock.settings import read_settings, write_settings
from wiremend.dialects.settings import NamedTool, OutputSchema, Settings, Thinking, Tool

CLAUDE, GPT = "anthropic.claude-opus-4-6-v1", "openai.gpt-oss-120b-1:0"
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}

tools = st.builds(
    Tool,
    name=st.sampled_from(["read", "write"]),
    description=st.sampled_from([None, "", "reads"]),
    parameters=st.sampled_from([None, SCHEMA]),
    strict=st.sampled_from([None, True, False]),
    deferred=st.booleans(),
)
numbers = st.sampled_from([None, 0, 0.5, 1.5])
everything = st.builds(
    Settings,
    model=st.sampled_from([None, CLAUDE, GPT, "amazon.nova-pro-v1:0", "anthropic.claude-3-haiku"]),
    tools=st.lists(tools, max_size=2).map(tuple),
    tool_choice=st.sampled_from([None, "auto", "none", "required", NamedTool("read")]),
    parallel_calls=st.sampled_from([None, True]),
    max_output_tokens=st.sampled_from([None, 0, 100]),
    temperature=numbers,
    top_p=numbers,
    top_k=st.sampled_from([None, 40]),
    stop=st.sampled_from([(), ("end",), ("",)]),
    thinking=st.one_of(
        st.none(),
        st.builds(
            Thinking,
            effort=st.sampled_from([None, "none", "minimal", "low", "max"]),
            budget=st.sampled_from([None, 2048]),
        ),
    ),
    output=st.sampled_from([None, OutputSchema(), OutputSchema(SCHEMA, "s", True, "d")]),
    cache_key=st.sampled_from([None, "k"]),
    stream=st.sampled_from([None, True]),
    rest=st.sampled_from(
        [
            {},
            {"guardrailConfig": {"guardrailIdentifier": "abc", "guardrailVersion": "1"}},
            {"toolConfig": {"tools": [{"cachePoint": {"type": "default"}}]}},
            {"additionalModelRequestFields": {"other": 1}, "serviceTier": {"type": "flex"}},
        ]
    ),
)


@given(settings=everything)
def test_what_is_written_is_read_again_up_to_what_is_lost(settings: Settings) -> None:
    written = write_settings(settings)
    assert _without(read_settings(written.fields), written.lost) == _without(settings, written.lost)


@given(settings=everything)
def test_the_service_model_takes_what_is_written(settings: Settings) -> None:
    assert converse_objections({"messages": [], **write_settings(settings).fields}) == []


def _without(settings: Settings, lost: tuple[str, ...]) -> Settings:
    blank = Settings()
    for name in lost:
        field, _, inner = name.partition(".")
        value = getattr(settings, field)
        if not inner:
            value = getattr(blank, field)
        elif isinstance(value, tuple):
            value = tuple(msgspec.structs.replace(tool, **{inner: False}) for tool in value)
        else:
            value = msgspec.structs.replace(value, **{inner: None})
        settings = msgspec.structs.replace(settings, **{field: value})
    return settings


def test_a_whole_request_is_read() -> None:
    spec = {"name": "read", "description": "reads", "inputSchema": {"json": SCHEMA}}
    envelope: dict[str, Any] = {
        "modelId": CLAUDE,
        "messages": None,
        "system": None,
        "inferenceConfig": {"maxTokens": 9, "temperature": 0.5, "topP": 1, "stopSequences": ["e"]},
        "toolConfig": {"tools": [{"toolSpec": spec}], "toolChoice": {"any": {}}},
        "additionalModelRequestFields": {
            "thinking": {"type": "enabled", "budget_tokens": 2048},
            "top_k": 5,
            "beta": ["x"],
        },
        "guardrailConfig": {"trace": "enabled"},
    }
    assert read_settings(envelope) == Settings(
        model=CLAUDE,
        tools=(Tool(name="read", description="reads", parameters=SCHEMA),),
        tool_choice="required",
        max_output_tokens=9,
        temperature=0.5,
        top_p=1,
        top_k=5,
        stop=("e",),
        thinking=Thinking(budget=2048),
        rest={
            "additionalModelRequestFields": {"beta": ["x"]},
            "guardrailConfig": {"trace": "enabled"},
        },
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"inferenceConfig": {"maxTokens": "many", "temperature": True, "stopSequences": [1]}},
        {"inferenceConfig": "none"},
        {"toolConfig": {"tools": [{"systemTool": {"name": "nova_grounding"}}]}},
        {"toolConfig": {"tools": [{"toolSpec": {"name": 1}}], "toolChoice": {"any": {}}}},
        {"toolConfig": 5},
        {"additionalModelRequestFields": ["x"]},
        {"outputConfig": {"textFormat": {"type": "json_schema", "structure": {}}}},
        {"outputConfig": {"effort": "utmost"}},
        {"modelId": 7},
    ],
)
def test_what_is_not_understood_stays_as_it_came(fields: dict[str, Any]) -> None:
    read = read_settings(fields)
    assert read == Settings(rest=fields)
    assert write_settings(read).fields == fields
