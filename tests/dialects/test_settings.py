"""What stands beside the messages: read as no provider's words, and written back."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judges import sdk_objections
from wiremend.dialects.anthropic import settings as anthropic
from wiremend.dialects.openai_chat.profile import OPENAI
from wiremend.dialects.openai_chat.settings import settings_for
from wiremend.dialects.profiles.deepseek import DEEPSEEK_PROFILE
from wiremend.dialects.profiles.generic import GENERIC_PROFILE
from wiremend.dialects.profiles.kimi import KIMI_PROFILE
from wiremend.dialects.profiles.mistral import MISTRAL_PROFILE
from wiremend.dialects.profiles.openrouter import OPENROUTER_PROFILE
from wiremend.dialects.profiles.qwen import QWEN_PROFILE
from wiremend.dialects.setting_fields import EFFORTS
from wiremend.dialects.settings import (
    NamedTool,
    OutputSchema,
    ReadSettings,
    Settings,
    Thinking,
    Tool,
    WriteSettings,
)

_PROFILES = (
    OPENAI,
    KIMI_PROFILE,
    DEEPSEEK_PROFILE,
    MISTRAL_PROFILE,
    QWEN_PROFILE,
    OPENROUTER_PROFILE,
    GENERIC_PROFILE,
)
WAYS: dict[str, tuple[ReadSettings, WriteSettings]] = {
    **{profile.name: settings_for(profile.settings) for profile in _PROFILES},
    "anthropic": (anthropic.read_settings, anthropic.write_settings),
}
each = pytest.mark.parametrize("name", list(WAYS))

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
tools = st.builds(
    Tool,
    name=st.sampled_from(["look", "read"]),
    description=st.sampled_from([None, "d"]),
    parameters=st.sampled_from([None, SCHEMA]),
    strict=st.sampled_from([None, True, False]),
    deferred=st.booleans(),
)
settings = st.builds(
    Settings,
    model=st.sampled_from([None, "m"]),
    tools=st.lists(tools, max_size=2).map(tuple),
    tool_choice=st.sampled_from([None, "auto", "none", "required", NamedTool("look")]),
    parallel_calls=st.sampled_from([None, True, False]),
    max_output_tokens=st.sampled_from([None, 100]),
    temperature=st.sampled_from([None, 0, 0.5]),
    top_p=st.sampled_from([None, 0.9]),
    top_k=st.sampled_from([None, 5]),
    stop=st.sampled_from([(), ("a",), ("a", "b")]),
    thinking=st.none()
    | st.builds(
        Thinking,
        effort=st.sampled_from([None, *EFFORTS]),
        budget=st.sampled_from([None, 2000, 20_000]),
    ),
    output=st.sampled_from(
        [None, OutputSchema(), OutputSchema(SCHEMA), OutputSchema(SCHEMA, "n", True, "d")]
    ),
    cache_key=st.sampled_from([None, "k"]),
    stream=st.sampled_from([None, True, False]),
    rest=st.sampled_from([{}, {"seed_of_theirs": 1, "metadata": {"more": [1]}}]),
)


@each
@given(wanted=settings)
def test_what_is_written_is_read_again_but_for_what_is_called_lost(
    name: str, wanted: Settings
) -> None:
    read, write = WAYS[name]
    written = write(wanted)
    found = read(written.fields)
    for field in Settings.__struct_fields__:
        if field == "tools" and "tools.deferred" in written.lost:
            plain = [msgspec.structs.replace(tool, deferred=False) for tool in wanted.tools]
            assert list(found.tools) == plain
        elif field == "output" and wanted.output is not None and "output" not in written.lost:
            lost = [one.partition(".")[2] for one in written.lost if one.startswith("output.")]
            told = msgspec.structs.replace(wanted.output, **dict.fromkeys(lost))
            assert found.output == told
        elif field not in written.lost:
            assert getattr(found, field) == getattr(wanted, field), (field, written)


@each
@given(wanted=settings)
def test_what_is_written_is_what_the_sdk_knows(name: str, wanted: Settings) -> None:
    plain = msgspec.structs.replace(wanted, rest={}, stream=None)
    fields = WAYS[name][1](plain).fields
    messages = {"messages": [{"role": "user", "content": "hi"}]}
    assert sdk_objections({**fields, **messages}, name) == []


values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["auto", "any", "low", "type"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["type", "function", "name", "effort", "json_schema", "schema"]), inner
        )
    ),
    max_leaves=6,
)
KEYS = (
    *("model", "tools", "tool_choice", "parallel_tool_calls", "max_tokens", "temperature", "stop"),
    *("max_completion_tokens", "stop_sequences", "thinking", "reasoning", "reasoning_effort"),
    *("enable_thinking", "thinking_budget", "response_format", "output_config", "metadata"),
    *("prompt_cache_key", "stream", "top_k", "seed", "user"),
)


@each
@given(envelope=st.dictionaries(st.sampled_from(KEYS), values, max_size=6))
def test_any_fields_are_read_and_reading_what_was_written_changes_nothing(
    name: str, envelope: dict[str, Any]
) -> None:
    read, write = WAYS[name]
    before = copy.deepcopy(envelope)
    found = read(envelope)
    assert envelope == before
    # Fields of a tool that only its provider knows are named, and stay behind.
    tools = tuple(msgspec.structs.replace(tool, more=()) for tool in found.tools)
    found = msgspec.structs.replace(found, tools=tools)
    again = read(write(found).fields)
    lost = write(found).lost
    assert all(
        getattr(again, field) == getattr(found, field)
        for field in Settings.__struct_fields__
        if field not in lost
    )


def test_what_is_not_understood_stays_in_the_rest() -> None:
    search = {"type": "web_search_20250305", "name": "web_search"}
    look = {"name": "look", "input_schema": {"type": "object"}}
    found = anthropic.read_settings(
        {
            "messages": None,
            "system": None,
            "max_tokens": 5,
            "tools": [search, look],
            "metadata": {"user_id": "u", "more": 1},
            "thinking": {"type": "enabled", "budget_tokens": 1024, "display": "omitted"},
            "container": "c",
        }
    )
    assert found.tools == (Tool(name="look"),)
    assert (found.cache_key, found.thinking) == ("u", Thinking(budget=1024))
    assert found.rest == {
        "tools": [search],
        "metadata": {"more": 1},
        "thinking": {"display": "omitted"},
        "container": "c",
    }


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("openai-chat", {"reasoning_effort": "none"}),
        ("mistral", {"reasoning_effort": "none"}),
        ("kimi", {"thinking": {"type": "disabled"}}),
        ("deepseek", {"thinking": {"type": "disabled"}}),
        ("qwen", {"enable_thinking": False}),
        ("openrouter", {"reasoning": {"effort": "none"}}),
        ("anthropic", {"thinking": {"type": "disabled"}, "max_tokens": 5}),
    ],
)
def test_each_is_told_in_its_own_words_not_to_think(name: str, fields: dict[str, Any]) -> None:
    limit = 5 if name == "anthropic" else None
    wanted = Settings(thinking=Thinking(effort="none"), max_output_tokens=limit)
    assert WAYS[name][1](wanted).fields == fields


def test_a_budget_becomes_the_effort_that_comes_near_it() -> None:
    written = WAYS["openai-chat"][1](Settings(thinking=Thinking(budget=2000)))
    assert (written.fields, written.lost) == ({"reasoning_effort": "low"}, ("thinking",))
