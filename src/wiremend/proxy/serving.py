"""What becomes of each request that arrives: the proxy's own pages, conversations, all the rest."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import aiohttp
import msgspec
from aiohttp import web

from wiremend.proxy import headers
from wiremend.proxy.exchange import Exchange
from wiremend.proxy.faults import Fault
from wiremend.proxy.journal import Entry, Journal
from wiremend.proxy.metrics import Metrics
from wiremend.proxy.relaying import Relayed, relay
from wiremend.proxy.settings import Settings
from wiremend.proxy.upstairs import Upstairs
from wiremend.proxy.upstreams import Upstream, choose
from wiremend.transit.endpoints import Endpoint, find_endpoint, signs_body
from wiremend.transit.judging import Came, Request, written
from wiremend.transit.memory import Turns


class Proxy:
    """The handler of a server: ``handle`` takes every request.

    ``notice`` gets the entry of each request that is over.
    """

    def __init__(
        self,
        settings: Settings,
        up: Upstairs,
        journal: Journal | None,
        notice: Callable[[Entry], None],
    ) -> None:
        self._settings = settings
        self._up = up
        self._journal = journal
        self._notice = notice
        self._metrics = Metrics()
        self._turns = Turns()
        self._numbers = itertools.count(1)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a request; nothing but a cancellation is raised."""
        own = self._own_page(request)
        if own is not None:
            return own
        entry = Entry(
            number=next(self._numbers), time=time.time(), method=request.method, path=request.path
        )
        began = time.perf_counter()
        try:
            with self._metrics.open.track_inprogress():
                return await self._answer(request, entry)
        finally:
            entry.seconds = time.perf_counter() - began
            self._metrics.count(entry)
            if self._journal is not None:
                self._journal.write(entry)
            self._notice(entry)

    def _own_page(self, request: web.BaseRequest) -> web.Response | None:
        if request.path == "/healthz":
            return web.json_response({"status": "ok"})
        if request.path == "/metrics":
            content_type = {"Content-Type": self._metrics.content_type}
            return web.Response(body=self._metrics.page(), headers=content_type)
        return None

    async def _answer(self, request: web.BaseRequest, entry: Entry) -> web.StreamResponse:
        endpoint = find_endpoint(request.method, request.path)
        try:
            _expect_plain(request)
            if endpoint is None:
                return await self._pass_through(request, entry)
            return await self._converse(request, endpoint, entry)
        except Fault as fault:
            refusal = fault
        except Exception as error:  # noqa: BLE001  (one request's fault must not be another's)
            where = _last_place(error)
            refusal = Fault(500, "internal", f"a bug of its own: {type(error).__name__} {where}")
        entry.status, entry.ended = refusal.status, "refused"
        if entry.attempts:
            entry.attempts[-1].fault = refusal.kind
        entry.fault = refusal.said
        return web.Response(
            status=refusal.status,
            body=refusal.body(endpoint.family if endpoint else None),
            headers={"Content-Type": "application/json", headers.ERROR: refusal.kind},
        )

    async def _converse(
        self, request: web.BaseRequest, endpoint: Endpoint, entry: Entry
    ) -> web.StreamResponse:
        raw = await _body(request, self._settings.max_body)
        entry.received_bytes = len(raw)
        came = Came(raw, request.headers.get("content-encoding", ""), endpoint)
        entry.model = came.model
        upstream = self._choose(request, entry)
        if not came.is_conversation:
            return await self._pass_through(request, entry, raw)
        entry.dialect = upstream.speaks(endpoint.family)
        if self._journal is not None and self._journal.contents:
            entry.request = msgspec.Raw(written(came.body or {}))
        asked = Request(came, entry.dialect)
        dry = self._settings.dry_run or signs_body(request.headers)
        exchange = Exchange(request, asked, upstream, entry, dry=dry)
        return await exchange.run(self._up, self._turns)

    async def _pass_through(
        self, request: web.BaseRequest, entry: Entry, raw: bytes | None = None
    ) -> web.StreamResponse:
        """For what is no conversation: bytes up and bytes down."""
        upstream = self._choose(request, entry)
        upwards = headers.upwards(request.headers.items(), readable=False)
        data: bytes | aiohttp.StreamReader | None = raw
        if raw is None and request.body_exists:
            data = request.content
            length = request.headers.get("content-length")
            upwards += [("Content-Length", length)] if length else []
        answer = await self._up.send(request.method, upstream, request.raw_path, upwards, data)
        relayed = Relayed()
        try:
            entry.status = answer.status
            return await relay(request, answer, [], relayed)
        finally:
            entry.ended, entry.answered_bytes = relayed.ended, relayed.size
            answer.close()

    def _choose(self, request: web.BaseRequest, entry: Entry) -> Upstream:
        upstream = choose(self._settings.upstreams, request.path, entry.model)
        if upstream is None:
            raise Fault(404, "no_upstream", "no upstream takes this path and model")
        entry.upstream = upstream.name
        return upstream


def _expect_plain(request: web.BaseRequest) -> None:
    if not request.raw_path.startswith("/"):
        said = "this is a reverse proxy: set it as the base URL, not as HTTP_PROXY"
        raise Fault(400, "not_a_forward_proxy", said)
    if "upgrade" in request.headers:
        raise Fault(501, "no_upgrade", "connections are not upgraded (WebSocket); use HTTP")


async def _body(request: web.BaseRequest, most: int) -> bytes:
    if (request.content_length or 0) > most:
        raise _too_large(most)
    pieces: list[bytes] = []
    size = 0
    try:
        async for piece in request.content.iter_any():
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise _too_large(most)
    except (aiohttp.ClientError, web.RequestPayloadError) as error:
        said = f"the request broke off, or is not HTTP: {type(error).__name__}"
        raise Fault(400, "broken_request", said) from None
    return b"".join(pieces)


def _too_large(most: int) -> Fault:
    return Fault(413, "body_too_large", f"the request is larger than --max-body, {most:,} bytes")


def _last_place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    module = trace.tb_frame.f_globals.get("__name__", "?")
    return f"at {module}:{trace.tb_lineno}"
