"""Messages: what the engine remembers (``ContextMessage``), what a provider gets (``Message``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec

from wiremend.model.origins import Origin
from wiremend.model.parts import Extras, ImagePart, MediaSource, Part, TextPart, Value

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]


def _nothing() -> tuple[Any, ...]:
    return ()


class ToolCall(Value, frozen=True):
    """A call that the model makes. ``arguments`` is the JSON text as the model wrote it, or None.

    ``type`` is kept where a log has it (``"function"``); no dialect needs it.
    """

    id: str
    name: str
    arguments: str | None
    type: str | msgspec.UnsetType = msgspec.UNSET
    extras: Extras | None = None


class Message(Value, frozen=True):
    """A wire message: what a dialect encodes, and nothing that only the engine may see.

    ``call_positions`` tells where the calls stand between the parts, for providers that
    interleave them: for each call the number of parts before it. None: behind all parts.
    """

    role: Role
    # A factory, because omit_defaults would leave a plain default out of the JSON.
    content: tuple[Part, ...] = msgspec.field(default_factory=_nothing)
    tool_calls: tuple[ToolCall, ...] = msgspec.field(default_factory=_nothing)
    name: str | None = None
    tool_call_id: str | None = None
    partial: bool | None = None
    tools: tuple[Any, ...] | None = None
    call_positions: tuple[int, ...] | None = None
    extras: Extras | None = None


class ContextMessage(Message, frozen=True):
    """A history message: a ``Message`` and what the provider never sees."""

    id: str | None = None
    provider_message_id: str | None = None
    origin: Origin | None = None
    is_error: bool | None = None
    note: str | None = None
    tool_call_displays: dict[str, Any] | None = None


def with_content(message: Message, content: tuple[Part, ...], kept: list[int]) -> Message:
    """The message with only the parts at the indexes ``kept``, its calls between them as before."""
    positions = message.call_positions
    if positions is not None:
        positions = tuple(sum(1 for index in kept if index < position) for position in positions)
    return msgspec.structs.replace(message, content=content, call_positions=positions)


def with_calls(message: Message, calls: tuple[ToolCall, ...], kept: list[int]) -> Message:
    """The message with only the calls at the indexes ``kept``."""
    positions = message.call_positions
    if positions is not None:
        positions = tuple(positions[index] for index in kept) or None
    return msgspec.structs.replace(message, tool_calls=calls, call_positions=positions)


def said_and_called(message: Message) -> Iterable[Part | ToolCall]:
    """The parts and calls of a message, each call where it stood between the parts."""
    if not message.call_positions:
        return (*message.content, *message.tool_calls)
    return _interleaved(message, message.call_positions)


def _interleaved(message: Message, positions: tuple[int, ...]) -> Iterator[Part | ToolCall]:
    calls = iter(zip(positions, message.tool_calls, strict=True))
    position, call = next(calls, (None, None))
    for index in range(len(message.content) + 1):
        while call is not None and position == index:
            yield call
            position, call = next(calls, (None, None))
        if index < len(message.content):
            yield message.content[index]


def joined(messages: list[Message], *, in_place: bool = False) -> Message:
    """One message that holds the parts and calls of all, in order; the rest is the first one's.

    ``in_place`` remembers where calls stood before the parts of a later message.
    """
    parts: list[Part] = []
    calls: list[ToolCall] = []
    positions: list[int] = []
    interleaved = in_place or any(message.call_positions is not None for message in messages)
    for message in messages:
        own = message.call_positions or (len(message.content),) * len(message.tool_calls)
        positions.extend(len(parts) + position for position in own)
        parts.extend(message.content)
        calls.extend(message.tool_calls)
    return msgspec.structs.replace(
        messages[0],
        content=tuple(parts),
        tool_calls=tuple(calls),
        call_positions=tuple(positions)
        if interleaved and any(position < len(parts) for position in positions)
        else None,
    )


def user(text: str, *images: str, origin: Origin | None = None) -> ContextMessage:
    """A user message with a text and image URLs."""
    parts: list[Part] = [TextPart(text)]
    parts.extend(ImagePart(MediaSource(url)) for url in images)
    return ContextMessage("user", tuple(parts), origin=origin)


def assistant(text: str, *calls: ToolCall) -> ContextMessage:
    """An assistant message with a text (none where empty) and calls."""
    return ContextMessage("assistant", (TextPart(text),) if text else (), calls)


def tool_result(
    tool_call_id: str, text: str, *, is_error: bool | None = None, note: str | None = None
) -> ContextMessage:
    """The result of a call, as the tool gave it."""
    return ContextMessage(
        "tool", (TextPart(text),), tool_call_id=tool_call_id, is_error=is_error, note=note
    )
