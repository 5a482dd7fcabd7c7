"""Amazon Bedrock Converse, simulated: what is looked at in which order, and the answer.

First the service checks the types and patterns of its own model, then the conversation, then the
model behind it has its say.
"""

from __future__ import annotations

import base64
from typing import Any

from wiremend.providers.bedrock_blocks import check_message, check_system
from wiremend.providers.bedrock_files import Files
from wiremend.providers.bedrock_models import Model
from wiremend.providers.bedrock_settings import check_settings
from wiremend.providers.bedrock_turns import Turns
from wiremend.providers.reply import RefusalError, Reply
from wiremend.providers.wire import arrive, fingerprint, roughly_tokens


class BedrockConverse:
    """The strict end of Converse. The model's id may be in the body, as SDKs have it."""

    name = "bedrock"

    def post(self, body: dict[str, Any]) -> Reply:
        """Judge a request body."""
        try:
            sent = _sent(body)
            arrived = arrive(sent)
            _check_request(sent)
        except RefusalError as refusal:
            return Reply(refusal.status, {"message": refusal.message})
        return _taken(arrived)


def _sent(value: Any) -> Any:
    """The body as an SDK sends it: bytes as base64 text."""
    try:
        return _with_text(value, set())
    except RecursionError:
        raise RefusalError("The request body is not valid JSON: recursion limit exceeded") from None


def _with_text(value: Any, above: set[int]) -> Any:
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    if not isinstance(value, dict | list):
        return value
    if id(value) in above:
        raise RefusalError("The request body is not valid JSON: it holds itself")
    above.add(id(value))
    out: Any
    if isinstance(value, dict):
        out = {key: _with_text(item, above) for key, item in value.items()}
    else:
        out = [_with_text(item, above) for item in value]
    above.discard(id(value))
    return out


def _taken(arrived: bytes) -> Reply:
    tokens = roughly_tokens(arrived)
    answer = {
        "output": {"message": {"role": "assistant", "content": [{"text": "Understood."}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": tokens, "outputTokens": 3, "totalTokens": tokens + 3},
        "metrics": {"latencyMs": 1},
        "ResponseMetadata": {"RequestId": fingerprint(arrived)[:32], "HTTPStatusCode": 200},
    }
    return Reply(200, answer)


def _check_request(body: Any) -> None:
    if not isinstance(body, dict):
        raise RefusalError("The request body must be a JSON object")
    messages = body.get("messages")
    if not isinstance(messages, list):
        raise RefusalError(
            "Value at 'messages' failed to satisfy constraint: Member must be a list"
        )
    model = Model(body.get("modelId"))
    for index, message in enumerate(messages):
        check_message(message, index)
    check_system(body.get("system"))
    has_tools = check_settings(body)
    turns = Turns(has_tools=has_tools, model=model)
    for index, message in enumerate(messages):
        turns.step(index, message)
    turns.end()
    files = Files()
    for index, message in enumerate(messages):
        files.step(index, message)
    model.check_ending(messages)
    model.check_open_turn(body)
    model.check_marks(body)
