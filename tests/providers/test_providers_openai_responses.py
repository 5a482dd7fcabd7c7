"""The simulated Responses API, one refusal at a time, and in agreement with the rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.dialects.items import ASK, MORE, NAME, answer, call, image, output, reasoning, user
from tests.properties.responses import damaged_responses, responses_bodies

import wiremend
from wiremend.providers import simulated

Body = dict[str, Any]

REFUSED: list[tuple[list[Any], Body, str]] = [
    ([ASK, call("a"), MORE], {}, "No tool output found for function call a."),
    (
        [call("a", "custom_tool_call", name="sh", input="ls")],
        {},
        "No tool output found for custom tool call a.",
    ),
    ([output("a")], {}, "No tool call found for function call output with call_id a."),
    (
        [call("a"), output("a"), output("a")],
        {},
        "Duplicate function_call_output for call_id 'a'. Each function_call must have exactly one "
        "matching function_call_output",
    ),
    ([call("a"), call("a"), output("a")], {}, "Duplicate 'call_id': a"),
    (
        [ASK, call("a"), output("a"), MORE, call("a")],
        {},
        "No tool output found for function call a.",
    ),
    (
        [ASK, reasoning(), MORE],
        {},
        "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    ),
    (
        [ASK, reasoning(), answer("x")],
        {"store": False},
        "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try "
        "again with `store` set to true, or remove this item from your input.",
    ),
    (
        [answer("a", id="msg_1"), answer("b", id="msg_1")],
        {},
        "Duplicate item found with id msg_1. Remove duplicate items from your input and try again.",
    ),
    (
        [answer("a", id="fake")],
        {},
        "Invalid 'input[0].id': 'fake'. Expected an ID that begins with 'msg'.",
    ),
    ([{"type": "reasoning", "id": "rs_1"}], {}, "Missing required parameter: 'input[0].summary'."),
    (
        [user({"type": "output_text", "text": "x"})],
        {},
        "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image' and "
        "'input_file'. (input[0].content[0])",
    ),
    (
        [{"role": "assistant", "content": None}],
        {},
        "Invalid type for 'input[0].content': expected one of an array of objects or string, but "
        "got null instead.",
    ),
    ([3], {}, "Invalid type for 'input[0]': expected an object, but got an integer instead."),
]


@pytest.mark.parametrize(("items", "more", "said"), REFUSED)
def test_a_fault_is_refused_in_the_provider_s_words(
    items: list[Any], more: Body, said: str
) -> None:
    reply = simulated(NAME).post({"input": items, **more})
    assert (reply.status, reply.error) == (400, said)


@pytest.mark.parametrize(
    "body",
    [
        {"input": "hello"},
        {"previous_response_id": "resp_1"},
        {"previous_response_id": "resp_1", "input": [output("a")]},
        {"input": [ASK, call("a"), MORE, call("b"), output("b"), output("a")]},
        {"input": [ASK, call("a"), output("a"), MORE, call("a"), output("a", "again")]},
        {"input": [ASK, reasoning(), reasoning("rs_2"), call("a"), output("a", [image()])]},
    ],
)
def test_a_sound_request_is_answered(body: Body) -> None:
    reply = simulated(NAME).post(body)
    assert reply.accepted
    assert reply.body["output"][0]["content"][0]["text"]


@given(body=st.one_of(responses_bodies(), damaged_responses()))
def test_the_rules_and_the_simulated_api_refuse_the_same_requests(body: Body) -> None:
    error = simulated(NAME).post(body).error
    found = wiremend.check(body, NAME)
    assert found or not error, error
    # An id that an earlier turn had is refused by other servers of this API.
    assert error or {violation.code for violation in found} <= {"WM304"}, found
