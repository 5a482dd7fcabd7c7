"""The HTTP side of the Gemini API."""

from __future__ import annotations

from typing import Any

from wiremend.providers import Reply, simulated
from wiremend.providers.answers import gemini
from wiremend.providers.answers.asked import Asked, Json
from wiremend.providers.answers.events import Event, Numbered
from wiremend.providers.answers.script import Answer, Failure
from wiremend.simulator.exchange import Request, Target
from wiremend.simulator.services.base import (
    MB,
    Error,
    Frames,
    Stateless,
    as_json,
    bearer,
)

_SAID = {
    400: ("INVALID_ARGUMENT", "Request contains an invalid argument."),
    401: (
        "UNAUTHENTICATED",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
        "cookie or other valid authentication credential.",
    ),
    403: (
        "PERMISSION_DENIED",
        "Method doesn't allow unregistered callers (callers without established identity). Please "
        "use API Key or other form of API consumer identity to call this API.",
    ),
    404: ("NOT_FOUND", "Requested entity was not found."),
    429: ("RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    500: ("INTERNAL", "An internal error has occurred. Please retry."),
    503: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
    504: ("DEADLINE_EXCEEDED", "Deadline expired before operation could complete."),
}
_RETRY = "type.googleapis.com/google.rpc.RetryInfo"


class GeminiService(Stateless):
    """``…/models/M:generateContent``, streamed or not, its token counts and its models."""

    dialect = "gemini"
    largest = 100 * MB

    def __init__(self) -> None:
        self._provider = simulated("gemini")

    def error(self, failure: Failure, ids: Numbered) -> Error:  # noqa: ARG002
        """Return a failure in the provider's shape."""
        kind, words = _SAID.get(failure.status) or _SAID[400 if failure.status < 500 else 500]
        error: Json = {
            "code": failure.status,
            "message": failure.message or words,
            "status": failure.kind or kind,
        }
        if failure.retry_after is not None:
            error["details"] = [{"@type": _RETRY, "retryDelay": f"{failure.retry_after:g}s"}]
        return Error(failure.status, {"error": error})

    def refused(self, reply: Reply, ids: Numbered) -> Error:  # noqa: ARG002
        """Return what the simulated provider said."""
        return Error(reply.status, reply.body)

    def headers(self, ids: Numbered) -> dict[str, str]:  # noqa: ARG002
        """Return what the provider adds to each answer: nothing that names the request."""
        return {"vary": "Origin, X-Origin, Referer"}

    def missing_key(self, request: Request) -> Failure | None:
        """Look for a key in either place."""
        if request.headers.get("x-goog-api-key") or request.query.get("key") or bearer(request):
            return None
        return Failure(403)

    def unknown_path(self, request: Request) -> Failure:  # noqa: ARG002
        """Say that there is nothing at this path."""
        return Failure(404)

    def wrong_method(self, request: Request) -> Failure:
        """Say that there is nothing at this path for the method."""
        return self.unknown_path(request)

    def too_large(self) -> Failure:
        """Say that the body is too long."""
        return Failure(400, f"Request payload size exceeds the limit: {self.largest} bytes.")

    def unreadable(self, error: ValueError) -> Failure:
        """Say that the body is not JSON."""
        return Failure(400, f"Invalid JSON payload received. {error}")

    def incomplete(self, body: Any, request: Request, target: Target) -> Failure | None:  # noqa: ARG002
        """Find nothing missing: the model stands in the path."""
        return None

    def judge(self, body: Any, target: Target) -> Reply:
        """Ask the simulated provider about the body, with the model of the path."""
        if target.action == "count" and isinstance(body, dict):
            body = body.get("generateContentRequest", body)
        return self._provider.post(
            {**body, "model": target.model} if isinstance(body, dict) else body
        )

    def asked(self, body: Json, target: Target, tokens: int) -> Asked:
        """Return what a sound request asks."""
        return gemini.asked(body, target.model, tokens)

    def whole(self, answer: Answer, asked: Asked, ids: Numbered) -> Json:
        """Return the response."""
        return gemini.whole(answer, asked, ids)

    def frames(self, answer: Answer, asked: Asked, ids: Numbered, query: dict[str, str]) -> Frames:
        """Return the response in chunks: server-sent events, or one JSON array."""
        events = gemini.events(answer, asked, ids)
        if query.get("alt") == "sse":
            return Frames(
                "text/event-stream",
                tuple(map(_sse, events)),
                lambda error, _: _sse(gemini.error_event(error.body)),
            )
        *first, last = (_in_array(event, number) for number, event in enumerate(events))
        return Frames(
            "application/json; charset=UTF-8",
            (*first, last + b"\n]\n"),
            lambda error, number: _in_array(gemini.error_event(error.body), number) + b"\n]\n",
        )

    def counted(self, tokens: int) -> Json:
        """Return the answer of ``countTokens``."""
        return {"totalTokens": tokens}

    def models(self, name: str) -> Json:
        """Return the list of models, or the one of this name."""
        return _model(name) if name else {"models": [_model("simulated")]}


def _model(name: str) -> Json:
    methods = ["generateContent", "countTokens"]
    return {
        "name": f"models/{name}",
        "displayName": name,
        "supportedGenerationMethods": methods,
    }


def _sse(event: Event) -> bytes:
    return b"data: " + as_json(event.data) + b"\r\n\r\n"


def _in_array(event: Event, number: int) -> bytes:
    return (b",\r\n" if number else b"[") + as_json(event.data)
