"""Kinds of damage to Responses requests: each is found, mended as it should be, and reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import wiremend
from tests.dialects.blocks import PNG, Body, tool
from tests.dialects.blocks import call as chat_call
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
from tests.judges import sdk_objections
from wiremend.providers import simulated


class Broken(NamedTuple):
    """The items, the rules that they break, the repairs, and what has to be true afterwards.

    ``refused``: by OpenAI itself, not only by other servers of its API.
    """

    items: list[Body]
    rules: set[str]
    repairs: list[str]
    left: list[Body] | None = None
    holds: Callable[[Body], bool] = lambda body: bool(body["input"])
    more: Mapping[str, Any] = MappingProxyType({})
    refused: bool = True


BROKEN = {
    "a call that was cancelled": Broken(
        [ASK, call("a", "custom_tool_call", name="sh", input="ls"), MORE],
        {"WM301"},
        ["tool_result_synthesized"],
        holds=lambda body: body["input"][2]["type"] == "custom_tool_call_output",
    ),
    "a call that was answered as if it were a function's": Broken(
        [
            ASK,
            call("a", "custom_tool_call", name="sh", input="ls"),
            output("a", [given("files"), image()]),
            call("b", "shell_call", **SHELL),
            output("b", "listed"),
            MORE,
        ],
        {"WM321"},
        ["output_reshaped"] * 2,
        [
            ASK,
            call("a", "custom_tool_call", name="sh", input="ls"),
            output("a", [given("files"), image()], kind="custom_tool_call"),
            call("b", "shell_call", **SHELL),
            output(
                "b",
                [{"stdout": "listed", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}],
                kind="shell_call",
            ),
            MORE,
        ],
    ),
    "a screen that answers a function": Broken(
        [ASK, call(), output("a", SCREEN, kind="computer_call")],
        {"WM321"},
        ["output_reshaped"],
        [ASK, call(), output("a", [image()])],
    ),
    "words for a screen": Broken(
        [ASK, call("a", "computer_call", **COMPUTER), output("a", "seen"), MORE],
        {"WM321"},
        ["output_reshaped", "item_dropped"],
        [ASK, user("[computer_call:]\nseen"), MORE],
    ),
    "a screen twice under one id": Broken(
        [
            ASK,
            call("a", "computer_call", **COMPUTER),
            output("a", SCREEN, kind="computer_call"),
            call("b", "computer_call", **COMPUTER),
            output("b", SCREEN, kind="computer_call"),
        ],
        {"WM313"},
        ["item_id_replaced"],
        holds=lambda body: body["input"][3]["id"] == "cu_1__2",
    ),
    "a program's call that was cancelled": Broken(
        [ASK, call(caller={"type": "program", "caller_id": "p"}), MORE],
        {"WM301"},
        ["tool_result_synthesized"],
        holds=lambda body: body["input"][2]["caller"] == {"type": "program", "caller_id": "p"},
    ),
    "a patch that was not applied": Broken(
        [ASK, call("a", "apply_patch_call", operation=DELETE, status="completed")],
        {"WM301"},
        ["tool_result_synthesized"],
        holds=lambda body: body["input"][2]["status"] == "failed",
    ),
    "a shell that said nothing": Broken(
        [ASK, call("a", "shell_call", **SHELL)],
        {"WM301"},
        ["tool_result_synthesized"],
        holds=lambda body: "not available" in body["input"][2]["output"][0]["stderr"],
    ),
    "a screen that nobody saw, and the thought before it": Broken(
        [ASK, reasoning(), call("a", "computer_call", **COMPUTER), MORE],
        {"WM301"},
        ["tool_result_synthesized", "item_dropped", "thinking_dropped"],
        [ASK, MORE],
    ),
    "a result before its call": Broken(
        [output("a"), ASK, call("a")],
        {"WM301", "WM302"},
        ["orphan_tool_result_dropped", "tool_result_synthesized"],
    ),
    "an id that a later turn uses again": Broken(
        [ASK, call("a"), output("a"), MORE, call("a"), output("a", "again")],
        {"WM304"},
        ["duplicate_tool_call_renamed"],
        [ASK, call("a"), output("a"), MORE, call("a__2"), output("a__2", "again")],
        refused=False,
    ),
    "no ids at all": Broken(
        [ASK, call(None), output(None)],
        {"WM305"},
        ["tool_call_id_restored", "tool_call_id_restored"],
    ),
    "an id of another provider": Broken(
        [ASK, call("x" * 70), output("x" * 70)],
        {"WM306"},
        ["tool_call_id_mapped"],
        holds=lambda body: len(body["input"][1]["call_id"]) <= 64,
    ),
    "a name with a dot": Broken(
        [ASK, call("a", name="a.b"), output("a")],
        {"WM307"},
        ["tool_name_mapped"],
        holds=lambda body: (
            {
                body["tools"][0]["name"],
                body["input"][1]["name"],
                body["tool_choice"]["name"],
            }
            == {"a_b"}
        ),
        more={
            "tools": [{**TOOLS[0], "name": "a.b"}],
            "tool_choice": {"type": "function", "name": "a.b"},
        },
    ),
    "arguments that are an object": Broken(
        [ASK, call("a", arguments={"q": 1}), output("a")],
        {"WM308"},
        ["arguments_mended"],
        [ASK, call("a", arguments='{"q": 1}'), output("a")],
    ),
    "custom tools' input that is missing, null, or an object": Broken(
        [
            ASK,
            {"type": "custom_tool_call", "call_id": "a", "name": "run"},
            {"type": "custom_tool_call", "call_id": "b", "name": "run", "input": None},
            {"type": "custom_tool_call", "call_id": "c", "name": "run", "input": {"q": 1}},
            *({**output(name), "type": "custom_tool_call_output"} for name in "abc"),
        ],
        {"WM308"},
        ["arguments_mended"] * 3,
        [
            ASK,
            *(
                {"type": "custom_tool_call", "call_id": name, "name": "run", "input": given}
                for name, given in (("a", ""), ("b", ""), ("c", '{"q": 1}'))
            ),
            *({**output(name), "type": "custom_tool_call_output"} for name in "abc"),
        ],
    ),
    "no arguments": Broken(
        [ASK, call("a", arguments=""), output("a")],
        {"WM308"},
        ["arguments_mended"],
        [ASK, call("a"), output("a")],
    ),
    "outputs that are an object, and none": Broken(
        [ASK, call("a"), call("b"), output("a", {"q": 1}), output("b", None)],
        {"WM309"},
        ["output_reshaped", "output_reshaped"],
        [ASK, call("a"), call("b"), output("a", '{"q": 1}'), output("b", "")],
    ),
    "outputs for calls on the server, in another form": Broken(
        [output("a", None), output("b", [{"type": "text", "text": "x"}])],
        {"WM309", "WM316"},
        ["output_reshaped", "foreign_part_converted"],
        [output("a", ""), output("b", [given("x")])],
        more={"previous_response_id": "resp_1"},
    ),
    "reasoning whose call was dropped": Broken(
        [ASK, reasoning(), call("a"), output("a"), reasoning("rs_2"), MORE],
        {"WM310"},
        ["thinking_dropped"],
        [ASK, reasoning(), call("a"), output("a"), MORE],
    ),
    "reasoning that the server did not keep, and the ids that came with it": Broken(
        [ASK, reasoning(), answer("so", id="msg_1"), call("a", id="fc_1"), output("a")],
        {"WM311"},
        ["thinking_dropped", "item_id_dropped", "item_id_dropped"],
        [ASK, answer("so"), call("a"), output("a")],
        more={"store": False},
    ),
    "reasoning without a summary": Broken(
        [ASK, {"type": "reasoning", "id": "rs_1", **ENCRYPTED}, answer("so")],
        {"WM312"},
        ["reasoning_summary_added"],
        [ASK, {"type": "reasoning", "id": "rs_1", **ENCRYPTED, "summary": []}, answer("so")],
    ),
    "a whole response, stored twice": Broken(
        [ASK, *(reasoning(), answer("so", id="msg_1")) * 2, MORE],
        {"WM313"},
        ["thinking_dropped", "item_dropped"],
        [ASK, reasoning(), answer("so", id="msg_1"), MORE],
    ),
    "one id for two different answers": Broken(
        [ASK, answer("a", id="msg_1"), MORE, answer("b", id="msg_1")],
        {"WM313"},
        ["item_id_dropped"],
        [ASK, answer("a", id="msg_1"), MORE, answer("b")],
    ),
    "a call id where the item's own belongs, and a long one": Broken(
        [ASK, call("a", id="call_1"), output("a", id="fc_" + "x" * 70)],
        {"WM314"},
        ["item_id_dropped", "item_id_dropped"],
        [ASK, call("a"), output("a")],
    ),
    "reasoning and a search of another provider": Broken(
        [ASK, reasoning("think_1", **ENCRYPTED), answer("a"), {**SEARCHED, "id": "call_1"}, MORE],
        {"WM314"},
        ["thinking_dropped", "item_dropped"],
        [ASK, answer("a"), MORE],
    ),
    "a whole chat": Broken(
        [
            user("d", role="developer"),
            {"role": "assistant", "content": None, "tool_calls": [chat_call("a")]},
            tool("a", "hit"),
            {"role": "assistant", "content": "x", "tool_calls": []},
        ],
        {"WM315"},
        ["foreign_part_converted"] * 3 + ["empty_tool_calls_dropped"],
        [
            user("d", role="developer"),
            call("a"),
            output("a", "hit"),
            {"role": "assistant", "content": "x"},
        ],
    ),
    "blocks of Anthropic in messages": Broken(
        [
            ASK,
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I look"},
                    {"type": "tool_use", "id": "a", "name": "run", "input": {}},
                ],
            },
            user({"type": "tool_result", "tool_use_id": "a", "content": "out"}),
        ],
        {"WM316"},
        ["foreign_part_converted"] * 4,
        holds=lambda body: (
            [i.get("type") for i in body["input"]][-2:] == ["function_call", "function_call_output"]
        ),
    ),
    "parts among the items": Broken(
        [given("hello"), {"type": "text", "text": "there"}],
        {"WM315"},
        ["foreign_part_converted"] * 2,
        holds=lambda body: [i["role"] for i in body["input"]] == ["user", "user"],
    ),
    "a picture in an answer": Broken(
        [ASK, {"role": "assistant", "content": [image()]}],
        {"WM316"},
        ["foreign_part_converted", "media_moved"],
        holds=lambda body: body["input"][-1]["content"][-1]["type"] == "input_image",
    ),
    "sound, which the API takes in no message": Broken(
        [user({"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}})],
        {"WM316"},
        ["media_replaced"],
    ),
    "an answer without content": Broken(
        [ASK, {"role": "assistant", "content": None}, {"role": "user", "content": None}, MORE],
        {"WM317"},
        ["vacuous_message_dropped", "vacuous_message_dropped"],
        [ASK, MORE],
    ),
    "a wrong label in an output": Broken(
        [ASK, call("a"), output("a", [image(f"data:image/jpeg;base64,{PNG}")])],
        {"WM318"},
        ["media_relabelled"],
        [ASK, call("a"), output("a", [image()])],
    ),
    "a tool in the shape of chat": Broken(
        [ASK],
        {"WM320"},
        ["tool_definition_reshaped"],
        holds=lambda body: body["tools"][0]["name"] == "run",
        more={"tools": [{"type": "function", "function": {"name": "run", "parameters": {}}}]},
    ),
}


@pytest.mark.parametrize("broken", [pytest.param(v, id=k) for k, v in BROKEN.items()])
def test_a_fault_is_found_mended_and_reported(broken: Broken) -> None:
    body = body_of({"input": broken.items, **broken.more})
    assert {v.code for v in wiremend.check(body, NAME)} == broken.rules
    assert simulated(NAME).post(body).accepted is not broken.refused
    fixed = wiremend.fix(body, NAME)
    assert [anomaly.kind for anomaly in fixed.anomalies] == broken.repairs
    assert broken.left is None or fixed.body["input"] == broken.left
    assert broken.holds(fixed.body)


@pytest.mark.parametrize("broken", [pytest.param(v, id=k) for k, v in BROKEN.items()])
def test_every_judge_takes_what_comes_out_and_nothing_more_is_done_to_it(broken: Broken) -> None:
    fixed = wiremend.fix(body_of({"input": broken.items, **broken.more}), NAME)
    assert wiremend.check(fixed.body, NAME) == []
    assert simulated(NAME).post(fixed.body).error == ""
    assert sdk_objections(fixed.body, NAME) == []
    assert wiremend.fix(fixed.body, NAME) == wiremend.Fixed(fixed.body, ())


def test_strict_takes_the_ids_of_items_whose_reasoning_is_gone() -> None:
    items = [
        ASK,
        call("a", id="fc_1"),
        output("a", id="fc_2"),
        reasoning(),
        answer("x", id="msg_1"),
    ]
    fixed = wiremend.fix({"input": items}, NAME, strict=True)
    assert fixed.body["input"] == [ASK, call("a"), *items[2:]]
    assert [anomaly.kind for anomaly in fixed.anomalies] == ["item_id_dropped"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/input"),
        ({"messages": [ASK]}, "/input"),
        ({"input": 3}, "/input"),
        ({"input": ["x"]}, "/input/0"),
        ({"input": [{"content": "x"}]}, "/input/0/type"),
        ({"input": [{"role": "robot", "content": "x"}]}, "/input/0/role"),
        ({"input": [{"role": "user", "content": 3}]}, "/input/0/content"),
        ({"input": [{"role": "user", "content": [3]}]}, "/input/0/content/0"),
    ],
)
def test_a_body_that_is_no_request_is_an_error_that_says_where(body: Body, pointer: str) -> None:
    with pytest.raises(wiremend.WiremendError) as caught:
        wiremend.fix(body, NAME)
    assert caught.value.pointer == pointer
