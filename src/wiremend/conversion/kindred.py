"""Fields beside the messages that two or more providers have and most have not.

``Settings`` has no name for them: they are in its ``rest``, each provider's under its own name.
What another one has a field of the same meaning for is moved there, values and all.
Sources: the providers' SDKs: ``CompletionCreateParams``, ``ResponseCreateParams``,
``google.genai.types.GenerationConfig``, botocore's ``ConverseRequest``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from wiremend.dialects import Dialect
from wiremend.dialects.base import Json

Path: TypeAlias = tuple[str, ...]

_KINDRED: tuple[Mapping[str, Path], ...] = (
    {
        "openai-chat": ("seed",),
        "mistral": ("random_seed",),
        "gemini": ("generationConfig", "seed"),
    },
    {"openai-chat": ("frequency_penalty",), "gemini": ("generationConfig", "frequencyPenalty")},
    {"openai-chat": ("presence_penalty",), "gemini": ("generationConfig", "presencePenalty")},
    {"openai-chat": ("logprobs",), "gemini": ("generationConfig", "responseLogprobs")},
    {
        "openai-chat": ("top_logprobs",),
        "openai-responses": ("top_logprobs",),
        "gemini": ("generationConfig", "logprobs"),
    },
    {"openai-chat": ("n",), "gemini": ("generationConfig", "candidateCount")},
    {"openai-chat": ("metadata",), "openai-responses": ("metadata",)},
    {"openai-chat": ("store",), "openai-responses": ("store",)},
    {"openai-chat": ("user",), "openai-responses": ("user",)},
    {"openai-chat": ("safety_identifier",), "openai-responses": ("safety_identifier",)},
    {"openai-chat": ("prompt_cache_retention",), "openai-responses": ("prompt_cache_retention",)},
    {"openai-chat": ("verbosity",), "openai-responses": ("text", "verbosity")},
    {
        "openai-chat": ("service_tier",),
        "openai-responses": ("service_tier",),
        "bedrock": ("serviceTier", "type"),
    },
)
_ONLY_AT_OPENAI = frozenset(
    {
        *("store", "user", "safety_identifier", "prompt_cache_retention", "verbosity"),
        *("service_tier", "logprobs", "top_logprobs"),
    }
)
"""Fields of Chat Completions that its other servers need not know; Mistral refuses them."""
_TIERS = ("default", "flex", "priority")
"""The tiers that are the same for all who have any."""


def takes_all_fields_of(origin: Dialect, goal: Dialect) -> bool:
    """Whether a server of the same family takes or passes over what it does not know."""
    return origin.family == goal.family and "mistral" not in (origin.name, goal.name)


def shared(fields: Json, origin: Dialect, goal: Dialect) -> Json:
    """The fields, taken out of ``fields``, that the target has too, under the target's names.

    ``fields`` is changed: what is left in it stays behind.
    """
    moved: Json = {}
    for names in _KINDRED:
        here, there = _path(names, origin), _path(names, goal)
        if here is None or there is None:
            continue
        value = _at(fields, here)
        if value is None or (here[0] in _TIERED and value not in _TIERS):
            continue
        _without(fields, here)
        _put(moved, there, value)
    return moved


_TIERED = ("service_tier", "serviceTier")


def _path(names: Mapping[str, Path], dialect: Dialect) -> Path | None:
    path = names.get(dialect.name, names.get(dialect.family))
    if path and dialect.name != dialect.family and path[0] in _ONLY_AT_OPENAI:
        return None
    return path


def _at(fields: Json, path: Path) -> Any:
    value: Any = fields
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _without(fields: Json, path: Path) -> None:
    """Take a value out, and objects that hold nothing else."""
    name, *inner = path
    if not inner:
        del fields[name]
        return
    fields[name] = dict(fields[name])
    _without(fields[name], tuple(inner))
    if not fields[name]:
        del fields[name]


def _put(fields: Json, path: Path, value: Any) -> None:
    for name in path[:-1]:
        fields = fields.setdefault(name, {})
    fields[path[-1]] = value
