"""The HTTP side of Chat Completions, and what its servers answer each in their own way."""

from __future__ import annotations

from typing import Any

from wiremend.providers import Reply, simulated
from wiremend.providers.answers import chat
from wiremend.providers.answers.asked import Asked, Json
from wiremend.providers.answers.events import Numbered
from wiremend.providers.answers.script import Answer, Failure
from wiremend.simulator.exchange import Request, Target
from wiremend.simulator.services.base import MB, Error, Frames, sse
from wiremend.simulator.services.chat_words import WORDS
from wiremend.simulator.services.openai import (
    OpenAIDoor,
)


class ChatService(OpenAIDoor):
    """``/v1/chat/completions`` of one server."""

    largest = 50 * MB

    def __init__(self, dialect: str) -> None:
        super().__init__(WORDS[dialect])
        self.dialect = dialect
        self.largest = WORDS[dialect].largest
        self._provider = simulated(dialect)
        self._habits = chat.HABITS[dialect]

    def incomplete(self, body: Any, request: Request, target: Target) -> Failure | None:  # noqa: ARG002
        """Look for the model."""
        return self.missing_model(body)

    def judge(self, body: Any, target: Target) -> Reply:  # noqa: ARG002
        """Ask the simulated provider about the body."""
        return self._provider.post(body)
