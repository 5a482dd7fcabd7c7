"""The reporting projector: the projection, and one line a kind of damage to whom it concerns.

A shell around the core: it remembers what it reported last, and logs (spec 3.9).
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from wiremend.model import Message
from wiremend.projection.anomalies import (
    Anomaly,
    ToolResultSynthesized,
    anomaly_to_builtins,
)
from wiremend.projection.media import take_snapshot
from wiremend.projection.pipeline import project
from wiremend.projection.policy import PLAIN, ProjectionPolicy

WARNING = "repaired the request to keep it wire-valid"
EVENT = "context_projection_repaired"
_MOST_IDS = 5

COUNTERS = {
    "tool_result_reordered": "reordered",
    "tool_result_synthesized": "synthesized",
    "orphan_tool_result_dropped": "dropped_orphan",
    "duplicate_tool_call_dropped": "duplicate_calls_dropped",
    "duplicate_tool_result_dropped": "duplicate_results_dropped",
    "leading_non_user_dropped": "leading_dropped",
    "consecutive_assistants_merged": "assistants_merged",
    "whitespace_text_dropped": "whitespace_dropped",
    "vacuous_message_dropped": "vacuous_dropped",
}
"""Which counter of the telemetry event counts which kind of repair."""


class Projector:
    """Projects, logs a warning for what was repaired, and tells ``on_event`` the counts.

    The same combination of repairs in a row is reported once; a clean projection resets that.
    A result added to the last exchange, which may be in flight, is no fault and does not count.
    """

    def __init__(
        self,
        *,
        logger: logging.Logger | None = None,
        on_event: Callable[[str, dict[str, int]], object] | None = None,
    ) -> None:
        self._logger = logger or logging.getLogger("wiremend")
        self._on_event = on_event
        self._reported: tuple[str, ...] = ()

    def project(
        self, history: Sequence[Message], policy: ProjectionPolicy = PLAIN
    ) -> list[Message]:
        """The messages to send; see ``wiremend.project``."""
        anomalies: list[Anomaly] = []
        messages = project(history, anomalies.append, policy)
        self.report(anomalies)
        return messages

    def snapshot(
        self, history: Sequence[Message], policy: ProjectionPolicy = PLAIN
    ) -> frozenset[str]:
        """The media that a request of this history holds, for ``Strip``."""
        plain = msgspec.structs.replace(policy, structure=None, media=None)
        return take_snapshot(self.project(history, plain))

    def report(self, anomalies: Sequence[Anomaly]) -> None:
        """Report the repairs of one projection, for those who project themselves."""
        notable = [a for a in anomalies if not (type(a) is ToolResultSynthesized and a.trailing)]
        signature = tuple(sorted(f"{a.kind}:{_call_id(a) or ''}" for a in notable))
        if signature == self._reported:
            return
        self._reported = signature
        if not notable:
            return
        counts = dict.fromkeys(COUNTERS.values(), 0)
        by_kind = Counter(anomaly.kind for anomaly in notable)
        for kind, count in by_kind.items():
            counts[COUNTERS.get(kind, kind)] = count
        ids = list(dict.fromkeys(i for i in map(_call_id, notable) if i is not None))[:_MOST_IDS]
        fields: dict[str, Any] = {**counts, "tool_call_ids": ids}
        said = ", ".join(f"{name}={count}" for name, count in counts.items() if count)
        suffix = f"; calls {', '.join(ids)}" if ids else ""
        self._logger.warning("%s: %s%s", WARNING, said, suffix, extra={"repairs": fields})
        if self._on_event is not None:
            self._on_event(EVENT, counts)


def _call_id(anomaly: Anomaly) -> str | None:
    call_id = anomaly_to_builtins(anomaly).get("toolCallId")
    return call_id if isinstance(call_id, str) else None
