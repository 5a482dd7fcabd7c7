"""What a sender is: a body out, a response or its chunks in, as plain JSON values.

A sender knows one client. It never tries again on its own; what the client does by itself, such as
waiting for a rate limit, stays its business. What the client raises is raised as it is.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, Protocol

from wiremend.errors import WiremendError
from wiremend.service.readers import Json


class Sends(Protocol):
    """What each sender says of itself.

    ``family`` is the wire format that it speaks, ``provider`` whom it speaks to, in the words of
    OpenTelemetry's ``gen_ai.provider.name``.
    """

    @property
    def family(self) -> str:
        """The wire format, by the name of its plainest dialect."""
        ...

    @property
    def provider(self) -> str:
        """The provider's name for telemetry."""
        ...


class Sender(Sends, Protocol):
    """A sender for programs that wait."""

    def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """Send, and give the response."""
        ...

    def stream(self, body: Json, headers: Mapping[str, str]) -> Generator[Json, None, None]:
        """Send, and give the chunks of the response as they come; closing it ends the request."""
        ...


class AsyncSender(Sends, Protocol):
    """The same for asynchronous programs."""

    async def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``Sender.send``."""
        ...

    def stream(self, body: Json, headers: Mapping[str, str]) -> AsyncGenerator[Json, None]:
        """See ``Sender.stream``."""
        ...


_CLIENTS = frozenset(("openai", "anthropic", "httpx", "httpx2"))
"""Packages whose asynchronous clients have names that begin with ``Async``."""


def check_client(client: Any, sender: object) -> None:
    """Raise ``WiremendError`` where one of the two waits and the other awaits."""
    kind, name = type(client), type(sender).__name__
    if kind.__module__.partition(".")[0] not in _CLIENTS:
        return
    awaits, wanted = kind.__name__.startswith("Async"), name.startswith("Async")
    if awaits != wanted:
        other = name.removeprefix("Async") if wanted else f"Async{name}"
        raise WiremendError(f"{name} cannot send through {kind.__name__}: use {other}")


def as_json(value: Any) -> Json:
    """The plain values of what an SDK made of a response, with nothing added."""
    if isinstance(value, dict):
        return value
    found: Json = value.to_dict(mode="json")
    return found


def split(body: Json, known: frozenset[str]) -> dict[str, Any]:
    """The arguments for an SDK's ``create``: what it has no name for goes into ``extra_body``."""
    rest = {name: value for name, value in body.items() if name not in known}
    named: dict[str, Any] = {name: value for name, value in body.items() if name in known}
    return {**named, "extra_body": rest} if rest else named


def names_of(create: Any) -> frozenset[str]:
    """What ``create`` takes by name, without what is not part of the body."""
    import inspect

    not_body = {"extra_headers", "extra_query", "extra_body", "timeout", "stream"}
    try:
        return frozenset(inspect.signature(create).parameters) - not_body
    except (TypeError, ValueError):
        raise WiremendError("this is no client whose requests can be sent") from None
