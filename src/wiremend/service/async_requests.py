"""The request service for asynchronous programs; what each part does is said in ``requests``."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from types import TracebackType
from typing import Unpack

from wiremend.errors import WiremendError
from wiremend.service.answers import Answer
from wiremend.service.base import History, Overrides, Requests
from wiremend.service.deltas import Delta
from wiremend.service.exchange import Exchange, TurnState
from wiremend.service.readers import reader_of
from wiremend.service.senders.base import AsyncSender


class AsyncRequestService(Requests[AsyncSender]):
    """Sends histories to a provider, and recovers when it objects; see ``Requests``."""

    def turn(self) -> AsyncRequestTurn:
        """See ``RequestService.turn``."""
        return AsyncRequestTurn(self, self._new_turn())

    async def send(self, history: History, **overrides: Unpack[Overrides]) -> Answer:
        """See ``RequestService.send``."""
        return await self.turn().send(history, **overrides)

    def stream(self, history: History, **overrides: Unpack[Overrides]) -> AsyncAnswerStream:
        """See ``RequestService.stream``."""
        return self.turn().stream(history, **overrides)


class AsyncRequestTurn:
    """See ``RequestTurn``."""

    def __init__(self, service: AsyncRequestService, state: TurnState) -> None:
        self._service = service
        self._state = state

    async def send(self, history: History, **overrides: Unpack[Overrides]) -> Answer:
        """See ``RequestTurn.send``."""
        service = self._service
        exchange = service._begin(history, self._state, overrides, streamed=False)  # noqa: SLF001
        while True:
            with exchange.attempt():
                body, headers = exchange.outgoing()
                return exchange.answered(await service._sender.send(body, headers))  # noqa: SLF001

    def stream(self, history: History, **overrides: Unpack[Overrides]) -> AsyncAnswerStream:
        """See ``RequestTurn.stream``."""
        service = self._service
        exchange = service._begin(history, self._state, overrides, streamed=True)  # noqa: SLF001
        return AsyncAnswerStream(service._sender, exchange)  # noqa: SLF001


class AsyncAnswerStream:
    """See ``AnswerStream``; leave it with ``async with`` or ``aclose``."""

    def __init__(self, sender: AsyncSender, exchange: Exchange) -> None:
        self._answer: Answer | None = None
        self._pieces = self._read(sender, exchange)

    @property
    def answer(self) -> Answer:
        """See ``AnswerStream.answer``."""
        if self._answer is None:
            raise WiremendError("the answer is not complete: read the stream to its end first")
        return self._answer

    def __aiter__(self) -> AsyncIterator[Delta]:
        return self._pieces

    async def __aenter__(self) -> AsyncAnswerStream:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def read(self) -> Answer:
        """See ``AnswerStream.read``."""
        async for _ in self._pieces:
            pass
        return self.answer

    async def aclose(self) -> None:
        """See ``AnswerStream.close``."""
        await self._pieces.aclose()

    async def _read(self, sender: AsyncSender, exchange: Exchange) -> AsyncGenerator[Delta, None]:
        while self._answer is None:
            with exchange.attempt():
                body, headers = exchange.outgoing()
                reader = reader_of(sender.family)
                async with aclosing(sender.stream(body, headers)) as chunks:
                    async for chunk in chunks:
                        for delta in reader.feed(chunk):
                            yield exchange.named(delta)
                self._answer = exchange.answered(reader.response())
