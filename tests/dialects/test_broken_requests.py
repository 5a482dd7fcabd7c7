"""Kinds of damage beyond the shared cases: each is found, mended as it should be, and reported."""

from __future__ import annotations

import json

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
from tests.dialects.broken import (
    Broken,
    cases,
    is_found_and_mended,
    is_taken_once_mended,
    kinds,
    roles,
)

ASK, MORE = user("q"), user("more")
JPEG = "/9j/4AAQSkZJRgABAQAAAQABAAD/2Q=="
HTML = "PCFkb2N0eXBlIGh0bWw+PHA+bW92ZWQgYXdheTwvcD4="


ANTHROPIC = {
    "a client's result for a server's tool": Broken(
        [
            ASK,
            assistant(text("s"), search("srvtoolu_1")),
            user(result("srvtoolu_1")),
            assistant("x"),
            MORE,
        ],
        {"WM202"},
        ["server_tool_dropped", "orphan_tool_result_dropped"],
        lambda body: "srvtoolu_1" not in json.dumps(body["messages"][2:]),
    ),
    "a server tool's result in a user message": Broken(
        [ASK, assistant(text("s"), search("srvtoolu_1")), user(found("srvtoolu_1"), text("k"))],
        {"WM223", "WM229"},
        ["misplaced_block_moved", "server_tool_result_moved", "vacuous_message_dropped"],
        lambda body: roles(body) == "uau" and kinds(body["messages"][1])[2].startswith("web"),
    ),
    "a call in a user message": Broken(
        [user(text("look"), use("a")), user(result("a"))],
        {"WM229", "WM202"},
        ["misplaced_block_moved"],
        lambda body: roles(body) == "uau",
    ),
    "a result in an assistant message": Broken(
        [ASK, assistant(use("a"), result("a")), MORE],
        {"WM201", "WM202"},
        ["misplaced_block_moved"],
        lambda body: roles(body) == "uauu" and kinds(body["messages"][2]) == ["tool_result"],
    ),
    "a prefill for a model that takes none": Broken(
        [ASK, assistant("half")],
        {"WM224"},
        ["final_user_inserted"],
        lambda body: roles(body) == "uau" and body["messages"][1] == assistant("half"),
        {"model": "claude-opus-4-8"},
    ),
    "a system message between call and result": Broken(
        [ASK, assistant(use("a")), system("brief"), user(result("a"))],
        {"WM213"},
        ["tool_result_reordered"],
        lambda body: roles(body) == "uaus",
        {"model": "claude-opus-4-8"},
    ),
    "a system message that a user message follows": Broken(
        [ASK, system("brief"), MORE],
        {"WM213"},
        ["system_message_moved"],
        lambda body: roles(body) == "uuu" and "brief" in json.dumps(body["messages"][1]),
        {"model": "claude-opus-4-8"},
    ),
    "a leading system message beside the system prompt": Broken(
        [system("inside"), ASK],
        {"WM213"},
        ["system_message_moved"],
        lambda body: [block["text"] for block in body["system"]] == ["top", "inside"],
        {"system": "top"},
    ),
    "blank texts in a result": Broken(
        [
            ASK,
            assistant(use("a"), use("b")),
            user(result("a", [text(" "), text("x")]), result("b", [text("")])),
        ],
        {"WM209"},
        ["whitespace_text_dropped", "empty_text_dropped"],
        lambda body: body["messages"][2]["content"][1]["content"] == [],
    ),
    "a failure without a word": Broken(
        [
            ASK,
            assistant(use("a"), use("b")),
            user(result("a", "", is_error=True), result("b", [], is_error=True)),
        ],
        {"WM226"},
        ["tool_result_filled", "tool_result_filled"],
        lambda body: all(block["is_error"] for block in body["messages"][2]["content"]),
    ),
    "a failure with a picture": Broken(
        [ASK, assistant(use("a")), user(result("a", [text("boom"), image()], is_error=True))],
        {"WM231"},
        ["failure_said_in_words"],
        lambda body: (
            kinds({"content": body["messages"][2]["content"][0]["content"]})
            == ["text", "text", "image"]
        ),
    ),
    "cache marks on thinking": Broken(
        [
            ASK,
            assistant(
                thinking("t", signature="s", cache_control=MARK),
                {"type": "redacted_thinking", "data": "ZA==", "cache_control": MARK},
                text("x"),
            ),
            MORE,
        ],
        {"WM230"},
        ["cache_mark_dropped", "cache_mark_dropped"],
        lambda body: "cache_control" not in json.dumps(body),
    ),
    "thinking in a final message where thinking is off": Broken(
        [ASK, assistant(thinking("t", signature="s"), text("half"))],
        {"WM216"},
        ["thinking_dropped"],
        lambda body: kinds(body["messages"][1]) == ["text"],
    ),
    "thinking without a signature in the open turn": Broken(
        [ASK, assistant(thinking("t"), use("a")), user(result("a"))],
        {"WM214"},
        ["thinking_dropped", "thinking_switched_off"],
        lambda body: body["thinking"] == {"type": "disabled"},
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    ),
    "more than four cache marks over the whole request": Broken(
        [user(text("x", cache_control=MARK)), assistant("y"), user(text("z", cache_control=MARK))],
        {"WM220"},
        ["cache_mark_dropped"],
        lambda body: body["messages"][0] == user(text("x")),
        {
            "system": [text("a", cache_control=MARK), text("b", cache_control=MARK)],
            "tools": [{**TOOLS[0], "cache_control": MARK}],
        },
    ),
    "a cache mark with foreign fields": Broken(
        [user(text("x", cache_control={**MARK, "scope": "global"}))],
        {"WM222"},
        ["cache_mark_dropped"],
        lambda body: body["messages"] == [user(text("x", cache_control=MARK))],
    ),
    "parts of another API": Broken(
        [user({"type": "input_text", "text": "x"}, image_url())],
        {"WM225"},
        ["foreign_part_converted", "foreign_part_converted"],
        lambda body: kinds(body["messages"][0]) == ["text", "image"],
    ),
    "a conversation in the shape of chat": Broken(
        [system("s"), ASK, calling(call("a", '{"n": 1}')), tool("a", "hit"), MORE],
        {"WM210", "WM213", "WM225"},
        ["foreign_part_converted", "foreign_part_converted", "system_message_moved"],
        lambda body: body["messages"][1]["content"] == [use("a", {"n": 1})] and body["system"],
    ),
    "input that is a list, a text, nothing": Broken(
        [
            ASK,
            assistant(use("a", [1]), {**use("b"), "input": "{bad"}, {**use("c"), "input": None}),
            user(result("a"), result("b"), result("c")),
        ],
        {"WM208"},
        ["arguments_mended"] * 3,
        lambda body: (
            [b["input"] for b in body["messages"][1]["content"]]
            == [{"_unparsed_arguments": v} for v in ([1], "{bad", None)]
        ),
    ),
    "an image under another label, and a page for an image": Broken(
        [user(image(data=JPEG), image("image/jpeg", HTML), image("image/bmp", "Qk0="), text("x"))],
        {"WM218", "WM219"},
        ["media_relabelled", "media_replaced", "media_replaced"],
        lambda body: body["messages"][0]["content"][0]["source"]["media_type"] == "image/jpeg",
    ),
    "an image over ten megabytes": Broken(
        [user(image(data=PNG[:60] + "A" * 10_500_000), text("x"))],
        {"WM227"},
        ["media_replaced"],
        lambda body: kinds(body["messages"][0]) == ["text", "text"],
    ),
    "an image over five megabytes for a cloud": Broken(
        [user(image(data=PNG[:60] + "A" * 5_300_000), image(data=PNG))],
        {"WM227"},
        ["media_replaced"],
        lambda body: kinds(body["messages"][0]) == ["text", "image"],
        {"model": "claude-opus-4-6@20260101"},
    ),
    "nothing but an orphan": Broken(
        [user(result("gone"))],
        {"WM202"},
        ["orphan_tool_result_dropped", "leading_user_inserted"],
        lambda body: roles(body) == "u",
    ),
    "tools used and not defined": Broken(
        [ASK, assistant(use("a")), user(result("a"))],
        {"WM217"},
        ["tools_declared"],
        lambda body: [tool["name"] for tool in body["tools"]] == ["run"],
        {"tools": []},
    ),
    "a result without its id": Broken(
        [ASK, assistant(use("a")), user({**result(None, "kept"), "tool_use_id": None})],
        {"WM201", "WM206"},
        ["tool_call_id_restored"],
        lambda body: body["messages"][2]["content"][0]["content"] == "kept",
    ),
    "an empty answer in the middle of a run": Broken(
        [ASK, assistant(use("a")), assistant(), user(result("a"))],
        {"WM210"},
        ["vacuous_message_dropped"],
        lambda body: roles(body) == "uau",
    ),
}

CHAT = {
    "a picture in an answer": Broken(
        [ASK, assistant(text("see"), image_url()), MORE],
        {"WM112"},
        ["media_moved"],
        lambda body: roles(body) == "uauu" and image_url() in body["messages"][2]["content"],
    ),
    "a result that is only a picture": Broken(
        [ASK, calling(call("a"), call("b")), tool("a", [image_url()]), tool("b"), MORE],
        {"WM112"},
        ["media_moved"],
        lambda body: roles(body) == "uattuu" and image_url() in body["messages"][4]["content"],
    ),
    "two calls with one id, both answered": Broken(
        [
            ASK,
            calling(call("a", '{"n": 1}'), call("a", '{"n": 2}')),
            tool("a", "1"),
            tool("a", "2"),
        ],
        {"WM104"},
        ["duplicate_tool_call_renamed"],
        lambda body: [m["content"] for m in body["messages"][2:]] == ["1", "2"],
    ),
    "blocks of Anthropic's": Broken(
        [
            ASK,
            assistant(text("k"), use("a", {"n": 1})),
            user(result("a", [text("out")]), text("x")),
        ],
        {"WM113"},
        ["foreign_part_converted", "foreign_part_converted"],
        lambda body: roles(body) == "uatu" and body["messages"][1]["tool_calls"][0]["id"] == "a",
    ),
    "empty lists for content": Broken(
        [ASK, assistant(), user(), {**calling(call("a")), "content": []}, tool("a", [])],
        {"WM111"},
        ["vacuous_message_dropped"] * 2 + ["tool_result_filled", "empty_content_reshaped"],
        lambda body: roles(body) == "uat" and body["messages"][1]["content"] is None,
    ),
    "a result before its call": Broken(
        [ASK, tool("a", "early"), calling(call("a")), MORE],
        {"WM101", "WM102"},
        ["orphan_tool_result_dropped", "tool_result_synthesized"],
    ),
    "a call and a result that lost their id": Broken(
        [ASK, calling(call(None)), {"role": "tool", "content": "out"}, MORE],
        {"WM106"},
        ["tool_call_id_restored", "tool_call_id_restored"],
        lambda body: body["messages"][2]["content"] == "out",
    ),
    "arguments that are an object already, or nothing": Broken(
        [ASK, calling(call("a", {"n": 1}), call("b", None)), tool("a"), tool("b")],
        {"WM109"},
        ["arguments_mended", "arguments_mended"],
        lambda body: (
            [c["function"]["arguments"] for c in body["messages"][1]["tool_calls"]]
            == ['{"n": 1}', "{}"]
        ),
    ),
    "arguments that are JSON of JSON": Broken(
        [ASK, calling(call("a", '"{\\"n\\": 1}"')), tool("a")],
        {"WM109"},
        ["arguments_mended"],
        lambda body: body["messages"][1]["tool_calls"][0]["function"]["arguments"] == '{"n": 1}',
    ),
    "a name that breaks the alphabet, in call and definition": Broken(
        [ASK, calling(call("a", name="a.b c")), tool("a")],
        {"WM108"},
        ["tool_name_mapped"],
        lambda body: body["tools"][0]["function"]["name"] == "a_b_c",
        {"tools": [{"type": "function", "function": {"name": "a.b c"}}]},
    ),
    "a number that JSON does not have": Broken(
        [ASK],
        {"WM002"},
        ["number_replaced"],
        lambda body: body["temperature"] is None,
        {"temperature": float("nan")},
    ),
    "half a character in a key": Broken(
        [ASK],
        {"WM001"},
        ["surrogate_replaced"],
        lambda body: body["metadata"] == {"\ufffd": "x"},
        {"metadata": {"\ud83d": "x"}},
    ),
    "the two halves of a character, written apart": Broken(
        [user("\ud83d\ude00 \ud83d")],
        {"WM001"},
        ["surrogate_replaced"],
        lambda body: body["messages"][0]["content"] == "\U0001f600 \ufffd",
    ),
}


EVERY = cases(ANTHROPIC, "anthropic", tools=TOOLS) + cases(CHAT, "openai-chat", tools=CHAT_TOOLS)


@pytest.mark.parametrize(("dialect", "broken", "body"), EVERY)
def test_it_is_found_mended_and_reported(dialect: str, broken: Broken, body: Body) -> None:
    is_found_and_mended(dialect, broken, body)


@pytest.mark.parametrize(("dialect", "_broken", "body"), EVERY)
def test_every_judge_takes_what_comes_out_and_nothing_more_is_done_to_it(
    dialect: str,
    _broken: Broken,
    body: Body,
) -> None:
    is_taken_once_mended(dialect, body)


@pytest.mark.parametrize(
    "dialect", [n for n, d in wiremend.DIALECTS.items() if d.holds == "messages"]
)
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/messages"),
        ({"messages": 3}, "/messages"),
        ({"messages": ["x"]}, "/messages/0"),
        ({"messages": [{"content": "x"}]}, "/messages/0/role"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "/messages/0/role"),
        ({"messages": [{"role": "user", "content": 3}]}, "/messages/0/content"),
        ({"messages": [{"role": "user", "content": [3]}]}, "/messages/0/content/0"),
    ],
)
def test_a_body_that_is_no_request_is_an_error_that_says_where(
    dialect: str, body: Body, pointer: str
) -> None:
    with pytest.raises(wiremend.WiremendError) as caught:
        wiremend.fix(body, dialect)
    assert caught.value.pointer == pointer


def test_an_unknown_dialect_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(wiremend.WiremendError, match=", ".join(wiremend.DIALECTS)):
        wiremend.fix({"messages": []}, "klingon")
