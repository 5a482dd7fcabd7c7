"""Judges that were not written here: the request types of the providers' own SDKs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import anthropic.types
import openai.types.chat
import openai.types.responses
from anthropic.types import message_create_params
from openai.types.chat import completion_create_params
from openai.types.responses import response_create_params
from pydantic import TypeAdapter, ValidationError

_PARAMS: dict[str, Any] = {
    "openai-chat": completion_create_params.CompletionCreateParamsNonStreaming,
    "openai-responses": response_create_params.ResponseCreateParamsNonStreaming,
    "anthropic": message_create_params.MessageCreateParamsNonStreaming,
}
_MESSAGES: dict[str, Any] = {
    "openai-chat": openai.types.chat.ChatCompletionMessageParam,
    "openai-responses": openai.types.responses.ResponseInputItemParam,
    "anthropic": anthropic.types.MessageParam,
}


def sdk_objections(body: dict[str, Any], dialect: str) -> list[str]:
    """What the SDK's types have against a body; ``[]``: nothing."""
    complete = {"model": "m", **({"max_tokens": 1} if dialect == "anthropic" else {}), **body}
    if dialect == "openai-responses":
        complete = _completed(complete)
    try:
        _exhaust(_adapter(dialect).validate_python(complete))
    except ValidationError as error:
        return [f"{item['loc']}: {item['msg']}" for item in error.errors()][:5]
    return []


@cache
def _adapter(dialect: str) -> TypeAdapter[Any]:
    return TypeAdapter(_PARAMS[dialect])


_LEFT_OUT: dict[str, Any] = {
    "input_image": {"detail": "auto"},
    "output_text": {"annotations": []},
    "function": {"strict": False, "parameters": {}},
    "reasoning": {"id": "rs_1"},
}
"""Fields that the SDK's types of Responses demand and the API does without, by type.

Reasoning with encrypted content is what it is under any id; Codex sends it without.
"""


def _completed(value: Any) -> Any:
    """A body with the fields that the API does without: case 090 is taken as it is.

    An answer of the assistant in parts counts as one that the API gave, with an id.
    """
    if isinstance(value, list):
        return [_completed(item) for item in value]
    if not isinstance(value, dict):
        return value
    inner = {name: _completed(item) for name, item in value.items()}
    kind = inner.get("type")
    fields = _LEFT_OUT.get(kind, {}) if isinstance(kind, str) else {}
    if inner.get("role") == "assistant":
        # A dict type lets the characters of a text pass for a list of parts.
        given = {"id": "msg_1", "status": "completed", "type": "message"}
        if isinstance(inner.get("content"), list):
            return {**given, **inner}
        return {name: value for name, value in inner.items() if name not in given}
    return {**fields, **inner}


def _exhaust(value: Any) -> None:
    """Pydantic checks an Iterable only while it is iterated over."""
    if isinstance(value, dict):
        for item in value.values():
            _exhaust(item)
    elif isinstance(value, (list, tuple, Iterator)) or type(value).__name__ == "ValidatorIterator":
        for item in value:
            _exhaust(item)
