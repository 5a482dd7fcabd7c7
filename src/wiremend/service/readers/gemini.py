"""Chunks of Gemini's streams, each a response with some of the parts, put together."""

from __future__ import annotations

import json

from wiremend.service.deltas import CallDelta, Delta, TextDelta, ThinkDelta
from wiremend.service.failures import BrokenAnswerError, ProviderError
from wiremend.service.readers.base import Json, text_of


class GeminiReader:
    """The first candidate of a stream."""

    def __init__(self) -> None:
        self._head: Json = {}
        self._candidate: Json = {}
        self._content: Json = {}
        self._parts: list[Json] = []
        self._calls = 0

    def feed(self, chunk: Json) -> list[Delta]:
        """See ``Reader``."""
        if chunk.get("error"):
            raise ProviderError(200, chunk)
        self._head.update({n: v for n, v in chunk.items() if n != "candidates"})
        candidates = chunk.get("candidates") or []
        candidate: Json = next((c for c in candidates if not c.get("index")), {})
        self._candidate.update({n: v for n, v in candidate.items() if n != "content"})
        content = candidate.get("content") or {}
        self._content.update({n: v for n, v in content.items() if n != "parts"})
        return [delta for part in content.get("parts") or [] for delta in self._part(part)]

    def response(self) -> Json:
        """See ``Reader``."""
        if not (self._candidate.get("finishReason") or self._head.get("promptFeedback")):
            raise BrokenAnswerError
        if not self._candidate:
            return self._head
        content = {"role": "model", **self._content, "parts": self._parts}
        return {**self._head, "candidates": [{**self._candidate, "content": content}]}

    def _part(self, part: Json) -> list[Delta]:
        call = part.get("functionCall")
        if call is not None:
            self._parts.append(part)
            # The id that decoding gives to a call without one, by its place.
            call_id = text_of(call.get("id")) or f"call_0_{len(self._parts) - 1}"
            arguments = json.dumps(call["args"], ensure_ascii=False) if "args" in call else ""
            self._calls += 1
            return [CallDelta(self._calls - 1, call_id, text_of(call.get("name")), arguments)]
        text = text_of(part.get("text"))
        if not self._joined(part):
            self._parts.append(part)
        if not text:
            return []
        return [ThinkDelta(text) if part.get("thought") else TextDelta(text)]

    def _joined(self, part: Json) -> bool:
        """Join a text to the one before it; a signature belongs to the part that it came with."""
        last = self._parts[-1] if self._parts else {}
        plain = {"text", "thought"}
        if not ("text" in part and "text" in last) or (set(part) | set(last)) - plain:
            return False
        if bool(part.get("thought")) != bool(last.get("thought")):
            return False
        self._parts[-1] = {**last, "text": last["text"] + part["text"]}
        return True
