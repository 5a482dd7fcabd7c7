"""What an answer is told to have taken: headers beside those of the provider."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wiremend.projection import Anomaly

REPAIRS = "x-wiremend-repairs"
POLICY = "x-wiremend-policy"
ATTEMPTS = "x-wiremend-attempts"


def said(anomalies: Iterable[Anomaly], policy: str, attempts: int) -> list[tuple[str, str]]:
    """What was done, for who looks at the answer: kinds of repair with their numbers."""
    counted = Counter(anomaly.kind for anomaly in anomalies)
    repairs = ", ".join(f"{kind}={number}" for kind, number in sorted(counted.items()))
    return [(REPAIRS, repairs or "none"), (POLICY, policy), (ATTEMPTS, str(attempts))]
