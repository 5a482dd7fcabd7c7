"""LangChain's messages read as a history, and made again where they changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.integrations.extras import extra
from wiremend.integrations.mending import given_back, place_of, tag
from wiremend.model import ImagePart, MediaSource, Message, OpaquePart, Part, TextPart, ToolCall
from wiremend.model.messages import said_and_called

with extra("langchain"):
    from langchain_core.messages import (
        AIMessage,
        BaseMessage,
        HumanMessage,
        SystemMessage,
        ToolMessage,
    )

# Blocks of an answer's content that say again what ``tool_calls`` says.
_CALLS = frozenset(("tool_use", "tool_call", "function_call"))


class Conversation:
    """Messages and the history that they are, each value of it tagged with its place."""

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        self._messages = messages
        self.history = [_read(message, at) for at, message in enumerate(messages)]

    def written(self, mended: Sequence[Message]) -> list[BaseMessage]:
        """A mended history as messages; what did not change is the very message that it was."""
        writer = _Writer(self._messages, mended)
        return given_back(mended, self.history, self._messages, writer.write)


def _read(message: BaseMessage, at: int) -> Message:
    if isinstance(message, AIMessage):
        return _read_answer(message, at)
    content = tuple(
        _part(block, at, number) for number, block in enumerate(_blocks(message.content))
    )
    if isinstance(message, ToolMessage):
        return Message("tool", content, tool_call_id=message.tool_call_id, extras=tag(at))
    if isinstance(message, SystemMessage):
        return Message("system", content, extras=tag(at))
    if isinstance(message, HumanMessage):
        return Message("user", content, extras=tag(at))
    # A message of another kind passes as it is.
    return Message("user", (OpaquePart("unknown", None),), extras=tag(at))


def _read_answer(message: AIMessage, at: int) -> Message:
    calls = tuple(_call(call, at, number) for number, call in enumerate(_calls(message)))
    parts: list[Part] = []
    places: dict[str, int] = {}
    # With calls, an empty text is how LangChain writes that there is none.
    content = message.content if message.content or not calls else ()
    for number, block in enumerate(_blocks(content)):
        call_id = _called(block)
        if call_id is None:
            parts.append(_part(block, at, number))
        else:
            places.setdefault(call_id, len(parts))
    positions = [places.get(call.id, len(parts)) for call in calls]
    in_order = positions == sorted(positions) and any(place < len(parts) for place in positions)
    return Message(
        "assistant",
        tuple(parts),
        calls,
        call_positions=tuple(positions) if in_order else None,
        extras=tag(at),
    )


def _blocks(content: Any) -> Sequence[Any]:
    return (content,) if isinstance(content, str) else content


def _called(block: Any) -> str | None:
    """The id of the call that a block repeats."""
    if not isinstance(block, Mapping) or block.get("type") not in _CALLS:
        return None
    named = block.get("call_id") or block.get("id")
    return named if isinstance(named, str) else None


def _calls(message: AIMessage) -> list[Any]:
    """The calls of an answer; providers get those whose arguments do not parse, too."""
    return [*message.tool_calls, *message.invalid_tool_calls]


def _call(call: Any, at: int, number: int) -> ToolCall:
    arguments = call["args"]
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, default=str)
    return ToolCall(call["id"] or "", call["name"] or "", arguments, extras=tag(at, number))


def _part(block: Any, at: int, number: int) -> Part:
    if isinstance(block, str):
        return TextPart(block, extras=tag(at, number))
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return TextPart(block["text"], extras=tag(at, number))
    if kind in ("image_url", "image"):
        return ImagePart(MediaSource(_url_of(block)), extras=tag(at, number))
    return OpaquePart("block", {"place": (at, number)})


def _url_of(block: Mapping[str, Any]) -> str:
    """What tells one picture from another, in whichever shape it is held."""
    named = block.get("image_url", block)
    if isinstance(named, Mapping):
        named = named.get("url") or named.get("base64") or named.get("data") or named
    return named if isinstance(named, str) else json.dumps(named, default=str, sort_keys=True)


class _Writer:
    """Makes the messages that changed, with everything that their sources had and that did not."""

    def __init__(self, sources: Sequence[BaseMessage], mended: Sequence[Message]) -> None:
        self._sources = sources
        self._names = {call.id: call.name for message in mended for call in message.tool_calls}

    def write(self, message: Message) -> BaseMessage:
        """A changed or new message."""
        place = place_of(message)
        source = self._sources[place[0]] if place is not None else None
        if message.role == "assistant":
            return self._answer(message, source)
        update: dict[str, Any] = {"content": self._content(message)}
        if message.role == "tool":
            update["tool_call_id"] = message.tool_call_id
        if source is not None:
            return source.model_copy(update=update)
        if message.role == "tool":
            return ToolMessage(name=self._names.get(message.tool_call_id or ""), **update)
        return (SystemMessage if message.role == "system" else HumanMessage)(**update)

    def _answer(self, message: Message, source: BaseMessage | None) -> BaseMessage:
        calls: list[Any] = []
        broken: list[Any] = []
        for call in message.tool_calls:
            original = self._original(call)
            kept = broken if original.get("type") == "invalid_tool_call" else calls
            kept.append({**original, "id": call.id})
        update: dict[str, Any] = {
            "content": self._content(message),
            "tool_calls": calls,
            "invalid_tool_calls": broken,
        }
        if source is None:
            return AIMessage(**update)
        # The provider's own form of the calls, which some integrations fall back on.
        raw = {k: v for k, v in source.additional_kwargs.items() if k != "tool_calls"}
        return source.model_copy(update={**update, "additional_kwargs": raw})

    def _original(self, call: ToolCall) -> Any:
        place = place_of(call)
        assert place is not None, "no call is ever invented"
        return _calls(self._sources[place[0]])[place[1]]

    def _content(self, message: Message) -> Any:
        blocks: list[Any] = []
        for value in said_and_called(message):
            if isinstance(value, ToolCall):
                blocks.extend(self._repeated(value))
            else:
                blocks.append(self._block(value))
        if not blocks:
            return ""
        if len(blocks) == 1 and isinstance(blocks[0], str):
            return blocks[0]
        # Some providers take no bare text beside blocks.
        return [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]

    def _repeated(self, call: ToolCall) -> list[Any]:
        """The blocks of the content that say the call again, under the id that it has now."""
        place = place_of(call)
        assert place is not None, "no call is ever invented"
        was = self._original(call)["id"]
        found = [
            block
            for block in _blocks(self._sources[place[0]].content)
            if was and _called(block) == was
        ]
        if call.id == was:
            return found
        field = "call_id" if found and "call_id" in found[0] else "id"
        return [{**block, field: call.id} for block in found]

    def _block(self, part: Part) -> Any:
        place = part.data["place"] if type(part) is OpaquePart else place_of(part)
        if place is None:
            assert type(part) is TextPart
            return part.text
        block = _blocks(self._sources[place[0]].content)[place[1]]
        if type(part) is not TextPart or isinstance(block, str):
            return part.text if type(part) is TextPart else block
        return {**block, "text": part.text}
