"""OpenAI Responses: projected messages to input items."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

from wiremend.dialects.base import CONTENT, Json, extras_of, unprepared, wire_fields
from wiremend.dialects.openai_responses.calls import (
    said_in,
    write_call,
    write_output,
    write_own_output,
)
from wiremend.dialects.openai_responses.fields import AT, ITEM, KIND, NAME, PLACE, ROLE
from wiremend.dialects.openai_responses.parts import write_content, write_part
from wiremend.model import Message, OpaquePart, Part, ThinkPart, ToolCall, said_and_called
from wiremend.projection.anomalies import ItemDropped, OnAnomaly


def encode_items(messages: Sequence[Message], report: OnAnomaly) -> tuple[str | None, list[Json]]:
    """The instructions (None: there are none) and the items of an input."""
    instructions = None
    writer = _Writer(report)
    for index, message in enumerate(messages):
        if index == 0 and extras_of(message, NAME).get(PLACE) == "instructions":
            instructions = "".join(getattr(part, "text", "") for part in message.content)
        else:
            writer.write(message)
    return instructions, writer.end()


class _Writer:
    """Writes items; results that stood apart from their calls wait for their place."""

    def __init__(self, report: OnAnomaly) -> None:
        self._report = report
        self._items: list[Json] = []
        self._waiting: list[tuple[int, int, Json]] = []
        self._called: dict[str | None, Json] = {}

    def write(self, message: Message) -> None:
        kept = extras_of(message, NAME)
        place = kept.get(AT)
        if message.role == "tool":
            self._write_result(message, place)
            return
        if place is not None:
            self._release(place)
        if message.role == "assistant":
            self._write_step(message)
            return
        if message.content:
            self._items.append(_said(message, kept))
        if message.tools:
            self._items.append(_additional_tools(message.tools, kept))

    def end(self) -> list[Json]:
        self._release(None)
        return self._items

    def _release(self, place: int | None) -> None:
        """Write the results that stood before this place (None: all)."""
        while self._waiting and (place is None or self._waiting[0][0] < place):
            self._items.append(heappop(self._waiting)[-1])

    def _write_result(self, message: Message, place: int | None) -> None:
        call = self._called.get(message.tool_call_id, {"type": "function_call"})
        item = write_output(message, call, self._report)
        if item is None:
            self._drop_call(message.tool_call_id, call["type"])
            text = said_in(message) if NAME in (message.extras or {}) else ""
            if text:
                self._items.append({"role": "user", "content": f"[{call['type']}:]\n{text}"})
        elif place is None:
            self._items.append(item)
        else:
            heappush(self._waiting, (place, len(self._waiting), item))

    def _drop_call(self, call_id: str | None, called: str) -> None:
        """A call for what cannot be made up, such as a screen, goes with its missing output."""
        self._report(ItemDropped(called, "unanswered"))
        # Its step was written last, or nearly so.
        for index in range(len(self._items) - 1, -1, -1):
            if self._items[index].get("call_id") == call_id:
                del self._items[index]
                return

    def _write_step(self, message: Message) -> None:
        spoken: Json | None = None  # the message item that further parts go into
        for part in said_and_called(message):
            if isinstance(part, ToolCall):
                self._write_call(part)
                spoken = None
                continue
            item = _own_item(part)
            if item is not None:
                self._items.append(item)
                spoken = None
            elif type(part) is OpaquePart:
                raise unprepared(part)
            elif spoken is not None and ITEM not in extras_of(part, NAME):
                spoken["content"] = _as_list(spoken["content"])
                spoken["content"].append(write_part(part, "assistant"))
            else:
                spoken = _spoken(part)
                self._items.append(spoken)

    def _write_call(self, call: Any) -> None:
        item = write_call(call, self._report)
        self._called[call.id] = item
        self._items.append(item)


def _own_item(part: Part) -> Json | None:
    """The item that a part was read from, where it was read from a whole one."""
    if type(part) is ThinkPart:
        item = extras_of(part, NAME).get(ITEM)
        if item is None:
            raise unprepared(part)
        return dict(item)
    if type(part) is OpaquePart and isinstance(part.data, dict) and ITEM in part.data:
        return dict(part.data[ITEM])
    return None


def _spoken(part: Part) -> Json:
    fields: Json = extras_of(part, NAME).get(ITEM, {})
    content = write_content((part,), "assistant", fields.get(CONTENT))
    return {"role": "assistant", "content": content, **wire_fields(fields)}


def _as_list(content: Any) -> list[Json]:
    return [{"type": "output_text", "text": content}] if isinstance(content, str) else content


def _said(message: Message, kept: Json) -> Json:
    """An item of the user or the system."""
    only = message.content[0]
    item = _own_item(only) if len(message.content) == 1 else None
    if item is not None:
        return item
    if KIND in kept:
        return write_own_output(message)
    role = kept.get(ROLE, message.role)
    shape = kept.get(CONTENT)
    return {
        "role": role,
        "content": write_content(message.content, role, shape),
        **wire_fields(kept),
    }


def _additional_tools(tools: Sequence[Any], kept: Json) -> Json:
    if ITEM in kept:
        return {**kept[ITEM], "tools": list(tools)}
    return {"type": "additional_tools", "role": "developer", "tools": list(tools)}
