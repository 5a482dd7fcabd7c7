"""The repairs of the projection's contract (spec 3)."""

from __future__ import annotations

from wiremend.projection.anomalies.base import Anomaly


class ToolResultReordered(Anomaly, frozen=True, tag="tool_result_reordered"):
    """A result stood apart from its call and was moved behind it."""

    said = "moved the result of {tool_call_id} to its place behind the call"
    tool_call_id: str


class ToolResultSynthesized(Anomaly, frozen=True, tag="tool_result_synthesized"):
    """A call had no result. ``trailing``: in the last exchange, which may be in flight."""

    said = "added a result for {tool_call_id}, which had none"
    tool_call_id: str
    trailing: bool


class OrphanToolResultDropped(Anomaly, frozen=True, tag="orphan_tool_result_dropped"):
    """A result had no call before it, or its call was answered already."""

    said = "dropped a result for {tool_call_id}: no open call has this id"
    tool_call_id: str


class DuplicateToolCallDropped(Anomaly, frozen=True, tag="duplicate_tool_call_dropped"):
    """A call repeated the id of an earlier one."""

    said = "dropped a call that repeats the id {tool_call_id}"
    tool_call_id: str


class DuplicateToolResultDropped(Anomaly, frozen=True, tag="duplicate_tool_result_dropped"):
    """A result repeated the id of an earlier one."""

    said = "dropped a second result for {tool_call_id}"
    tool_call_id: str


class DuplicateToolCallRenamed(Anomaly, frozen=True, tag="duplicate_tool_call_renamed"):
    """A call repeated the id of an earlier one, and got a new one together with its result."""

    said = "renamed a call that repeats the id {tool_call_id} to {new_id}, and its result"
    tool_call_id: str
    new_id: str


class LeadingNonUserDropped(Anomaly, frozen=True, tag="leading_non_user_dropped"):
    """A message stood before the first user message."""

    said = "dropped a leading message ({role}): the conversation has to start with the user"
    role: str


class ConsecutiveAssistantsMerged(Anomaly, frozen=True, tag="consecutive_assistants_merged"):
    """Two assistant messages in a row became one."""

    said = "merged two assistant messages in a row"


class WhitespaceTextDropped(Anomaly, frozen=True, tag="whitespace_text_dropped"):
    """A text had nothing but white space."""

    said = "dropped a blank text from a message ({role})"
    role: str


class VacuousMessageDropped(Anomaly, frozen=True, tag="vacuous_message_dropped"):
    """A message had nothing to say."""

    said = "dropped a message that says nothing ({role})"
    role: str
