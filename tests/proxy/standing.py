"""A proxy that runs beside a test, with whatever upstream the test has for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import msgspec

from wiremend.proxy import Entry, Settings, parse_upstream, running
from wiremend.simulator import Answer, Failure, Running, Script, running_provider


class Standing(msgspec.Struct):
    """A proxy that runs: where, what it noticed, and the simulated provider behind it, if any."""

    url: str
    seen: list[Entry]
    said: list[str]
    provider: Running

    @property
    def got(self) -> list[Any]:
        """The bodies that the provider got."""
        return [received.json for received in self.provider.requests]

    def entries(self, number: int) -> list[Entry]:
        """The requests that were made; they are noticed just after their answers have ended."""
        deadline = time.monotonic() + 20
        while len(self.seen) < number and time.monotonic() < deadline:
            time.sleep(0.005)
        assert len(self.seen) == number
        return self.seen

    @property
    def entry(self) -> Entry:
        """The one request that was made."""
        return self.entries(1)[0]

    def post(self, path: str, **more: Any) -> httpx2.Response:
        """Send one request as an agent without an SDK does."""
        headers = {"authorization": "Bearer sk-any", **more.pop("headers", {})}
        return httpx2.post(self.url + path, headers=headers, timeout=20, **more)


@contextmanager
def standing(*upstreams: str, **settings: Any) -> Iterator[Standing]:
    """Run a proxy before these upstreams, which are written as on the command line."""
    entries: list[Entry] = []
    said: list[str] = []
    ready = threading.Event()
    started: dict[str, Any] = {}

    async def serve() -> None:
        stop = started["stop"] = asyncio.Event()
        started["loop"] = asyncio.get_running_loop()
        parsed = tuple(parse_upstream(upstream) for upstream in upstreams)
        given = Settings(upstreams=parsed, port=0, **{"grace": 2.0, **settings})
        try:
            async with running(given, notice=entries.append, complain=said.append) as url:
                started["url"] = url
                ready.set()
                await stop.wait()
        finally:
            ready.set()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield Standing(started["url"], entries, said, Running("", []))
    finally:
        started["loop"].call_soon_threadsafe(started["stop"].set)
        thread.join(20)
        assert not thread.is_alive()


@contextmanager
def before(dialect: str, *steps: Answer | Failure, **settings: Any) -> Iterator[Standing]:
    """Run a proxy before a simulated provider, which answers by these steps."""
    with running_provider(dialect, Script(steps)) as provider:
        chat = dialect not in ("anthropic", "gemini", "bedrock", "openai-responses")
        upstream = f"{dialect}+{provider.url}" if chat else provider.url
        with standing(upstream, **settings) as proxy:
            proxy.provider = provider
            yield proxy
