"""The HTTP side of each API: keys, headers, sizes, shapes of errors; one module an API."""

from __future__ import annotations

from wiremend.errors import WiremendError
from wiremend.simulator.services.anthropic import AnthropicService
from wiremend.simulator.services.base import Service
from wiremend.simulator.services.bedrock import BedrockService
from wiremend.simulator.services.chat import ChatService
from wiremend.simulator.services.chat_words import WORDS
from wiremend.simulator.services.gemini import GeminiService
from wiremend.simulator.services.responses import ResponsesService

_APIS = {
    "anthropic": "anthropic",
    "openai-responses": "responses",
    "gemini": "gemini",
    "bedrock": "bedrock",
}

DIALECTS = (*WORDS, *_APIS)
"""The dialects that a simulated provider speaks over HTTP."""


def services(dialect: str) -> dict[str, Service]:
    """Return the service of each API; ``own`` is the one of the dialect.

    Raises ``WiremendError``, which names the known ones, for a dialect that has none.
    """
    if dialect not in DIALECTS:
        known = ", ".join(sorted(DIALECTS))
        raise WiremendError(f"no simulated provider for {dialect!r}; there are: {known}")
    chat = ChatService(dialect if dialect in WORDS else "openai-chat")
    found: dict[str, Service] = {
        "chat": chat,
        "responses": ResponsesService(),
        "anthropic": AnthropicService(),
        "gemini": GeminiService(),
        "bedrock": BedrockService(),
    }
    return {**found, "own": found[_APIS.get(dialect, "chat")]}
