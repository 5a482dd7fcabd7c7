"""Histories from elsewhere as contents, and contents as histories for elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import wiremend
from tests.dialects.blocks import PNG, Body
from tests.dialects.contents import SKIP, asked, blob, gave, made, model, said
from tests.properties.conversations import anthropic_bodies, openai_bodies
from tests.properties.gemini_conversations import gemini_bodies
from tests.properties.test_histories import SETTINGS
from tests.properties.test_invariants import texts_of
from wiremend import ContextMessage, ToolCall
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    MediaSource,
    TextPart,
    ThinkPart,
    assistant,
    tool_result,
    user,
)
from wiremend.projection.anomalies import ignore
from wiremend.providers import simulated

IMAGE = f"data:image/png;base64,{PNG}"


def sent(*history: ContextMessage, to: str = "gemini-2.5-flash", **more: Any) -> wiremend.Fixed:
    return wiremend.request(history, "gemini", {"model": to, **more})


def contents(*history: ContextMessage, to: str = "gemini-2.5-flash") -> list[Body]:
    made: list[Body] = sent(*history, to=to).body["contents"]
    return made


def test_calls_from_elsewhere_are_written_without_their_ids_in_the_order_of_the_calls() -> None:
    calls = (ToolCall("c1", "run", '{"n": 1}'), ToolCall("c2", "run", '{"n": 2}'))
    fixed = sent(
        user("hi"), assistant("", *calls), tool_result("c2", "two"), tool_result("c1", "one")
    )
    assert fixed.body["contents"] == [
        said("hi"),
        model(made(args={"n": 1}), made(args={"n": 2})),
        said(gave("one"), gave("two")),
    ]
    assert [a.kind for a in fixed.anomalies] == ["tool_results_sorted"]


def test_a_failure_is_said_under_error() -> None:
    call = ToolCall("c", "run", "{}")
    history = (user("hi"), assistant("", call), tool_result("c", "boom", is_error=True))
    assert contents(*history)[2] == said(gave({"error": "boom"}))


def test_a_gemini_3_model_gets_the_word_for_lost_signatures() -> None:
    history = (user("hi"), assistant("", ToolCall("c", "run", "{}")), tool_result("c", "x"))
    assert contents(*history, to="gemini-3-pro")[1] == model(made(signature=SKIP))
    assert contents(*history)[1] == model(made())


def test_thinking_of_another_provider_goes_and_that_is_told() -> None:
    thought = ContextMessage("assistant", (ThinkPart("hm", "sig"), TextPart("so")))
    fixed = sent(user("hi"), thought)
    assert fixed.body["contents"] == [said("hi"), model("so")]
    assert [a.kind for a in fixed.anomalies] == ["thinking_dropped"]


def test_a_picture_in_a_result_stays_there_for_models_that_take_it() -> None:
    result = ContextMessage(
        "tool", (TextPart("see"), ImagePart(MediaSource(IMAGE))), tool_call_id="c"
    )
    history = (user("hi"), assistant("", ToolCall("c", "run", "{}")), result)
    assert contents(*history, to="gemini-3-flash")[2] == said(gave("see", parts=[blob()]))
    old = contents(*history)
    assert old[2] == said(gave("see"))
    assert old[3]["parts"][1] == blob()


def test_media_is_written_as_data_or_as_a_file() -> None:
    parts = (
        ImagePart(MediaSource(IMAGE)),
        ImagePart(MediaSource("https://e.test/a.jpg?x=1")),
        ImagePart(MediaSource("https://e.test/a")),
        AudioPart(MediaSource("data:audio/wav;base64,UklGRg==")),
        DocumentPart(url="data:application/pdf;base64,JVBERi0=", title="paper"),
        DocumentPart(text="plain words"),
        DocumentPart(file_id="file-1", title="theirs"),
    )
    (content,) = contents(ContextMessage("user", parts))
    assert content["parts"] == [
        blob(),
        {"fileData": {"mimeType": "image/jpeg", "fileUri": "https://e.test/a.jpg?x=1"}},
        {"fileData": {"fileUri": "https://e.test/a"}},
        blob("audio/wav", "UklGRg=="),
        blob("application/pdf", "JVBERi0="),
        {"text": "plain words"},
        {"text": "[document: theirs]"},
    ]


def test_tools_that_messages_declare_are_declared() -> None:
    tool = {"type": "function", "function": {"name": "run", "parameters": {"type": "object"}}}
    declaring = ContextMessage("system", tools=(tool, {"name": "old"}))
    fixed = sent(user("hi"), declaring, tools=[{"functionDeclarations": [{"name": "old"}]}])
    assert fixed.body["tools"] == [
        {"functionDeclarations": [{"name": "old"}]},
        {"functionDeclarations": [{"name": "run", "parametersJsonSchema": {"type": "object"}}]},
    ]


def test_what_a_request_holds_is_read_in_the_words_of_the_model() -> None:
    body = asked(
        said("hi", blob()),
        model({"text": "hm", "thought": True}, made(args={"a": 1})),
        said(gave({"error": "boom"}), "so"),
        systemInstruction={"parts": [{"text": "brief"}]},
    )
    history = wiremend.DIALECTS["gemini"].decode(body, ignore).history
    assert [m.role for m in history] == ["system", "user", "assistant", "tool", "user"]
    system, prompt, called, result, _ = history
    assert system.content[0] == TextPart("brief")
    assert prompt.content[1] == ImagePart(MediaSource(IMAGE))
    assert isinstance(called.content[0], ThinkPart)
    assert called.tool_calls[0].arguments == '{"a": 1}'
    assert isinstance(result, ContextMessage)
    assert (result.is_error, result.content) == (True, (TextPart("boom"),))
    assert result.tool_call_id == called.tool_calls[0].id


def test_a_signature_is_never_sent_to_another_provider() -> None:
    thought = {"text": "hm", "thought": True, "thoughtSignature": "c2ln"}
    body = asked(said("hi"), model(thought, made(signature="c2ln")), said(gave()))
    history = wiremend.DIALECTS["gemini"].decode(body, ignore).history
    for dialect in ("anthropic", "openai-chat"):
        assert "c2ln" not in str(wiremend.request(history, dialect, SETTINGS[dialect]).body)


BODIES = {
    "openai-chat": openai_bodies(),
    "anthropic": anthropic_bodies(),
    "gemini": gemini_bodies(),
}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("openai-chat", "gemini"),
        ("anthropic", "gemini"),
        ("gemini", "openai-chat"),
        ("gemini", "anthropic"),
    ],
)
def test_any_conversation_can_be_sent_to_another_provider(source: str, target: str) -> None:
    @given(BODIES[source])
    @settings(max_examples=50)
    def converted(body: Body) -> None:
        history = wiremend.DIALECTS[source].decode(body, ignore).history
        fixed = wiremend.request(history, target, SETTINGS[target])
        assert wiremend.check(fixed.body, target) == []
        assert simulated(target).post(fixed.body).error == ""
        assert texts_of(body) <= texts_of(fixed.body)

    converted()
