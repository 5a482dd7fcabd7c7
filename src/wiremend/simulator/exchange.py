"""One HTTP exchange as values: what arrived, what goes back."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from wiremend.providers.answers.script import Fault


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request. Names of headers are in lower case; ``path`` is as it came, still quoted.

    ``body`` is None where it was longer than any provider takes.
    """

    method: str
    path: str
    query: dict[str, str] = {}
    headers: dict[str, str] = {}
    body: bytes | None = b""


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """An answer: one frame, or one for each event of a stream.

    ``why`` is what a refusal says, empty for what was taken.
    """

    status: int
    frames: tuple[bytes, ...]
    headers: dict[str, str]
    streamed: bool = False
    fault: Fault | None = None
    pause: float = 0.0
    why: str = ""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What a path asks for. ``model`` stands in the path of some APIs; ``stream`` too."""

    action: Literal["answer", "count", "models", "model"]
    model: str = ""
    stream: bool | None = None


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """A request that a running provider got, and how it was answered.

    ``json`` is its body, None where that is no JSON. Shown without headers and bodies, which hold
    keys and conversations.
    """

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    json: Any
    status: int
    why: str

    def __repr__(self) -> str:
        return f"<{self.method} {self.path} {self.status}>"

    __str__ = __repr__
