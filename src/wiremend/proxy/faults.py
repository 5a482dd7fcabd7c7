"""What the proxy itself answers with: errors in the shape that the agent's SDK reads."""

from __future__ import annotations

from typing import Any

import msgspec


class Fault(Exception):  # noqa: N818  (it is an answer, not a fault of the program)
    """An answer that is the proxy's own. ``kind`` names it for machines; the text is for people."""

    def __init__(self, status: int, kind: str, said: str) -> None:
        super().__init__(said)
        self.status = status
        self.kind = kind
        self.said = f"wiremend: {said}"

    def body(self, family: str | None) -> bytes:
        """The answer's JSON, as a server of this wire format writes errors."""
        shape = _SHAPES.get(family or "", _openai)
        return msgspec.json.encode(shape(self.status, self.kind, self.said))


def _openai(status: int, kind: str, said: str) -> dict[str, Any]:
    sort = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": said, "type": sort, "param": None, "code": kind}}


def _anthropic(status: int, _: str, said: str) -> dict[str, Any]:
    sorts = {413: "request_too_large", 504: "timeout_error"}
    sort = sorts.get(status, "invalid_request_error" if status < 500 else "api_error")
    return {"type": "error", "error": {"type": sort, "message": said}}


def _gemini(status: int, _: str, said: str) -> dict[str, Any]:
    sorts = {502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}
    sort = sorts.get(status, "INVALID_ARGUMENT")
    return {"error": {"code": status, "message": said, "status": sort}}


def _bedrock(_: int, __: str, said: str) -> dict[str, Any]:
    return {"message": said}


_SHAPES = {"anthropic": _anthropic, "gemini": _gemini, "bedrock": _bedrock}
