"""An answer on its way down: bytes through, as fast as both ends take them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import aiohttp
from aiohttp import web
from multidict import CIMultiDict

from wiremend.proxy.headers import Headers, downwards

Ended: TypeAlias = Literal["complete", "upstream-died", "client-gone"]


class Relayed:
    """What came of an answer: how it ended, and how many bytes of it went down."""

    def __init__(self) -> None:
        self.ended: Ended = "client-gone"
        self.size = 0


async def relay(
    request: web.BaseRequest,
    answer: aiohttp.ClientResponse,
    added: Headers,
    relayed: Relayed,
    head: bytes = b"",
) -> web.StreamResponse:
    """Pass an answer on: status, headers, and the body piece by piece, nothing read ahead.

    ``head`` is what was read of the body already. An answer that breaks off above breaks off
    below: the agent must not take half of it for the whole. ``relayed`` is filled on the way, so
    that it is true also where this is cancelled.
    """
    out = web.StreamResponse(
        status=answer.status,
        reason=answer.reason,
        headers=CIMultiDict([*downwards(answer.headers.items()), *added]),
    )
    out.headers.setdefault("Server", "wiremend")
    try:
        await out.prepare(request)
        if request.method != "HEAD":
            piece = head or await _read(answer)
            while piece:
                await out.write(piece)
                relayed.size += len(piece)
                piece = await _read(answer)
        await out.write_eof()
        relayed.ended = "complete"
    except _Broken:
        relayed.ended = "upstream-died"
        if request.transport is not None:
            request.transport.close()
    except ConnectionError:
        pass
    return out


class _Broken(Exception):  # noqa: N818
    """The answer broke off."""


async def _read(answer: aiohttp.ClientResponse) -> bytes:
    try:
        return await answer.content.readany()
    except (aiohttp.ClientError, OSError) as error:
        raise _Broken from error
