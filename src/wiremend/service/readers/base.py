"""What a reader is: chunks of a stream in, pieces and in the end the whole response out. Pure."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

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


def text_of(value: Any) -> str:
    """A text, or nothing."""
    return value if isinstance(value, str) else ""
