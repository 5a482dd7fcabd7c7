"""A thousand streams at once: every one whole, its own, and in order."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import aiohttp
from tests.proxy.upstreams import STREAM, Peer, serving

from wiremend.proxy import Entry, Settings, parse_upstream, running

STREAMS = 1000
EVENTS = 20
BROKEN = {
    "role": "assistant",
    "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}


class Gate:
    """Opens once everybody is here, so that all streams are really open at the same time."""

    def __init__(self, number: int) -> None:
        self._left = number
        self._open = asyncio.Event()

    async def wait(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._open.set()
        await self._open.wait()


def asked(number: int) -> dict[str, Any]:
    """The request of one agent; every other one is broken."""
    user = {"role": "user", "content": f"I am {number}."}
    return {
        "model": "m",
        "stream": True,
        "messages": [user, BROKEN, user] if number % 2 else [user],
    }


async def ask(client: aiohttp.ClientSession, url: str, number: int) -> list[str]:
    async with client.post(f"{url}/v1/chat/completions", json=asked(number)) as answer:
        assert answer.status == 200
        expected = "tool_result_synthesized=1" if number % 2 else "none"
        assert answer.headers["x-wiremend-repairs"] == expected
        text = (await answer.read()).decode()
    return re.findall(r"data: (.*)", text)


async def storm() -> tuple[list[list[str]], list[Entry], int]:
    gate = Gate(STREAMS)
    most = 0
    now = 0

    async def behave(peer: Peer) -> None:
        nonlocal most, now
        _, body = await peer.request()
        messages = json.loads(body)["messages"]
        (number,) = re.findall(r"I am (\d+)\.", messages[0]["content"])
        assert len(messages) == (4 if int(number) % 2 else 1)
        now += 1
        most = max(most, now)
        await peer.say(STREAM)
        await peer.event(b"%s begins" % number.encode())
        await gate.wait()
        for event in range(EVENTS):
            await peer.event(b"%s says %d" % (number.encode(), event))
            await asyncio.sleep(0)
        await peer.end()
        now -= 1

    entries: list[Entry] = []
    async with serving(behave) as above:
        settings = Settings(upstreams=(parse_upstream(above),), port=0)
        async with (
            running(settings, notice=entries.append) as url,
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client,
        ):
            got = await asyncio.gather(*(ask(client, url, number) for number in range(STREAMS)))
    return got, entries, most


def test_a_thousand_streams_at_once_are_neither_lost_nor_mixed() -> None:
    got, entries, most = asyncio.run(storm())
    assert most == STREAMS
    for number, events in enumerate(got):
        assert events == [f"{number} begins", *(f"{number} says {n}" for n in range(EVENTS))]
    assert len(entries) == STREAMS
    assert {(entry.status, entry.ended, len(entry.attempts)) for entry in entries} == {
        (200, "complete", 1)
    }
