"""When a provider refuses all the same: what is sent again, how, and what is remembered."""

from __future__ import annotations

from typing import Any

import httpx2
from tests.proxy.standing import Standing, before, standing
from tests.proxy.upstreams import OK, STREAM, Peer, upstream

from wiremend.simulator import Failure, Fault, says

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
STRUCTURE = Failure(400, message="messages.1: `tool_use` ids must be unique")
TOO_LARGE = Failure(413)
OVERFLOW = Failure(400, message="prompt is too long: 210000 tokens > 200000 maximum")
KEYS = {"anthropic-version": "2023-06-01", "x-api-key": "sk-any"}


def said(role: str, text: str, *, picture: bool = False) -> dict[str, Any]:
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    pictures = [{"type": "image", "source": source}] if picture else []
    return {"role": role, "content": [{"type": "text", "text": text}, *pictures]}


def send(proxy: Standing, *messages: dict[str, Any], **more: Any) -> httpx2.Response:
    asked = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": list(messages), **more}
    return proxy.post("/v1/messages", json=asked, headers=KEYS)


def tried(proxy: Standing) -> list[str]:
    return [attempt.policy for attempt in proxy.entry.attempts]


TWICE = (said("user", "a"), said("user", "b"))


def test_a_structural_refusal_is_sent_again_under_the_strict_policy_once() -> None:
    with before("anthropic", STRUCTURE, says("fine")) as proxy:
        answer = send(proxy, *TWICE)
        assert answer.json()["content"][0]["text"] == "fine"
        assert answer.headers["x-wiremend-policy"] == "strict"
        assert answer.headers["x-wiremend-attempts"] == "2"
        assert "neighbours_merged=1" in answer.headers["x-wiremend-repairs"]
        assert [len(body["messages"]) for body in proxy.got] == [2, 1]
        (first, second) = proxy.entry.attempts
        assert (first.status, first.error_class, second.status) == (400, "structure", 200)
    with before("anthropic", STRUCTURE, STRUCTURE, says("never")) as proxy:
        answer = send(proxy, *TWICE)
        assert answer.status_code == 400
        assert "`tool_use` ids must be unique" in answer.json()["error"]["message"]
        assert len(proxy.got) == 2


def test_what_would_be_sent_unchanged_is_not_sent_again() -> None:
    with before("anthropic", STRUCTURE, says("never")) as proxy:
        answer = send(proxy, said("user", "a"))
        assert answer.status_code == 400
        assert answer.headers["x-wiremend-attempts"] == "1"
        assert len(proxy.got) == 1


def test_a_context_overflow_and_a_rate_limit_are_the_agents_own_business() -> None:
    busy = Failure(429, retry_after=7)
    for failure in (OVERFLOW, busy, Failure(529), Failure(500), Failure(401)):
        with before("anthropic", failure, says("never")) as proxy:
            answer = send(proxy, *TWICE)
            assert answer.status_code == failure.status
            assert len(proxy.got) == 1
            if failure is busy:
                assert answer.headers["retry-after"] == "7"


def pictures(body: Any) -> int:
    return str(body).count(PNG)


def test_media_that_a_provider_refuses_is_given_up_for_the_rest_of_the_turn() -> None:
    history = [
        said("user", "old", picture=True),
        said("assistant", "seen"),
        said("user", "new", picture=True),
    ]
    with before("anthropic", TOO_LARGE, *[says("fine")] * 4) as proxy:
        answer = send(proxy, *history)
        assert answer.status_code == 200
        assert answer.headers["x-wiremend-policy"] != "plain"
        kept = [pictures(body) for body in proxy.got]
        assert kept[0] == 2
        assert kept[1] < 2
        # The same turn goes on: it starts where the last request of it got through.
        more = [*history, said("assistant", "step"), said("user", "and?")]
        call = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
        result = {"type": "tool_result", "tool_use_id": "t", "content": "r"}
        step = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
        tools = [{"name": "f", "input_schema": {"type": "object"}}]
        send(proxy, *history, *step, tools=tools)
        assert pictures(proxy.got[2]) == kept[1]
        # A new prompt begins a new turn, which is tried as it came.
        send(proxy, *more)
        assert pictures(proxy.got[3]) == 2
        # Another conversation never heard of it.
        send(proxy, said("user", "other", picture=True))
        assert pictures(proxy.got[4]) == 1
        assert [entry.status for entry in proxy.entries(4)] == [200] * 4


def test_structure_and_media_are_given_up_together() -> None:
    messages = [*TWICE, said("user", "c", picture=True)]
    with before("anthropic", STRUCTURE, TOO_LARGE, says("fine")) as proxy:
        answer = send(proxy, *messages)
        assert answer.status_code == 200
        assert answer.headers["x-wiremend-attempts"] == "3"
        policies = tried(proxy)
        assert policies[:2] == ["plain", "strict"]
        assert policies[2].startswith("strict+")
        assert len(proxy.got[2]["messages"]) == 1
        assert pictures(proxy.got[2]) == 0


def test_an_error_that_begins_a_stream_is_recovered_from() -> None:
    def words(events: bytes) -> bytes:
        return b'data: {"error":{"message":"%b","type":"invalid_request_error"}}' % events

    bodies: list[bytes] = []

    async def behave(peer: Peer) -> None:
        bodies.append((await peer.request())[1])
        if len(bodies) == 1:
            await peer.say(STREAM)
            await peer.event(words(b"messages: roles must alternate")[6:])
            await peer.end()
        else:
            await peer.say(OK)

    messages = [said("user", "a"), said("assistant", "b"), said("assistant", "c")]
    asked = {"model": "m", "stream": True, "messages": [*messages, said("user", "d")]}
    with upstream(behave) as url, standing(url) as proxy:
        answer = proxy.post("/v1/chat/completions", json=asked)
        assert answer.content == b"{}"
        assert answer.headers["x-wiremend-policy"] == "strict"
    assert len(bodies) == 2


def test_an_error_behind_the_first_output_is_passed_on_and_nothing_sent_again() -> None:
    fault = Fault("error", after=4, failure=STRUCTURE)
    with before("anthropic", says("one two three", fault=fault), says("never")) as proxy:
        answer = send(proxy, *TWICE, stream=True)
        assert answer.status_code == 200
        assert "ids must be unique" in answer.text
        assert len(proxy.got) == 1


def test_thinking_that_is_bound_to_another_conversation_is_dropped_by_the_provider() -> None:
    bound = Failure(
        400,
        message="messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound "
        'to a different conversation. Remove the block, or set `thinking.block_binding."'
        'prefix_mismatch_behavior` to "drop_block".',
    )
    thinking = {"type": "enabled", "budget_tokens": 1024}
    with before("anthropic", bound, says("fine"), says("again")) as proxy:
        for _ in range(2):
            answer = send(
                proxy,
                said("user", "a"),
                max_tokens=2000,
                model="claude-opus-5-1",
                thinking=thinking,
            )
            assert answer.status_code == 200, answer.text
        first, second, third = proxy.provider.requests
        assert "block_binding" not in first.json["thinking"]
        for request in (second, third):
            binding = request.json["thinking"]["block_binding"]
            assert binding["prefix_mismatch_behavior"] == "drop_block"
            assert request.headers["anthropic-beta"]
