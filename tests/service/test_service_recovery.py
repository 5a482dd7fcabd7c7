"""Recovering from refusals, over real sockets with the official SDKs."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

import anthropic
import openai
import pytest
from tests.service.asking import (
    BAD_IMAGE,
    BOUND,
    HELLO,
    OVERFLOW,
    REFUSED,
    TOO_LARGE,
    bodies,
    broken,
    chatting,
    messaging,
    picture,
    pictures,
    policies,
)

from wiremend.errors import WiremendError
from wiremend.model import assistant, user
from wiremend.service import OpenAIChat, RequestService, Trace
from wiremend.simulator import Failure, Fault, Thinking, says

_MANY = [picture(name) for name in "abcd"]


def test_a_broken_history_is_sent_mended_and_the_repairs_are_told() -> None:
    with chatting() as (service, running):
        answer = service.send(broken())
    assert answer.message.role == "assistant"
    assert [anomaly.kind for anomaly in answer.anomalies] == ["tool_result_synthesized"]
    assert [m["role"] for m in bodies(running)[0]["messages"]] == [
        *("user", "assistant", "tool", "user"),
    ]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_refusal_for_structure_is_followed_by_one_strict_attempt(streamed: bool) -> None:
    history = [assistant("left over"), *HELLO]
    with messaging(REFUSED, says("fine")) as (service, running):
        answer = service.stream(history).read() if streamed else service.send(history)
    assert policies(answer.trace) == ["plain", "strict"]
    assert answer.trace.attempts[0].refusal is not None
    assert answer.trace.attempts[0].refusal.error_class == "structure"
    assert len(running.requests) == 2


def test_a_second_refusal_for_structure_is_raised_as_it_is() -> None:
    traces: list[Trace] = []
    steps = (REFUSED, REFUSED, says("x"))
    with (
        messaging(*steps, on_trace=traces.append) as (service, running),
        pytest.raises(anthropic.BadRequestError) as caught,
    ):
        service.send(HELLO)
    assert len(running.requests) == 2
    assert caught.value.__notes__ == ["wiremend sent the request 2 times: plain, strict"]
    assert [trace.outcome for trace in traces] == ["refused"]


def test_a_request_too_large_is_degraded_then_stripped_then_given_up() -> None:
    with (
        chatting(TOO_LARGE, TOO_LARGE, TOO_LARGE, says("x")) as (service, running),
        pytest.raises(openai.APIStatusError) as caught,
    ):
        service.send(_MANY)
    assert caught.value.status_code == 413
    assert [pictures(body) for body in bodies(running)] == [list("abcd"), list("cd"), []]


def test_a_picture_that_cannot_be_read_is_stripped_at_once() -> None:
    with chatting(BAD_IMAGE, says("fine")) as (service, running):
        assert policies(service.send(_MANY).trace) == ["plain", "strip"]
    assert [pictures(body) for body in bodies(running)] == [list("abcd"), []]


def test_both_dimensions_are_tried_together() -> None:
    steps = (REFUSED, TOO_LARGE, TOO_LARGE, says("fine"))
    with chatting(*steps) as (service, running):
        answer = service.send(_MANY)
    assert policies(answer.trace) == ["plain", "strict", "strict+degraded", "strict+strip"]
    assert len(running.requests) == 4


def test_what_worked_stays_for_the_turn_and_the_next_turn_starts_clean() -> None:
    steps = (BAD_IMAGE, says("one"), says("two"), says("three"))
    with chatting(*steps) as (service, running):
        turn = service.turn()
        turn.send(_MANY)
        later = turn.send([*_MANY, picture("new")])
        service.turn().send(_MANY)
    assert policies(later.trace) == ["strip"]
    sent = [pictures(body) for body in bodies(running)]
    assert sent == [list("abcd"), [], ["new"], list("abcd")]


def test_a_degraded_turn_stays_degraded() -> None:
    with chatting(TOO_LARGE, says("one"), says("two")) as (service, running):
        turn = service.turn()
        turn.send(_MANY)
        turn.send([*_MANY, picture("new")])
    assert [pictures(body) for body in bodies(running)][1:] == [list("cd"), ["d", "new"]]


def test_strict_does_not_outlive_its_request() -> None:
    with chatting(REFUSED, says("one"), says("two")) as (service, _):
        turn = service.turn()
        turn.send(HELLO)
        assert policies(turn.send(HELLO).trace) == ["plain"]


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (OVERFLOW, openai.BadRequestError),
        (Failure(401), openai.AuthenticationError),
        (Failure(429), openai.RateLimitError),
        (Failure(500), openai.InternalServerError),
        (Failure(503), openai.InternalServerError),
        (Failure(400, message="no luck"), openai.BadRequestError),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_what_is_not_ours_to_repair_is_raised_at_once(
    failure: Failure, kind: type[Exception], streamed: bool
) -> None:
    with chatting(failure, says("x")) as (service, running), pytest.raises(kind) as caught:
        service.stream(_MANY).read() if streamed else service.send(_MANY)
    assert len(running.requests) == 1
    assert not hasattr(caught.value, "__notes__")


def test_nobody_at_the_other_end_is_raised_as_it_is() -> None:
    traces: list[Trace] = []
    with openai.OpenAI(base_url="http://127.0.0.1:9/v1", api_key="x", max_retries=0) as client:
        lost = RequestService(OpenAIChat(client), on_trace=traces.append)
        with pytest.raises(openai.APIConnectionError):
            lost.send(HELLO, settings={"model": "gpt-5"})
    refusal = traces[0].attempts[0].refusal
    assert refusal is not None
    assert refusal.error_class == "network"


@pytest.mark.parametrize("streamed", [False, True])
def test_thinking_of_another_conversation_is_dropped_for_the_whole_session(
    streamed: bool,
) -> None:
    steps = (BOUND, says("one"), says("two"))
    with messaging(*steps, model="claude-fable-5-1") as (service, running):
        answer = service.stream(HELLO).read() if streamed else service.send(HELLO)
        assert policies(answer.trace) == ["plain", "drop_block"]
        assert policies(service.send(HELLO).trace) == ["drop_block"]
        assert service.drops_blocks
    first, *others = running.requests
    assert "thinking" not in first.json
    for received in others:
        binding = received.json["thinking"]["block_binding"]
        assert binding == {"prefix_mismatch_behavior": "drop_block"}
        assert received.headers["anthropic-beta"] == "thinking-binding-controls-2026-08-01"


def test_a_session_that_goes_on_later_still_drops_such_thinking() -> None:
    with messaging(says("one"), model="claude-fable-5-1", drops_blocks=True) as (service, _):
        assert policies(service.send(HELLO).trace) == ["drop_block"]


def test_a_caller_who_wants_to_know_of_other_thinking_is_told() -> None:
    thinking = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "error"}}
    settings = {"model": "claude-fable-5-1", "max_tokens": 9, "thinking": thinking}
    with (
        messaging(BOUND, settings=settings) as (service, running),
        pytest.raises(anthropic.BadRequestError),
    ):
        service.send(HELLO)
    assert len(running.requests) == 1


def test_an_objection_in_a_stream_before_any_output_is_recovered_from() -> None:
    fault = Fault("error", after=1, failure=REFUSED)
    with messaging(says("never seen", fault=fault), says("fine")) as (service, running):
        stream = service.stream(HELLO)
        assert "".join(getattr(piece, "text", "") for piece in stream) == "fine"
    assert policies(stream.answer.trace) == ["plain", "strict"]
    assert len(running.requests) == 2


@pytest.mark.parametrize("kind", ["error", "reset", "end"])
def test_nothing_is_sent_again_once_output_has_reached_the_caller(kind: str) -> None:
    fault = Fault(kind, after=4, failure=REFUSED)  # type: ignore[arg-type]  # one of its kinds
    traces: list[Trace] = []
    answer = says("a long answer, word by word, that breaks off", fault=fault)
    with messaging(answer, says("x"), on_trace=traces.append) as (service, running):
        stream = service.stream(HELLO)
        assert next(iter(stream))
        with pytest.raises(Exception, match=r"\w") as caught:
            stream.read()
    assert not isinstance(caught.value, WiremendError)
    assert len(running.requests) == 1
    assert traces[0].attempts[-1].delivered
    assert traces[0].outcome == "refused"


def test_a_stream_that_the_caller_leaves_is_aborted() -> None:
    traces: list[Trace] = []
    steps = (says("word " * 50), says("x"))
    with (
        messaging(*steps, on_trace=traces.append) as (service, running),
        service.stream(HELLO) as stream,
    ):
        next(iter(stream))
    assert len(running.requests) == 1
    assert (traces[0].outcome, traces[0].attempts[0].delivered) == ("aborted", True)


def test_thinking_comes_back_with_its_signature() -> None:
    settings = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 4000,
        "thinking": {"type": "enabled", "budget_tokens": 2000},
    }
    with messaging(says(Thinking("hm"), "yes"), settings=settings) as (service, running):
        answer = service.stream(HELLO).read()
        service.send([*HELLO, answer.message, user("sure?")])
    blocks = bodies(running)[1]["messages"][1]["content"]
    assert [block["type"] for block in blocks] == ["thinking", "text"]
    assert blocks[0]["signature"] == answer.response["content"][0]["signature"]


class Answering:
    """A sender whose provider takes everything, and says the same each time."""

    family = "openai-chat"
    provider = "openai"

    def __init__(self, response: dict[str, Any]) -> None:
        self.response = response
        self.sent = 0

    def send(self, body: dict[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
        self.sent += 1
        return self.response

    def stream(
        self, body: dict[str, Any], headers: Mapping[str, str]
    ) -> Generator[dict[str, Any], None, None]:
        raise AssertionError("nobody streams here")


def test_an_answer_that_cannot_be_read_is_not_asked_for_again() -> None:
    strange = {"role": "assistant", "content": [5]}
    sender = Answering({"choices": [{"message": strange}]})
    traces: list[Trace] = []
    service = RequestService(sender, settings={"model": "gpt-5"}, on_trace=traces.append)
    with pytest.raises(WiremendError, match="/messages/0/content"):
        service.send(HELLO)
    assert sender.sent == 1
    assert [policies(trace) for trace in traces] == [["plain"]]


def test_a_listener_that_fails_costs_neither_a_second_request_nor_its_error() -> None:
    def listen(trace: Trace) -> None:
        traces.append(trace)
        raise LookupError("messages[0]: no such row")

    traces: list[Trace] = []
    sender = Answering({"choices": [{"message": {"role": "assistant", "content": "hm"}}]})
    service = RequestService(sender, settings={"model": "gpt-5"}, on_trace=listen)
    with pytest.raises(LookupError, match="no such row"):
        service.send(HELLO)
    assert (sender.sent, [trace.outcome for trace in traces]) == (1, ["answered"])
