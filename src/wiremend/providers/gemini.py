"""The Gemini API, simulated: generateContent of the Developer API, up to the answer.

The body is parsed as protobuf's JSON parser would, then validated part by part, then walked turn by
turn. The words are those of public reports.
"""

from __future__ import annotations

from typing import Any

from wiremend.providers.gemini_parts import Parser
from wiremend.providers.gemini_turns import Conversation
from wiremend.providers.reply import RefusalError, Reply
from wiremend.providers.wire import arrive, fingerprint, roughly_tokens


class GeminiContents:
    """The strict end of generateContent."""

    name = "gemini"

    def post(self, body: dict[str, Any]) -> Reply:
        """Judge a request body."""
        try:
            arrived = arrive(body)
            request = Parser().request(body)
            Conversation(request.model).through(request.contents)
        except RefusalError as refusal:
            return _refused(refusal)
        return _taken(request.model, arrived)


def _refused(refusal: RefusalError) -> Reply:
    error = {
        "code": refusal.status,
        "message": refusal.message,
        "status": "INVALID_ARGUMENT",
    }
    return Reply(refusal.status, {"error": error})


def _taken(model: str, arrived: bytes) -> Reply:
    prompt = roughly_tokens(arrived)
    candidate = {
        "content": {"parts": [{"text": "Understood."}], "role": "model"},
        "finishReason": "STOP",
        "index": 0,
    }
    usage = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": 3,
        "totalTokenCount": prompt + 3,
    }
    answer = {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": model or "simulated",
        "responseId": fingerprint(arrived)[:22],
    }
    return Reply(200, answer)
