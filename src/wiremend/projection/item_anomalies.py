"""Anomalies of formats that send items with ids of their own, such as OpenAI Responses."""

from __future__ import annotations

from wiremend.projection.anomalies import Anomaly


class ItemIdDropped(Anomaly, frozen=True, tag="item_id_dropped"):
    """An item kept its content and lost its id, which the provider refuses.

    ``reason`` is repeated, illegal, too long or without reasoning.
    """

    said = "removed the id of a {item} item ({reason})"
    item: str
    reason: str


class ItemDropped(Anomaly, frozen=True, tag="item_dropped"):
    """An item could not stay: ``reason`` is repeated, illegal id or unanswered."""

    said = "dropped a {item} item ({reason})"
    item: str
    reason: str


class ReasoningSummaryAdded(Anomaly, frozen=True, tag="reasoning_summary_added"):
    """A reasoning item had no list of summaries, and got an empty one."""

    said = "gave a reasoning item the empty summary that it has to have"


class ToolDefinitionReshaped(Anomaly, frozen=True, tag="tool_definition_reshaped"):
    """A tool was defined in another API's shape."""

    said = "rewrote the definition of the tool {name}, which was in another API's shape"
    name: str


class OutputReshaped(Anomaly, frozen=True, tag="output_reshaped"):
    """An output was no text and no list of parts: ``how`` is missing or serialised."""

    said = "wrote the output of {tool_call_id} as the provider takes it ({how})"
    tool_call_id: str
    how: str
