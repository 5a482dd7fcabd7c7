"""What differs between models on Bedrock, by their ids.

An id is that of a model (``meta.llama4-maverick-17b-instruct-v1:0``), with the prefix of a region
(``us.``), or an ARN that ends with either. An application's own inference profile tells nothing.
Sources: strands-agents/harness-sdk#1223 and langchain-ai/langchain-aws#141 (results beside text);
``dialects/anthropic/models.py`` for what Claude's versions take.
"""

from __future__ import annotations

import re
from typing import Any

from wiremend.dialects.anthropic import models as claude

_FAMILY = re.compile(
    r"(?:^|[./:])"
    r"(?P<family>ai21|amazon|anthropic|cohere|deepseek|meta|minimax|mistral|moonshot|openai|qwen"
    r"|writer)\."
)
_RESULTS_ALONE = ("ai21", "cohere", "meta", "mistral")
"""Families whose chat templates have no place for text beside results."""
_SYSTEM_FIRST = ("ai21", "amazon", "cohere", "deepseek", "meta", "mistral")
"""Families that take a system prompt only in its own field."""


def family(model: Any) -> str | None:
    """Who made the model, in the words of its id; None where the id does not tell."""
    found = _FAMILY.search(model) if isinstance(model, str) else None
    return found["family"] if found else None


def is_claude(model: Any) -> bool:
    """Whether this is a model of Anthropic's."""
    return family(model) == "anthropic"


def wants_results_alone(model: Any) -> bool:
    """Whether a user turn with results may hold nothing else (report 034)."""
    return family(model) in _RESULTS_ALONE


def refuses_system_inside(model: Any) -> bool:
    """Whether a system message may not stand among the messages; False where nobody knows."""
    if is_claude(model):
        known = claude.model_version(model) is not None
        return known and not claude.takes_system_inside(model)
    return family(model) in _SYSTEM_FIRST
