"""What the request service did for a request, as a value; and who may watch while it does."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec

from wiremend.projection import Anomaly
from wiremend.projection.anomalies import anomaly_to_builtins
from wiremend.recovery import Classified
from wiremend.service.fingerprints import Fingerprints


class AttemptTrace(msgspec.Struct, frozen=True, kw_only=True):
    """One sending.

    ``policy`` is in the words of ``Attempt.policy``, ``seconds`` how long it took until the answer
    or the refusal was there, ``refusal`` the class of the error, None where it was answered.
    ``delivered`` says whether pieces of a stream had reached the caller.
    """

    number: int
    policy: str
    seconds: float
    outcome: Literal["answered", "refused", "aborted"]
    anomalies: tuple[Anomaly, ...] = ()
    refusal: Classified | None = None
    delivered: bool = False


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """A request from its first sending to its end.

    ``outcome`` is that of the last attempt, ``policy`` how that was sent. ``renamed_ids`` are the
    calls that got another id (new to old). Nothing here holds contents of the conversation, but
    for the ids of calls.
    """

    dialect: str
    model: str | None
    streamed: bool
    attempts: tuple[AttemptTrace, ...]
    fingerprints: Fingerprints
    renamed_ids: dict[str, str] = {}
    session_id: str | None = None

    @property
    def outcome(self) -> str:
        """How it ended: answered, refused or aborted."""
        return self.attempts[-1].outcome

    @property
    def policy(self) -> str:
        """How it was sent last."""
        return self.attempts[-1].policy

    def to_builtins(self) -> dict[str, Any]:
        """The trace as plain JSON values, for logs."""
        return {
            "dialect": self.dialect,
            "model": self.model,
            "session_id": self.session_id,
            "streamed": self.streamed,
            "outcome": self.outcome,
            "attempts": [_attempt_to_builtins(attempt) for attempt in self.attempts],
            "fingerprints": msgspec.to_builtins(self.fingerprints),
            "renamed_ids": self.renamed_ids,
        }


def _attempt_to_builtins(attempt: AttemptTrace) -> dict[str, Any]:
    return {
        "number": attempt.number,
        "policy": attempt.policy,
        "seconds": attempt.seconds,
        "outcome": attempt.outcome,
        "delivered": attempt.delivered,
        "anomalies": [anomaly_to_builtins(anomaly) for anomaly in attempt.anomalies],
        "refusal": attempt.refusal and msgspec.to_builtins(attempt.refusal),
    }


class Requested(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a request before it is sent."""

    dialect: str
    provider: str
    model: str | None
    session_id: str | None
    streamed: bool


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer says of itself, for those who watch."""

    model: str | None
    response_id: str | None
    finish_reason: str | None
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None


class Watch(Protocol):
    """Watches one request."""

    def sending(self, number: int, policy: str, body: dict[str, Any]) -> None:
        """An attempt starts."""
        ...

    def came(self, attempt: AttemptTrace, told: Told | None, error: BaseException | None) -> None:
        """An attempt ended: ``told`` where it was answered, ``error`` where it was not."""
        ...

    def ended(self, trace: Trace) -> None:
        """The request ended."""
        ...


class Observer(Protocol):
    """Watches all requests of a service; what it raises is raised to the caller."""

    def requested(self, request: Requested) -> Watch:
        """A request starts."""
        ...
