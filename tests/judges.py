"""Judges that were not written here: the request types of the providers' own SDKs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import anthropic.types
import openai.types.chat
from anthropic.types import message_create_params
from openai.types.chat import completion_create_params
from pydantic import TypeAdapter, ValidationError

from tests.converse import converse_objections

_PARAMS: dict[str, Any] = {
    "openai-chat": completion_create_params.CompletionCreateParamsNonStreaming,
    "anthropic": message_create_params.MessageCreateParamsNonStreaming,
}
_MESSAGES: dict[str, Any] = {
    "openai-chat": openai.types.chat.ChatCompletionMessageParam,
    "anthropic": anthropic.types.MessageParam,
}


def sdk_objections(body: dict[str, Any], dialect: str) -> list[str]:
    """What the SDK's types have against a body; ``[]``: nothing."""
    if dialect == "bedrock":
        return converse_objections(body)
    complete = {"model": "m", **({"max_tokens": 1} if dialect == "anthropic" else {}), **body}
    try:
        _exhaust(_adapter(dialect).validate_python(complete))
    except ValidationError as error:
        return [f"{item['loc']}: {item['msg']}" for item in error.errors()][:5]
    return []


@cache
def _adapter(dialect: str) -> TypeAdapter[Any]:
    return TypeAdapter(_PARAMS[dialect])


def _exhaust(value: Any) -> None:
    """Pydantic checks an Iterable only while it is iterated over."""
    if isinstance(value, dict):
        for item in value.values():
            _exhaust(item)
    elif isinstance(value, (list, tuple, Iterator)) or type(value).__name__ == "ValidatorIterator":
        for item in value:
            _exhaust(item)
