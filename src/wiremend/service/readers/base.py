"""What a reader is: chunks of a stream in, pieces and in the end the whole response out. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias

from wiremend.errors import WiremendError
from wiremend.service.deltas import Delta

Json: TypeAlias = dict[str, Any]


class Reader(Protocol):
    """Puts the chunks of one stream together."""

    def feed(self, chunk: Json) -> list[Delta]:
        """The pieces in a chunk, calls with the provider's own ids.

        Raises ``ProviderError`` where the chunk is an error.
        """
        ...

    def response(self) -> Json:
        """The response as the provider sends it where nothing is streamed.

        Raises ``BrokenAnswerError`` where the stream ended early.
        """
        ...


class Guarded:
    """A reader whose stream may hold what its API does not have: that is an error of its own."""

    def __init__(self, reader: Reader, family: str) -> None:
        self._reader = reader
        self._family = family

    def feed(self, chunk: Json) -> list[Delta]:
        """See ``Reader``. Raises ``WiremendError`` for a chunk that cannot be read."""
        with self._named():
            return self._reader.feed(chunk)

    def response(self) -> Json:
        """See ``Reader``. Raises ``WiremendError`` where chunks do not fit together."""
        with self._named():
            return self._reader.response()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise WiremendError(
                f"the stream holds an event that {self._family} does not have: {error}"
            ) from error


def text_of(value: Any) -> str:
    """A text, or nothing."""
    return value if isinstance(value, str) else ""
