"""What the Responses API takes comes out as it went in, however unusual it is."""

from __future__ import annotations

import copy
import json

import pytest

import wiremend
from tests.dialects.blocks import Body
from tests.dialects.items import (
    ASK,
    COMPUTER,
    DELETE,
    ENCRYPTED,
    MORE,
    NAME,
    SCREEN,
    SEARCHED,
    SHELL,
    TOOLS,
    answer,
    body_of,
    call,
    given,
    image,
    output,
    reasoning,
    user,
)
from wiremend.providers import simulated

SOUND: dict[str, Body] = {
    "the whole input as a string": {"input": "hello", "instructions": "be brief"},
    "an empty string": {"input": ""},
    "blank instructions": {"input": [ASK], "instructions": " "},
    "no input but a response that goes on": {"previous_response_id": "resp_1"},
    "an output for a call on the server": {
        "previous_response_id": "resp_1",
        "input": [output("call_of_theirs", [given("x"), image()]), output("b", []), MORE],
    },
    "an output for a call in a conversation": {"conversation": "conv_1", "input": [output()]},
    "an output for a call that is referred to": {
        "input": [ASK, {"type": "item_reference", "id": "fc_1"}, output("a"), MORE]
    },
    "references without a type": {"input": [ASK, {"id": "msg_1"}, MORE]},
    "an output that names its tool": {
        "input": [ASK, {"type": "function_call_output", "name": "run", "output": "x"}]
    },
    "results apart from their calls": {
        "input": [ASK, call("a"), call("b"), MORE, output("b"), answer("hm"), output("a"), MORE]
    },
    "reasoning, a comment, calls and a refusal in one step": {
        "input": [
            ASK,
            reasoning(summary=[{"type": "summary_text", "text": "hm"}], **ENCRYPTED),
            answer("I look", id="msg_1", status="completed", phase="commentary"),
            reasoning("rs_2"),
            SEARCHED,
            call("a", id="fc_1", status="completed"),
            call("b"),
            output("a", id="fc_2"),
            output("b", ""),
            {
                "type": "message",
                "role": "assistant",
                "id": "msg_2",
                "status": "completed",
                "content": [{"type": "refusal", "refusal": "No."}],
            },
        ]
    },
    "several reasoning items in a row": {
        "input": [ASK, reasoning(), reasoning("rs_2"), answer("so", id="msg_1")]
    },
    "encrypted reasoning without store": {
        "store": False,
        "input": [ASK, reasoning(**ENCRYPTED), {"role": "assistant", "content": "x"}],
    },
    "calls of every kind": {
        "input": [
            ASK,
            call("a", "custom_tool_call", name="sh", input="not json", id="ctc_1"),
            output("a", [given("x")], "custom_tool_call", id="ctco_1"),
            call("b", "shell_call", **SHELL),
            output("b", [], "shell_call"),
            call("c", "computer_call", **COMPUTER),
            output("c", SCREEN, "computer_call"),
            call(
                *("d", "apply_patch_call"),
                operation=DELETE,
                status="completed",
            ),
            {"type": "apply_patch_call_output", "call_id": "d", "status": "completed"},
            call(
                *("e", "local_shell_call"),
                id="lsh_1",
                status="completed",
                action={"type": "exec", "command": ["ls"], "env": {}},
            ),
            {"type": "local_shell_call_output", "id": "e", "output": "{}"},
            call("f", "tool_search_call", arguments={"q": "x"}, execution="client"),
            {"type": "tool_search_output", "call_id": "f", "tools": TOOLS, "execution": "client"},
        ]
    },
    "what only the server understands": {
        "input": [
            {"type": "compaction", "encrypted_content": "ZW5j", "id": "cmp_1"},
            ASK,
            {"type": "tool_search_call", "arguments": {}, "call_id": None, "execution": "server"},
            {"type": "tool_search_output", "tools": [], "call_id": None, "execution": "server"},
            {
                "type": "mcp_call",
                "id": "mcp_1",
                "arguments": "{}",
                "name": "x",
                "server_label": "s",
            },
            {"type": "mcp_approval_response", "approval_request_id": "m", "approve": True},
            {"type": "from_a_later_version", "novel": [1]},
            {"type": "compaction_trigger"},
        ]
    },
    "tools that are added on the way": {
        "input": [
            ASK,
            {"type": "additional_tools", "role": "developer", "tools": TOOLS},
            {"type": "additional_tools", "role": "developer", "tools": []},
            call("a"),
            output("a"),
        ]
    },
    "developers, blanks and unknown fields": {
        "input": [
            user(given("d", prompt_cache_breakpoint={"mode": "explicit"}), role="developer"),
            user("s", role="system"),
            {"type": "message", **user(""), "status": "completed"},
            {"role": "assistant", "content": ""},
            {"role": "user", "content": []},
            {"role": "assistant", "content": [], "id": "msg_7", "type": "message"}
            | {"status": "incomplete"},
            user({"type": "input_image", "file_id": "file-1", "detail": "auto"}),
            user({"type": "input_file", "file_url": "https://e.test/a.pdf"}),
            user({"type": "input_file", "file_data": "JVBERi0=", "filename": "a.pdf"}, image()),
            {**MORE, "novel": {"x": 1}},
        ]
    },
    "the output of a local shell that names its call, and one as Codex sends it": {
        "input": [
            *(ASK, call("a", "local_shell_call"), call("b", "local_shell_call")),
            output("a", "files", kind="local_shell_call"),
            output("b", "files"),
        ]
    },
    "arguments that are JSON of any kind": {
        "input": [
            *(ASK, call("a", arguments=" [1e400] "), call("b", arguments='"x"')),
            *(output("a"), output("b")),
        ]
    },
}


@pytest.mark.parametrize("fields", [pytest.param(v, id=k) for k, v in SOUND.items()])
def test_a_sound_request_comes_out_as_it_went_in(fields: Body) -> None:
    body = body_of(fields)
    before = copy.deepcopy(body)
    assert wiremend.check(body, NAME) == []
    fixed = wiremend.fix(body, NAME)
    assert fixed.anomalies == ()
    assert json.dumps(fixed.body) == json.dumps(before)
    assert simulated(NAME).post(body).error == ""


@pytest.mark.parametrize(
    "item",
    [
        {"type": "compaction", "encrypted_content": "ZW5j", "id": "cmp_1"},
        {"type": "item_reference", "id": "msg_1"},
    ],
)
def test_strict_sending_keeps_what_stands_for_all_that_was_said_before(item: Body) -> None:
    body = body_of({"input": [item, MORE]})
    fixed = wiremend.fix(body, NAME, strict=True)
    assert fixed.body == body
    assert fixed.anomalies == ()


def test_items_that_do_not_change_are_the_very_same_objects() -> None:
    items = [ASK, call("a"), MORE]
    mended = wiremend.fix({"input": items}, NAME).body["input"]
    assert mended[0] is ASK
    assert mended[-1] is MORE


def test_a_history_with_tools_on_the_way_is_sent_with_tools_on_the_way() -> None:
    declared = ({"name": "run", "parameters": {"type": "object"}},)
    history = [wiremend.ContextMessage("system", tools=declared)]
    sent = wiremend.request(history, NAME, {"model": "gpt-5"}).body["input"]
    tools = [{"type": "function", "strict": False, **declared[0]}]
    assert sent[0] == {"type": "additional_tools", "role": "developer", "tools": tools}


def test_what_others_can_read_is_read_in_words_that_all_share() -> None:
    body = body_of(
        {
            "instructions": "be brief",
            "input": [
                user(given("look"), image()),
                reasoning(summary=[{"type": "summary_text", "text": "hm"}], **ENCRYPTED),
                call("a", "shell_call", **SHELL),
                output("a", [], "shell_call"),
            ],
        }
    )
    conversation = wiremend.DIALECTS[NAME].decode(body, lambda _: None)
    roles = [message.role for message in conversation.history]
    assert roles == ["system", "user", "assistant", "tool"]
    sent = wiremend.request(conversation.history, "anthropic", {"max_tokens": 1})
    assert sent.body["system"] == [{"type": "text", "text": "be brief"}]
    used = sent.body["messages"][1]["content"][0]
    assert (used["name"], used["input"]) == ("shell", {"commands": ["ls"]})
