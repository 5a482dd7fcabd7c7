"""Call ids that repeat: unique in what is recorded, streamed or not, and given back on failure."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.asking import BAD_IMAGE, answered, chatting, messaging, picture, policies

from wiremend.model import ToolCall, assistant, tool_result, user
from wiremend.service import CallDelta
from wiremend.service.call_ids import CallIds
from wiremend.simulator import Call, Failure, Fault, says


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("chosen", [chatting, messaging])
def test_an_id_that_the_history_has_is_replaced_in_pieces_and_whole(
    chosen: Any, streamed: bool
) -> None:
    step = says(Call("look", {"path": "a"}, id="call_a"), Call("look", {}, id="call_b"))
    with chosen(step) as (service, _):
        if streamed:
            stream = service.stream(answered("call_a"))
            pieces = {piece.call_id for piece in stream if isinstance(piece, CallDelta)}
            answer = stream.answer
            assert pieces == {"call_a__2", "call_b"}
        else:
            answer = service.send(answered("call_a"))
    assert [call.id for call in answer.message.tool_calls] == ["call_a__2", "call_b"]
    assert answer.trace.renamed_ids == {"call_a__2": "call_a"}


def test_what_was_recorded_can_be_answered_and_sent() -> None:
    history = answered("call_a")
    with chatting(says(Call("look", {}, id="call_a")), says("done")) as (service, running):
        answer = service.send(history)
        call = answer.message.tool_calls[0]
        history = [*history, answer.message, tool_result(call.id, "fine again")]
        assert service.send(history).anomalies == ()
    sent = running.requests[1].json["messages"]
    assert [m["tool_call_id"] for m in sent if m["role"] == "tool"] == ["call_a", "call_a__2"]


def test_twins_in_one_answer_are_told_apart() -> None:
    with chatting(says(Call("look", {}, id="x"), Call("look", {}, id="x"))) as (service, _):
        answer = service.send([user("go")])
    assert [call.id for call in answer.message.tool_calls] == ["x", "x__2"]


def test_a_failed_request_gives_its_ids_back() -> None:
    broken_off = says(
        Call("look", {"path": "a" * 200}, id="call_a"),
        fault=Fault("error", after=6, failure=Failure(500)),
    )
    with messaging(broken_off, says(Call("look", {}, id="call_a"))) as (service, _):
        with pytest.raises(Exception, match=r"\w"):
            service.stream([user("go")]).read()
        answer = service.send([user("go")])
    assert [call.id for call in answer.message.tool_calls] == ["call_a"]
    assert answer.trace.renamed_ids == {}


def test_an_id_of_an_answer_that_is_not_recorded_yet_is_taken() -> None:
    step = says(Call("look", {}, id="call_a"))
    with chatting(step, step, step) as (service, _):
        first = service.send([user("go")]).message.tool_calls[0].id
        second = service.send([user("go")]).message.tool_calls[0].id
        history = [user("go"), assistant("", ToolCall("call_a", "look", "{}"))]
        history.append(tool_result("call_a", "x"))
        third = service.send(history).message.tool_calls[0].id
    assert (first, second, third) == ("call_a", "call_a__2", "call_a__3")


def test_ids_stay_as_they_are_where_that_is_asked_for() -> None:
    step = says(Call("look", {}, id="call_a"))
    with chatting(step, unique_ids=False) as (service, _):
        stream = service.stream(answered("call_a"))
        assert {p.call_id for p in stream if isinstance(p, CallDelta)} == {"call_a"}
    assert stream.answer.message.tool_calls[0].id == "call_a"


def test_an_attempt_that_was_refused_costs_no_id() -> None:
    steps = (BAD_IMAGE, says(Call("look", {}, id="call_a")))
    with chatting(*steps) as (service, _):
        answer = service.send([picture("a")])
    assert policies(answer.trace) == ["plain", "strip"]
    assert answer.message.tool_calls[0].id == "call_a"


def test_threads_may_share_a_service() -> None:
    step = says(Call("look", {}, id="same"))
    with chatting(*[step] * 6) as (service, running), ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: service.send(answered("old")), range(6)))
    ids = {answer.message.tool_calls[0].id for answer in answers}
    assert ids == {"same", *(f"same__{number}" for number in range(2, 7))}
    assert len(running.requests) == 6


@given(st.lists(st.lists(st.sampled_from(["a", "a__2", "b", ""]), max_size=4), max_size=5))
def test_no_two_ids_in_use_are_ever_the_same(answers: list[list[str]]) -> None:
    ids, used = CallIds(), ["a"]
    for wanted in answers:
        claim = ids.claim(["a"])
        given_out = [claim.name(index, call_id) for index, call_id in enumerate(wanted)]
        assert [claim.name(index, "again") for index in range(len(wanted))] == given_out
        used += given_out
    assert len(set(used)) == len(used)


def test_answers_side_by_side_never_share_an_id() -> None:
    ids = CallIds()
    got: list[str] = []
    barrier = threading.Barrier(8)

    def answer() -> None:
        claim = ids.claim([])
        barrier.wait()
        got.extend(claim.name(index, "same") for index in range(50))

    threads = [threading.Thread(target=answer) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(got)) == len(got) == 400
