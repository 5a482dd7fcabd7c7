"""HTTP clients that mend the conversations in the requests of the SDKs that are given them.

    client = openai.OpenAI(http_client=http_client())
    client = anthropic.AsyncAnthropic(http_client=async_http_client())

The SDKs of Google and Mistral take them too. What breaks no rule goes out
byte for byte; what is no conversation is not looked into; what a provider refuses is sent again as
``wiremend.recovery.attempts`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple, Unpack

from wiremend.integrations.answers import look, look_async
from wiremend.integrations.extras import extra
from wiremend.integrations.journey import Exchange, Journey, Journeys, OnExchange, Sent
from wiremend.integrations.ways_out import AsyncWaysOut, WaysOut
from wiremend.recovery.thinking import BETA_HEADER

with extra("http"):
    import anyio.to_thread
    import httpx2

# Judging a larger body takes longer than the other tasks of a loop should wait for.
_JUDGED_ASIDE = 128 << 10
_SETTINGS: dict[str, Any] = {"timeout": httpx2.Timeout(600, connect=5), "follow_redirects": True}

__all__ = [
    "AsyncMendingTransport",
    "Exchange",
    "MendingTransport",
    "OnExchange",
    "Sent",
    "async_http_client",
    "http_client",
]

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def http_client(
    *, dialect: str | None = None, on_exchange: OnExchange | None = None, **settings: Any
) -> httpx2.Client:
    """A client that mends; ``dialect`` and ``on_exchange`` are those of ``MendingTransport``.

    ``settings`` are those of ``httpx2.Client``, with the SDKs' defaults: they wait ten minutes for
    an answer and follow redirects. To keep a transport of your own, put it into a
    ``MendingTransport`` instead.
    """
    transport = MendingTransport(dialect=dialect, on_exchange=on_exchange)
    return httpx2.Client(transport=transport, **{**_SETTINGS, **settings})


def async_http_client(
    *, dialect: str | None = None, on_exchange: OnExchange | None = None, **settings: Any
) -> httpx2.AsyncClient:
    """The same for asynchronous SDKs."""
    transport = AsyncMendingTransport(dialect=dialect, on_exchange=on_exchange)
    return httpx2.AsyncClient(transport=transport, **{**_SETTINGS, **settings})


class MendingTransport(httpx2.BaseTransport):
    """Mends what goes out through ``inner``, by default ``WaysOut()``.

    ``dialect`` says by whose rules Chat Completions are judged; left out, the host says it, where
    it is one that wiremend knows. ``on_exchange`` gets an ``Exchange`` for each request that was
    answered; what it raises is raised to the caller. Repairs are logged to ``wiremend``.
    """

    def __init__(
        self,
        inner: httpx2.BaseTransport | None = None,
        *,
        dialect: str | None = None,
        on_exchange: OnExchange | None = None,
    ) -> None:
        self._inner = inner or WaysOut()
        self._journeys = Journeys(dialect, on_exchange)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """See ``httpx2.BaseTransport``."""
        came = (request.method, str(request.url), request.headers)
        if not self._journeys.may_begin(*came):
            return self._inner.handle_request(request)
        journey = self._journeys.begin(*came, request.read())
        if journey is None:
            return self._inner.handle_request(request)
        while True:
            answer = self._inner.handle_request(_outgoing(request, journey))
            answer, objection = look(answer)
            if objection is None:
                journey.answered(answer.status_code)
            elif journey.refused(objection):
                answer.close()
                continue
            answer.headers.update(journey.end())
            return answer

    def close(self) -> None:
        """Close ``inner``."""
        self._inner.close()


class AsyncMendingTransport(httpx2.AsyncBaseTransport):
    """The same for ``httpx2.AsyncClient``."""

    def __init__(
        self,
        inner: httpx2.AsyncBaseTransport | None = None,
        *,
        dialect: str | None = None,
        on_exchange: OnExchange | None = None,
    ) -> None:
        self._inner = inner or AsyncWaysOut()
        self._journeys = Journeys(dialect, on_exchange)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """See ``httpx2.AsyncBaseTransport``."""
        came = (request.method, str(request.url), request.headers)
        if not self._journeys.may_begin(*came):
            return await self._inner.handle_async_request(request)
        raw = await request.aread()
        journey = await _judging(raw, self._journeys.begin, *came, raw)
        if journey is None:
            return await self._inner.handle_async_request(request)
        while True:
            answer = await self._inner.handle_async_request(_outgoing(request, journey))
            answer, objection = await look_async(answer)
            if objection is None:
                journey.answered(answer.status_code)
            elif await _judging(raw, journey.refused, objection):
                await answer.aclose()
                continue
            answer.headers.update(journey.end())
            return answer

    async def aclose(self) -> None:
        """Close ``inner``."""
        await self._inner.aclose()


async def _judging(raw: bytes, judge: Callable[[Unpack[Ts]], T], *given: *Ts) -> T:
    """Call what judges a conversation, aside where that takes longer."""
    if len(raw) > _JUDGED_ASIDE:
        return await anyio.to_thread.run_sync(judge, *given)
    return judge(*given)


def _outgoing(request: httpx2.Request, journey: Journey) -> httpx2.Request:
    """The request with the body that is to be sent, or as it is where that is its own."""
    beta = journey.beta(request.headers.get(BETA_HEADER))
    if not journey.is_changed:
        return request
    headers = httpx2.Headers(request.headers)
    for name in ("content-length", "content-encoding", "transfer-encoding"):
        headers.pop(name, None)
    if beta is not None:
        headers[BETA_HEADER] = beta
    return httpx2.Request(
        request.method,
        request.url,
        headers=headers,
        content=journey.data,
        extensions=request.extensions,
    )
