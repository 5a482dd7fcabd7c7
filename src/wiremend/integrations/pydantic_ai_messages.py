"""pydantic-ai's messages read as a history, and made again where they changed.

A ``ModelRequest`` holds what is several messages elsewhere: prompts, results, retries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from wiremend.integrations.extras import extra
from wiremend.integrations.mending import place_of, tag
from wiremend.model import (
    ImagePart,
    MediaSource,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    ToolCall,
)
from wiremend.model.messages import said_and_called

with extra("pydantic-ai"):
    from pydantic_ai import messages as ai

# What is none of a conversation's words, or none that can be mended: it passes where it is.
_OPAQUE = OpaquePart("part", None)


class Conversation:
    """Messages and the history that they are, each value of it tagged with its place."""

    def __init__(self, messages: Sequence[ai.ModelMessage]) -> None:
        self._sources = messages
        self._read = [_read(message, at) for at, message in enumerate(messages)]
        self.history = [message for some in self._read for message in some]

    def written(self, mended: Sequence[Message]) -> list[ai.ModelMessage]:
        """A mended history as messages; what did not change is the very message that it was."""
        names = {call.id: call.name for message in mended for call in message.tool_calls}
        out: list[ai.ModelMessage] = []
        for at, run in _runs(mended):
            if at is not None and _same(run, self._read[at]):
                out.append(self._sources[at])
            elif run[0].role == "assistant":
                out.append(self._response(run[0]))
            else:
                parts = [self._request_part(message, names) for message in run]
                source = self._sources[at] if at is not None else ai.ModelRequest(parts=())
                out.append(replace(source, parts=parts))
        return out

    def _response(self, message: Message) -> ai.ModelResponse:
        place = place_of(message)
        source = self._sources[place[0]] if place is not None else ai.ModelResponse(parts=())
        return replace(
            source, parts=[self._response_part(value) for value in said_and_called(message)]
        )

    def _response_part(self, value: Part | ToolCall) -> Any:
        original = self._original(value)
        if isinstance(value, ToolCall) and original.tool_call_id != value.id:
            return replace(original, tool_call_id=value.id)
        if original is None:
            assert type(value) is TextPart
            return ai.TextPart(value.text)
        return original

    def _original(self, value: Any) -> Any:
        place = value.data if type(value) is OpaquePart else place_of(value)
        return None if place is None else self._sources[place[0]].parts[place[1]]

    def _request_part(self, message: Message, names: dict[str, str]) -> Any:
        original = self._original(message)
        call_id = message.tool_call_id
        if original is None:
            text = _text(message)
            if message.role == "tool":
                name = names.get(call_id or "", "unknown")
                return ai.ToolReturnPart(name, text, call_id or "", outcome="interrupted")
            return ai.SystemPromptPart(text) if message.role == "system" else self._prompt(message)
        if message in self._read[place_of(message)[0]]:  # type: ignore[index]  # it has a place
            return original
        if message.role != "tool":
            return replace(original, content=self._prompt(message).content)
        renamed = replace(original, tool_call_id=call_id)
        return renamed if _OPAQUE in message.content else replace(renamed, content=_text(message))

    def _prompt(self, message: Message) -> ai.UserPromptPart:
        """A prompt of parts that may have stood in several."""
        items: list[Any] = []
        for part in message.content:
            place = part.data if type(part) is OpaquePart else place_of(part)
            if place is None:
                assert type(part) is TextPart
                items.append(part.text)
            else:
                content = self._sources[place[0]].parts[place[1]].content
                items.append(content if isinstance(content, str) else content[place[2]])
        only_text = len(items) == 1 and isinstance(items[0], str)
        return ai.UserPromptPart(items[0] if only_text else items)


def _runs(mended: Sequence[Message]) -> Iterator[tuple[int | None, list[Message]]]:
    """The messages that become one of pydantic-ai's each, and from which one they came."""
    run: list[Message] = []
    came: int | None = None
    for message in mended:
        place = place_of(message)
        at = place[0] if place is not None else None
        apart = message.role == "assistant" or (run and run[0].role == "assistant")
        if run and (apart or at != came):
            yield came, run
            run = []
        run.append(message)
        came = at
    if run:
        yield came, run


def _same(run: Sequence[Message], read: Sequence[Message]) -> bool:
    return len(run) == len(read) and all(a is b for a, b in zip(run, read, strict=True))


def _text(message: Message) -> str:
    return "".join(part.text for part in message.content if type(part) is TextPart)


def _read(message: ai.ModelMessage, at: int) -> list[Message]:
    if isinstance(message, ai.ModelResponse):
        return [_read_response(message, at)]
    return [_read_request_part(part, at, number) for number, part in enumerate(message.parts)]


def _read_response(message: ai.ModelResponse, at: int) -> Message:
    parts: list[Part] = []
    calls: list[ToolCall] = []
    positions: list[int] = []
    for number, part in enumerate(message.parts):
        place = tag(at, number)
        if isinstance(part, ai.ToolCallPart):
            arguments = part.args_as_json_str()
            calls.append(ToolCall(part.tool_call_id, part.tool_name, arguments, extras=place))
            positions.append(len(parts))
        elif isinstance(part, ai.TextPart):
            parts.append(TextPart(part.content, extras=place))
        elif isinstance(part, ai.ThinkingPart):
            parts.append(ThinkPart(part.content, part.signature, extras=place))
        else:
            parts.append(OpaquePart("part", (at, number)))
    interleaved = any(position < len(parts) for position in positions)
    return Message(
        "assistant",
        tuple(parts),
        tuple(calls),
        call_positions=tuple(positions) if interleaved else None,
        extras=tag(at),
    )


def _read_request_part(part: Any, at: int, number: int) -> Message:
    place = tag(at, number)
    if isinstance(part, ai.SystemPromptPart):
        return Message("system", (TextPart(part.content),), extras=place)
    if isinstance(part, ai.UserPromptPart):
        return Message("user", tuple(_items(part.content, at, number)), extras=place)
    if isinstance(part, ai.ToolReturnPart):
        text = part.content if isinstance(part.content, str) else None
        content = (TextPart(text),) if text is not None else (_OPAQUE,)
        return Message("tool", content, tool_call_id=part.tool_call_id, extras=place)
    if isinstance(part, ai.RetryPromptPart) and part.tool_name is not None:
        return Message("tool", (_OPAQUE,), tool_call_id=part.tool_call_id, extras=place)
    return Message("user", (_OPAQUE,), extras=place)


def _items(content: Any, at: int, number: int) -> Iterator[Part]:
    for index, item in enumerate((content,) if isinstance(content, str) else content):
        place = tag(at, number, index)
        if isinstance(item, str):
            yield TextPart(item, extras=place)
        elif isinstance(item, ai.ImageUrl):
            yield ImagePart(MediaSource(item.url), extras=place)
        elif isinstance(item, ai.BinaryContent) and item.is_image:
            yield ImagePart(MediaSource(item.data_uri), extras=place)
        else:
            yield OpaquePart("part", (at, number, index))
