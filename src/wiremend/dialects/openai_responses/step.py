"""What the model made in a row: reasoning, messages and calls, collected into one message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiremend.dialects.base import Json, extras_of, with_extras
from wiremend.dialects.openai_responses.fields import ITEM, NAME
from wiremend.model import ContextMessage, OpaquePart, Part, ThinkPart, ToolCall


class Step:
    """One step of the model, item by item."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._calls: list[ToolCall] = []
        self._positions: list[int] = []

    @property
    def is_begun(self) -> bool:
        """Whether it holds anything."""
        return bool(self._parts or self._calls)

    def add_reasoning(self, item: Json) -> None:
        """A reasoning item; it goes back as it came.

        Its encrypted content stays in it, so that no other provider takes it for a signature.
        """
        text = "\n\n".join((*_texts(item.get("summary")), *_texts(item.get("content"))))
        self._parts.append(ThinkPart(text, extras={NAME: {ITEM: item}}))

    def add_message(self, parts: Sequence[Part], fields: Json) -> None:
        """A message item; its first part carries the item's own fields."""
        first = with_extras(parts[0], NAME, {ITEM: fields, **extras_of(parts[0], NAME)})
        self._parts.extend((first, *parts[1:]))

    def add_call(self, call: ToolCall) -> None:
        """A call, behind the parts that are there."""
        self._positions.append(len(self._parts))
        self._calls.append(call)

    def add_opaque(self, item: Json) -> None:
        """An item that only this provider understands."""
        self._parts.append(OpaquePart(NAME, {ITEM: item}))

    def message(self) -> ContextMessage:
        """All of it as one assistant message."""
        interleaved = any(position < len(self._parts) for position in self._positions)
        return ContextMessage(
            "assistant",
            tuple(self._parts),
            tuple(self._calls),
            call_positions=tuple(self._positions) if interleaved else None,
        )


def _texts(value: Any) -> list[str]:
    blocks = value if isinstance(value, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return [text for text in texts if isinstance(text, str) and text]
