"""Anomalies: what was repaired, as small typed values that can be counted, shown and asserted on.

Each kind is a class; its ``said`` is the sentence that a person reads. In JSON an anomaly is
``{"kind": …, …its fields in camelCase}``. The first group is spec 3 of the behaviour; the
others are what sending to a provider adds, each of a kind of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeAlias

import msgspec


class Anomaly(
    msgspec.Struct, frozen=True, tag_field="kind", rename="camel", omit_defaults=True, gc=False
):
    """Base of all anomalies."""

    said: ClassVar[str] = ""

    @property
    def kind(self) -> str:
        """The name of this kind of repair, such as ``tool_result_reordered``."""
        return str(self.__struct_config__.tag)

    def describe(self) -> str:
        """What was repaired, in one sentence and without message contents."""
        return self.said.format(**msgspec.structs.asdict(self))


OnAnomaly: TypeAlias = Callable[[Anomaly], object]


def ignore(_: Anomaly) -> None:
    """The callback of those who do not want to know."""


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


# --- what sending adds -------------------------------------------------------------------


class EmptyTextDropped(Anomaly, frozen=True, tag="empty_text_dropped"):
    """A text was empty, and the provider refuses that."""

    said = "dropped an empty text from a message ({role})"
    role: str


class ToolResultsSorted(Anomaly, frozen=True, tag="tool_results_sorted"):
    """The results of one step were put into the order of the calls."""

    said = "put the results of a step into the order of its calls, from {tool_call_id} on"
    tool_call_id: str


class ToolResultsGrouped(Anomaly, frozen=True, tag="tool_results_grouped"):
    """The results of one step were spread over several messages and were put into one."""

    said = "put the results of a step into one message, from {tool_call_id} on"
    tool_call_id: str


class ToolResultWithoutIdDropped(Anomaly, frozen=True, tag="tool_result_without_id_dropped"):
    """A result named no call, and more than one call (or none) could have been meant."""

    said = "dropped a result that names no call"


class ToolCallIdRestored(Anomaly, frozen=True, tag="tool_call_id_restored"):
    """A call or a result without an id got the one that it must have had, or a new one."""

    said = "gave the id {tool_call_id} to what had none ({role} message)"
    role: str
    tool_call_id: str


class ToolResultFilled(Anomaly, frozen=True, tag="tool_result_filled"):
    """A result without content got the line that says so."""

    said = "said in words that the result of {tool_call_id} is empty"
    tool_call_id: str


class FailureSaidInWords(Anomaly, frozen=True, tag="failure_said_in_words"):
    """A failed result held more than text; a line of text says that it failed, not the mark."""

    said = "said in words that {tool_call_id} failed: its result holds more than text"
    tool_call_id: str


class LeadingUserInserted(Anomaly, frozen=True, tag="leading_user_inserted"):
    """The conversation did not start with the user, and a line that says so was put first."""

    said = "put a user message first: the conversation has to start with one"


class FinalUserInserted(Anomaly, frozen=True, tag="final_user_inserted"):
    """The conversation ended with the assistant, which the model does not take."""

    said = "put a user message last: this model takes no unfinished assistant message"


class NeighboursMerged(Anomaly, frozen=True, tag="neighbours_merged"):
    """Two messages of one role in a row became one."""

    said = "merged two messages in a row ({role})"
    role: str


class SystemMessageMoved(Anomaly, frozen=True, tag="system_message_moved"):
    """A system message stood where the provider takes none; ``to`` is where its text went."""

    said = "moved a system message's text to {to}"
    to: str


class ToolCallIdMapped(Anomaly, frozen=True, tag="tool_call_id_mapped"):
    """An id broke the provider's alphabet or length; call and result share the new one."""

    said = "replaced the call id {tool_call_id} by {new_id}, which the provider takes"
    tool_call_id: str
    new_id: str


class ToolNameMapped(Anomaly, frozen=True, tag="tool_name_mapped"):
    """A tool's name broke the provider's alphabet or length."""

    said = "replaced the tool name {name} by {new_name}, which the provider takes"
    name: str
    new_name: str


class ArgumentsMended(Anomaly, frozen=True, tag="arguments_mended"):
    """A call's arguments were no JSON object; ``how`` is parsed, emptied or wrapped."""

    said = "made the arguments of {tool_call_id} a JSON object ({how})"
    tool_call_id: str
    how: str


class EmptyToolCallsDropped(Anomaly, frozen=True, tag="empty_tool_calls_dropped"):
    """A message had an empty list of calls."""

    said = "removed an empty tool_calls list"


class EmptyContentReshaped(Anomaly, frozen=True, tag="empty_content_reshaped"):
    """A message without content that may stay was written in a form that the provider refuses."""

    said = "wrote the empty content of a message ({role}) as the provider takes it"
    role: str


class MisplacedBlockMoved(Anomaly, frozen=True, tag="misplaced_block_moved"):
    """A block stood in a message of the wrong role: a call in a user's, a result in a model's."""

    said = "moved a {block} block out of a message of the wrong role ({role})"
    block: str
    role: str


class ThinkingDropped(Anomaly, frozen=True, tag="thinking_dropped"):
    """Thinking that the provider refuses: ``reason`` is unsigned or final."""

    said = "dropped a thinking block ({reason})"
    reason: str


class ThinkingSwitchedOff(Anomaly, frozen=True, tag="thinking_switched_off"):
    """The request asked for thinking, and its open turn has none that could be sent."""

    said = "switched thinking off: the turn that it continues has no thinking block"


class ServerToolDropped(Anomaly, frozen=True, tag="server_tool_dropped"):
    """A server tool's call without its result, or the reverse, which no client can complete."""

    said = "dropped a server tool block without its counterpart: {tool_use_id}"
    tool_use_id: str


class CacheMarkDropped(Anomaly, frozen=True, tag="cache_mark_dropped"):
    """A cache mark: ``reason`` is surplus, moved, empty or fields."""

    said = "dropped or mended a cache mark ({reason})"
    reason: str


class TrailingWhitespaceTrimmed(Anomaly, frozen=True, tag="trailing_whitespace_trimmed"):
    """The final assistant text ended in white space."""

    said = "trimmed the end of the final assistant text"


class ToolsDeclared(Anomaly, frozen=True, tag="tools_declared"):
    """A tool that the conversation used had to be defined and was not."""

    said = "declared the tool {name}, which the conversation used"
    name: str


class MediaRelabelled(Anomaly, frozen=True, tag="media_relabelled"):
    """An image's label contradicted its bytes."""

    said = "corrected an image's label from {was} to {now}"
    was: str
    now: str


class MediaReplaced(Anomaly, frozen=True, tag="media_replaced"):
    """Media became a line of text: ``reason`` is degraded, stripped, type, content or size."""

    said = "replaced {media} by a line of text ({reason})"
    media: str
    reason: str


class MediaMoved(Anomaly, frozen=True, tag="media_moved"):
    """Media that the provider takes only from users was moved behind the exchange."""

    said = "moved {media} out of a message that may have none ({role}), into a user message"
    media: str
    role: str


class ForeignPartConverted(Anomaly, frozen=True, tag="foreign_part_converted"):
    """A part in another API's shape was rewritten; ``part`` is its type."""

    said = "rewrote a part of another API: {part}"
    part: str


class ForeignPartDropped(Anomaly, frozen=True, tag="foreign_part_dropped"):
    """A part that this provider does not know could not be carried; ``part`` is its type."""

    said = "dropped a part that this provider does not know: {part}"
    part: str


class ControlTagsNeutralised(Anomaly, frozen=True, tag="control_tags_neutralised"):
    """Text of a user or a tool held the engine's own tags; ``count`` of them were made text."""

    said = "made {count} of the engine's tags in a {role} message plain text"
    role: str
    count: int
    tool_call_id: str | None = None


class SurrogateReplaced(Anomaly, frozen=True, tag="surrogate_replaced"):
    """Half of a UTF-16 pair, which no JSON can carry, became U+FFFD."""

    said = "replaced half of a character at {pointer}"
    pointer: str


class NumberReplaced(Anomaly, frozen=True, tag="number_replaced"):
    """A number that JSON does not have became null."""

    said = "replaced a number that JSON does not have at {pointer}"
    pointer: str
