"""Transports that take the way out that the environment names.

A client of ``httpx2`` that is given a transport looks for no proxy itself.
"""

from __future__ import annotations

from typing import Any

from wiremend.environment import proxy_for
from wiremend.integrations.extras import extra

with extra("http"):
    import httpx2

# As many as the SDKs of OpenAI and Anthropic allow themselves.
_LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)


class WaysOut(httpx2.BaseTransport):
    """Straight, or through the proxies that the environment names, as ``httpx2.Client`` goes.

    ``settings`` are those of ``httpx2.HTTPTransport``.
    """

    def __init__(self, **settings: Any) -> None:
        self._settings = {"limits": _LIMITS, **settings}
        self._ways: dict[str | None, httpx2.HTTPTransport] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """See ``httpx2.BaseTransport``."""
        proxy = proxy_for(request.url.scheme, request.url.host)
        way = self._ways.get(proxy)
        if way is None:
            way = self._ways.setdefault(proxy, httpx2.HTTPTransport(proxy=proxy, **self._settings))
        return way.handle_request(request)

    def close(self) -> None:
        """Close every connection."""
        for way in self._ways.values():
            way.close()


class AsyncWaysOut(httpx2.AsyncBaseTransport):
    """The same for ``httpx2.AsyncClient``."""

    def __init__(self, **settings: Any) -> None:
        self._settings = {"limits": _LIMITS, **settings}
        self._ways: dict[str | None, httpx2.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """See ``httpx2.AsyncBaseTransport``."""
        proxy = proxy_for(request.url.scheme, request.url.host)
        if proxy not in self._ways:
            self._ways[proxy] = httpx2.AsyncHTTPTransport(proxy=proxy, **self._settings)
        return await self._ways[proxy].handle_async_request(request)

    async def aclose(self) -> None:
        """Close every connection."""
        for way in self._ways.values():
            await way.aclose()
