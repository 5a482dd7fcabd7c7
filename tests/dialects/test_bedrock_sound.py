"""What Bedrock takes comes out as it went in, however unusual it is."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import wiremend
from tests.converse import converse_objections
from tests.dialects.converse import (
    CLAUDE,
    LLAMA,
    NOVA,
    PDF,
    PNG,
    POINT,
    TOOLS,
    Body,
    assistant,
    document,
    image,
    result,
    thinking,
    use,
    user,
)
from wiremend.providers import simulated

ASK, MORE = user("q"), user("and then?")
S3 = {"s3Location": {"uri": "s3://bucket-one/a.png", "bucketOwner": "123456789012"}}
GUARDED = {"guardContent": {"text": {"text": "is it safe?", "qualifiers": ["query"]}}}
CITED = {
    "citationsContent": {
        "content": [{"text": "The grass is green."}],
        "citations": [
            {"title": "T", "location": {"documentChar": {"documentIndex": 0, "start": 0, "end": 2}}}
        ],
    }
}
FOUND = {"searchResult": {"source": "https://e.test", "title": "T", "content": [{"text": "x"}]}}
SERVER = {"toolUseId": "srv_1", "name": "nova_grounding", "input": {}, "type": "server_tool_use"}
SERVED = {"toolUseId": "srv_1", "content": [{"text": "found"}], "type": "nova_grounding_result"}

SOUND: dict[str, Body] = {
    "a plain question": {"messages": [ASK]},
    "an answer that is begun": {"messages": [ASK, assistant("It is")]},
    "no tools at all": {"messages": [ASK, assistant("a"), MORE], "toolConfig": None},
    "no system blocks": {"messages": [ASK], "system": []},
    "a system prompt with everything": {
        "messages": [ASK],
        "system": [{"text": "be brief"}, GUARDED, POINT],
    },
    "parallel calls, answered in another order": {
        "messages": [ASK, assistant(use("a"), use("b")), user(result("b", "B"), result("a", "A"))]
    },
    "an id that is used again in a later message": {
        "messages": [
            *(ASK, assistant(use("a")), user(result("a", "A"))),
            *(assistant(use("a")), user(result("a", "A"))),
        ]
    },
    "ids as Kimi makes them": {
        "messages": [ASK, assistant(use("functions.run:0")), user(result("functions.run:0", "A"))]
    },
    "text between and before calls": {
        "messages": [ASK, assistant("x", use("a"), "y", use("b")), user(result("a"), result("b"))]
    },
    "words before, between and behind results": {
        "messages": [
            ASK,
            assistant(use("a"), use("b")),
            user("first", result("a", "A"), image(), result("b", "B"), "last", POINT),
        ]
    },
    "empty and blank results that succeeded": {
        "messages": [
            ASK,
            assistant(use("a"), use("b"), use("c")),
            user(result("a"), result("b", " "), result("c", "", "C", status="success")),
        ]
    },
    "a failure with a blank text beside its words": {
        "messages": [ASK, assistant(use("a")), user(result("a", "", "boom", status="error"))]
    },
    "results of every kind": {
        "messages": [
            ASK,
            assistant(use("a", {"n": 1.0, "deep": [None]})),
            user(
                result(
                    "a",
                    {"json": {"n": 1.0, "text": "é"}},
                    image(),
                    document("report (1) [final]"),
                    {"video": {"format": "three_gp", "source": {"bytes": "AAAA"}}},
                    FOUND,
                )
            ),
        ]
    },
    "files of every kind": {
        "messages": [
            user(
                "look",
                image(),
                image("jpeg", "AAAA"),
                {"image": {"format": "png", "source": S3}},
                document("a"),
                document("b", "txt", text="words"),
                document("c", "md", content=[{"text": "x"}]),
                {"document": {"name": "d", "source": {"text": "words"}}},
                {
                    "document": {
                        **document("e")["document"],
                        "context": "C",
                        "citations": {"enabled": True},
                    }
                },
                {"audio": {"format": "x-aac", "source": {"bytes": "AAAA"}}},
                {"video": {"format": "mkv", "source": S3}},
                GUARDED,
                FOUND,
            )
        ]
    },
    "a document in a result needs no text beside it": {
        "messages": [ASK, assistant(use("a")), user(result("a", document("a_b")))]
    },
    "reasoning with signatures, redacted too": {
        "messages": [
            ASK,
            assistant(
                thinking("", signature="c2ln"),
                {"reasoningContent": {"redactedContent": "AAAA"}},
                thinking("hm", signature="c2ln"),
                use("a"),
            ),
            user(result("a", "A")),
        ]
    },
    "reasoning of a model that signs nothing": {
        "modelId": "openai.gpt-oss-120b-1:0",
        "messages": [ASK, assistant(thinking("hm"), "a"), user("b"), assistant(thinking(""))],
    },
    "thinking that is asked for and there, once in the turn": {
        "messages": [
            ASK,
            assistant(thinking("hm", signature="s"), use("a")),
            user(result("a", "A")),
            assistant(use("b")),
            user(result("b", "B"), POINT),
        ],
        "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    },
    "thinking that is asked for in a turn that the user ends": {
        "messages": [ASK, assistant(use("a")), user(result("a", "A"), "more")],
        "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    },
    "a cache point behind a PDF": {"messages": [user("q", document("a"), POINT)]},
    "cited words": {"messages": [ASK, assistant(CITED), MORE]},
    "cache points, four of them": {
        "messages": [user("a", POINT), assistant("b", POINT), user("c", POINT, "d", POINT)]
    },
    "cache points without end, where nobody counts": {
        "modelId": NOVA,
        "messages": [user("a", POINT, "b", POINT, "c", POINT, "d", POINT, "e", POINT)],
    },
    "a message of nothing but a cache point": {"messages": [user(POINT)]},
    "a tool that the provider runs": {
        "modelId": NOVA,
        "messages": [
            ASK,
            assistant("Let me see.", {"toolUse": SERVER}, {"toolResult": SERVED}, "Found."),
            MORE,
        ],
        "toolConfig": {"tools": [{"systemTool": {"name": "nova_grounding"}}]},
    },
    "results alone for a model that wants it": {
        "modelId": LLAMA,
        "messages": [ASK, assistant(use("a")), user(result("a", "A"), POINT)],
    },
    "a system message inside, for a model that takes it": {
        "modelId": "us.anthropic.claude-opus-4-8-v1",
        "messages": [
            ASK,
            {"role": "system", "content": [{"toolAddition": {"tool": {"name": "run"}}}]},
            assistant("x"),
            MORE,
            {"role": "system", "content": [{"text": "Be brief."}]},
        ],
    },
    "an end in white space, for another model": {
        "modelId": NOVA,
        "messages": [ASK, assistant("It is ")],
    },
    "settings of all sorts": {
        "messages": [ASK],
        "inferenceConfig": {"maxTokens": 10, "temperature": 0, "topP": 1, "stopSequences": ["x"]},
        "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        "guardrailConfig": {"guardrailIdentifier": "abc", "guardrailVersion": "DRAFT"},
        "performanceConfig": {"latency": "optimized"},
        "requestMetadata": {"team": "one"},
    },
    "a profile that says nothing of its model": {
        "modelId": "arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc123",
        "messages": [ASK, assistant(thinking("unsigned"), "It is ")],
    },
}
NOVEL: dict[str, Body] = {
    "unknown fields everywhere": {
        "messages": [
            {**user({"text": "q", "note": 1}), "mood": "calm"},
            assistant({**use("a", novel=True), "x": 2}, {**thinking("t", signature="s", y=3)}),
            {**user({**result("a", "A", z=4), "w": 5}, image()), "mood": "calm"},
        ],
        "novel": {"deep": [1]},
    },
    "a document whose format is null": {
        "messages": [
            user("q", {"document": {"format": None, "name": "d", "source": {"text": "words"}}})
        ]
    },
    "blocks of a kind that is not known yet": {
        "messages": [user("q", {"hologram": {"format": "cube"}}), assistant("a"), MORE]
    },
}


def bodies(table: dict[str, Body]) -> list[Any]:
    return [
        pytest.param({"modelId": CLAUDE, "toolConfig": TOOLS, **body}, id=name)
        for name, body in table.items()
    ]


@pytest.mark.parametrize("body", bodies(SOUND) + bodies(NOVEL))
def test_a_sound_request_comes_out_as_it_went_in(body: Body) -> None:
    before = copy.deepcopy(body)
    assert wiremend.check(body, "bedrock") == []
    fixed = wiremend.fix(body, "bedrock")
    assert fixed.body == before
    assert fixed.anomalies == ()
    assert list(fixed.body) == list(before)
    assert simulated("bedrock").post(body).error == ""


@pytest.mark.parametrize("body", bodies(SOUND))
def test_the_service_model_takes_what_we_call_sound(body: Body) -> None:
    assert converse_objections({k: v for k, v in body.items() if v is not None}) == []


def test_python_bytes_stay_bytes() -> None:
    png = bytes.fromhex("89504e470d0a1a0a00")
    said = user("look", image("png", png), document("d", bytes=b"%PDF-1.4"))
    redacted = {"reasoningContent": {"redactedContent": b"\x00\xff"}}
    body = {"modelId": CLAUDE, "messages": [said, assistant(redacted, "ok"), MORE]}
    before = copy.deepcopy(body)
    assert wiremend.check(body, "bedrock") == []
    assert wiremend.fix(body, "bedrock") == wiremend.Fixed(before, ())
    assert simulated("bedrock").post(body).accepted
    body["messages"] = [user("look", image("jpeg", png))]
    mended = wiremend.fix(body, "bedrock")
    assert mended.body["messages"] == [user("look", image("png", png))]
    assert [violation.code for violation in wiremend.check(body, "bedrock")] == ["WM528"]


def test_what_other_providers_have_too_is_read_in_neutral_parts() -> None:
    body = {
        "system": [{"text": "be brief"}],
        "messages": [
            user("look", image(), document("d"), document("t", "txt", text="w"), GUARDED),
            assistant(thinking("hm", signature="s"), CITED, use("a", {"q": 1})),
            user(result("a", {"json": {"n": 1}}, status="error"), "and?"),
        ],
    }
    history = wiremend.DIALECTS["bedrock"].decode(body, lambda _: None).history
    assert [message.role for message in history] == ["system", "user", "assistant", "tool", "user"]
    kinds = [[type(part).__name__ for part in message.content] for message in history]
    assert kinds == [
        ["TextPart"],
        ["TextPart", "ImagePart", "DocumentPart", "DocumentPart", "TextPart"],
        ["ThinkPart", "TextPart"],
        ["TextPart"],
        ["TextPart"],
    ]
    sent = wiremend.request(history, "anthropic", {"model": "claude-sonnet-4-5", "max_tokens": 9})
    assert wiremend.check(sent.body, "anthropic") == []
    said = str(sent.body)
    for words in (PNG, PDF, "The grass is green.", "is it safe?", '{"n": 1}', "is_error"):
        assert words in said
