"""The HTTP side of Chat Completions, whichever server speaks it."""

from __future__ import annotations

from typing import Any

from wiremend.providers import Reply, simulated
from wiremend.providers.answers import chat
from wiremend.providers.answers.asked import Asked, Json
from wiremend.providers.answers.events import Numbered
from wiremend.providers.answers.script import Answer, Failure
from wiremend.simulator.exchange import Request, Target
from wiremend.simulator.services.base import EVENT_STREAM, Frames, Stateless, sse
from wiremend.simulator.services.chat_words import WORDS
from wiremend.simulator.services.openai import OpenAIDoor, missing_model


class ChatService(Stateless, OpenAIDoor):
    """``/v1/chat/completions`` of one server."""

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect, WORDS[dialect])
        self._provider = simulated(dialect)
        self._habits = chat.HABITS[dialect]

    def incomplete(self, body: Any, request: Request, target: Target) -> Failure | None:
        """Look for the model; Azure's stands in the path."""
        if target.model:
            return self.unsuitable(request)
        return self.unsuitable(request) or missing_model(body, "you must provide a model parameter")

    def judge(self, body: Any, target: Target) -> Reply:  # noqa: ARG002
        """Ask the simulated provider about the body."""
        return self._provider.post(body)

    def asked(self, body: Json, target: Target, tokens: int) -> Asked:
        """Return what a sound request asks."""
        return chat.asked({"model": target.model, **body}, tokens)

    def whole(self, answer: Answer, asked: Asked, ids: Numbered) -> Json:
        """Return the completion."""
        return chat.whole(answer, asked, ids, self._habits)

    def frames(self, answer: Answer, asked: Asked, ids: Numbered, query: dict[str, str]) -> Frames:  # noqa: ARG002
        """Return the completion in chunks."""
        events = chat.events(answer, asked, ids, self._habits)
        return Frames(
            EVENT_STREAM,
            tuple(map(sse, events)),
            lambda error, _: sse(chat.error_event(error.body)),
        )
