"""Dialects: one wire format each, both ways. ``DIALECTS`` is the list of them."""

from wiremend.dialects.anthropic import ANTHROPIC
from wiremend.dialects.base import Conversation, Dialect
from wiremend.dialects.bedrock import BEDROCK
from wiremend.dialects.gemini import GEMINI
from wiremend.dialects.openai_chat import OPENAI_CHAT
from wiremend.dialects.openai_responses import OPENAI_RESPONSES
from wiremend.dialects.profiles.deepseek import DEEPSEEK
from wiremend.dialects.profiles.generic import GENERIC
from wiremend.dialects.profiles.kimi import KIMI
from wiremend.dialects.profiles.mistral import MISTRAL
from wiremend.dialects.profiles.openrouter import OPENROUTER
from wiremend.dialects.profiles.qwen import QWEN
from wiremend.dialects.sanitise import sanitise
from wiremend.errors import WiremendError

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        OPENAI_CHAT,
        OPENAI_RESPONSES,
        ANTHROPIC,
        GEMINI,
        BEDROCK,
        KIMI,
        DEEPSEEK,
        MISTRAL,
        QWEN,
        OPENROUTER,
        GENERIC,
    )
}


def find_dialect(name: str) -> Dialect:
    """The dialect of this name. Raises ``WiremendError`` with the names that there are."""
    if name not in DIALECTS:
        raise WiremendError(f"no dialect {name!r}; there are: {', '.join(DIALECTS)}")
    return DIALECTS[name]


__all__ = ["DIALECTS", "Conversation", "Dialect", "find_dialect", "sanitise"]
