"""Requests in one provider's format for another: judged as what they become."""

from __future__ import annotations

import re

import msgspec

import wiremend
from wiremend.conversion import transcribe
from wiremend.dialects.base import Json
from wiremend.projection import Anomaly
from wiremend.rules import RULES, Rule, Violation

_RULES_OF: dict[str, tuple[str, ...]] = {
    "arguments_mended": (
        *("arguments-not-object", "arguments-not-json", "input-not-object", "args-not-object"),
    ),
    "bridge_inserted": ("role-order",),
    "final_user_inserted": ("prefill", "last-message", "final-model-turn"),
    "leading_user_inserted": ("first-message-user", "first-turn-not-user"),
    "media_relabelled": ("image-mismatch",),
    "neighbours_merged": ("roles-alternate",),
    "number_replaced": ("non-finite-number",),
    "results_separated": ("results-beside-words",),
    "surrogate_replaced": ("lone-surrogate",),
    "tool_call_id_mapped": ("tool-use-id", "tool-call-id-format", "tool-call-id-too-long"),
    "tool_name_mapped": ("tool-name",),
    "tool_results_grouped": ("missing-tool-result",),
    "tool_results_sorted": ("missing-tool-result",),
    "tools_declared": ("tools-undefined",),
    "trailing_whitespace_trimmed": ("trailing-whitespace",),
}
"""The rules that are about what these repairs mend, by name; each dialect has one of them."""


def check_converted(body: Json, source: str, target: str) -> list[Violation]:
    """What the target's provider would refuse in a request of another format.

    Faults that the target's words cannot even say count too. There is no place in the input for
    what was found: each message says where it is in the request that the provider gets.
    """
    written = transcribe(body, source, target)
    found = wiremend.check(written.body, target)
    told = [violation for a in written.anomalies if (violation := _told(a, target)) is not None]
    return [*(_placed(one, target) for one in found), *dict.fromkeys(told)]


def _placed(found: Violation, target: str) -> Violation:
    where = f" (at {found.pointer or 'the top'} of the request for {target})"
    return msgspec.structs.replace(found, pointer="", message=found.message + where)


def _told(anomaly: Anomaly, target: str) -> Violation | None:
    rule = _rule(_RULES_OF.get(anomaly.kind, ()), target)
    if rule is None:
        return None
    said = re.sub(r"\{[a-z_]+\}", "…", rule.said_by.get(target, rule.provider_error))
    message = f"{rule.summary} Converting it, wiremend {anomaly.describe()}."
    return Violation(rule.code, rule.name, "", message, said, rule.fixable)


def _rule(names: tuple[str, ...], target: str) -> Rule | None:
    return next((one for one in RULES if one.name in names and target in one.dialects), None)
