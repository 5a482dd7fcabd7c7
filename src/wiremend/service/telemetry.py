"""Requests as OpenTelemetry spans, in the words of its conventions for generative AI.

A span ``wiremend.request`` for each request, inside it a client span ``chat MODEL`` for each
attempt; repairs, refusals and policies are events and ``wiremend.…`` attributes. No contents.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from wiremend.errors import WiremendError
from wiremend.service.trace import AttemptTrace, Requested, Told, Trace, Watch

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider

_NUMBERS = {
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
}
"""Settings that the conventions have attributes for."""


class OpenTelemetry:
    """An observer for the request services.

    Spans go to ``provider``, or to the one that is set for the process. Raises ``WiremendError``
    where OpenTelemetry is not installed.
    """

    def __init__(self, provider: TracerProvider | None = None) -> None:
        try:
            from opentelemetry import trace
        except ImportError:
            raise WiremendError(
                "OpenTelemetry is not installed: pip install 'wiremend[otel]'"
            ) from None
        self._tracer = trace.get_tracer("wiremend", tracer_provider=provider)

    def requested(self, request: Requested) -> Watch:
        """See ``Observer``."""
        return _Watch(self._tracer, request)


class _Watch:
    def __init__(self, tracer: Tracer, request: Requested) -> None:
        self._tracer = tracer
        self._request = request
        self._span = tracer.start_span("wiremend.request", attributes=_named(request))
        self._attempt: Span | None = None

    def sending(self, number: int, policy: str, body: dict[str, Any]) -> None:
        """See ``Watch``."""
        from opentelemetry.trace import SpanKind, set_span_in_context

        request = self._request
        attributes = {
            "gen_ai.operation.name": "chat",
            **_named(request),
            "wiremend.attempt": number,
            "wiremend.policy": policy,
            **_asked(body),
        }
        self._attempt = self._tracer.start_span(
            f"chat {request.model}" if request.model else "chat",
            context=set_span_in_context(self._span),
            kind=SpanKind.CLIENT,
            attributes=attributes,
        )

    def came(self, attempt: AttemptTrace, told: Told | None, error: BaseException | None) -> None:
        """See ``Watch``."""
        span, self._attempt = self._attempt, None
        if attempt.anomalies:
            counts = Counter(anomaly.kind for anomaly in attempt.anomalies)
            counts["wiremend.attempt"] = attempt.number
            self._span.add_event("wiremend.repaired", dict(counts))
        if attempt.refusal is not None:
            event: dict[str, Any] = {
                "wiremend.attempt": attempt.number,
                "wiremend.policy": attempt.policy,
                "wiremend.error_class": attempt.refusal.error_class,
                "wiremend.rules": attempt.refusal.rules,
                "wiremend.delivered": attempt.delivered,
            }
            self._span.add_event(f"wiremend.{attempt.outcome}", event)
        if span is None:
            return
        if told is not None:
            span.set_attributes(_answered(told))
        if error is not None:
            _failed(span, error)
        span.end()

    def ended(self, trace: Trace) -> None:
        """See ``Watch``."""
        self._span.set_attributes(
            {
                "wiremend.outcome": trace.outcome,
                "wiremend.policy": trace.policy,
                "wiremend.attempts": len(trace.attempts),
                "wiremend.renamed_ids": len(trace.renamed_ids),
            }
        )
        refusal = trace.attempts[-1].refusal
        if refusal is not None:
            self._span.set_attribute("error.type", refusal.error_class)
            _mark_failed(self._span, refusal.error_class)
        self._span.end()


def _named(request: Requested) -> dict[str, str | bool]:
    named: dict[str, str | bool | None] = {
        "gen_ai.provider.name": request.provider,
        "gen_ai.request.model": request.model,
        "gen_ai.conversation.id": request.session_id,
        "gen_ai.request.stream": request.streamed,
        "wiremend.dialect": request.dialect,
    }
    return {name: value for name, value in named.items() if value is not None}


def _asked(body: dict[str, Any]) -> dict[str, int | float]:
    return {
        f"gen_ai.request.{name}": body[field]
        for field, name in _NUMBERS.items()
        if isinstance(body.get(field), int | float)
    }


def _answered(told: Told) -> dict[str, Any]:
    found = {
        "gen_ai.response.model": told.model,
        "gen_ai.response.id": told.response_id,
        "gen_ai.response.finish_reasons": told.finish_reason and [told.finish_reason],
        "gen_ai.usage.input_tokens": told.input_tokens,
        "gen_ai.usage.output_tokens": told.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": told.cached_tokens,
    }
    return {name: value for name, value in found.items() if value is not None}


def _failed(span: Span, error: BaseException) -> None:
    """Mark a span; the exception's text may repeat what was sent, so it stays out."""
    kind = type(error)
    span.set_attribute("error.type", f"{kind.__module__}.{kind.__qualname__}")
    _mark_failed(span, kind.__name__)


def _mark_failed(span: Span, why: str) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_status(Status(StatusCode.ERROR, why))
