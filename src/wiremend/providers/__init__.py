"""Simulated strict providers: they judge a request as the real server would, without a network.

They share nothing with the rest of wiremend but its exception. A second opinion is worth
something only where it was reached by another road: here a small state machine that walks the
messages and stops at the first fault, in the provider's own words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.errors import WiremendError
from wiremend.providers.anthropic import AnthropicMessages
from wiremend.providers.bedrock import BedrockConverse
from wiremend.providers.chat_servers import ChatTemplate, OpenRouter, Qwen
from wiremend.providers.chat_thinkers import DeepSeek, Kimi
from wiremend.providers.gemini import GeminiContents
from wiremend.providers.mistral import Mistral
from wiremend.providers.openai_chat import OpenAIChat
from wiremend.providers.openai_responses import OpenAIResponses
from wiremend.providers.reply import Reply, SimulatedProvider

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Reply", "SimulatedProvider", "simulated"]

_PROVIDERS: dict[str, Callable[[], SimulatedProvider]] = {
    "anthropic": AnthropicMessages,
    "bedrock": BedrockConverse,
    "gemini": GeminiContents,
    "openai-chat": OpenAIChat,
    "kimi": Kimi,
    "deepseek": DeepSeek,
    "mistral": Mistral,
    "qwen": Qwen,
    "openrouter": OpenRouter,
    "generic": ChatTemplate,
    "openai-responses": OpenAIResponses,
}


def simulated(dialect: str) -> SimulatedProvider:
    """Return the simulated provider of a dialect.

    Raises ``WiremendError``, which names the known ones, for a dialect that has none.
    """
    maker = _PROVIDERS.get(dialect)
    if maker is None:
        known = ", ".join(sorted(_PROVIDERS))
        raise WiremendError(f"no simulated provider for {dialect!r}; there are: {known}")
    return maker()
