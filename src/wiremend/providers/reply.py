"""What a simulated provider answers, and how the walk through a request is broken off."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec


class Reply(msgspec.Struct, frozen=True):
    """An HTTP answer: the status, and the body in the provider's own shape."""

    status: int
    body: dict[str, Any]

    @property
    def accepted(self) -> bool:
        """Whether the request was taken."""
        return self.status == 200

    @property
    def error(self) -> str:
        """The provider's error message; empty where the request was taken."""
        if self.accepted:
            return ""
        error = self.body.get("error", self.body)
        message = error.get("message") if isinstance(error, dict) else None
        return message if isinstance(message, str) else ""


class SimulatedProvider(Protocol):
    """A provider that can be asked without a network, a key or a clock."""

    name: str

    def post(self, body: dict[str, Any]) -> Reply:
        """Judge a request body. Any JSON value gives a reply; nothing is raised."""


class RefusalError(Exception):
    """The first fault of a request; never leaves this package.

    ``kind``, ``param`` and ``code`` are the machine-readable fields of the provider's error.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        kind: str = "invalid_request_error",
        param: str | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.kind = kind
        self.param = param
        self.code = code
