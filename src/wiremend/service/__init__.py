"""The request service: histories out, answers in, and a way on where a provider objects.

Each name is loaded when it is first used; no SDK is imported.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wiremend.service.answers import Answer, Usage
    from wiremend.service.async_requests import (
        AsyncAnswerStream,
        AsyncRequestService,
        AsyncRequestTurn,
    )
    from wiremend.service.deltas import CallDelta, Delta, TextDelta, ThinkDelta
    from wiremend.service.failures import BrokenAnswerError, ProviderError
    from wiremend.service.fingerprints import ConfigurationLog, Fingerprints, fingerprint
    from wiremend.service.requests import AnswerStream, RequestService, RequestTurn
    from wiremend.service.senders.anthropic import AnthropicMessages, AsyncAnthropicMessages
    from wiremend.service.senders.base import AsyncSender, Sender
    from wiremend.service.senders.gemini import AsyncGeminiContents, GeminiContents
    from wiremend.service.senders.http import AsyncHttp, Http
    from wiremend.service.senders.openai import (
        AsyncOpenAIChat,
        AsyncOpenAIResponses,
        OpenAIChat,
        OpenAIResponses,
    )
    from wiremend.service.telemetry import OpenTelemetry
    from wiremend.service.trace import AttemptTrace, Observer, Trace, Watch

_HOMES = {
    "answers": ("Answer", "Usage"),
    "async_requests": ("AsyncAnswerStream", "AsyncRequestService", "AsyncRequestTurn"),
    "deltas": ("CallDelta", "Delta", "TextDelta", "ThinkDelta"),
    "failures": ("BrokenAnswerError", "ProviderError"),
    "fingerprints": ("ConfigurationLog", "Fingerprints", "fingerprint"),
    "requests": ("AnswerStream", "RequestService", "RequestTurn"),
    "senders.anthropic": ("AnthropicMessages", "AsyncAnthropicMessages"),
    "senders.base": ("AsyncSender", "Sender"),
    "senders.gemini": ("AsyncGeminiContents", "GeminiContents"),
    "senders.http": ("AsyncHttp", "Http"),
    "senders.openai": (
        "AsyncOpenAIChat",
        "AsyncOpenAIResponses",
        "OpenAIChat",
        "OpenAIResponses",
    ),
    "telemetry": ("OpenTelemetry",),
    "trace": ("AttemptTrace", "Observer", "Trace", "Watch"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "AnswerStream",
    "AnthropicMessages",
    "AsyncAnswerStream",
    "AsyncAnthropicMessages",
    "AsyncGeminiContents",
    "AsyncHttp",
    "AsyncOpenAIChat",
    "AsyncOpenAIResponses",
    "AsyncRequestService",
    "AsyncRequestTurn",
    "AsyncSender",
    "AttemptTrace",
    "BrokenAnswerError",
    "CallDelta",
    "ConfigurationLog",
    "Delta",
    "Fingerprints",
    "GeminiContents",
    "Http",
    "Observer",
    "OpenAIChat",
    "OpenAIResponses",
    "OpenTelemetry",
    "ProviderError",
    "RequestService",
    "RequestTurn",
    "Sender",
    "TextDelta",
    "ThinkDelta",
    "Trace",
    "Usage",
    "Watch",
    "fingerprint",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
