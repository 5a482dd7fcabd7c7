"""One conversation: judged, sent, and sent again under the next policy where that helps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import aiohttp
import msgspec
from aiohttp import web

from wiremend.proxy import headers
from wiremend.proxy.journal import Entry, Tried
from wiremend.proxy.relaying import Relayed, relay
from wiremend.proxy.upstairs import Upstairs
from wiremend.proxy.upstreams import Upstream
from wiremend.recovery import Classified, classify
from wiremend.recovery.thinking import BETA_HEADER, with_beta
from wiremend.transit.course import Step, next_step, step
from wiremend.transit.firsts import objection
from wiremend.transit.judging import Request, unpacked
from wiremend.transit.memory import Turns
from wiremend.transit.told import said

_LONGEST_ERROR = 1 << 20
_FIRST_WORDS_WITHIN = 5.0
# Judging a larger body takes longer than other streams should wait for.
_JUDGED_ASIDE = 128 << 10
DRY = "dry-run"

P = ParamSpec("P")
T = TypeVar("T")


class Exchange:
    """A conversation that came in, on its way to one upstream. ``entry`` is told what happens."""

    def __init__(
        self, came: web.BaseRequest, asked: Request, upstream: Upstream, entry: Entry, *, dry: bool
    ) -> None:
        self._came = came
        self._asked = asked
        self._upstream = upstream
        self._entry = entry
        self._dry = dry

    async def run(self, up: Upstairs, turns: Turns) -> web.StreamResponse:
        """Send until the provider takes it or no policy is left, and pass on its answer."""
        now = await self._judging(step, self._asked, turns.recall(self._asked).first_attempt())
        while True:
            answer = await self._send(up, now)
            try:
                refusal, head = await self._objection(answer)
                if refusal is not None and not self._dry:
                    again = await self._judging(next_step, self._asked, now, refusal)
                    if again is not None:
                        now = again
                        continue
                if refusal is None and not now.attempt.is_plain:
                    turns.remember(self._asked, now.attempt)
                return await self._pass_on(answer, now, head)
            finally:
                # Not released: what was not read to its end shall end above as well.
                answer.close()

    async def _judging(self, judge: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Call what judges the conversation, aside where that takes longer."""
        began = time.perf_counter()
        if len(self._asked.raw) > _JUDGED_ASIDE:
            made = await asyncio.to_thread(judge, *given, **named)
        else:
            made = judge(*given, **named)
        self._entry.judging_seconds += time.perf_counter() - began
        return made

    async def _send(self, up: Upstairs, now: Step) -> aiohttp.ClientResponse:
        data = self._asked.raw if self._dry else now.judged.data
        upwards = headers.upwards(self._came.headers.items(), readable=True)
        if data is not self._asked.raw:
            upwards = headers.without_encoding(upwards)
        if now.attempt.drops_blocks:
            upwards = headers.changed(upwards, BETA_HEADER, with_beta)
        tried = Tried(policy=now.attempt.policy(), sent_bytes=len(data), seconds=0.0)
        self._entry.attempts.append(tried)
        began = time.perf_counter()
        try:
            answer = await up.send(
                self._came.method, self._upstream, self._came.raw_path, upwards, data
            )
            tried.status = answer.status
        finally:
            tried.seconds = time.perf_counter() - began
        return answer

    async def _objection(self, answer: aiohttp.ClientResponse) -> tuple[Classified | None, bytes]:
        """What the provider objects to, if it does, and what was read of its answer."""
        encoding = answer.headers.get("content-encoding", "")
        if answer.status >= 400:
            head = await _head(answer)
            refusal = classify(answer.status, unpacked(head, encoding), self._asked.dialect)
        elif answer.content_type == "text/event-stream" and not encoding:
            head = await _first_words(answer)
            said = objection(head)
            if said is None:
                return None, head
            refusal = classify(None, said, self._asked.dialect)
        else:
            return None, b""
        tried = self._entry.attempts[-1]
        tried.error_class, tried.rules = refusal.error_class, refusal.rules
        return refusal, head

    async def _pass_on(
        self, answer: aiohttp.ClientResponse, sent: Step, head: bytes
    ) -> web.StreamResponse:
        entry, judged = self._entry, sent.judged
        entry.policy = DRY if self._dry else sent.attempt.policy()
        entry.anomalies = judged.anomalies
        entry.status = answer.status
        entry.stream = answer.content_type == "text/event-stream"
        # The request is there only where the journal is to hold contents.
        if entry.request is not None and not self._dry and judged.data is not self._asked.raw:
            entry.sent = msgspec.Raw(judged.data)
        added = said(judged.anomalies, entry.policy, len(entry.attempts))
        relayed = Relayed()
        try:
            return await relay(self._came, answer, added, relayed, head)
        finally:
            entry.ended, entry.answered_bytes = relayed.ended, relayed.size


async def _head(answer: aiohttp.ClientResponse) -> bytes:
    """How an answer begins: all of it, where it is an error of the usual size."""
    pieces: list[bytes] = []
    try:
        while sum(map(len, pieces)) < _LONGEST_ERROR and (piece := await answer.content.readany()):
            pieces.append(piece)
    except (aiohttp.ClientError, OSError):
        # Whoever reads on hears it too.
        pass
    return b"".join(pieces)


async def _first_words(answer: aiohttp.ClientResponse) -> bytes:
    """The first piece of a stream, unless the model thinks long before it speaks."""
    try:
        async with asyncio.timeout(_FIRST_WORDS_WITHIN):
            return await answer.content.readany()
    except (TimeoutError, aiohttp.ClientError, OSError):
        return b""
