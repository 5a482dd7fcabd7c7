"""The HTTP side of Amazon Bedrock's Converse, with the framing of its streams."""

from __future__ import annotations

import struct
import zlib
from typing import Any
from uuid import UUID

from wiremend.providers import Reply, simulated
from wiremend.providers.answers import bedrock
from wiremend.providers.answers.asked import Asked, Json
from wiremend.providers.answers.events import Event, Numbered
from wiremend.providers.answers.script import Answer, Failure
from wiremend.simulator.exchange import Request, Target
from wiremend.simulator.services.base import MB, Error, Frames, Stateless, as_json, bearer

_SAID = {
    400: ("ValidationException", "The provided request is not valid."),
    403: (
        "AccessDeniedException",
        "You don't have access to the model with the specified model ID.",
    ),
    404: ("ResourceNotFoundException", "The resource was not found."),
    408: ("ModelTimeoutException", "The model took too long to respond."),
    413: ("RequestEntityTooLargeException", "The request is too large."),
    424: ("ModelErrorException", "The model returned an error."),
    429: ("ThrottlingException", "Too many requests, please wait before trying again."),
    500: ("InternalServerException", "The system encountered an unexpected error."),
    503: ("ServiceUnavailableException", "Bedrock is unable to process your request."),
}
_STREAMED = {"ModelErrorException": "ModelStreamErrorException"}
_TEXT = 7
"""The type of a header's value in a frame: text with a length of two bytes."""


class BedrockService(Stateless):
    """``/model/M/converse`` and ``/model/M/converse-stream``."""

    dialect = "bedrock"
    largest = 25 * MB

    def __init__(self) -> None:
        self._provider = simulated("bedrock")

    def error(self, failure: Failure, ids: Numbered) -> Error:  # noqa: ARG002
        """Return a failure in the provider's shape: its kind is in a header."""
        kind, words = _SAID.get(failure.status) or _SAID[400 if failure.status < 500 else 500]
        headers = {"x-amzn-errortype": failure.kind or kind}
        return Error(failure.status, {"message": failure.message or words}, headers)

    def refused(self, reply: Reply, ids: Numbered) -> Error:  # noqa: ARG002
        """Return what the simulated provider said."""
        return Error(reply.status, reply.body, {"x-amzn-errortype": "ValidationException"})

    def headers(self, ids: Numbered) -> dict[str, str]:
        """Return what the provider adds to each answer."""
        return {"x-amzn-requestid": str(UUID(int=ids.number))}

    def missing_key(self, request: Request) -> Failure | None:
        """Look for a signature or a bearer token."""
        if request.headers.get("authorization", "").startswith("AWS4-") or bearer(request):
            return None
        return Failure(
            403, "Missing Authentication Token", kind="MissingAuthenticationTokenException"
        )

    def unknown_path(self, request: Request) -> Failure:  # noqa: ARG002
        """Say that there is no such operation."""
        return Failure(404, "Unknown operation", kind="UnknownOperationException")

    def wrong_method(self, request: Request) -> Failure:
        """Say that there is no such operation."""
        return self.unknown_path(request)

    def too_large(self) -> Failure:
        """Say that the body is too long."""
        return Failure(413)

    def unreadable(self, error: ValueError) -> Failure:  # noqa: ARG002
        """Say that the body is not JSON."""
        return Failure(
            400, "The request body could not be parsed as JSON", kind="SerializationException"
        )

    def incomplete(self, body: Any, request: Request, target: Target) -> Failure | None:  # noqa: ARG002
        """Find nothing missing: the model stands in the path."""
        return None

    def judge(self, body: Any, target: Target) -> Reply:
        """Ask the simulated provider about the body, with the model of the path."""
        return self._provider.post(
            {**body, "modelId": target.model} if isinstance(body, dict) else body
        )

    def asked(self, body: Json, target: Target, tokens: int) -> Asked:
        """Return what a sound request asks."""
        return bedrock.asked(body, target.model, tokens)

    def whole(self, answer: Answer, asked: Asked, ids: Numbered) -> Json:
        """Return the output."""
        return bedrock.whole(answer, asked, ids)

    def frames(self, answer: Answer, asked: Asked, ids: Numbered, query: dict[str, str]) -> Frames:  # noqa: ARG002
        """Return the output as an event stream of AWS."""
        return Frames(
            "application/vnd.amazon.eventstream",
            tuple(map(_event, bedrock.events(answer, asked, ids))),
            lambda error, _: _exception(error),
        )

    def counted(self, tokens: int) -> Json:
        """Return the answer of ``count-tokens``."""
        return {"inputTokens": tokens}

    def models(self, name: str) -> Json:
        """Return a summary of the model; another service of AWS lists them."""
        return {"modelSummaries": [{"modelId": name or "simulated"}]}


def _event(event: Event) -> bytes:
    return _frame(
        {
            ":event-type": event.name,
            ":content-type": "application/json",
            ":message-type": "event",
        },
        as_json(event.data),
    )


def _exception(error: Error) -> bytes:
    kind = error.headers["x-amzn-errortype"]
    kind = _STREAMED.get(kind, kind)
    return _frame(
        {
            ":exception-type": kind[0].lower() + kind[1:],
            ":content-type": "application/json",
            ":message-type": "exception",
        },
        as_json(error.body),
    )


def _frame(headers: dict[str, str], payload: bytes) -> bytes:
    """A message of an event stream: two lengths, their checksum, headers, payload, a checksum."""
    head = b"".join(
        struct.pack("!B", len(name))
        + name.encode()
        + struct.pack("!BH", _TEXT, len(value))
        + value.encode()
        for name, value in headers.items()
    )
    prelude = struct.pack("!II", 16 + len(head) + len(payload), len(head))
    message = prelude + struct.pack("!I", zlib.crc32(prelude)) + head + payload
    return message + struct.pack("!I", zlib.crc32(message))
