"""A framework's messages through their attempts: mended, and after a refusal mended further.

An adapter reads its messages as ``Message`` values, and gives what comes back to the framework: a
value that is the same object stands for the message that it was read from, and what is new or
changed is made. ``tagged`` marks a value with its place, which it keeps when it changes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec

from wiremend.dialects.base import extras_of
from wiremend.dialects.names import map_ids
from wiremend.integrations.manners import Manners
from wiremend.model import Message
from wiremend.model.parts import Extras
from wiremend.projection import Anomaly, ProjectionPolicy, project, take_snapshot
from wiremend.projection.anomalies import ignore
from wiremend.projection.projector import Projector
from wiremend.recovery import classify_exception
from wiremend.recovery.attempts import Attempt, next_attempt

OnRepair: TypeAlias = Callable[[tuple[Anomaly, ...]], object]
"""Called with the repairs of a request, where there were some."""

_TAG = "wiremend"
S = TypeVar("S")


def tag(*place: int) -> Extras:
    """The extras that say where a value came from."""
    return {_TAG: {"place": place}}


def place_of(value: Any) -> tuple[int, ...] | None:
    """Where a message, part or call came from; None: it was invented, or merged from several."""
    place: tuple[int, ...] | None = extras_of(value, _TAG).get("place")
    return place


def given_back(
    mended: Sequence[Message],
    history: Sequence[Message],
    sources: Sequence[S],
    make: Callable[[Message], S],
) -> list[S]:
    """A framework's messages: those of what did not change, the others made.

    ``sources`` are the messages that the ``history`` was read from, one for each.
    """
    own = {id(read): source for read, source in zip(history, sources, strict=True)}
    return [own[id(message)] if id(message) in own else make(message) for message in mended]


class Mended(msgspec.Struct, frozen=True):
    """The messages to send, and every repair."""

    messages: list[Message]
    anomalies: tuple[Anomaly, ...]


def mend(history: Sequence[Message], manners: Manners, attempt: Attempt | None = None) -> Mended:
    """Mend messages for a provider of these manners, as an attempt wants it."""
    anomalies: list[Anomaly] = []
    policy = _policy(manners, attempt or Attempt())
    messages: Sequence[Message] = project(history, anomalies.append, policy)
    for step in manners.steps:
        messages = step(messages, {}, anomalies.append)
    messages = map_ids(messages, manners.ids, anomalies.append)
    return Mended(list(messages), tuple(anomalies))


def _policy(manners: Manners, attempt: Attempt) -> ProjectionPolicy:
    return ProjectionPolicy(
        structure=attempt.structure, media=attempt.media, sending=True, takes=manners.takes
    )


class Mender:
    """What the requests of one adapter share; several threads may use one.

    Repairs are logged to ``wiremend``, without contents, and given to ``on_repair``.
    """

    def __init__(self, on_repair: OnRepair | None = None) -> None:
        self._on_repair = on_repair
        self._projector = Projector()
        self._lock = threading.Lock()

    def mend(self, history: Sequence[Message], manners: Manners) -> list[Message]:
        """Messages for adapters that cannot send again."""
        mended = mend(history, manners)
        self.report(mended.anomalies)
        return mended.messages

    def report(self, anomalies: Sequence[Anomaly]) -> None:
        """Tell of the repairs of a request."""
        with self._lock:
            self._projector.report(anomalies)
        if anomalies and self._on_repair is not None:
            self._on_repair(tuple(anomalies))


class Tries:
    """The attempts of one request: ``outgoing`` is to be sent, ``refused`` says whether again."""

    def __init__(self, mender: Mender, history: Sequence[Message], manners: Manners) -> None:
        self._mender = mender
        self._history = history
        self._manners = manners
        self._attempt = Attempt()
        self._mended = mend(history, manners)

    def outgoing(self) -> list[Message]:
        """The messages to send now."""
        self._mender.report(self._mended.anomalies)
        return self._mended.messages

    def refused(self, error: Exception) -> bool:
        """Whether to send again after an exception; do not ask once output has been seen."""
        said = classify_exception(error, self._manners.dialect)
        attempt = self._attempt
        while True:
            following = next_attempt(attempt, said, self._snapshot, may_drop_blocks=False)
            if following is None:
                return False
            attempt = following
            mended = mend(self._history, self._manners, attempt)
            # The same messages would get the same answer.
            if mended.messages != self._mended.messages:
                self._attempt, self._mended = attempt, mended
                return True

    def _snapshot(self) -> frozenset[str]:
        return take_snapshot(project(self._history, ignore, _policy(self._manners, Attempt())))
