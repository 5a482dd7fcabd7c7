"""The request service for programs that wait: send, or stream, and recover from refusals."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from types import TracebackType
from typing import Unpack

from wiremend.errors import WiremendError
from wiremend.service.answers import Answer
from wiremend.service.base import History, Overrides, Requests
from wiremend.service.deltas import Delta
from wiremend.service.exchange import Exchange, TurnState
from wiremend.service.readers import reader_of
from wiremend.service.senders.base import Sender


class RequestService(Requests[Sender]):
    """Sends histories to a provider, and recovers when it objects; see ``Requests``.

    Several threads may use one.
    """

    def turn(self) -> RequestTurn:
        """A new turn: what a provider made necessary stays for its requests, and for no others."""
        return RequestTurn(self, self._new_turn())

    def send(self, history: History, **overrides: Unpack[Overrides]) -> Answer:
        """Send a request that is a turn of its own; see ``RequestTurn.send``."""
        return self.turn().send(history, **overrides)

    def stream(self, history: History, **overrides: Unpack[Overrides]) -> AnswerStream:
        """The same, streamed; see ``RequestTurn.stream``."""
        return self.turn().stream(history, **overrides)


class RequestTurn:
    """The requests of one turn: from a prompt to the answer that calls no more tools."""

    def __init__(self, service: RequestService, state: TurnState) -> None:
        self._service = service
        self._state = state

    def send(self, history: History, **overrides: Unpack[Overrides]) -> Answer:
        """Send a history (or a session's), again as the table says where the provider objects.

        ``settings`` and ``tools`` go before those of the service. Raises what the sender raised
        last, as it is, and ``WiremendError`` where there is nothing that could be sent or read.
        """
        service = self._service
        exchange = service._begin(history, self._state, overrides, streamed=False)  # noqa: SLF001
        while True:
            with exchange.attempt():
                body, headers = exchange.outgoing()
                return exchange.answered(service._sender.send(body, headers))  # noqa: SLF001

    def stream(self, history: History, **overrides: Unpack[Overrides]) -> AnswerStream:
        """Send a history, and get the answer piece by piece.

        Nothing is sent before the first piece is asked for. Once a piece is there, a failure is
        raised and nothing is sent again.
        """
        service = self._service
        exchange = service._begin(history, self._state, overrides, streamed=True)  # noqa: SLF001
        return AnswerStream(service._sender, exchange)  # noqa: SLF001


class AnswerStream:
    """The pieces of an answer; behind the last one, ``answer`` is the whole.

    Leave it with ``with`` or ``close`` where not all of it is read.
    """

    def __init__(self, sender: Sender, exchange: Exchange) -> None:
        self._answer: Answer | None = None
        self._pieces = self._read(sender, exchange)

    @property
    def answer(self) -> Answer:
        """The whole answer. Raises ``WiremendError`` before the last piece was read."""
        if self._answer is None:
            raise WiremendError("the answer is not complete: read the stream to its end first")
        return self._answer

    def __iter__(self) -> Iterator[Delta]:
        return self._pieces

    def __enter__(self) -> AnswerStream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def read(self) -> Answer:
        """Read what is left, and give the whole answer."""
        for _ in self._pieces:
            pass
        return self.answer

    def close(self) -> None:
        """Give up what was not read; an answer that is under way counts as aborted."""
        self._pieces.close()

    def _read(self, sender: Sender, exchange: Exchange) -> Generator[Delta, None, None]:
        while self._answer is None:
            with exchange.attempt():
                body, headers = exchange.outgoing()
                reader = reader_of(sender.family)
                with closing(sender.stream(body, headers)) as chunks:
                    for chunk in chunks:
                        for delta in reader.feed(chunk):
                            yield exchange.named(delta)
                self._answer = exchange.answered(reader.response())
