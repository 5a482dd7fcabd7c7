"""Requests that the Gemini API takes: they come out exactly as they went in, whatever they hold."""

from __future__ import annotations

import copy
import json

import pytest

import wiremend
from tests.dialects.blocks import Body
from tests.dialects.contents import asked, blob, gave, made, model, said
from wiremend.providers import simulated

SOUND: dict[str, Body] = {
    "a single part without a list": asked({"role": "user", "parts": {"text": "hi"}}),
    "a content without a role": asked({"parts": [{"text": "hi"}]}),
    "a content without a list": {"contents": {"parts": [{"text": "hi"}]}},
    "a system instruction": asked(said("hi"), systemInstruction={"parts": [{"text": "brief"}]}),
    "one in the schema's spelling, as an object": asked(
        said("hi"), system_instruction={"parts": {"text": "brief"}, "role": "system"}
    ),
    "an empty system instruction": asked(said("hi"), systemInstruction={"parts": []}),
    "white space as text": asked(said("hi"), model(" "), said("\n")),
    "neighbours of one role": asked(said("a"), said("b"), model("c"), model("d"), said("e")),
    "a last turn of the model": asked(said("hi"), model("It was")),
    "unknown fields everywhere": asked(
        said({"text": "hi", "newField": 1}, fresh=True),
        model({**made(brandNew=1), "other": {}}),
        said({**gave(scheduling="SILENT"), "x": 1}, y=2),
        future={"a": 1},
    ),
    "null fields": asked(said({"text": "hi", "functionCall": None, "thought": None})),
    "calls without ids": asked(
        said("hi"), model(made(), made()), said(gave("1"), gave("2")), model("so")
    ),
    "responses in another order, told by name": asked(
        said("hi"), model(made("a"), made("b")), said(gave("2", "b"), gave("1", "a"))
    ),
    "responses in another order, told by id": asked(
        said("hi"), model(made(id="x"), made(id="y")), said(gave(id="y"), gave(id="x"))
    ),
    "ids on one side only": asked(
        said("hi"), model(made(), made("b")), said(gave(id="x"), gave("1", "b", id="y"))
    ),
    "responses without ids to calls with ids": asked(
        said("hi"), model(made(id="x"), made(id="y")), said(gave("1"), gave("2"))
    ),
    "the same id in every turn": asked(
        said("hi"), model(made(id="x")), said(gave(id="x")), model(made(id="x")), said(gave(id="x"))
    ),
    "a response by another name": asked(said("hi"), model(made("a")), said(gave("1", "b"))),
    "text before, between and behind responses": asked(
        said("hi"), model(made(), made()), said("one", gave("1"), "two", gave("2"), blob())
    ),
    "interleaved calls and text": asked(
        said("hi"), model("a", made(), "b", made(), "c"), said(gave(), gave())
    ),
    "responses of every form": asked(
        said("hi"),
        model(*(made() for _ in range(7))),
        said(
            gave({}),
            gave({"output": "x"}),
            gave({"error": "x"}),
            gave({"error": {"code": 1}, "output": 2}),
            gave({"rows": [1, 2.0, None, True]}),
            gave({"result": ""}),
            {"functionResponse": {"name": "run", "parts": [], "response": None}},
        ),
    ),
    "nothing inside a response": asked(
        said("hi"), model(made()), said(gave(parts=[{"inlineData": None}, {}]))
    ),
    "media inside a response": asked(
        said("hi"),
        model(made()),
        said(gave({"see": {"$ref": "a.png"}}, parts=[blob(displayName="a.png"), {"fileData": {}}])),
    ),
    "args that are absent or null": asked(
        said("hi"),
        model({"functionCall": {"name": "run"}}, {"functionCall": {"name": "run", "args": None}}),
        said(gave(), gave()),
    ),
    "thoughts and signatures where they came": asked(
        said("hi"),
        model(
            {"text": "hm", "thought": True, "thoughtSignature": "eA=="},
            made(signature="c2ln"),
            made(),
        ),
        said(gave(), gave()),
        model({"text": "so"}, {"text": "", "thoughtSignature": "eHg="}),
        said("go on"),
        model="gemini-3-pro-preview",
    ),
    "an old turn without signatures": asked(
        said("hi"), model(made()), said(gave()), model("so"), said("on"), model="gemini-3-pro"
    ),
    "calls without signatures for a model that draws": asked(
        said("hi"), model(made()), said(gave()), model="gemini-3-pro-image-preview"
    ),
    "server tools and code": asked(
        said("hi"),
        model(
            {"executableCode": {"language": "PYTHON", "code": "1"}},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
            {"toolCall": {"toolType": "GOOGLE_SEARCH", "id": "s"}},
            {"toolResponse": {"toolType": "GOOGLE_SEARCH", "id": "s", "response": {}}},
            "so",
        ),
        said("on"),
    ),
    "media of every kind": asked(
        said(
            blob(),
            blob("image/heic", "AAAAGGZ0eXBoZWlj"),
            blob("image/heif", "AAAAGGZ0eXBoZWlj"),
            blob("audio/L16;rate=24000", "AAAA"),
            blob("video/mp4", "AAAA"),
            blob("application/pdf", "JVBERi0="),
            blob("text/plain", "aGk", displayName="note"),
            {"fileData": {"fileUri": "https://youtu.be/x"}, "videoMetadata": {"fps": 1}},
            {"fileData": {"fileUri": "files/abc", "mimeType": "image/gif"}},
            {"fileData": {"fileUri": "gs://b/a.mp3", "mimeType": None}},
        )
    ),
    "the schema's spelling throughout": asked(
        said({"inline_data": {"mime_type": "image/png", "data": "iVBORw0KGgo="}}),
        model({"function_call": {"name": "a.b:c-d", "args": {}}, "thought_signature": "c2ln"}),
        said({"function_response": {"name": "a.b:c-d", "response": {"result": "x"}}}),
        generation_config={"max_output_tokens": 5},
    ),
    "the function role of early SDKs": asked(
        said("hi"), model(made()), {"role": "function", "parts": [gave()]}
    ),
    "settings and cached content": asked(
        said("hi"),
        cachedContent="cachedContents/a",
        tools=[{"functionDeclarations": [{"name": "run"}]}, {"googleSearch": {}}],
        toolConfig={"functionCallingConfig": {"mode": "AUTO"}},
        generationConfig={"thinkingConfig": {"thinkingBudget": 0}},
        safetySettings=[],
    ),
}


@pytest.mark.parametrize("name", list(SOUND))
def test_a_sound_request_comes_out_as_it_went_in(name: str) -> None:
    body = SOUND[name]
    before = copy.deepcopy(body)
    assert wiremend.check(body, "gemini") == []
    assert simulated("gemini").post(body).error == ""
    fixed = wiremend.fix(body, "gemini")
    assert fixed.anomalies == ()
    assert json.dumps(fixed.body) == json.dumps(before)
    assert body == before
