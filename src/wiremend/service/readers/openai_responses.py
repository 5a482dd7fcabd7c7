"""Events of OpenAI's Responses: pieces on the way, and the whole response in the last event."""

from __future__ import annotations

from wiremend.service.deltas import CallDelta, Delta, TextDelta, ThinkDelta
from wiremend.service.failures import BrokenAnswerError, ProviderError
from wiremend.service.readers.base import Json, text_of

_TEXTS = frozenset(("response.output_text.delta", "response.refusal.delta"))
_THINKING = frozenset(("response.reasoning_summary_text.delta", "response.reasoning_text.delta"))
_ARGUMENTS = frozenset(
    ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta")
)
CALLS = frozenset(("function_call", "custom_tool_call"))
"""The items that are calls of functions of one's own; other calls come back as they are."""
_ENDS = frozenset(("response.completed", "response.incomplete"))


class ResponsesReader:
    """One response, event by event."""

    def __init__(self) -> None:
        self._response: Json | None = None
        self._calls: dict[int, tuple[int, Json]] = {}

    def feed(self, chunk: Json) -> list[Delta]:
        """See ``Reader``."""
        kind = chunk.get("type", "")
        if kind == "error" or chunk.get("error"):
            error = chunk.get("error")
            raise ProviderError(200, chunk if error else {"error": chunk})
        if kind == "response.failed":
            raise ProviderError(200, {"error": chunk["response"].get("error") or {}})
        if kind in _ENDS:
            self._response = chunk["response"]
        elif kind in _TEXTS and chunk.get("delta"):
            return [TextDelta(text_of(chunk["delta"]))]
        elif kind in _THINKING and chunk.get("delta"):
            return [ThinkDelta(text_of(chunk["delta"]))]
        elif kind == "response.output_item.added" and chunk["item"].get("type") in CALLS:
            place = len(self._calls)
            self._calls[chunk["output_index"]] = (place, chunk["item"])
            return [_piece(place, chunk["item"], "")]
        elif kind in _ARGUMENTS and chunk.get("output_index") in self._calls:
            return [_piece(*self._calls[chunk["output_index"]], text_of(chunk.get("delta")))]
        return []

    def response(self) -> Json:
        """See ``Reader``."""
        if self._response is None:
            raise BrokenAnswerError
        return self._response


def _piece(place: int, item: Json, arguments: str) -> Delta:
    return CallDelta(place, text_of(item.get("call_id")), text_of(item.get("name")), arguments)
