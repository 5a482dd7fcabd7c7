"""Chat Completions chunks put together. Servers differ: each oddity that is read has its reason."""

from __future__ import annotations

from typing import Any

from wiremend.service.deltas import CallDelta, Delta, TextDelta, ThinkDelta
from wiremend.service.failures import BrokenAnswerError, ProviderError
from wiremend.service.readers.base import Json, text_of

_THINKING = ("reasoning_content", "reasoning")
_JOINED = ("content", "refusal", *_THINKING)
# Texts of an entry of OpenRouter's reasoning_details; its other fields are said once.
_JOINED_DETAILS = ("text", "summary", "data")


class ChatReader:
    """The first choice of a stream; there is no more where ``n`` is not asked for."""

    def __init__(self) -> None:
        self._head: Json = {}
        self._message: Json = {"role": "assistant", "content": None}
        self._calls: list[Json] = []
        self._places: dict[int, int] = {}
        self._choice: Json = {}

    def feed(self, chunk: Json) -> list[Delta]:
        """See ``Reader``."""
        if chunk.get("error"):
            raise ProviderError(200, chunk)
        self._head.update({name: v for name, v in chunk.items() if name != "choices" and v})
        choices = chunk.get("choices") or []
        choice = next((c for c in choices if not c.get("index")), None)
        if choice is None:
            return []
        self._choice.update({n: v for n, v in choice.items() if n != "delta" and v is not None})
        delta = choice.get("delta") or {}
        out = self._texts(delta)
        for call in delta.get("tool_calls") or []:
            out.append(self._call(call))
        return out

    def response(self) -> Json:
        """See ``Reader``."""
        if not self._choice.get("finish_reason"):
            raise BrokenAnswerError
        message = dict(self._message)
        if self._calls:
            message["tool_calls"] = self._calls
        choice = {"index": 0, **self._choice, "message": message}
        return {**self._head, "object": "chat.completion", "choices": [choice]}

    def _texts(self, delta: Json) -> list[Delta]:
        out: list[Delta] = []
        thinking = next((t for name in _THINKING if (t := text_of(delta.get(name)))), "")
        if thinking:
            out.append(ThinkDelta(thinking))
        said = (text_of(delta.get(name)) for name in ("content", "refusal"))
        out.extend(TextDelta(text) for text in said if text)
        for name, value in delta.items():
            if name != "tool_calls" and value is not None:
                self._message[name] = self._joined(name, value)
        return out

    def _joined(self, name: str, value: Any) -> Any:
        before = self._message.get(name)
        if name in _JOINED and isinstance(value, str) and isinstance(before, str):
            return before + value
        if name == "reasoning_details" and isinstance(value, list):
            return _with_details(before or [], value)
        if isinstance(value, list) and isinstance(before, list):
            return [*before, *value]
        return value

    def _call(self, piece: Json) -> Delta:
        place = self._place(piece)
        call = self._calls[place]
        function = piece.get("function") or {}
        if text_of(piece.get("id")):
            call["id"] = piece["id"]
        for name, value in piece.items():
            if name not in ("index", "id", "function", "type") and value is not None:
                call[name] = value
        arguments = function.get("arguments")
        # Some servers repeat the name in every chunk, so it is said, not joined.
        call["function"]["name"] = text_of(function.get("name")) or call["function"]["name"]
        if isinstance(arguments, dict):
            raise ProviderError(200, "arguments that are no text in a stream")
        call["function"]["arguments"] += text_of(arguments)
        return CallDelta(place, call["id"], call["function"]["name"], text_of(arguments))

    def _place(self, piece: Json) -> int:
        """Which call a piece belongs to; servers that count nothing start each call with an id."""
        index, call_id = piece.get("index"), text_of(piece.get("id"))
        known = self._places.get(index) if isinstance(index, int) else len(self._calls) - 1
        if known is not None and known >= 0:
            before = self._calls[known]["id"]
            if not call_id or not before or call_id == before:
                return known
        empty = {"name": "", "arguments": ""}
        self._calls.append({"id": "", "type": "function", "function": empty})
        if isinstance(index, int):
            self._places[index] = len(self._calls) - 1
        return len(self._calls) - 1


def _with_details(before: list[Json], pieces: list[Json]) -> list[Json]:
    out = list(before)
    for piece in pieces:
        last = out[-1] if out else {}
        key = (piece.get("type"), piece.get("index"))
        if last and key == (last.get("type"), last.get("index")):
            joined = {
                name: text_of(last.get(name)) + piece[name]
                for name in _JOINED_DETAILS
                if isinstance(piece.get(name), str)
            }
            said = {name: value for name, value in piece.items() if value is not None}
            out[-1] = {**last, **said, **joined}
        else:
            out.append(piece)
    return out
