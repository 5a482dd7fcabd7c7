"""What the HTTP side of an API has to tell, and what several of them share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from wiremend.providers import Reply
from wiremend.providers.answers.asked import Asked, Json
from wiremend.providers.answers.events import Event, Numbered
from wiremend.providers.answers.script import Answer, Failure
from wiremend.simulator.exchange import Request, Target
from wiremend.simulator.memory import Memory

MB = 1024 * 1024
EVENT_STREAM = "text/event-stream; charset=utf-8"


class Error(msgspec.Struct, frozen=True):
    """An error as it goes out: the body that the provider has for it."""

    status: int
    body: Json
    headers: dict[str, str] = {}


class Frames(msgspec.Struct, frozen=True):
    """A stream: a frame an event. ``error`` makes that of an error, from it and its number."""

    kind: str
    events: tuple[bytes, ...]
    error: Callable[[Error, int], bytes]


class Service(Protocol):
    """The HTTP side of one API. What is refused is told as a ``Failure``."""

    dialect: str
    largest: int
    """Bytes of the longest request body that is taken."""

    def error(self, failure: Failure, ids: Numbered) -> Error:
        """Return a failure in the provider's shape, with the provider's words where it has none."""

    def refused(self, reply: Reply, ids: Numbered) -> Error:
        """Return what the simulated provider said, as it goes over the wire."""

    def headers(self, ids: Numbered) -> dict[str, str]:
        """Return what the provider adds to each answer."""

    def missing_key(self, request: Request) -> Failure | None:
        """Say what is wrong where nothing proves who asks. Any key is taken."""

    def unknown_path(self, request: Request) -> Failure:
        """Say that there is nothing at this path."""

    def wrong_method(self, request: Request) -> Failure:
        """Say that the path is not for this method."""

    def too_large(self) -> Failure:
        """Say that the body is too long."""

    def unreadable(self, error: ValueError) -> Failure:
        """Say that the body is not JSON."""

    def incomplete(self, body: Any, request: Request, target: Target) -> Failure | None:
        """Say what is missing beside the conversation: a version, a model, a limit."""

    def composed(self, body: Any, memory: Memory) -> Any:
        """Return the whole conversation of a request that goes on from a stored one.

        A ``Failure`` where there is none of that name; any other body as it is.
        """

    def keep(self, body: Json, whole: Json, memory: Memory) -> None:
        """Store an answer for requests that go on from it. ``body`` is what was composed."""

    def judge(self, body: Any, target: Target) -> Reply:
        """Ask the simulated provider about the body."""

    def asked(self, body: Json, target: Target, tokens: int) -> Asked:
        """Return what a sound request asks."""

    def whole(self, answer: Answer, asked: Asked, ids: Numbered) -> Json:
        """Return the answer as one body."""

    def frames(self, answer: Answer, asked: Asked, ids: Numbered, query: dict[str, str]) -> Frames:
        """Return the answer as a stream."""

    def counted(self, tokens: int) -> Json:
        """Return the answer to a question for the number of tokens."""

    def models(self, name: str) -> Json:
        """Return the list of models, or the one of this name."""


class Stateless:
    """An API whose requests hold all of their conversation."""

    def composed(self, body: Any, memory: Memory) -> Any:  # noqa: ARG002
        """Return the body as it is."""
        return body

    def keep(self, body: Json, whole: Json, memory: Memory) -> None:
        """Store nothing."""


def sse(event: Event) -> bytes:
    """An event as a server-sent one."""
    data = event.data if isinstance(event.data, str) else as_json(event.data).decode()
    return (f"event: {event.name}\n" if event.name else "").encode() + f"data: {data}\n\n".encode()


def as_json(body: Any) -> bytes:
    """A body as it is sent."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def bearer(request: Request) -> bool:
    """Whether some key comes as bearer authentication."""
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    return kind.lower() == "bearer" and bool(key.strip())
