"""What the providers behind a framework take, for messages that the framework itself will write.

A framework turns its messages into a provider's format on its own. What is mended before is what no
way of writing can help with: who may speak where, calls and results, blank messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from wiremend.dialects.names import Alphabet
from wiremend.dialects.openai_chat.profile import LENIENT as CHAT
from wiremend.dialects.profiles.generic import GENERIC, in_turn
from wiremend.dialects.profiles.order import some_user, system_in_front
from wiremend.model import Message
from wiremend.projection import OnAnomaly, Takes

Step: TypeAlias = Callable[[Sequence[Message], Mapping[str, Any], OnAnomaly], Sequence[Message]]


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider takes as it is, and what is mended of the whole.

    ``dialect`` is whose errors its refusals are read as; None: nobody's in particular.
    """

    takes: Takes
    ids: Alphabet
    steps: tuple[Step, ...] = ()
    dialect: str | None = None


LENIENT = Manners(
    # Whether a framework writes Chat Completions or Responses, it alone knows: the latter take no
    # id twice.
    takes=msgspec.structs.replace(CHAT, reused_ids=False),
    ids=Alphabet(r"(?s).+", 10_000),
    dialect="openai-chat",
)
"""OpenAI's: strict about pairing and ids, and about nothing else."""
STRICT = Manners(
    takes=Takes(),
    ids=Alphabet(r"[a-zA-Z0-9_-]+", 64),
    steps=(system_in_front, some_user),
)
"""Anthropic's, Gemini's, Bedrock's, and those of whoever is not known."""
TEMPLATES = Manners(
    takes=GENERIC.takes,
    ids=Alphabet(r"(?s).+", 10_000),
    steps=(system_in_front, some_user, in_turn),
    dialect="generic",
)
"""Those of chat templates, where roles take turns: vLLM, Ollama, Mistral and their like."""

_LENIENT = frozenset(("openai", "azure", "github", "xai"))
_TEMPLATES = frozenset(
    {
        *("ollama", "vllm", "sglang", "llamafile", "llama", "lmstudio", "lm_studio", "huggingface"),
        *("mistral", "mistralai", "mlx", "triton", "together", "together_ai"),
    }
)
_DIALECTS = frozenset(("anthropic", "gemini", "bedrock"))
_WORD = re.compile(r"[a-z0-9]+")


def manners_of(provider: str) -> Manners:
    """The manners of a provider, by the name that a framework has for it.

    A word of the name decides: ``azure-openai-chat`` is OpenAI's too. ``STRICT`` where none is
    known: what it asks for every server takes.
    """
    name = provider.lower()
    words = {name, *_WORD.findall(name)}
    if words & _LENIENT:
        return LENIENT
    if words & _TEMPLATES:
        return TEMPLATES
    return msgspec.structs.replace(STRICT, dialect=next(iter(words & _DIALECTS), None))
