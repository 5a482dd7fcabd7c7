"""The ASGI application: what an ``Engine`` answers, put on a connection, with its faults."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from wiremend.simulator.engine import Engine
from wiremend.simulator.exchange import Received, Request, Response

Scope: TypeAlias = Any
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]

RESET = "wiremend.reset"
"""The name, in a scope's state, of the function that resets the connection."""


class ConnectionBrokenError(Exception):
    """Raised where a server offers no other way to break a connection off."""


class App:
    """A simulated provider for any ASGI server. ``on_request`` is told of each request."""

    def __init__(
        self, engine: Engine, on_request: Callable[[Received], None] | None = None
    ) -> None:
        self._engine = engine
        self._on_request = on_request or (lambda _: None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = await self._read(scope, receive)
        # Large bodies are judged beside the loop, so that other streams go on meanwhile.
        response, body = await asyncio.to_thread(self._engine.answer, request)
        self._on_request(
            Received(
                method=request.method,
                path=request.path,
                query=request.query,
                headers=request.headers,
                json=body,
                status=response.status,
                why=response.why,
            )
        )
        await _deliver(response, scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive) -> Request:
        path = scope.get("raw_path") or scope["path"].encode()
        method, path = scope["method"], path.decode("ascii", "replace").partition("?")[0]
        return Request(
            method=method,
            path=path,
            query=dict(parse_qsl(scope.get("query_string", b"").decode("ascii", "replace"))),
            headers={
                name.decode("latin-1").lower(): value.decode("latin-1")
                for name, value in scope["headers"]
            },
            body=await _body(receive, self._engine.largest(method, path)),
        )


async def _body(receive: Receive, largest: int) -> bytes | None:
    """The body; None where it is longer than what is taken: then it is read, but not kept."""
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        chunk = message.get("body", b"")
        size += len(chunk)
        if size <= largest:
            chunks.append(chunk)
        else:
            chunks.clear()
        if message["type"] != "http.request" or not message.get("more_body"):
            return b"".join(chunks) if size <= largest else None


async def _deliver(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    fault = response.fault.kind if response.fault else ""
    if fault in ("reset", "stall") and not response.streamed:
        await (_reset(scope) if fault == "reset" else _gone(receive))
        return
    headers = dict(response.headers)
    if not response.streamed:
        headers["content-length"] = str(sum(map(len, response.frames)))
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    start = {"type": "http.response.start", "status": response.status, "headers": pairs}
    if response.pause and not response.streamed:
        await asyncio.sleep(response.pause)
    await send(start)
    for frame in response.frames:
        if response.pause and response.streamed:
            await asyncio.sleep(response.pause)
        await send({"type": "http.response.body", "body": frame, "more_body": True})
    if fault == "reset":
        await _reset(scope)
    elif fault == "stall":
        await _gone(receive)
    else:
        await send({"type": "http.response.body", "body": b""})


async def _reset(scope: Scope) -> None:
    reset = scope.get("state", {}).get(RESET)
    if reset is None:
        raise ConnectionBrokenError
    # What was written has to leave before the reset overtakes it.
    await reset()


async def _gone(receive: Receive) -> None:
    """Wait until the client hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass
