"""Answers of ``httpx2`` before their caller gets them: is it an objection, and to what.

An error is read whole; of a stream of events the first piece, which the caller gets all the same.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator

from wiremend.integrations.extras import extra
from wiremend.integrations.journey import Objection
from wiremend.transit.firsts import objection

with extra("http"):
    import httpx2


def look(answer: httpx2.Response) -> tuple[httpx2.Response, Objection | None]:
    """The answer, still to be read, and what the provider objects to, if it does."""
    stream = answer.stream
    assert isinstance(stream, httpx2.SyncByteStream)
    if answer.is_error:
        raw = b"".join(stream)
        stream.close()
        return _with_stream(answer, httpx2.ByteStream(raw)), _refusal(answer, raw)
    if not _may_object(answer):
        return answer, None
    pieces = iter(stream)
    head = next(pieces, b"")
    return _with_stream(answer, _Begun(head, pieces, stream)), _objection(answer, head)


async def look_async(answer: httpx2.Response) -> tuple[httpx2.Response, Objection | None]:
    """The same for an asynchronous client."""
    stream = answer.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    if answer.is_error:
        raw = b"".join([piece async for piece in stream])
        await stream.aclose()
        return _with_stream(answer, httpx2.ByteStream(raw)), _refusal(answer, raw)
    if not _may_object(answer):
        return answer, None
    pieces = aiter(stream)
    head = await anext(pieces, b"")
    return _with_stream(answer, _AsyncBegun(head, pieces, stream)), _objection(answer, head)


def _may_object(answer: httpx2.Response) -> bool:
    """Whether an error may stand in the answer, although its status says that all is well."""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip()
    return kind == "text/event-stream" and "content-encoding" not in answer.headers


def _refusal(answer: httpx2.Response, raw: bytes) -> Objection:
    status = answer.status_code
    try:
        said = httpx2.Response(status, headers=answer.headers, content=raw).content
    except httpx2.DecodingError:
        said = raw
    return Objection(status, status, said)


def _objection(answer: httpx2.Response, head: bytes) -> Objection | None:
    said = objection(head)
    return None if said is None else Objection(answer.status_code, None, said)


def _with_stream(
    answer: httpx2.Response, stream: httpx2.SyncByteStream | httpx2.AsyncByteStream
) -> httpx2.Response:
    return httpx2.Response(
        answer.status_code, headers=answer.headers, stream=stream, extensions=answer.extensions
    )


class _Begun(httpx2.SyncByteStream):
    """A stream whose first piece has been read."""

    def __init__(self, head: bytes, pieces: Iterator[bytes], stream: httpx2.SyncByteStream) -> None:
        self._head, self._pieces, self._stream = head, pieces, stream

    def __iter__(self) -> Generator[bytes, None, None]:
        yield self._head
        yield from self._pieces

    def close(self) -> None:
        self._stream.close()


class _AsyncBegun(httpx2.AsyncByteStream):
    """The same for an asynchronous client."""

    def __init__(
        self, head: bytes, pieces: AsyncIterator[bytes], stream: httpx2.AsyncByteStream
    ) -> None:
        self._head, self._pieces, self._stream = head, pieces, stream

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        yield self._head
        async for piece in self._pieces:
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
