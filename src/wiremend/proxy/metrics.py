"""Figures for Prometheus: what came, what was mended, what was refused, how long it took."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from wiremend.proxy.journal import Entry

_TIMES = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


class Metrics:
    """The figures of one proxy. Labels are names that it knows, never what a request holds."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = self._counter(
            "requests", "Requests, by status of the answer and how it ended.",
            "upstream", "dialect", "status", "ended",
        )  # fmt: skip
        self._repairs = self._counter(
            "repairs", "Repairs in what was sent, by kind of anomaly.", "dialect", "kind"
        )
        self._refusals = self._counter(
            "refusals", "Errors that providers answered with, by class.", "upstream", "error_class"
        )
        self._tries = self._counter(
            "retries", "Requests that were sent again, by policy.", "upstream", "policy"
        )
        self._judging = Histogram(
            "wiremend_judging_seconds", "Time spent on checking and mending a request.",
            ["dialect"], buckets=_TIMES, registry=self._registry,
        )  # fmt: skip
        self.open = Gauge("wiremend_open_requests", "Requests in flight.", registry=self._registry)

    def count(self, entry: Entry) -> None:
        """Add one finished request."""
        upstream, dialect = entry.upstream or "none", entry.dialect or "none"
        self._requests.labels(upstream, dialect, str(entry.status), entry.ended).inc()
        for anomaly in entry.anomalies:
            self._repairs.labels(dialect, anomaly.kind).inc()
        for tried in entry.attempts:
            if tried.error_class:
                self._refusals.labels(upstream, tried.error_class).inc()
        for tried in entry.attempts[1:]:
            self._tries.labels(upstream, tried.policy).inc()
        if entry.dialect:
            self._judging.labels(dialect).observe(entry.judging_seconds)

    def page(self) -> bytes:
        """All figures in Prometheus's text format."""
        return generate_latest(self._registry)

    def _counter(self, name: str, said: str, *labels: str) -> Counter:
        return Counter(f"wiremend_{name}", said, labels, registry=self._registry)
