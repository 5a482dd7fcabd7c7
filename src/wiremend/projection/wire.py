"""What of a history message reaches the wire, and the messages that projection invents."""

from __future__ import annotations

from wiremend.model import ContextMessage, Message, Part, TextPart

INTERRUPTED = (
    "Tool result is not available in the current context. "
    "Do not assume the tool completed successfully."
)
SYNTHETIC = (TextPart(INTERRUPTED),)
LEADING_USER = "[The beginning of this conversation is not available.]"


def wire_message(source: Message, content: tuple[Part, ...]) -> Message:
    """The message with this content and nothing that only the engine may see.

    Where that is the whole message, it is the same object, so that nothing is copied.
    """
    if content is source.content and (
        type(source) is Message
        or (
            type(source) is ContextMessage
            and source.origin is None
            and source.id is None
            and source.is_error is None
            and source.note is None
            and source.provider_message_id is None
            and source.tool_call_displays is None
        )
    ):
        return source
    return Message(
        source.role,
        content,
        source.tool_calls,
        source.name,
        source.tool_call_id,
        source.partial,
        source.tools,
        source.call_positions,
        source.extras,
    )


def synthetic_result(call_id: str) -> Message:
    """The result of a call whose own is not there."""
    return Message("tool", SYNTHETIC, (), None, call_id)


def reads_like_synthetic(message: Message) -> bool:
    """Whether a result has the words of a synthetic one, whoever wrote them."""
    first = message.content[0] if message.content else None
    return message.role == "tool" and type(first) is TextPart and first.text == INTERRUPTED
