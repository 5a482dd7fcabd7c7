"""Agents' loops through each official SDK: histories are damaged between the requests, the
provider fails at random, and what is sent again is what the table says."""

from __future__ import annotations

import asyncio
import random
from typing import Any, Protocol

import pytest
from tests.service.asking import policies, texts
from tests.service.planned import Ask, damaged, plan
from tests.service.test_service_senders import ASYNC_WAYS, WAYS

from wiremend import service as sending
from wiremend.model import ContextMessage, TextPart, tool_result
from wiremend.service import CallDelta, Delta, TextDelta
from wiremend.simulator import Script, running_provider

SDKS = ("chat", "responses", "anthropic", "gemini")
SEEDS = range(2)


class Asks(Protocol):
    """How a loop asks, whichever service it has."""

    async def __call__(
        self, turn: Any, history: list[ContextMessage], pieces: list[Delta], *, streamed: bool
    ) -> sending.Answer: ...


async def waiting(
    turn: sending.RequestTurn,
    history: list[ContextMessage],
    pieces: list[Delta],
    *,
    streamed: bool,
) -> sending.Answer:
    if not streamed:
        return turn.send(history)
    with turn.stream(history) as stream:
        pieces.extend(stream)
    return stream.answer


async def awaiting(
    turn: Any, history: list[ContextMessage], pieces: list[Delta], *, streamed: bool
) -> sending.Answer:
    if not streamed:
        answer: sending.Answer = await turn.send(history)
        return answer
    async with turn.stream(history) as stream:
        pieces.extend([piece async for piece in stream])
    whole: sending.Answer = stream.answer
    return whole


def said(message: ContextMessage) -> str:
    return "".join(part.text for part in message.content if isinstance(part, TextPart))


def check(ask: Ask, answer: sending.Answer, pieces: list[Delta], taken: set[str]) -> None:
    assert said(answer.message) == ask.words
    ids = [call.id for call in answer.message.tool_calls]
    assert len({*ids}) == len(ids)
    assert not {*ids} & taken
    if ask.streamed:
        assert texts([p for p in pieces if isinstance(p, TextDelta)]) == ask.words
        assert {p.call_id for p in pieces if isinstance(p, CallDelta)} == {*ids}


async def loop(service: Any, asks: list[Ask], traces: list[Any], asking: Asks, seed: int) -> None:
    rng = random.Random(seed)
    history: list[ContextMessage] = []
    turn = None
    for ask in asks:
        turn = service.turn() if ask.new_turn else turn
        history = damaged([*history, ask.prompt], rng)
        taken = {call.id for message in history for call in message.tool_calls}
        pieces: list[Delta] = []
        try:
            answer = await asking(turn, history, pieces, streamed=ask.streamed)
        except Exception as error:
            # A failure that nobody planned, or an error of the program itself.
            if ask.words is not None or type(error).__module__ == "builtins":
                raise
        else:
            check(ask, answer, pieces, taken)
            history.append(answer.message)
            history.extend(tool_result(call.id, "done") for call in answer.message.tool_calls)
        assert policies(traces[-1]) == ask.policies


@pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SDKS)
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_loop_goes_on_whatever_happens_to_its_history(
    name: str, asynchronous: bool, seed: int
) -> None:
    way = (ASYNC_WAYS if asynchronous else WAYS)[name]
    asks, steps = plan(seed)
    traces: list[sending.Trace] = []
    options: dict[str, Any] = {"settings": way.settings, "on_trace": traces.append}

    async def run(url: str) -> None:
        client = way.client(url)
        if asynchronous:
            async with client:
                service = sending.AsyncRequestService(way.sender(client, url), **options)
                await loop(service, asks, traces, awaiting, seed)
        else:
            with client:
                waits = sending.RequestService(way.sender(client, url), **options)
                await loop(waits, asks, traces, waiting, seed)

    with running_provider(way.dialect, Script(tuple(steps))) as running:
        asyncio.run(run(running.url))
    # A refusal for structure that the script does not have would be one request more.
    assert len(running.requests) == len(steps)
    assert len(traces) == len(asks)
