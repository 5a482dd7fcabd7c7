"""What each compatible server refuses is found and mended; what it takes comes out as it was."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import wiremend
from tests.dialects.blocks import (
    MARK,
    Body,
    assistant,
    call,
    calling,
    image_url,
    system,
    text,
    tool,
    user,
)
from tests.judges import sdk_objections
from wiremend.model import ContextMessage, TextPart, ThinkPart, ToolCall, tool_result
from wiremend.providers import simulated

ASK, MORE, SO = user("q"), user("more"), assistant("so")
ON = {"thinking": {"type": "enabled"}}
NINE = "abcDEF123"
FILM = {"type": "video_url", "video_url": {"url": "https://example.test/a.mp4"}}
PAPER = {"type": "document_url", "document_url": "https://example.test/a.pdf"}


def roles(body: Body) -> str:
    return "".join(message["role"][0] for message in body["messages"])


class Broken(NamedTuple):
    """A request, for whom, the rules that it breaks, the repairs, and what is true afterwards."""

    dialect: str
    messages: list[Any]
    rules: set[str]
    repairs: list[str]
    holds: Callable[[Body], bool] = lambda body: bool(body["messages"])
    more: Mapping[str, Any] = MappingProxyType({})


BROKEN = {
    "reasoning that was sent as null": Broken(
        "kimi",
        [ASK, {**calling(call("run:0")), "reasoning_content": None}, tool("run:0")],
        {"WM602"},
        ["reasoning_filled"],
        lambda body: "run:0" in body["messages"][1]["reasoning_content"],
        ON,
    ),
    "empty reasoning for a model that always thinks": Broken(
        "kimi",
        [ASK, {**calling(call("run:0")), "reasoning_content": ""}, tool("run:0")],
        {"WM602"},
        ["reasoning_filled"],
        lambda body: body["messages"][1]["reasoning_content"].startswith("["),
        {"model": "kimi-k2-thinking"},
    ),
    "a developer, a file and a blank answer": Broken(
        "kimi",
        [
            {"role": "developer", "content": "be brief"},
            user(text("read"), {"type": "file", "file": {"file_id": "f", "filename": "a.pdf"}}),
            assistant(text(" ")),
            MORE,
        ],
        {"WM601", "WM603", "WM661"},
        ["role_rewritten", "media_replaced", "vacuous_message_dropped"],
        lambda body: roles(body) == "suu" and "a.pdf" in json.dumps(body),
    ),
    "a film for a model that sees pictures": Broken(
        "kimi",
        [user(text("look"), FILM, image_url())],
        {"WM605"},
        ["media_replaced"],
        lambda body: (
            [p["type"] for p in body["messages"][0]["content"]][1:] == ["text", "image_url"]
        ),
        {"model": "moonshot-v1-8k-vision-preview"},
    ),
    "a name of a tool that a message declares": Broken(
        "kimi",
        [
            {"role": "system", "tools": [{"type": "function", "function": {"name": "1.run"}}]},
            ASK,
            calling(call("a", name="1.run")),
            tool("a"),
        ],
        {"WM604"},
        ["tool_name_mapped"],
        lambda body: (
            body["messages"][0]["tools"][0]["function"]["name"]
            == body["messages"][2]["tool_calls"][0]["function"]["name"]
            == "tool_1_run"
        ),
    ),
    "a picture in a result for a model of text": Broken(
        "deepseek",
        [ASK, calling(call("a")), tool("a", [text("seen"), image_url()])],
        {"WM623", "WM624"},
        ["media_replaced", "tool_result_joined"],
        lambda body: body["messages"][2]["content"].startswith("seen\n["),
    ),
    "calls whose ids became the same where they were cut": Broken(
        "deepseek",
        [
            ASK,
            calling(call("call_0"), call("call_0")),
            tool("call_0", "one"),
            tool("call_0", "two"),
        ],
        {"WM104"},
        ["duplicate_tool_call_renamed"],
        lambda body: [m["content"] for m in body["messages"][2:]] == ["one", "two"],
    ),
    **{
        f"what another model refused to do, for {server}": Broken(
            server,
            [ASK, assistant({"type": "refusal", "refusal": "not that"}), MORE],
            {rule},
            ["foreign_part_converted"],
            lambda body: body["messages"][1]["content"] == [text("not that")],
        )
        for server, rule in (("kimi", "WM603"), ("deepseek", "WM624"), ("mistral", "WM647"))
    },
    "reasoning for a model of the first generation": Broken(
        "deepseek",
        [ASK, {**SO, "reasoning_content": "hm"}, MORE],
        {"WM622"},
        ["thinking_dropped"],
        lambda body: "reasoning_content" not in body["messages"][1],
        {"model": "deepseek-r1"},
    ),
    "two ids that were the same where one is cut": Broken(
        "mistral",
        [
            ASK,
            calling(call("call_abcdefgh_1"), call("call_abcdefgh_2"), call(NINE)),
            tool("call_abcdefgh_1", "one"),
            tool("call_abcdefgh_2", "two"),
            tool(NINE, "three"),
        ],
        {"WM641"},
        ["tool_call_id_mapped", "tool_call_id_mapped"],
        lambda body: (
            len({m["tool_call_id"] for m in body["messages"][2:]}) == 3
            and body["messages"][4]["tool_call_id"] == NINE
        ),
    ),
    "system messages behind the assistant and a tool": Broken(
        "mistral",
        [ASK, SO, system("in French"), MORE, calling(call(NINE)), tool(NINE), system("be brief")],
        {"WM642"},
        ["system_message_moved", "system_message_moved", "bridge_inserted"],
        lambda body: roles(body) == "uauuatau" and "in French" in json.dumps(body),
    ),
    "calls that start the conversation": Broken(
        "mistral",
        [calling(call(NINE)), tool(NINE)],
        {"WM642"},
        ["leading_user_inserted"],
        lambda body: roles(body) == "uat",
    ),
    "a prefix that was answered": Broken(
        "mistral",
        [ASK, {**SO, "prefix": True}, MORE, {**assistant(""), "prefix": True}, ASK],
        {"WM644"},
        ["field_dropped", "field_dropped", "vacuous_message_dropped"],
        lambda body: roles(body) == "uauu" and "prefix" not in json.dumps(body),
    ),
    "fields of everywhere": Broken(
        "mistral",
        [
            {**user(text("q", cache_control=MARK)), "name": "ann"},
            {**calling({**call(NINE), "x": 1}), "reasoning_content": "hm"},
            {**tool(NINE), "name": "not a name"},
        ],
        {"WM646"},
        ["field_dropped"] * 5,
        lambda body: body["messages"][1]["tool_calls"][0].keys() == {"id", "type", "function"},
    ),
    "a file and a film in OpenAI's form": Broken(
        "mistral",
        [user({"type": "file", "file": {"file_data": "data:application/pdf;base64,AA"}}, FILM)],
        {"WM647"},
        ["foreign_part_converted", "media_replaced"],
        lambda body: body["messages"][0]["content"][0]["type"] == "document_url",
    ),
    "nobody who asks": Broken(
        "qwen",
        [system("s"), SO],
        {"WM662"},
        ["leading_user_inserted"],
        lambda body: roles(body) == "sua",
    ),
    "an image that is only an address": Broken(
        "openrouter",
        [user(text("look"), {"type": "image_url", "image_url": "https://example.test/a.png"})],
        {"WM113"},
        ["foreign_part_converted"],
        lambda body: (
            body["messages"][0]["content"][1]["image_url"] == {"url": "https://example.test/a.png"}
        ),
    ),
    "two systems in front, one behind, and users in a row": Broken(
        "generic",
        [system("one"), system("two"), ASK, MORE, SO, system("three"), MORE],
        {"WM663", "WM664"},
        ["system_message_moved", *["neighbours_merged"] * 3],
        lambda body: (
            roles(body) == "suau"
            and body["messages"][0]["content"] == "one\n\ntwo"
            and body["messages"][3]["content"].endswith("</system-reminder>\n\nmore")
        ),
    ),
    "an empty question and a call without a name": Broken(
        "generic",
        [user(""), ASK, calling(call("a", name=None)), tool("a")],
        {"WM665", "WM664", "WM666"},
        ["vacuous_message_dropped", "tool_name_mapped"],
        lambda body: body["messages"][1]["tool_calls"][0]["function"]["name"] == "unnamed_tool",
    ),
}
EVERY = [pytest.param(case, id=name) for name, case in BROKEN.items()]


@pytest.mark.parametrize("case", EVERY)
def test_it_is_found_mended_and_reported(case: Broken) -> None:
    body = {"messages": case.messages, **case.more}
    assert {found.code for found in wiremend.check(body, case.dialect)} == case.rules
    fixed = wiremend.fix(body, case.dialect)
    assert sorted(anomaly.kind for anomaly in fixed.anomalies) == sorted(case.repairs)
    assert case.holds(fixed.body)


@pytest.mark.parametrize("case", EVERY)
def test_every_judge_takes_what_comes_out(case: Broken) -> None:
    body = {"messages": case.messages, **case.more}
    assert not simulated(case.dialect).post(body).accepted
    fixed = wiremend.fix(body, case.dialect)
    assert wiremend.check(fixed.body, case.dialect) == []
    assert simulated(case.dialect).post(fixed.body).error == ""
    assert sdk_objections(fixed.body, case.dialect) == []
    assert wiremend.fix(fixed.body, case.dialect) == wiremend.Fixed(fixed.body, ())


THINKS = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "signature": "s"}
DETAILS = [{"type": "reasoning.encrypted", "data": "c2ln", "format": "anthropic-claude-v1"}]
SEARCH = {"type": "builtin_function", "function": {"name": "$web_search"}}
SOUND: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "native ids that repeat from turn to turn": (
        "kimi",
        [ASK, calling(call("run:0")), tool("run:0"), MORE, calling(call("run:0")), tool("run:0")],
        {},
    ),
    "an id that an earlier turn had": (
        "deepseek",
        [ASK, calling(call("run:0")), tool("run:0"), MORE, calling(call("run:0")), tool("run:0")],
        {"model": "deepseek-chat"},
    ),
    "calls without reasoning where thinking is off": (
        "kimi",
        [ASK, calling(call("run:0")), tool("run:0")],
        {"model": "kimi-k2.6", "thinking": {"type": "disabled"}},
    ),
    "a picture in a result, and one in Moonshot's own store": (
        "kimi",
        [user(image_url("ms://abc"), FILM), calling(call("a")), tool("a", [image_url()])],
        {"model": "kimi-k2.5", "thinking": {"type": "disabled"}},
    ),
    "tools that a message declares, and a builtin function": (
        "kimi",
        [
            {"role": "system", "tools": [{"type": "function", "function": {"name": "run"}}]},
            ASK,
            calling({**call("a", name="$web_search"), "type": "builtin_function"}),
            tool("a"),
        ],
        {"tools": [SEARCH]},
    ),
    "an empty beginning of an answer, in somebody's name": (
        "kimi",
        [ASK, {"role": "assistant", "name": "Kelsier", "content": "", "partial": True}],
        {},
    ),
    "reasoning on every message": (
        "deepseek",
        [
            ASK,
            {**calling(call("a")), "reasoning_content": "hm"},
            tool("a"),
            {**SO, "reasoning_content": "hm"},
            MORE,
        ],
        {"model": "deepseek-v4-pro"},
    ),
    "chunks of Mistral's own": (
        "mistral",
        [
            user(
                text("q"), PAPER, {"type": "image_url", "image_url": "https://example.test/a.png"}
            ),
            {"role": "assistant", "content": [THINKS, text("so")]},
            user(
                {"type": "input_audio", "input_audio": "UklGRg=="}, {"type": "file", "file_id": "f"}
            ),
        ],
        {},
    ),
    "arguments as an object, and a prefix at the end": (
        "mistral",
        [ASK, calling(call(NINE, {"a": [1]})), tool(NINE), {**SO, "prefix": True}],
        {},
    ),
    "a film as pictures, and sound by its address": (
        "qwen",
        [
            user({"type": "video", "video": ["https://example.test/1.png"]}),
            user(
                {
                    "type": "input_audio",
                    "input_audio": {"data": "https://a.test/a", "format": "mp3"},
                }
            ),
            user(
                {"type": "input_audio", "input_audio": {"data": "data:;base64,AA", "format": "mp3"}}
            ),
            {**SO, "partial": True},
        ],
        {"enable_thinking": True},
    ),
    "reasoning details and cache marks": (
        "openrouter",
        [
            {"role": "developer", "content": [text("s", cache_control=MARK)]},
            user({"type": "file", "file": {"filename": "a", "file_data": "https://a.test/a.pdf"}}),
            {**calling(call("a" * 50)), "reasoning": "hm", "reasoning_details": DETAILS},
            tool("a" * 50),
        ],
        {},
    ),
    "sound, a film, and any name": (
        "generic",
        [
            user(text("q"), FILM, {"type": "audio_url", "audio_url": {"url": "https://a.test/a"}}),
            calling(call("a", name="srv.run"), content=""),
            tool("a", ""),
            MORE,
        ],
        {},
    ),
}


@pytest.mark.parametrize(
    ("dialect", "messages", "more"),
    [pytest.param(*case, id=name) for name, case in SOUND.items()],
)
def test_what_a_server_takes_comes_out_as_it_went_in(
    dialect: str, messages: list[Any], more: dict[str, Any]
) -> None:
    body = {"messages": messages, **more}
    before = copy.deepcopy(body)
    assert wiremend.check(body, dialect) == []
    assert simulated(dialect).post(body).error == ""
    assert wiremend.fix(body, dialect) == wiremend.Fixed(before, ())


HISTORY = [
    ContextMessage("user", (TextPart("q"),)),
    ContextMessage(
        "assistant",
        (ThinkPart("because", "signature of another"), TextPart("so")),
        (ToolCall("c", "run", "{}"),),
    ),
    tool_result("c", "out"),
]


@pytest.mark.parametrize(
    ("dialect", "sent"),
    [("kimi", True), ("deepseek", True), ("qwen", True), ("mistral", False), ("openrouter", False)],
)
def test_thinking_from_elsewhere_goes_where_its_text_is_of_use(dialect: str, sent: bool) -> None:
    body = wiremend.request(HISTORY, dialect, {"model": "any"}).body
    assert ("because" in json.dumps(body)) is sent
    assert "signature of another" not in json.dumps(body)


def test_tools_declared_in_messages_stay_there_only_where_that_is_known() -> None:
    run = {"name": "run", "parameters": {"type": "object"}}
    history = [ContextMessage("system", tools=(run,)), *HISTORY]
    wrapped = {"type": "function", "function": run}
    kimi = wiremend.request(history, "kimi", {"model": "kimi-latest"}).body
    assert kimi["messages"][0] == {"role": "system", "tools": [wrapped]}
    assert "tools" not in kimi
    qwen = wiremend.request(history, "qwen", {"model": "qwen-plus"}).body
    assert qwen["tools"] == [wrapped]
    assert qwen["messages"][0]["role"] == "user"
