"""The asynchronous service: the same recovery, cancellation, requests side by side."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anthropic
import openai
import pytest
from tests.service.asking import (
    BAD_IMAGE,
    HELLO,
    REFUSED,
    TOO_LARGE,
    answered,
    bodies,
    picture,
    pictures,
    policies,
)

from wiremend.errors import WiremendError
from wiremend.model import user
from wiremend.service import (
    AsyncAnthropicMessages,
    AsyncOpenAIChat,
    AsyncRequestService,
    CallDelta,
    OpenAIChat,
    RequestService,
    TextDelta,
    Trace,
)
from wiremend.simulator import Answer, Call, Failure, Running, Script, Text, running_provider, says


@asynccontextmanager
async def chatting(
    *steps: Answer | Failure, **options: Any
) -> AsyncIterator[tuple[AsyncRequestService, Running]]:
    with running_provider("openai-chat", Script(steps)) as running:
        async with openai.AsyncOpenAI(
            base_url=f"{running.url}/v1", api_key="k", max_retries=0
        ) as client:
            options = {"settings": {"model": "gpt-5"}, **options}
            yield AsyncRequestService(AsyncOpenAIChat(client), **options), running


def test_it_recovers_as_the_other_does() -> None:
    async def run() -> None:
        steps = (REFUSED, TOO_LARGE, says("fine"), BAD_IMAGE, says("streamed"), says("later"))
        async with chatting(*steps) as (service, running):
            answer = await service.send([picture(name) for name in "abc"])
            assert policies(answer.trace) == ["plain", "strict", "strict+degraded"]
            turn = service.turn()
            async with turn.stream([picture("a")]) as stream:
                pieces = [piece async for piece in stream]
            assert "".join(p.text for p in pieces if isinstance(p, TextDelta)) == "streamed"
            assert policies(stream.answer.trace) == ["plain", "strip"]
            await turn.send([picture("a"), picture("b")])
            sent = [pictures(body) for body in bodies(running)]
            assert sent == [list("abc"), list("abc"), list("bc"), ["a"], [], ["b"]]

    asyncio.run(run())


def test_anthropics_client_streams_too() -> None:
    async def run() -> None:
        with running_provider("anthropic", Script((REFUSED, says("fine")))) as running:
            async with anthropic.AsyncAnthropic(
                base_url=running.url, api_key="k", max_retries=0
            ) as client:
                settings = {"model": "claude-sonnet-4-5", "max_tokens": 9}
                service = AsyncRequestService(AsyncAnthropicMessages(client), settings=settings)
                answer = await service.stream(HELLO).read()
        assert policies(answer.trace) == ["plain", "strict"]
        assert answer.finish_reason == "end_turn"

    asyncio.run(run())


@pytest.mark.parametrize("streamed", [False, True])
def test_a_cancelled_request_is_not_sent_again(streamed: bool) -> None:
    traces: list[Trace] = []

    async def run() -> None:
        slow = Answer((Text("word " * 30),), pause=0.1)
        async with chatting(slow, says("x"), on_trace=traces.append) as (service, running):
            asked = service.stream(HELLO).read() if streamed else service.send(HELLO)
            task = asyncio.ensure_future(asked)
            while not running.requests:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0.05)
            assert len(running.requests) == 1

    asyncio.run(run())
    assert [trace.outcome for trace in traces] == ["aborted"]
    refusal = traces[0].attempts[0].refusal
    assert refusal is not None
    assert refusal.error_class == "aborted"


def test_an_answer_is_not_there_before_the_stream_was_read() -> None:
    async def run() -> None:
        async with chatting(says("fine")) as (service, running):
            stream = service.stream(HELLO)
            with pytest.raises(WiremendError, match="not complete"):
                stream.answer  # noqa: B018
            assert running.requests == []
            assert (await stream.read()).finish_reason == "stop"

    asyncio.run(run())


def test_requests_side_by_side_do_not_disturb_each_other() -> None:
    async def run() -> None:
        step = says(Call("look", {}, id="same"))
        async with chatting(*[step] * 6) as (service, _):
            turn = service.turn()
            answers = await asyncio.gather(
                *(turn.send(answered("old")) for _ in range(3)),
                *(turn.stream(answered("old")).read() for _ in range(3)),
            )
        ids = sorted(answer.message.tool_calls[0].id for answer in answers)
        assert ids == ["same", "same__2", "same__3", "same__4", "same__5", "same__6"]

    asyncio.run(run())


def test_pieces_and_whole_agree_where_two_streams_are_read_in_turns() -> None:
    step = says(Call("f", {}, id="i"))
    with (
        running_provider("openai-chat", Script((step, step))) as running,
        openai.OpenAI(base_url=f"{running.url}/v1", api_key="k") as client,
    ):
        service = RequestService(OpenAIChat(client), settings={"model": "gpt-5"})
        one, two = service.stream([user("a")]), service.stream([user("b")])
        seen: tuple[set[str], set[str]] = (set(), set())
        for pieces in zip(one, two, strict=True):
            for piece, ids in zip(pieces, seen, strict=True):
                if isinstance(piece, CallDelta):
                    ids.add(piece.call_id)
        whole = [stream.answer.message.tool_calls[0].id for stream in (one, two)]
    assert seen == ({"i"}, {"i__2"})
    assert whole == ["i", "i__2"]
