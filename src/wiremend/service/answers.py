"""A response of any provider, read into one message and what else a caller wants to know."""

from __future__ import annotations

from typing import Any

import msgspec

from wiremend.dialects import find_dialect
from wiremend.errors import WiremendError
from wiremend.model import ContextMessage
from wiremend.projection import Anomaly
from wiremend.projection.anomalies import ignore
from wiremend.service.readers.base import Json
from wiremend.service.trace import Trace


class Usage(msgspec.Struct, frozen=True):
    """Tokens, as the provider counted them; None where it did not say.

    ``input`` has all that was read, ``cached`` what of it came out of the provider's cache.
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came back.

    ``message`` is ready to be appended to the history; its call ids are ones that the history does
    not have. ``response`` is the provider's, as it came. ``finish_reason`` is in its own words.
    ``anomalies`` are the repairs of the request that it took.
    """

    message: ContextMessage
    response: Json
    finish_reason: str | None
    usage: Usage
    model: str | None
    response_id: str | None
    anomalies: tuple[Anomaly, ...]
    trace: Trace


class Reading(msgspec.Struct, frozen=True):
    """The parts of an answer that are in the response itself."""

    message: ContextMessage
    finish_reason: str | None
    usage: Usage
    model: str | None
    response_id: str | None


def read_response(response: Json, dialect: str) -> Reading:
    """Read a response. Raises ``WiremendError`` where it has no answer in it."""
    if not isinstance(response, dict):
        raise WiremendError("the response is no JSON object")
    target = find_dialect(dialect)
    found = _FAMILIES[target.family](response)
    said = target.decode({target.holds: found.wire}, ignore).history if found.wire else ()
    if len(said) > 1:
        raise WiremendError(f"the response has {len(said)} messages where one was expected")
    message = said[0] if said else ContextMessage("assistant")
    assert isinstance(message, ContextMessage), "dialects decode to the history's own messages"
    message = msgspec.structs.replace(message, provider_message_id=_word(found.response_id))
    return Reading(
        message,
        _word(found.finish_reason),
        Usage(*map(_count, msgspec.structs.astuple(found.usage))),
        _word(found.model),
        _word(found.response_id),
    )


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    wire: list[Any]
    finish_reason: Any = None
    usage: Usage = Usage()
    model: Any = None
    response_id: Any = None


def _chat(response: Json) -> _Found:
    choice = _first(response, "choices")
    # What a server says with null or an empty list, it need not hear again.
    message = {
        name: value
        for name, value in _object(choice, "message", "choices", 0).items()
        if name in ("role", "content") or value not in (None, [])
    }
    used = _beside(response, "usage")
    details = _beside(used, "prompt_tokens_details")
    return _Found(
        wire=[message] if message else [],
        finish_reason=choice.get("finish_reason"),
        usage=Usage(
            used.get("prompt_tokens"),
            used.get("completion_tokens"),
            details.get("cached_tokens", used.get("prompt_cache_hit_tokens")),
        ),
        model=response.get("model"),
        response_id=response.get("id"),
    )


def _responses(response: Json) -> _Found:
    used = _beside(response, "usage")
    details = _beside(used, "input_tokens_details")
    why = _beside(response, "incomplete_details").get("reason")
    return _Found(
        wire=response.get("output") or [],
        finish_reason=why or response.get("status"),
        usage=Usage(
            used.get("input_tokens"), used.get("output_tokens"), details.get("cached_tokens")
        ),
        model=response.get("model"),
        response_id=response.get("id"),
    )


def _anthropic(response: Json) -> _Found:
    used = _beside(response, "usage")
    read = _count(used.get("cache_read_input_tokens")) or 0
    written = _count(used.get("cache_creation_input_tokens")) or 0
    plain = _count(used.get("input_tokens"))
    content = response.get("content") or []
    return _Found(
        wire=[{"role": "assistant", "content": content}] if content else [],
        finish_reason=response.get("stop_reason"),
        # Anthropic counts what is new, what is cached and what becomes so apart.
        usage=Usage(
            None if plain is None else plain + read + written, used.get("output_tokens"), read
        ),
        model=response.get("model"),
        response_id=response.get("id"),
    )


def _gemini(response: Json) -> _Found:
    used = _beside(response, "usageMetadata")
    # A prompt that is blocked has no candidate.
    candidate = _first(response, "candidates") if response.get("candidates") else {}
    content = _object(candidate, "content", "candidates", 0)
    feedback = _beside(response, "promptFeedback")
    spoken = [_count(used.get(name)) for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    counted = [n for n in spoken if n is not None]
    return _Found(
        wire=[{"role": "model", **content}] if content.get("parts") else [],
        finish_reason=candidate.get("finishReason") or feedback.get("blockReason"),
        usage=Usage(
            used.get("promptTokenCount"),
            sum(counted) if counted else None,
            used.get("cachedContentTokenCount"),
        ),
        model=response.get("modelVersion"),
        response_id=response.get("responseId"),
    )


def _bedrock(response: Json) -> _Found:
    used = _beside(response, "usage")
    message = _object(response, "output").get("message")
    return _Found(
        wire=[message] if message else [],
        finish_reason=response.get("stopReason"),
        usage=Usage(
            used.get("inputTokens"), used.get("outputTokens"), used.get("cacheReadInputTokens")
        ),
    )


_FAMILIES = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
}


def _first(response: Json, name: str) -> Json:
    found = response.get(name)
    if not isinstance(found, list) or not found or not isinstance(found[0], dict):
        raise WiremendError("the response has no answer in it", (name,))
    return found[0]


def _object(fields: Json, name: str, *path: str | int) -> Json:
    """A part of the answer itself; nothing where there is none."""
    found = fields.get(name) or {}
    if not isinstance(found, dict):
        raise WiremendError("the response has something else than an object here", (*path, name))
    return found


def _beside(fields: Json, name: str) -> Json:
    """What is told beside the answer: strange or missing, it costs nobody the answer."""
    found = fields.get(name)
    return found if isinstance(found, dict) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None
