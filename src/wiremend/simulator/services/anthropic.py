"""The HTTP side of Anthropic's Messages API."""

from __future__ import annotations

import re
from typing import Any

from wiremend.providers import Reply, simulated
from wiremend.providers.answers import anthropic
from wiremend.providers.answers.asked import Asked, Json
from wiremend.providers.answers.events import Numbered
from wiremend.providers.answers.script import Answer, Failure
from wiremend.simulator.exchange import Request, Target
from wiremend.simulator.memory import Memory
from wiremend.simulator.services.base import EVENT_STREAM, MB, Error, Frames, bearer, sse

_KINDS = {
    400: ("invalid_request_error", "Invalid request"),
    401: ("authentication_error", "invalid x-api-key"),
    403: ("permission_error", "Your API key does not have permission to use this resource."),
    404: ("not_found_error", "Not Found"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    429: ("rate_limit_error", "This request would exceed your account's rate limit."),
    500: ("api_error", "Internal server error"),
    504: ("timeout_error", "Request timed out"),
    529: ("overloaded_error", "Overloaded"),
}
_VERSION = re.compile(r"20\d\d-\d\d-\d\d")

_CONTINUED: Json = {"continued": True}


class AnthropicService:
    """``/v1/messages``, its token counts and its models."""

    dialect = "anthropic"
    largest = 32 * MB

    def __init__(self) -> None:
        self._provider = simulated("anthropic")

    def error(self, failure: Failure, ids: Numbered) -> Error:
        """Return a failure in the provider's shape."""
        kind, message = _KINDS.get(failure.status) or _KINDS[400 if failure.status < 500 else 500]
        error: Json = {"type": failure.kind or kind, "message": failure.message or message}
        if failure.code is not None:
            error["details"] = {"error_code": failure.code}
        body = {"type": "error", "error": error, "request_id": _request_id(ids)}
        return Error(failure.status, body)

    def refused(self, reply: Reply, ids: Numbered) -> Error:
        """Return what the simulated provider said, with the name of the request."""
        return Error(reply.status, {**reply.body, "request_id": _request_id(ids)})

    def headers(self, ids: Numbered) -> dict[str, str]:
        """Return what the provider adds to each answer."""
        return {"request-id": _request_id(ids)}

    def missing_key(self, request: Request) -> Failure | None:
        """Look for either kind of key."""
        if request.headers.get("x-api-key") or bearer(request):
            return None
        return Failure(401, "x-api-key header is required")

    def unknown_path(self, request: Request) -> Failure:  # noqa: ARG002
        """Say that there is nothing at this path."""
        return Failure(404)

    def wrong_method(self, request: Request) -> Failure:  # noqa: ARG002
        """Say that the path is not for this method."""
        return Failure(405, "Method Not Allowed")

    def too_large(self) -> Failure:
        """Say that the body is too long."""
        return Failure(413)

    def unreadable(self, error: ValueError) -> Failure:
        """Say that the body is not JSON."""
        return Failure(400, f"The request body is not valid JSON: {error}")

    def incomplete(self, body: Any, request: Request, target: Target) -> Failure | None:
        """Look for the version, the model and the limit of the answer."""
        version = request.headers.get("anthropic-version")
        if not version:
            return Failure(400, "anthropic-version: header is required")
        if not _VERSION.fullmatch(version):
            return Failure(400, f'anthropic-version: "{version}" is not a valid version')
        if not isinstance(body, dict):
            return None
        needed = {"model": str, "max_tokens": int} if target.action == "answer" else {"model": str}
        for name, kind in needed.items():
            value = body.get(name)
            if value is None:
                return Failure(400, f"{name}: Field required")
            if not isinstance(value, kind) or isinstance(value, bool):
                words = "string" if kind is str else "integer"
                return Failure(400, f"{name}: Input should be a valid {words}")
        if target.action == "answer" and body["max_tokens"] < 1:
            return Failure(400, "max_tokens: must be greater than or equal to 1")
        return None

    def composed(self, body: Any, memory: Memory) -> Any:
        """Put the thread before what came, where a request goes on with one."""
        thread = body.get("thread") if isinstance(body, dict) else None
        if not isinstance(thread, dict) or thread.get("type") != "continue":
            return body
        before = memory.get(thread.get("previous_message_id"))
        if before is None:
            words = "No usable thread state was found for `previous_message_id`."
            return Failure(404, words, code="thread_not_found")
        if before is _CONTINUED:
            words = "The response of `previous_message_id` has already been continued."
            return Failure(400, words, code="thread_already_continued")
        more = body.get("messages")
        if not isinstance(more, list):
            return body
        return {**before, **body, "messages": [*before["messages"], *more]}

    def keep(self, body: Json, whole: Json, memory: Memory) -> None:
        """Store a thread, where the request asks for one."""
        thread = body.get("thread")
        if not isinstance(thread, dict):
            return
        said = {"role": "assistant", "content": whole["content"]}
        kept = {name: body[name] for name in ("system", "tools") if name in body}
        memory.keep(whole["id"], {**kept, "messages": [*body["messages"], said]})
        if thread.get("type") == "continue":
            memory.keep(thread["previous_message_id"], _CONTINUED)

    def judge(self, body: Any, target: Target) -> Reply:  # noqa: ARG002
        """Ask the simulated provider about the body."""
        return self._provider.post(body)

    def asked(self, body: Json, target: Target, tokens: int) -> Asked:  # noqa: ARG002
        """Return what a sound request asks."""
        return anthropic.asked(body, tokens)

    def whole(self, answer: Answer, asked: Asked, ids: Numbered) -> Json:
        """Return the message."""
        return anthropic.whole(answer, asked, ids)

    def frames(self, answer: Answer, asked: Asked, ids: Numbered, query: dict[str, str]) -> Frames:  # noqa: ARG002
        """Return the message as a stream."""
        events = anthropic.events(answer, asked, ids)
        return Frames(
            EVENT_STREAM,
            tuple(map(sse, events)),
            lambda error, _: sse(anthropic.error_event(error.body)),
        )

    def counted(self, tokens: int) -> Json:
        """Return the answer of ``count_tokens``."""
        return {"input_tokens": tokens}

    def models(self, name: str) -> Json:
        """Return the list of models, or the one of this name."""
        if name:
            return _model(name)
        model = _model("simulated")
        return {"data": [model], "has_more": False, "first_id": model["id"], "last_id": model["id"]}


def _model(name: str) -> Json:
    made = "2026-01-01T00:00:00Z"
    return {"type": "model", "id": name, "display_name": name, "created_at": made}


def _request_id(ids: Numbered) -> str:
    return ids.name("req_011C", 20)
