"""The door of OpenAI's APIs and of the servers that speak them: keys, JSON, errors, models."""

from __future__ import annotations

from typing import Any

from wiremend.providers import Reply
from wiremend.providers.answers.asked import Json
from wiremend.providers.answers.events import CREATED, Numbered
from wiremend.providers.answers.script import Failure
from wiremend.simulator.exchange import Request
from wiremend.simulator.services.base import Error, bearer
from wiremend.simulator.services.chat_words import Words


class OpenAIDoor:
    """What Chat Completions and Responses have in common."""

    def __init__(self, dialect: str, words: Words) -> None:
        self.dialect = dialect
        self.largest = words.largest
        self._words = words

    def error(self, failure: Failure, ids: Numbered) -> Error:
        """Return a failure in the server's shape."""
        errors = self._words.errors
        said = errors.get(failure.status) or errors[400 if failure.status < 500 else 500]
        kind, code, message = said
        return self._shaped(
            failure.status,
            {
                "message": failure.message or message,
                "type": failure.kind or kind,
                "param": failure.param,
                # The usual code belongs to the usual words.
                "code": failure.code or (None if failure.message else code),
            },
            ids,
        )

    def refused(self, reply: Reply, ids: Numbered) -> Error:
        """Return what the simulated provider said, in the server's shape."""
        return self._shaped(reply.status, reply.body["error"], ids)

    def _shaped(self, status: int, error: Json, ids: Numbered) -> Error:
        shape = self._words.shape
        if shape == "mistral":
            return Error(status, _of_mistral(status, error))
        if shape == "openrouter":
            return Error(status, {"error": {"message": error["message"], "code": status}})
        if shape == "qwen":
            return Error(status, {"error": error, "request_id": ids.name("", 32)})
        return Error(status, {"error": error})

    def headers(self, ids: Numbered) -> dict[str, str]:
        """Return what the server adds to each answer."""
        name = ids.name("req_", 32)
        if self._words.id_header != "x-request-id":
            return {self._words.id_header: name}
        return {"x-request-id": name, "openai-version": "2020-10-01", "openai-processing-ms": "1"}

    def missing_key(self, request: Request) -> Failure | None:
        """Look for a key; Azure's header is another."""
        if self._words.open_door or bearer(request) or request.headers.get("api-key"):
            return None
        return Failure(401)

    def unknown_path(self, request: Request) -> Failure:
        """Say that there is nothing at this path."""
        if 404 in self._words.errors:
            return Failure(404)
        return Failure(404, f"Invalid URL ({request.method} {request.path})")

    def wrong_method(self, request: Request) -> Failure:
        """Say that the path is not for this method."""
        return Failure(
            405,
            f"Not allowed to {request.method} on {request.path}. (HINT: Perhaps you meant to make "
            "the request using a different HTTP method?)",
        )

    def too_large(self) -> Failure:
        """Say that the body is too long."""
        return Failure(413)

    def unreadable(self, error: ValueError) -> Failure:  # noqa: ARG002
        """Say that the body is not JSON."""
        return Failure(
            self._words.bad_json_status, self._words.bad_json, kind="invalid_request_error"
        )

    def unsuitable(self, request: Request) -> Failure | None:
        """Look at the type that the body claims to be of."""
        kind = request.headers.get("content-type", "")
        if kind.partition(";")[0].strip().lower() == "application/json" or self._words.open_door:
            return None
        return Failure(
            400,
            f"Unsupported content type: '{kind}'. This API method only accepts 'application/json' "
            f"requests, but you specified the header 'Content-Type: {kind}'. Please try again with "
            "a supported content type.",
            code="unsupported_content_type",
        )

    def counted(self, tokens: int) -> Json:
        """Return the answer of ``/v1/responses/input_tokens``."""
        return {"object": "response.input_tokens", "input_tokens": tokens}

    def models(self, name: str) -> Json:
        """Return the list of models, or the one of this name."""
        made = {"object": "model", "created": CREATED, "owned_by": "simulated"}
        if name:
            return {"id": name, **made}
        return {"object": "list", "data": [{"id": "simulated", **made}]}


def missing_model(body: Any, words: str, code: str | None = None) -> Failure | None:
    """Say that a request names no model."""
    if not isinstance(body, dict) or (isinstance(body.get("model"), str) and body["model"]):
        return None
    return Failure(400, words, kind="invalid_request_error", param="model", code=code)


def _of_mistral(status: int, error: Json) -> Json:
    if status == 401:
        return {"detail": error["message"]}
    if status == 422:
        kind, _, message = error["message"].partition(": ")
        item = {"type": kind, "loc": ["body"], "msg": message or kind, "input": None}
        return {"detail": [item]}
    return {"object": "error", **error}
