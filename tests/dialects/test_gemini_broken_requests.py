"""Requests that the Gemini API refuses: what comes out, and what is said about it."""

from __future__ import annotations

from typing import Any

import pytest

import wiremend
from tests.dialects.blocks import Body
from tests.dialects.contents import SKIP, asked, blob, gave, made, model, said
from tests.dialects.converse import PDF, PNG
from tests.judges import sdk_objections
from wiremend.projection.wire import INTERRUPTED, LEADING_USER
from wiremend.providers import simulated

RAN = {"executableCode": {"language": "PYTHON", "code": "1"}}
LOST = {"result": INTERRUPTED}
MARK = {"thoughtSignature": SKIP}

BROKEN: dict[str, tuple[Body, list[Body], list[str]]] = {
    "a call at the end": (
        asked(said("hi"), model(made())),
        [said("hi"), model(made()), said(gave(LOST))],
        ["tool_result_synthesized"],
    ),
    "a lost response to a call with an id": (
        asked(said("hi"), model(made(id="x"), made(id="y")), said(gave(id="y"))),
        [said("hi"), model(made(id="x"), made(id="y")), said(gave(LOST, id="x"), gave(id="y"))],
        ["tool_result_synthesized"],
    ),
    "a response by name, of the second call": (
        asked(said("hi"), model(made("a"), made("b")), said(gave("B", "b"))),
        [said("hi"), model(made("a"), made("b")), said(gave(LOST, "a"), gave("B", "b"))],
        ["tool_result_synthesized"],
    ),
    "responses a content each": (
        asked(said("hi"), model(made("a"), made("b")), said(gave("A", "a")), said(gave("B", "b"))),
        [said("hi"), model(made("a"), made("b")), said(gave("A", "a"), gave("B", "b"))],
        ["tool_results_grouped"],
    ),
    "a user between call and response": (
        asked(said("hi"), model(made()), said("wait"), said(gave())),
        [said("hi"), model(made()), said(gave()), said("wait")],
        ["tool_result_reordered"],
    ),
    "two responses to one call": (
        asked(said("hi"), model(made()), said(gave("1"), gave("2"), "so")),
        [said("hi"), model(made()), said(gave("1"), "so")],
        ["orphan_tool_result_dropped"],
    ),
    "a response to nothing": (
        asked(said("hi", gave())),
        [said("hi")],
        ["orphan_tool_result_dropped"],
    ),
    "a response with the id of another call": (
        asked(said("hi"), model(made(id="a")), said(gave(id="b"))),
        [said("hi"), model(made(id="a")), said(gave(LOST, id="a"))],
        ["orphan_tool_result_dropped", "tool_result_synthesized"],
    ),
    "calls in contents of their own": (
        asked(
            said("hi"), model("a"), model(made()), model(made("b")), said(gave(), gave("B", "b"))
        ),
        [said("hi"), model("a", made(), made("b")), said(gave(), gave("B", "b"))],
        ["consecutive_assistants_merged"] * 2,
    ),
    "a start with the model": (
        asked(model("hello"), said("hi")),
        [said(LEADING_USER), model("hello"), said("hi")],
        ["leading_user_inserted"],
    ),
    "a call in a user's content": (
        asked(said("hi", made())),
        [said("hi"), model(made()), said(gave(LOST))],
        ["misplaced_block_moved", "tool_result_synthesized"],
    ),
    "a response in the model's content": (
        asked(said("hi"), model(made(), gave())),
        [said("hi"), model(made()), said(gave())],
        ["misplaced_block_moved"],
    ),
    "an empty text beside a response": (
        asked(said("hi"), model(made()), said({"text": ""}, gave(), "so")),
        [said("hi"), model(made()), said(gave(), "so")],
        ["empty_text_dropped"],
    ),
    "an empty thought": (
        asked(said("hi"), model({"text": "", "thought": True}, "so"), said("on")),
        [said("hi"), model("so"), said("on")],
        ["empty_text_dropped"],
    ),
    "a model that says nothing": (
        asked(said("a"), model(), said("b")),
        [said("a", "b")],
        ["vacuous_message_dropped", "neighbours_merged"],
    ),
    "a part without data": (
        asked(said("hi", {}, {"text": None}, {"thoughtSignature": "c2ln"})),
        [said("hi")],
        ["empty_part_dropped"] * 3,
    ),
    "a part with two kinds of data": (
        asked(said("hi"), model({"text": "a", **made(signature="c2ln")}), said(gave())),
        [said("hi"), model("a", made(signature="c2ln")), said(gave())],
        ["part_split"],
    ),
    "roles of other APIs": (
        asked(
            {"role": "system", "parts": [{"text": "brief"}]},
            said("hi"),
            {**model("a"), "role": "assistant"},
        ),
        [said("hi"), model("a")],
        ["foreign_part_converted", "foreign_part_converted", "system_message_moved"],
    ),
    "messages of another API": (
        asked(
            {"role": "user", "content": "hi"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "run", "arguments": "{}"}}
                ],
            },
            {"role": "tool", "tool_call_id": "c", "content": "out"},
        ),
        [said("hi"), model(made()), said(gave())],
        ["foreign_part_converted"] * 3,
    ),
    "blocks of another API": (
        asked(said({"type": "text", "text": "hi"}, {"type": "mystery"})),
        [said("hi")],
        ["foreign_part_converted", "foreign_part_dropped"],
    ),
    "parts that are text": (
        asked({"role": "user", "parts": "hi"}),
        [said("hi")],
        ["foreign_part_converted"],
    ),
    "args as text": (
        asked(said("hi"), model(made(args='{"a": 1}'), made(args="{")), said(gave(), gave())),
        [
            said("hi"),
            model(made(args={"a": 1}), made(args={"_unparsed_arguments": "{"})),
            said(gave(), gave()),
        ],
        ["arguments_mended", "arguments_mended"],
    ),
    "responses that are no objects": (
        asked(said("hi"), model(made(), made()), said(gave(), gave([1]))),
        [said("hi"), model(made(), made()), said(gave(), gave({"result": "[1]"}))],
        ["response_wrapped"],
    ),
    "responses and what a tool of the model's did under the system's role": (
        asked(
            said("hi"),
            model(made()),
            {"role": "system", "parts": [gave(), {"text": "so"}]},
            {"role": "developer", "parts": [RAN, {"text": "done"}]},
            said("go"),
        ),
        [said("hi"), model(made()), said(gave(), "so"), model(RAN, "done"), said("go")],
        ["foreign_part_converted"] * 2,
    ),
    "whole data URLs for data, and data that is no text": (
        asked(
            said(
                "hi",
                blob("image/png", f"data:image/png;base64,{PNG}"),
                {"inlineData": {"mimeType": "image/png", "data": {}}},
            ),
            model(made()),
            said(gave(parts=[blob("application/pdf", f"data:application/pdf;base64,{PDF}")])),
        ),
        [
            said("hi", blob("image/png", PNG), "[media omitted: it could not be read]"),
            model(made()),
            said(gave(parts=[blob("application/pdf", PDF)])),
        ],
        ["foreign_part_converted", "media_replaced", "foreign_part_converted"],
    ),
    "names that are none": (
        asked(
            said("hi"),
            model(made("get/it"), made("1st")),
            said(gave("1", "get/it"), gave("2", "1st")),
            tools=[{"functionDeclarations": [{"name": "get/it"}, {"name": "1st"}]}],
        ),
        [
            said("hi"),
            model(made("get_it"), made("tool_1st")),
            said(gave("1", "get_it"), gave("2", "tool_1st")),
        ],
        ["tool_name_mapped", "tool_name_mapped"],
    ),
    "a response without a name": (
        asked(said("hi"), model(made()), said(gave("1", ""))),
        [said("hi"), model(made()), said(gave("1"))],
        ["tool_name_mapped"],
    ),
    "a wrong label": (
        asked(said("hi", blob("image/jpeg"), blob("image/jpg"))),
        [said("hi", blob(), blob())],
        ["media_relabelled", "media_relabelled"],
    ),
    "a wrong label, the data as Google's SDK writes it": (
        asked(said(blob("image/png", data="_9j_4P_-"))),
        [said(blob("image/jpeg", data="_9j_4P_-"))],
        ["media_relabelled"],
    ),
    "no signature in the current turn": (
        asked(
            said("a"),
            model(made()),
            said(gave()),
            model("so"),
            said("b"),
            model("x", made(), made()),
            said(gave(), gave()),
            model(made(signature="c2ln")),
            said(gave()),
            model(made()),
            said(gave()),
            model="gemini-3-pro-preview",
        ),
        [
            said("a"),
            model(made()),
            said(gave()),
            model("so"),
            said("b"),
            model("x", {**made(), **MARK}, made()),
            said(gave(), gave()),
            model(made(signature="c2ln")),
            said(gave()),
            model({**made(), **MARK}),
            said(gave()),
        ],
        ["signature_skipped", "signature_skipped"],
    ),
    "signatures that are no base64": (
        asked(
            said("hi"),
            model({"text": "a", "thoughtSignature": "c2ln=c2ln"}, made(signature="é")),
            said(gave()),
            model="gemini-3-pro-preview",
        ),
        [said("hi"), model("a", {**made(), **MARK}), said(gave())],
        ["signature_dropped", "signature_dropped", "signature_skipped"],
    ),
    "an end with the model where that is refused": (
        asked(said("hi"), model("It"), model="gemini-3.7-flash"),
        [said("hi"), model("It"), said("Continue.")],
        ["final_user_inserted"],
    ),
}


@pytest.mark.parametrize("name", list(BROKEN))
def test_a_broken_request_is_mended_and_every_repair_told(name: str) -> None:
    body, expected, kinds = BROKEN[name]
    assert wiremend.check(body, "gemini") != []
    assert simulated("gemini").post(body).error != ""
    fixed = wiremend.fix(body, "gemini")
    assert fixed.body["contents"] == expected
    assert sorted(a.kind for a in fixed.anomalies) == sorted(kinds)
    assert wiremend.check(fixed.body, "gemini") == []
    assert simulated("gemini").post(fixed.body).error == ""
    assert sdk_objections(fixed.body, "gemini") == []
    assert wiremend.fix(fixed.body, "gemini") == wiremend.Fixed(fixed.body, ())


def test_what_a_system_content_says_goes_to_the_system_instruction() -> None:
    system = {"role": "system", "parts": [{"text": "brief"}]}
    first = wiremend.fix(asked(system, said("hi")), "gemini").body
    assert first["systemInstruction"] == {"parts": [{"text": "brief"}]}
    own = {"role": "x", "parts": {"text": "kind"}}
    both = wiremend.fix(asked(system, said("hi"), system_instruction=own), "gemini").body
    assert both["system_instruction"] == {
        "parts": [{"text": "kind"}, {"text": "brief"}],
        "role": "x",
    }
    assert "systemInstruction" not in both


def test_a_system_content_in_the_middle_becomes_a_reminder() -> None:
    system = {"role": "system", "parts": [{"text": "be kind"}]}
    fixed = wiremend.fix(asked(said("hi"), model("a"), system, said("b")), "gemini")
    assert "be kind" in fixed.body["contents"][2]["parts"][0]["text"]
    assert "system_message_moved" in {a.kind for a in fixed.anomalies}


def test_a_system_instruction_that_is_text_becomes_a_content() -> None:
    fixed = wiremend.fix(asked(said("hi"), systemInstruction="brief"), "gemini")
    assert fixed.body["systemInstruction"] == {"parts": [{"text": "brief"}]}
    assert [a.kind for a in fixed.anomalies] == ["foreign_part_converted"]


def test_names_are_replaced_in_declarations_and_choices_too() -> None:
    body = asked(
        said("hi"),
        tools=[{"function_declarations": [{"name": "a b"}, {"name": "ok"}]}],
        toolConfig={"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["a b"]}},
    )
    fixed = wiremend.fix(body, "gemini").body
    assert fixed["tools"] == [{"function_declarations": [{"name": "a_b"}, {"name": "ok"}]}]
    assert fixed["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"] == ["a_b"]
    assert body["tools"][0]["function_declarations"][0]["name"] == "a b"


def test_pictures_that_are_not_taken_become_a_line_of_text() -> None:
    gif = blob("image/gif", "R0lGODlhAQABAAAAACw=")
    body = asked(said("hi", gif, blob("image/png", "!")), model(made()), said(gave(parts=[gif])))
    fixed = wiremend.fix(body, "gemini")
    assert [a.kind for a in fixed.anomalies] == ["media_replaced"] * 3
    assert "inlineData" not in str(fixed.body)
    assert fixed.body["contents"][2]["parts"][0]["functionResponse"]["response"][
        "result"
    ].startswith("out\n")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (asked({"role": "narrator", "parts": []}), "/contents/0/role"),
        (asked({"role": 5}), "/contents/0/role"),
        ({"contents": ["hi"]}, "/contents/0"),
        (asked({"parts": 5}), "/contents/0/parts"),
        (asked({"parts": [5]}), "/contents/0/parts/0"),
        (asked(model({"functionCall": 5})), "/contents/0/parts/0/functionCall"),
        (asked({"parts": {"functionResponse": 5}}), "/contents/0/parts/0/functionResponse"),
        ({"contents": "hi"}, "/contents"),
        ({}, "/contents"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_where(body: Any, pointer: str) -> None:
    with pytest.raises(wiremend.WiremendError) as caught:
        wiremend.fix(body, "gemini")
    assert caught.value.pointer == pointer


def test_strict_makes_the_roles_alternate_but_leaves_responses_alone() -> None:
    body = asked(said("a"), said("b"), model(made()), said(gave()), said("c"), said("d"))
    fixed = wiremend.fix(body, "gemini", strict=True)
    assert fixed.body["contents"] == [said("a", "b"), model(made()), said(gave()), said("c", "d")]
