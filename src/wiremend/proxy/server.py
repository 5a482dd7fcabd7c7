"""The proxy as a server: from the first connection to an end in good order."""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from wiremend.errors import WiremendError
from wiremend.proxy.journal import Entry, Journal
from wiremend.proxy.serving import Proxy
from wiremend.proxy.settings import Settings
from wiremend.proxy.upstairs import upstairs

_LONGEST_HEADER = 64 << 10
_BACKLOG = 1024
_LOG = logging.getLogger("wiremend.proxy")


def _ignore(_: Entry) -> None:
    pass


@contextlib.asynccontextmanager
async def running(
    settings: Settings,
    *,
    notice: Callable[[Entry], None] = _ignore,
    complain: Callable[[str], None] = _LOG.warning,
) -> AsyncIterator[str]:
    """Serve until the context ends, then let what is in flight finish; gives the URL.

    Port 0 takes a free one. ``notice`` is called behind each request, ``complain`` with what went
    wrong without being a request's fault. Raises ``WiremendError`` where the address cannot be
    listened on, or where it is an upstream's own.
    """
    listener = _listen(settings)
    host, port = listener.getsockname()[:2]
    journal = None
    try:
        _expect_another(settings, port)
        if settings.journal is not None:
            contents = settings.journal_contents
            journal = Journal(settings.journal, complain, contents=contents)
        async with upstairs(settings.connect_timeout, settings.read_timeout) as up:
            runner = _runner(Proxy(settings, up, journal, notice), settings.grace)
            await runner.setup()
            try:
                await web.SockSite(runner, listener, backlog=_BACKLOG).start()
                yield f"http://{f'[{host}]' if ':' in host else host}:{port}"
            finally:
                await runner.cleanup()
    finally:
        listener.close()
        if journal is not None:
            journal.close()


def _runner(proxy: Proxy, grace: float) -> web.ServerRunner:
    server = web.Server(
        proxy.handle,
        # Who goes away in the middle of an answer wants no more of it from above either.
        handler_cancellation=True,
        auto_decompress=False,
        access_log=None,
        # What it writes about broken requests quotes them.
        logger=logging.Logger("silent", logging.CRITICAL + 1),
        max_line_size=_LONGEST_HEADER,
        max_field_size=_LONGEST_HEADER,
    )
    return web.ServerRunner(server, shutdown_timeout=grace)


def _listen(settings: Settings) -> socket.socket:
    try:
        return socket.create_server(
            (settings.host, settings.port),
            family=socket.AF_INET6 if ":" in settings.host else socket.AF_INET,
            backlog=_BACKLOG,
        )
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        place = f"{settings.host}:{settings.port}"
        raise WiremendError(f"cannot listen on {place}: {why}") from None


def _expect_another(settings: Settings, port: int) -> None:
    own = {settings.host, "localhost", "127.0.0.1", "::1"}
    for upstream in settings.upstreams:
        host, there = upstream.address
        if there == port and host in own:
            raise WiremendError(f"{upstream.name} is this proxy itself, which cannot be upstream")
