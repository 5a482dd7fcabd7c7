"""The projection as a list of stages: history in, wire messages out. Pure: no I/O, no clock.

    ids → walk (clean, pair, merge prompts) → close or settle → strict → who speaks → media

Where a repair lives: a message's own content in ``content``, calls and results in ``pairing``,
``settling`` and ``missing_ids``, roles in ``strict`` and ``neighbours``, pictures in ``media``.
"""

from __future__ import annotations

from collections.abc import Sequence

from wiremend.context.markers import guard_markers
from wiremend.model import ContextMessage, Message
from wiremend.projection.anomalies import ControlTagsNeutralised, OnAnomaly, ignore
from wiremend.projection.media import degrade, strip
from wiremend.projection.missing_ids import restore_ids
from wiremend.projection.neighbours import lead_with_user, merge_neighbours
from wiremend.projection.pairing import pair
from wiremend.projection.policy import PLAIN, STRICT, ProjectionPolicy, Strip
from wiremend.projection.settling import close, settle
from wiremend.projection.strict import drop_duplicates, drop_leading, merge_assistants


def project(
    history: Sequence[Message],
    on_anomaly: OnAnomaly | None = None,
    policy: ProjectionPolicy = PLAIN,
) -> list[Message]:
    """Project a history into messages that a provider accepts; each repair goes to ``on_anomaly``.

    The input is never changed, and what needs no change is not copied. With the default policy
    this is exactly ``project`` of spec 3.
    """
    report = on_anomaly or ignore
    if policy.guard_markers:
        history = _guarded(history, report)
    messages = (
        _sent(history, policy, report) if policy.sending else _as_specified(history, policy, report)
    )
    if policy.media is None:
        return messages
    of_media = report if policy.sending else ignore
    if isinstance(policy.media, Strip):
        return strip(messages, policy.media.snapshot, of_media)
    return degrade(messages, of_media)


def project_strict(
    history: Sequence[Message], on_anomaly: OnAnomaly | None = None
) -> list[Message]:
    """Project for a provider that refused the plain projection (spec 3.5)."""
    return project(history, on_anomaly, STRICT)


def _guarded(history: Sequence[Message], report: OnAnomaly) -> Sequence[Message]:
    def guarded(role: str, tool_call_id: str | None, count: int) -> None:
        report(ControlTagsNeutralised(role, count, tool_call_id))

    # A wire message has no origin that could tell whose words it has.
    return [
        guard_markers([message], guarded)[0] if isinstance(message, ContextMessage) else message
        for message in history
    ]


def _as_specified(
    history: Sequence[Message], policy: ProjectionPolicy, report: OnAnomaly
) -> list[Message]:
    paired = pair(history, policy, report)
    messages = settle(paired, policy, report) if policy.renames else close(paired, report)
    if policy.structure == "strict":
        if paired.repeated:
            messages = drop_duplicates(messages, report)
        messages = merge_assistants(messages, report)
        messages = drop_leading(messages, report, keep_system=False)
    return messages


def _sent(history: Sequence[Message], policy: ProjectionPolicy, report: OnAnomaly) -> list[Message]:
    history = restore_ids(history, report)
    messages = settle(pair(history, policy, report), policy, report)
    strict = policy.structure == "strict"
    if strict:
        # Dropped first, so that each message that goes is reported.
        if not policy.continues:
            messages = drop_leading(messages, report, keep_system=True)
        messages = merge_assistants(messages, report)
    # A dialect may yet add a user behind what is kept in strict mode for want of one: what is in
    # front of that user would be dropped the next time.
    anybody_first = policy.continues or (policy.takes.assistant_first and not strict)
    spoken = any(message.role != "system" for message in history)
    if spoken and not (anybody_first and messages):
        messages = lead_with_user(messages, report)
    if not policy.takes.neighbours:
        messages = merge_neighbours(messages, report)
    return messages
