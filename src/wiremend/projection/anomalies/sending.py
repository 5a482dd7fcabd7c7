"""The repairs that sending adds, for any provider."""

from __future__ import annotations

from wiremend.projection.anomalies.base import Anomaly


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


class ServerToolResultMoved(Anomaly, frozen=True, tag="server_tool_result_moved"):
    """Another message parted a server tool's result from its call, and it went back behind it."""

    said = "put the result of the server tool {tool_use_id} back behind its call"
    tool_use_id: str


class CacheMarkDropped(Anomaly, frozen=True, tag="cache_mark_dropped"):
    """A cache mark: ``reason`` is surplus, moved, empty, fields, ttl or where it stood."""

    said = "dropped or mended a cache mark ({reason})"
    reason: str


class TrailingWhitespaceTrimmed(Anomaly, frozen=True, tag="trailing_whitespace_trimmed"):
    """The final assistant text ended in white space."""

    said = "trimmed the end of the final assistant text"


class ToolsDeclared(Anomaly, frozen=True, tag="tools_declared"):
    """A tool that the conversation used had to be defined and was not."""

    said = "declared the tool {name}, which the conversation used"
    name: str


class ReasoningFilled(Anomaly, frozen=True, tag="reasoning_filled"):
    """Reasoning that the provider wants back was lost; a line that says so stands in for it."""

    said = "said in words that the reasoning before {tool_call_id} was lost"
    tool_call_id: str


class BridgeInserted(Anomaly, frozen=True, tag="bridge_inserted"):
    """A result was followed by the user, and a line of the assistant was put between them."""

    said = "put an assistant message between a tool result and the user"


class RoleRewritten(Anomaly, frozen=True, tag="role_rewritten"):
    """A role that the provider does not know became the nearest one that it does."""

    said = "rewrote the role {was} as {now}"
    was: str
    now: str


class FieldDropped(Anomaly, frozen=True, tag="field_dropped"):
    """A field that the provider refuses where it stood; ``where`` is a role, call or part."""

    said = "dropped the field {field}, which the provider refuses in a {where}"
    field: str
    where: str


class ToolResultJoined(Anomaly, frozen=True, tag="tool_result_joined"):
    """The parts of a result became one text, which is all that the provider takes."""

    said = "wrote the result of {tool_call_id} as one text"
    tool_call_id: str


class MediaRelabelled(Anomaly, frozen=True, tag="media_relabelled"):
    """The label of an image contradicted its bytes, or a format had another name."""

    said = "corrected a label from {was} to {now}"
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


class ImageRefitted(Anomaly, frozen=True, tag="image_refitted"):
    """An image broke a limit and was written anew; sizes are pixels, and bytes before base64.

    ``reason`` has one or more of type, animation, edge, pixels, size and request.
    """

    said = (
        "made an image fit ({reason}): {was_type} of {was_width}x{was_height} in {was_bytes} bytes "
        "is now {now_type} of {now_width}x{now_height} in {now_bytes}"
    )
    reason: str
    was_type: str
    was_width: int
    was_height: int
    was_bytes: int
    now_type: str
    now_width: int
    now_height: int
    now_bytes: int
