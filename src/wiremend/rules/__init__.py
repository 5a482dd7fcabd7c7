"""Rules: what a provider rejects in a request body, and where a body breaks them.

``check(body, "anthropic")`` gives the violations; none means that the provider takes the
structure of the request. The rules share no code with what repairs a request, so that each
can judge the other.
"""

from __future__ import annotations

from typing import Any

from wiremend.errors import Path, WiremendError
from wiremend.rules import (
    anthropic_cache,
    anthropic_calls,
    anthropic_documents,
    anthropic_images,
    anthropic_pairing,
    anthropic_text,
    anthropic_thinking,
    anthropic_turns,
    bedrock_cache,
    bedrock_calls,
    bedrock_claude,
    bedrock_documents,
    bedrock_media,
    bedrock_pairing,
    bedrock_settings,
    bedrock_text,
    bedrock_turns,
    chat_servers,
    common,
    deepseek,
    gemini_calls,
    gemini_pairing,
    gemini_parts,
    kimi,
    mistral,
    mistral_fields,
    openai_chat_calls,
    openai_chat_content,
    openai_chat_pairing,
    openai_responses_calls,
    openai_responses_content,
    openai_responses_items,
    openai_responses_pairing,
)
from wiremend.rules.base import EVERY, Check, Finding, Reading, Rule, Violation
from wiremend.rules.models import model_version
from wiremend.rules.sound import is_sound

__all__ = ["RULES", "Check", "Finding", "Rule", "Violation", "check", "find_rule", "model_version"]

_MODULES = (
    common,
    openai_chat_pairing,
    openai_chat_calls,
    openai_chat_content,
    anthropic_pairing,
    anthropic_calls,
    anthropic_text,
    anthropic_cache,
    anthropic_thinking,
    anthropic_turns,
    anthropic_images,
    anthropic_documents,
    kimi,
    deepseek,
    mistral,
    mistral_fields,
    chat_servers,
    bedrock_pairing,
    bedrock_calls,
    bedrock_turns,
    bedrock_text,
    bedrock_claude,
    bedrock_cache,
    bedrock_media,
    bedrock_documents,
    bedrock_settings,
    openai_responses_pairing,
    openai_responses_calls,
    openai_responses_items,
    openai_responses_content,
    gemini_pairing,
    gemini_parts,
    gemini_calls,
)

RULES: tuple[Rule, ...] = tuple(
    sorted((one for module in _MODULES for one in module.RULES), key=lambda one: one.code)
)


def check(body: dict[str, Any], dialect: str) -> list[Violation]:
    """What the provider would reject in ``body``, in document order, then by code.

    An empty list means that it takes the structure of the request. Takes any JSON value for
    ``body`` and never changes it; an unknown ``dialect`` raises ``WiremendError``.
    """
    if dialect not in EVERY:
        raise WiremendError(f"unknown dialect {dialect!r}: known are {', '.join(EVERY)}")
    if is_sound(body, dialect):
        return []
    if not isinstance(body, dict):
        # The schema is all that can be said about what is no request at all.
        return [found for _, found in common.malformed.violations(Reading({}, dialect))]
    reading = Reading(body, dialect)
    placed = [
        (path, found)
        for one in RULES
        if dialect in one.dialects
        for path, found in one.violations(reading)
    ]
    if len(placed) > 1:
        order = _DocumentOrder(body)
        placed.sort(key=lambda pair: (order.key(pair[0]), pair[1].code))
    return [found for _, found in placed]


def find_rule(code_or_name: str) -> Rule | None:
    """The rule with this code, in any case, or this name; None if there is none.

    Dialects may share a name: then it is the first by code.
    """
    wanted = code_or_name.strip().lower()
    return next((one for one in RULES if wanted in (one.code.lower(), one.name)), None)


class _DocumentOrder:
    """Where things stand in a body: paths as numbers that sort in document order."""

    def __init__(self, body: dict[str, Any]) -> None:
        self._body = body
        # Large objects are numbered once, not for every violation in them.
        self._numbers: dict[int, dict[str, int]] = {}

    def key(self, path: Path) -> tuple[int, ...]:
        """The place of each step among its siblings; what is missing comes last."""
        value: Any = self._body
        places: list[int] = []
        for step in path:
            if isinstance(step, int):
                places.append(step)
                value = value[step] if isinstance(value, list) and step < len(value) else None
            elif isinstance(value, dict):
                numbers = self._numbers.get(id(value))
                if numbers is None:
                    numbers = {key: place for place, key in enumerate(value)}
                    self._numbers[id(value)] = numbers
                places.append(numbers.get(step, len(numbers)))
                value = value.get(step)
            else:
                places.append(0)
                value = None
        return tuple(places)
