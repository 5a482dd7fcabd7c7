"""The notes that this dialect keeps in extras, and the two spellings of the provider's fields.

Protobuf's JSON takes a field's name in camelCase and as the schema spells it, in snake_case. What
is read is compared in camelCase and written back as it came.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wiremend.dialects.base import Json

NAME = "gemini"

PLACE = "$in"
"""The field that a system message came from."""
SHAPE = "$shape"
"""How the parts were written where not as a list: ``object``, ``null`` or ``absent``."""
ROLE = "$role"
"""The role on the wire where it is not the usual one; ``False`` where there was none."""
AT = "$at"
"""Where in its content a result stood, or each part of the text beside results."""
NAMES = "$names"
"""The fields that were not in camelCase, and how they were spelled."""
THOUGHT = "$thought"
"""That this thinking is Gemini's own."""
CONTENT = "$content"
"""On a result: the other fields of the content that it stood in."""
PART = "$part"
"""What stood beside a call or a result in its part, such as the signature of a call."""
INNER = "$inner"
"""Fields of inline data or of a file that have no place in the model."""
RESPONSE = "$response"
"""The object that a result was read from, written again where the result did not change."""
CALLED = "$called"
"""The function's name as the result gave it."""

KINDS = (
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)
"""The fields that make a part what it is: exactly one of them is set (``types.Part``)."""

_SPELLED = frozenset(
    {
        *KINDS,
        *("thoughtSignature", "mimeType", "fileUri", "displayName"),
        *("systemInstruction", "toolConfig", "generationConfig", "cachedContent"),
        *("functionDeclarations", "functionCallingConfig", "allowedFunctionNames"),
        *("maxOutputTokens", "topP", "topK", "stopSequences", "thinkingConfig"),
        *("thinkingBudget", "thinkingLevel", "includeThoughts", "responseMimeType"),
        *("responseSchema", "responseJsonSchema", "parametersJsonSchema"),
    }
)
_AFTER_UNDERSCORE = re.compile(r"_([a-z])")


def read_names(fields: Mapping[str, Any]) -> tuple[Json, dict[str, str]]:
    """The fields in camelCase, and how those were spelled that were not."""
    if not any("_" in name for name in fields):
        return dict(fields), {}
    out: Json = {}
    spelled: dict[str, str] = {}
    for name, value in fields.items():
        camel = _AFTER_UNDERSCORE.sub(lambda found: found[1].upper(), name)
        if camel != name and camel in _SPELLED and camel not in fields:
            spelled[camel] = name
            out[camel] = value
        else:
            out[name] = value
    return out, spelled


def write_names(fields: Json, spelled: Mapping[str, str]) -> Json:
    """The fields as they were spelled."""
    return {spelled.get(name, name): value for name, value in fields.items()} if spelled else fields


def kinds_of(part: Mapping[str, Any]) -> list[str]:
    """Which data a part in camelCase holds; null is as good as absent."""
    return [kind for kind in KINDS if part.get(kind) is not None]
