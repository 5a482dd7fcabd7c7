"""The HTTP side of OpenAI's Responses API, with the responses that it stores."""

from __future__ import annotations

from typing import Any

from wiremend.providers import Reply, simulated
from wiremend.providers.answers import responses
from wiremend.providers.answers.asked import Asked, Json
from wiremend.providers.answers.events import Numbered
from wiremend.providers.answers.script import Answer, Failure
from wiremend.simulator.exchange import Request, Target
from wiremend.simulator.memory import Memory
from wiremend.simulator.services.base import EVENT_STREAM, Frames, sse
from wiremend.simulator.services.chat_words import WORDS
from wiremend.simulator.services.openai import OpenAIDoor, missing_model

_PREVIOUS = "previous_response_id"


class ResponsesService(OpenAIDoor):
    """``/v1/responses``."""

    def __init__(self) -> None:
        super().__init__("openai-responses", WORDS["openai-chat"])
        self._provider = simulated("openai-responses")

    def incomplete(self, body: Any, request: Request, target: Target) -> Failure | None:  # noqa: ARG002
        """Look for the model."""
        return self.unsuitable(request) or missing_model(
            body, "Missing required parameter: 'model'.", code="missing_required_parameter"
        )

    def composed(self, body: Any, memory: Memory) -> Any:
        """Put what was stored before what came, where a request goes on from a response."""
        name = body.get(_PREVIOUS) if isinstance(body, dict) else None
        if name is None:
            return body
        before = memory.get(name)
        if before is None:
            return Failure(
                400,
                f"Previous response with id '{name}' not found.",
                code="previous_response_not_found",
                param=_PREVIOUS,
            )
        return {**body, "input": [*before, *_items(body.get("input"))]}

    def keep(self, body: Json, whole: Json, memory: Memory) -> None:
        """Store a response with all that led to it, unless the request forbids it."""
        if body.get("store") is not False:
            memory.keep(whole["id"], [*_items(body.get("input")), *whole["output"]])

    def judge(self, body: Any, target: Target) -> Reply:  # noqa: ARG002
        """Ask the simulated provider about the body, which is all of the conversation."""
        if isinstance(body, dict):
            body = {name: value for name, value in body.items() if name != _PREVIOUS}
        return self._provider.post(body)

    def asked(self, body: Json, target: Target, tokens: int) -> Asked:  # noqa: ARG002
        """Return what a sound request asks."""
        return responses.asked(body, tokens)

    def whole(self, answer: Answer, asked: Asked, ids: Numbered) -> Json:
        """Return the response."""
        return responses.whole(answer, asked, ids)

    def frames(self, answer: Answer, asked: Asked, ids: Numbered, query: dict[str, str]) -> Frames:  # noqa: ARG002
        """Return the response as a stream."""
        return Frames(
            EVENT_STREAM,
            tuple(map(sse, responses.events(answer, asked, ids))),
            lambda error, number: sse(responses.error_event(error.body, number)),
        )


def _items(given: Any) -> list[Any]:
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return given if isinstance(given, list) else []
