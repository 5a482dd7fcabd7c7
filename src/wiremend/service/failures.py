"""What goes wrong on the way to a provider and back, where no SDK has an exception for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LONGEST = 500


class ProviderError(Exception):
    """A provider refused a request, under an HTTP status or in the middle of a stream.

    ``body`` is what it said (a dict where it was JSON), ``status_code`` the HTTP status, which is
    200 for an error in a stream, ``headers`` those of the answer.
    """

    def __init__(
        self, status: int, body: dict[str, Any] | str, headers: Mapping[str, str] | None = None
    ) -> None:
        self.status_code = status
        self.body = body
        self.headers = dict(headers or {})
        said = _message(body)
        cut = f"{said[:_LONGEST]}…" if len(said) > _LONGEST else said
        super().__init__(f"the provider refused the request (HTTP {status}): {cut}")


class BrokenAnswerError(ConnectionError):
    """A stream ended before its answer did: what came is no answer."""

    def __init__(self) -> None:
        super().__init__("the stream ended before the answer was complete")


def _message(body: dict[str, Any] | str) -> str:
    if isinstance(body, str):
        return body
    error = body.get("error", body)
    said = error.get("message") if isinstance(error, dict) else error
    return said if isinstance(said, str) else "no message"
