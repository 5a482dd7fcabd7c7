"""One conversation: judged, sent, and sent again under the next policy where that helps."""

from __future__ import annotations

import asyncio
import time

import aiohttp
import msgspec
from aiohttp import web

from wiremend.proxy import headers
from wiremend.proxy.firsts import objection
from wiremend.proxy.journal import Entry, Tried
from wiremend.proxy.judging import Judged, Request, judge, snapshot, unpacked
from wiremend.proxy.memory import Turns
from wiremend.proxy.relaying import Relayed, relay
from wiremend.proxy.upstairs import Upstairs
from wiremend.proxy.upstreams import Upstream
from wiremend.recovery import Classified, classify
from wiremend.recovery.attempts import Attempt, next_attempt
from wiremend.recovery.thinking import BETA_HEADER, may_drop_blocks, with_beta

_LONGEST_ERROR = 1 << 20
_FIRST_WORDS_WITHIN = 5.0
# Judging a larger body takes longer than other streams should wait for.
_JUDGED_ASIDE = 128 << 10
DRY = "dry-run"


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
        attempt = turns.recall(self._asked).first_attempt()
        judged = await self._judge(attempt)
        while True:
            answer = await self._send(up, judged, attempt)
            try:
                refusal, head = await self._objection(answer)
                following = await self._following(attempt, judged, refusal)
                if following is not None:
                    attempt, judged = following
                    continue
                if refusal is None and not attempt.is_plain:
                    turns.remember(self._asked, attempt)
                return await self._pass_on(answer, judged, attempt, head)
            finally:
                # Not released: what was not read to its end shall end above as well.
                answer.close()

    async def _following(
        self, attempt: Attempt, refused: Judged, said: Classified | None
    ) -> tuple[Attempt, Judged] | None:
        """The next attempt that sends something else than what was refused; None to give up."""
        if said is None or self._dry:
            return None
        number = attempt.number + 1
        may_drop = may_drop_blocks(self._asked.body, self._asked.dialect)
        while True:
            following = next_attempt(
                attempt, said, lambda: snapshot(self._asked), may_drop_blocks=may_drop
            )
            if following is None:
                return None
            attempt = msgspec.structs.replace(following, number=number)
            judged = await self._judge(attempt)
            if judged.data != refused.data:
                return attempt, judged

    async def _judge(self, attempt: Attempt) -> Judged:
        began = time.perf_counter()
        if len(self._asked.raw) > _JUDGED_ASIDE:
            judged = await asyncio.to_thread(judge, self._asked, attempt)
        else:
            judged = judge(self._asked, attempt)
        self._entry.judging_seconds += time.perf_counter() - began
        return judged

    async def _send(self, up: Upstairs, judged: Judged, attempt: Attempt) -> aiohttp.ClientResponse:
        data = self._asked.raw if self._dry else judged.data
        upwards = headers.upwards(self._came.headers.items(), readable=True)
        if data is not self._asked.raw:
            upwards = headers.without_encoding(upwards)
        if attempt.drops_blocks:
            upwards = headers.changed(upwards, BETA_HEADER, with_beta)
        tried = Tried(policy=attempt.policy(), sent_bytes=len(data), seconds=0.0)
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
        self, answer: aiohttp.ClientResponse, judged: Judged, attempt: Attempt, head: bytes
    ) -> web.StreamResponse:
        entry = self._entry
        entry.policy = DRY if self._dry else attempt.policy()
        entry.anomalies = judged.anomalies
        entry.status = answer.status
        entry.stream = answer.content_type == "text/event-stream"
        # The request is there only where the journal is to hold contents.
        if entry.request is not None and not self._dry and judged.data is not self._asked.raw:
            entry.sent = msgspec.Raw(judged.data)
        added = headers.said(judged.anomalies, entry.policy, len(entry.attempts))
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
