"""A request of an HTTP client through its attempts, whoever sends it. No socket is known here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

import msgspec

from wiremend.dialects import find_dialect
from wiremend.projection import Anomaly
from wiremend.projection.projector import Projector
from wiremend.recovery import Classified, classify
from wiremend.recovery.thinking import with_beta
from wiremend.transit.course import Step, next_step, step
from wiremend.transit.endpoints import find_endpoint, signs_body
from wiremend.transit.hosts import chat_dialect_of
from wiremend.transit.judging import Came, Request
from wiremend.transit.memory import Turns
from wiremend.transit.told import said


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """One sending: how (in the words of ``Attempt.policy``), and what came of it."""

    policy: str
    status: int
    refusal: Classified | None = None


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """A request that was answered, for those who watch. Nothing here holds contents.

    ``anomalies`` are the repairs of the last sending, ``sent`` all of them.
    """

    dialect: str
    model: str | None
    sent: tuple[Sent, ...]
    anomalies: tuple[Anomaly, ...]


class Objection(msgspec.Struct, frozen=True):
    """What a provider objected with: ``said``, under the status that the answer had.

    ``status`` is the one to classify by; None where the error stood in a stream.
    """

    answered: int
    status: int | None
    said: bytes


OnExchange: TypeAlias = Callable[[Exchange], object]


class Journeys:
    """What the requests of one client share; several threads may use one.

    ``dialect`` says by whose rules Chat Completions are judged; None: the host says it, as
    ``transit.hosts`` knows it. Raises ``WiremendError`` for a dialect that there is not.
    """

    def __init__(self, dialect: str | None, on_exchange: OnExchange | None) -> None:
        if dialect is not None:
            find_dialect(dialect)
        self._dialect = dialect
        self._turns = Turns()
        self._lock = threading.Lock()
        self.on_exchange = on_exchange
        self.projector = Projector()

    def may_begin(self, method: str, url: str, headers: Mapping[str, str]) -> bool:
        """Whether a request is a conversation that may be changed, as far as its head tells."""
        path = unquote(urlsplit(url).path)
        return find_endpoint(method, path) is not None and not signs_body(headers)

    def begin(
        self, method: str, url: str, headers: Mapping[str, str], raw: bytes
    ) -> Journey | None:
        """The journey of a request; None where its body is no conversation."""
        parts = urlsplit(url)
        endpoint = find_endpoint(method, unquote(parts.path))
        if endpoint is None:
            return None
        came = Came(raw, headers.get("content-encoding", ""), endpoint)
        if not came.is_conversation:
            return None
        dialect = endpoint.family
        if dialect == "openai-chat":
            dialect = self._dialect or chat_dialect_of(parts.hostname or "")
        asked = Request(came, dialect)
        with self._lock:
            first = self._turns.recall(asked).first_attempt()
        return Journey(self, asked, step(asked, first))

    def remember(self, asked: Request, accepted: Step) -> None:
        """Keep what a request got through with, for those that follow it."""
        if not accepted.attempt.is_plain:
            with self._lock:
                self._turns.remember(asked, accepted.attempt)


class Journey:
    """One request: ``data`` is to be sent; ``refused`` says whether to send again."""

    def __init__(self, shared: Journeys, asked: Request, first: Step) -> None:
        self._shared = shared
        self._asked = asked
        self._now = first
        self._sent: list[Sent] = []

    @property
    def data(self) -> bytes:
        """The body to send."""
        return self._now.judged.data

    @property
    def is_changed(self) -> bool:
        """Whether it is another one than came."""
        return self.data is not self._asked.raw

    def beta(self, value: str | None) -> str | None:
        """The value of ``BETA_HEADER`` that goes with the body, given what it was."""
        return with_beta(value) if self._now.attempt.drops_blocks else value

    def refused(self, objection: Objection) -> bool:
        """Whether to send again, after an error of the provider."""
        refusal = classify(objection.status, objection.said, self._asked.dialect)
        self._note(objection.answered, refusal)
        again = next_step(self._asked, self._now, refusal)
        if again is None:
            return False
        self._now = again
        return True

    def answered(self, status: int) -> None:
        """The provider took it."""
        self._note(status, None)
        self._shared.remember(self._asked, self._now)

    def end(self) -> list[tuple[str, str]]:
        """Tell those who watch, and give what the answer is told in its headers."""
        anomalies = self._now.judged.anomalies
        self._shared.projector.report(anomalies)
        exchange = Exchange(
            dialect=self._asked.dialect,
            model=self._asked.model,
            sent=tuple(self._sent),
            anomalies=anomalies,
        )
        if self._shared.on_exchange is not None:
            self._shared.on_exchange(exchange)
        return said(anomalies, self._now.attempt.policy(), len(self._sent))

    def _note(self, status: int, refusal: Classified | None) -> None:
        sent = Sent(policy=self._now.attempt.policy(), status=status, refusal=refusal)
        self._sent.append(sent)
