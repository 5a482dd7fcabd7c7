"""Requests with everything that their format has, to every other provider: what was lost is named.

Each mark in a request is found in what was made of it, or the report has a name for its loss.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import wiremend
from tests.conversion.rich import PDF, PNG, RICH, WAV, marks
from tests.judges import sdk_objections
from tests.properties.bodies import MODELS
from wiremend.providers import simulated

PAIRS = [(source, target) for source in RICH for target in wiremend.DIALECTS if source != target]
every_pair = pytest.mark.parametrize(("source", "target"), PAIRS)

NAMES: dict[str, set[str]] = {
    "W-Ada": {"name", "field_dropped"},
    "W-predicted": {"prediction"},
    "W-stop": {"stop"},
    "W-grammar": {"format"},
    "W-meta": {"metadata", "requestMetadata"},
    "W-user": {"user", "safety_identifier"},
    "W-key": {"cache_key"},
    "W-paper": {"title of document"},
    "W-paper2": {"title of document"},
    "W-words": {"media_replaced"},
    "W-doctext": {"document"},
    "W-link": {"media_replaced"},
    "W-cited": {"annotations", "citationsContent"},
    "W-compacted": {"compaction"},
    "W-query": {"web_search_call", "server_tool_use"},
    "W-served": {"mcp_call", "web_search_tool_result", "codeExecutionResult"},
    "W-code": {"executableCode"},
    "W-cache": {"cachedContent"},
    "W-sealed": {"signature of thinking"},
    "W-thought": {"thinking_dropped"},
    "W-thought2": {"thinking_dropped"},
    "W-context": {"context"},
    "W-own": {"shown"},
}
"""What a report may call the loss of a mark."""


def _converted(source: str, target: str) -> wiremend.Converted:
    return wiremend.convert(RICH[source], source, target, model=MODELS[target])


def _reported(made: wiremend.Converted) -> set[str]:
    return {lost.what for lost in made.lost} | {anomaly.kind for anomaly in made.anomalies}


@pytest.mark.parametrize("source", list(RICH))
def test_the_requests_are_taken_at_home(source: str) -> None:
    assert wiremend.check(RICH[source], source) == []
    assert sdk_objections(RICH[source], source) == []
    assert simulated(source).post(RICH[source]).error == ""


@every_pair
def test_what_is_made_of_them_is_taken_elsewhere(source: str, target: str) -> None:
    body = _converted(source, target).body
    assert wiremend.check(body, target) == []
    assert sdk_objections(body, target) == []
    assert simulated(target).post(body).error == ""


@every_pair
def test_each_mark_is_there_or_its_loss_is_named(source: str, target: str) -> None:
    made = _converted(source, target)
    gone = marks(RICH[source]) - marks(made.body)
    if source == "anthropic" and target == "bedrock":
        gone -= {"W-doctext"}  # it is there, in base64
    unnamed = {mark for mark in gone if not NAMES.get(mark, set()) & _reported(made)}
    assert unnamed == set()


@every_pair
@pytest.mark.parametrize("media", [PNG, PDF, WAV])
def test_each_picture_and_file_is_there_or_was_replaced(
    source: str, target: str, media: str
) -> None:
    made = _converted(source, target)
    before, after = (json.dumps(body).count(media) for body in (RICH[source], made.body))
    assert after == before or "media_replaced" in _reported(made)


@every_pair
def test_they_come_home_to_the_byte(source: str, target: str) -> None:
    there = _converted(source, target)
    back = wiremend.convert(there.body, target, source, home=RICH[source])
    assert json.dumps(back.body) == json.dumps(RICH[source])
    assert back.lost == ()


def _history_of(dialect: str, *messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": MODELS[dialect], "messages": list(messages)}


def test_openai_s_two_apis_pass_on_custom_tools_as_they_are() -> None:
    there = _converted("openai-chat", "openai-responses")
    assert {"type": "custom_tool_call", "call_id": "c3", "name": "run", "input": "W-free"} in (
        there.body["input"]
    )
    back = wiremend.convert(there.body, "openai-responses", "openai-chat")
    (tool,) = [tool for tool in RICH["openai-chat"]["tools"] if tool["type"] == "custom"]
    assert tool in back.body["tools"]
    calls = [call for m in back.body["messages"] for call in m.get("tool_calls", ())]
    assert {"id": "c3", "type": "custom", "custom": {"name": "run", "input": "W-free"}} in calls


def test_elsewhere_a_function_of_one_text_stands_in_for_a_custom_tool() -> None:
    made = _converted("openai-chat", "anthropic")
    (tool,) = [tool for tool in made.body["tools"] if tool["name"] == "run"]
    assert tool["input_schema"]["required"] == ["input"]
    (use,) = [
        block
        for message in made.body["messages"]
        for block in message["content"]
        if isinstance(block, dict) and block.get("name") == "run"
    ]
    assert use["input"] == {"input": "W-free"}
    assert wiremend.Lost("custom", "tools") in made.lost


@pytest.mark.parametrize(
    ("source", "target", "place", "value"),
    [
        ("openai-chat", "gemini", ("generationConfig", "seed"), 7),
        ("openai-chat", "gemini", ("generationConfig", "frequencyPenalty"), 0.1),
        ("openai-chat", "mistral", ("random_seed",), 7),
        ("openai-chat", "openai-responses", ("text", "verbosity"), "low"),
        ("openai-chat", "openai-responses", ("metadata",), {"k": "W-meta"}),
        ("openai-chat", "bedrock", ("serviceTier",), {"type": "flex"}),
        ("openai-responses", "openai-chat", ("verbosity",), "low"),
        ("openai-responses", "openai-chat", ("store",), False),
        ("gemini", "openai-chat", ("seed",), 7),
        ("gemini", "openai-chat", ("top_logprobs",), 2),
        ("bedrock", "openai-responses", ("service_tier",), "flex"),
    ],
)
def test_a_setting_that_both_have_goes_over(
    source: str, target: str, place: tuple[str, ...], value: object
) -> None:
    found: Any = _converted(source, target).body
    for name in place:
        found = found[name]
    assert found == value


@pytest.mark.parametrize(
    ("source", "target", "names"),
    [
        (
            "gemini",
            "anthropic",
            {f"generationConfig.{n}" for n in ("seed", "presencePenalty", "frequencyPenalty")},
        ),
        ("openai-responses", "anthropic", {"text.verbosity", "reasoning.summary"}),
        ("bedrock", "openai-chat", {"cachePoint"}),
    ],
)
def test_settings_that_stay_behind_are_named_one_by_one(
    source: str, target: str, names: set[str]
) -> None:
    made = _converted(source, target)
    assert names <= {lost.what for lost in made.lost}
    assert not {"generationConfig", "text", "reasoning"} & {lost.what for lost in made.lost}


def test_every_signature_of_a_thought_is_counted_those_of_calls_too() -> None:
    lost = [
        one for one in _converted("gemini", "openai-chat").lost if one.what == "thoughtSignature"
    ]
    assert lost == [wiremend.Lost("thoughtSignature", "assistant", 2)]


def test_the_name_of_a_picture_that_only_gemini_keeps_is_named() -> None:
    shown = {"inlineData": {"mimeType": "image/png", "data": PNG, "displayName": "plot.png"}}
    body = {"contents": [{"role": "user", "parts": [{"text": "See."}, shown]}]}
    made = wiremend.convert(body, "gemini", "anthropic", model=MODELS["anthropic"])
    assert wiremend.Lost("displayName", "user") in made.lost


def test_a_tier_that_only_one_provider_has_stays_behind() -> None:
    body = {
        **_history_of("openai-chat", {"role": "user", "content": "Hi."}),
        "service_tier": "auto",
    }
    made = wiremend.convert(body, "openai-chat", "bedrock", model=MODELS["bedrock"])
    assert "serviceTier" not in made.body
    assert wiremend.Lost("service_tier", "settings") in made.lost


def test_thinking_that_claude_s_provider_sealed_goes_from_one_to_the_other() -> None:
    there = _converted("anthropic", "bedrock")
    block = {"reasoningContent": {"redactedContent": "V1JFREFDVEVE"}}
    assert block in there.body["messages"][1]["content"]
    back = _converted("bedrock", "anthropic")
    assert {"type": "redacted_thinking", "data": "V1JFREFDVEVE"} in back.body["messages"][1][
        "content"
    ]


def test_fields_of_any_server_are_named_where_they_stay_behind() -> None:
    said = {"role": "user", "content": [{"type": "text", "text": "Hi.", "shade": 1}], "mood": 2}
    made = wiremend.convert(_history_of("kimi", said), "kimi", "deepseek", model="deepseek-chat")
    assert {lost.what for lost in made.lost} >= {"shade", "mood"}
