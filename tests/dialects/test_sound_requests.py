"""What a provider takes comes out as it went in, however unusual it is."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import wiremend
from tests.dialects.blocks import (
    CHAT_TOOLS,
    MARK,
    PNG,
    TOOLS,
    Body,
    assistant,
    call,
    calling,
    found,
    image,
    image_url,
    result,
    search,
    system,
    text,
    thinking,
    tool,
    use,
    user,
)
from tests.judges import sdk_objections
from wiremend.providers import simulated

ASK, MORE = user("q"), user("and then?")
OPUS = "claude-opus-4-8"
DOCUMENTS = [
    {"type": "document", "source": {"type": "url", "url": "https://example.test/a.pdf"}},
    {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "words"},
        "title": "T",
        "context": "C",
        "citations": {"enabled": True},
    },
    {
        "type": "document",
        "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
        "cache_control": MARK,
    },
    {"type": "document", "source": {"type": "content", "content": [text("inner")]}},
]
CITED = text(
    "so",
    citations=[
        {
            "type": "char_location",
            "cited_text": "w",
            "document_index": 0,
            "document_title": "T",
            "start_char_index": 0,
            "end_char_index": 1,
        }
    ],
)

ANTHROPIC: dict[str, dict[str, Any]] = {
    "results in another order than the calls": {
        "messages": [ASK, assistant(use("a"), use("b")), user(result("b"), result("a"))]
    },
    "results and text in one message": {
        "messages": [ASK, assistant(use("a")), user(result("a"), text("and this"))]
    },
    "text in a message of its own behind results": {
        "messages": [ASK, assistant(use("a")), user(result("a")), user("and this")]
    },
    "results without content": {
        "messages": [
            ASK,
            assistant(use("a"), use("b"), use("c"), use("d")),
            user(
                {"type": "tool_result", "tool_use_id": "a"},
                result("b", ""),
                result("c", []),
                result("d", "  "),
            ),
        ]
    },
    "failures with and without the mark": {
        "messages": [
            ASK,
            assistant(use("a"), use("b")),
            user(result("a", "boom", is_error=True), result("b", is_error=False)),
        ]
    },
    "calls between thinking": {
        "messages": [
            ASK,
            assistant(
                thinking("", signature="s"),
                use("a"),
                thinking("two", signature="t"),
                {"type": "redacted_thinking", "data": "ZGF0YQ=="},
                use("b"),
            ),
            user(result("a"), result("b")),
        ],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
    },
    "a log's line for each block of an answer": {
        "messages": [
            ASK,
            assistant(text("one")),
            assistant(use("a")),
            assistant("two"),
            user(result("a")),
            assistant(text("x")),
            assistant("y"),
            MORE,
        ]
    },
    "documents of every kind and citations": {
        "messages": [user(*DOCUMENTS, text("read")), assistant(CITED), MORE]
    },
    "images by data and by address, in results too": {
        "messages": [
            user(image(), {"type": "image", "source": {"type": "url", "url": "https://e.test/i"}}),
            assistant(use("a")),
            user(result("a", [text("shot"), image()])),
        ]
    },
    "four cache marks, also in tools and system": {
        "messages": [user(text("x", cache_control={**MARK, "ttl": "5m"})), assistant("y"), MORE],
        "system": [text("s", cache_control={**MARK, "ttl": "1h"})],
        "tools": [{**TOOLS[0], "cache_control": {**MARK, "ttl": "1h"}}],
    },
    "a server tool with its result": {
        "messages": [ASK, assistant(text("s"), search("srvtoolu_1"), found("srvtoolu_1")), MORE]
    },
    "a paused turn": {"messages": [ASK, assistant(text("s"), search("srvtoolu_1"))]},
    "a prefill": {"messages": [ASK, assistant("The answer is")]},
    "an empty final assistant message": {"messages": [ASK, assistant("")]},
    "white space at the end of an earlier answer": {"messages": [ASK, assistant("one \n"), MORE]},
    "a system message behind a user turn": {
        "model": OPUS,
        "messages": [
            ASK,
            assistant(use("a")),
            user(result("a")),
            system("brief"),
            assistant("k"),
            MORE,
        ],
    },
    "system messages in a row": {
        "model": OPUS,
        "messages": [ASK, system("a"), system("b"), assistant("k"), MORE],
    },
    "fields that nobody knows": {
        "messages": [
            {"role": "user", "content": [text("x", novel=1)], "novel": {"a": [None]}},
            assistant({"type": "novel", "data": 1}, use("a", novel=True)),
            user(result("a", [{"type": "novel_result"}], novel=2)),
        ],
        "novel": 3,
    },
    "an empty system prompt": {"messages": [ASK], "system": ""},
}

CHAT: dict[str, dict[str, Any]] = {
    "empty texts": {
        "messages": [
            user(""),
            assistant(""),
            calling(call("a"), content=""),
            tool("a", ""),
            user(text("")),
        ]
    },
    "an id that a later message uses again": {
        "messages": [ASK, calling(call("a")), tool("a"), calling(call("a")), tool("a"), MORE]
    },
    "results in another order than the calls": {
        "messages": [ASK, calling(call("a"), call("b")), tool("b"), tool("a"), MORE]
    },
    "a refusal, and a refusal as a part": {
        "messages": [
            ASK,
            {"role": "assistant", "content": None, "refusal": "no"},
            assistant({"type": "refusal", "refusal": "no"}),
            MORE,
        ]
    },
    "an answer in sound": {
        "messages": [ASK, {"role": "assistant", "content": None, "audio": {"id": "audio_1"}}, MORE]
    },
    "a legacy function": {
        "messages": [
            ASK,
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "run", "arguments": "{}"},
            },
            {"role": "function", "name": "run", "content": "out"},
            MORE,
        ]
    },
    "a custom tool's call with free text": {
        "messages": [
            ASK,
            calling({"id": "a", "type": "custom", "custom": {"name": "run", "input": "{ free"}}),
            tool("a"),
        ]
    },
    "sound, files and pictures": {
        "messages": [
            user(
                text("all", novel=1),
                {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
                {"type": "file", "file": {"file_id": "file-1"}},
                {"type": "file", "file": {"file_data": "data:x", "filename": "a.pdf", "n": 1}},
                {"type": "image_url", "image_url": {"url": "https://e.test/i", "detail": "low"}},
            )
        ]
    },
    "a developer, names, and a system message in the middle": {
        "messages": [
            {"role": "developer", "content": "d"},
            {"role": "user", "name": "ann", "content": "x"},
            {"role": "system", "name": "sys", "content": [text("s")]},
            {"role": "assistant", "name": "bot", "content": "y", "refusal": None, "novel": [1]},
            MORE,
        ]
    },
    "a conversation that starts and ends with the assistant": {
        "messages": [assistant("hello"), ASK, assistant("answer")]
    },
    "no content at all beside calls": {
        "messages": [
            ASK,
            {"role": "assistant", "tool_calls": [call("a", '{ "n": 1e2 }')]},
            tool("a", [text("x"), text("y")]),
        ]
    },
    "reasoning of a compatible server": {
        "messages": [
            ASK,
            {**calling(call("functions.run:0"), content=""), "reasoning_content": "hm"},
            tool("functions.run:0"),
            {"role": "assistant", "content": "x", "reasoning_details": [{"type": "x"}]},
            MORE,
        ]
    },
}


def bodies(cases: dict[str, dict[str, Any]], **defaults: Any) -> list[Any]:
    return [pytest.param({**defaults, **body}, id=name) for name, body in cases.items()]


def comes_out_as_it_went_in(body: Body, dialect: str) -> None:
    before = copy.deepcopy(body)
    assert wiremend.check(body, dialect) == []
    fixed = wiremend.fix(body, dialect)
    assert fixed.body == before
    assert fixed.anomalies == ()
    assert list(fixed.body) == list(before)


@pytest.mark.parametrize(
    "body", bodies(ANTHROPIC, model="claude-sonnet-4-5", max_tokens=4096, tools=TOOLS)
)
def test_a_sound_request_to_anthropic_comes_out_as_it_went_in(body: Body) -> None:
    comes_out_as_it_went_in(body, "anthropic")
    if "novel" not in body:
        assert simulated("anthropic").post(body).error == ""
        assert sdk_objections(body, "anthropic") == []


@pytest.mark.parametrize("body", bodies(CHAT, model="gpt-4o", tools=CHAT_TOOLS))
def test_a_sound_request_to_openai_comes_out_as_it_went_in(body: Body) -> None:
    comes_out_as_it_went_in(body, "openai-chat")
    assert simulated("openai-chat").post(body).error == ""
    assert sdk_objections(body, "openai-chat") == []


def test_messages_that_do_not_change_are_the_very_same_objects() -> None:
    body = {"messages": [ASK, calling(call("a")), MORE]}
    fixed = wiremend.fix(body, "openai-chat").body
    assert fixed["messages"][0] is ASK
    assert fixed["messages"][-1] is MORE


def test_made_up_image_data_is_left_alone() -> None:
    body = {"messages": [user(image(data="AAAA")), user(image_url(f"data:image/png;base64,{PNG}"))]}
    assert wiremend.fix({"messages": body["messages"][:1]}, "anthropic").anomalies == ()
    assert wiremend.fix({"messages": body["messages"][1:]}, "openai-chat").anomalies == ()


def test_the_input_is_not_changed_even_where_marks_of_its_tools_are_dropped() -> None:
    tools = [{**TOOLS[0], "name": f"t{n}", "cache_control": MARK} for n in range(6)]
    body = {"messages": [ASK], "tools": tools}
    before = copy.deepcopy(body)
    fixed = wiremend.fix(body, "anthropic")
    assert len(fixed.anomalies) == 2
    assert wiremend.check(fixed.body, "anthropic") == []
    assert body == before


def test_a_field_of_a_message_with_results_stays_where_it_is() -> None:
    use = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": "a", "content": "ok"}
    for more in ([], [{"type": "text", "text": "so"}]):
        body = {
            "messages": [
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": [use]},
                {"role": "user", "content": [answer, *more], "trace": 7},
            ],
            "tools": [{"name": "f", "input_schema": {"type": "object"}}],
        }
        assert wiremend.fix(body, "anthropic") == wiremend.Fixed(body, ())
