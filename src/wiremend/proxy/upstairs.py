"""The upstream side: connections to providers, kept and used again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from types import SimpleNamespace
from typing import TypeAlias

import aiohttp
from yarl import URL

from wiremend.environment import proxy_for
from wiremend.proxy.faults import Fault
from wiremend.proxy.headers import Headers
from wiremend.proxy.upstreams import Upstream

_LONGEST_HEADER = 64 << 10
# What aiohttp would add on its own: the agent's request has what it needs.
_NOT_ADDED = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")

Data: TypeAlias = bytes | aiohttp.StreamReader | None


class Upstairs:
    """Sends requests and gives answers whose bodies have not been read yet."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        # Looked up for each request, the environment costs more than all the rest.
        self._way_out = cache(_way_out)

    async def send(
        self, method: str, upstream: Upstream, raw_path: str, headers: Headers, data: Data
    ) -> aiohttp.ClientResponse:
        """Send a request; the answer has to be closed, or read to its end.

        Raises ``Fault`` where there is no answer.
        """
        url = URL(upstream.target(raw_path), encoded=True)
        for again in (True, False):
            trace = SimpleNamespace(reused=False)
            try:
                return await self._session.request(
                    method,
                    url,
                    data=data,
                    headers=headers,
                    allow_redirects=False,
                    skip_auto_headers=_NOT_ADDED,
                    proxy=self._way_out(upstream),
                    trace_request_ctx=trace,
                )
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
                # It was closed from the other side while nobody used it: nothing was read there.
                if again and trace.reused and not isinstance(data, aiohttp.StreamReader):
                    continue
                raise _unreachable(upstream, error) from None
            except TimeoutError:
                said = f"no answer from {upstream.name} in time"
                raise Fault(504, "upstream_timeout", said) from None
            except (aiohttp.ClientError, ValueError) as error:
                raise _unreachable(upstream, error) from None
        raise AssertionError("the second try returns or raises")


@asynccontextmanager
async def upstairs(connect_timeout: float, read_timeout: float) -> AsyncIterator[Upstairs]:
    """Connections for as long as the proxy runs; both times in seconds.

    ``read_timeout`` is the longest silence between two pieces of an answer.
    """
    tracing = aiohttp.TraceConfig()
    tracing.on_connection_reuseconn.append(_note_reuse)
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(
            total=None, sock_connect=connect_timeout, sock_read=read_timeout
        ),
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        trace_configs=[tracing],
        max_line_size=_LONGEST_HEADER,
        max_field_size=_LONGEST_HEADER,
    ) as session:
        yield Upstairs(session)


async def _note_reuse(_: aiohttp.ClientSession, context: SimpleNamespace, __: object) -> None:
    context.trace_request_ctx.reused = True


def _way_out(upstream: Upstream) -> str | None:
    """The proxy that this machine's environment names for an upstream, as the SDKs use it."""
    host, _ = upstream.address
    return proxy_for(upstream.url.partition(":")[0], host)


def _unreachable(upstream: Upstream, error: Exception) -> Fault:
    # The exception's own words may repeat a URL with a key in its query.
    cause = getattr(error, "os_error", None) or error
    words = getattr(cause, "strerror", None) or type(cause).__name__
    return Fault(502, "upstream_unreachable", f"no answer from {upstream.name}: {words}")
