"""Judges that were not written here: the request types of the providers' own SDKs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import anthropic.types
import openai.types.chat
from anthropic.types import message_create_params
from google.genai import types as genai
from openai.types.chat import completion_create_params
from pydantic import TypeAdapter, ValidationError

_PARAMS: dict[str, Any] = {
    "openai-chat": completion_create_params.CompletionCreateParamsNonStreaming,
    "anthropic": message_create_params.MessageCreateParamsNonStreaming,
}
_MESSAGES: dict[str, Any] = {
    "openai-chat": openai.types.chat.ChatCompletionMessageParam,
    "anthropic": anthropic.types.MessageParam,
}

_GEMINI: dict[str, Any] = {
    "contents": list[genai.Content],
    "tools": list[genai.Tool],
    "toolConfig": genai.ToolConfig,
    "systemInstruction": genai.Content,
    "generationConfig": genai.GenerationConfig,
}
"""The SDK has no type of the REST body, but of each of its fields; unknown names are refused."""


def sdk_objections(body: dict[str, Any], dialect: str) -> list[str]:
    """What the SDK's types have against a body; ``[]``: nothing."""
    if dialect == "gemini":
        return [said for field in _GEMINI for said in _against_field(body, field)]
    complete = {"model": "m", **({"max_tokens": 1} if dialect == "anthropic" else {}), **body}
    try:
        _exhaust(_adapter(dialect).validate_python(complete))
    except ValidationError as error:
        return [f"{item['loc']}: {item['msg']}" for item in error.errors()][:5]
    return []


def _against_field(body: dict[str, Any], field: str) -> list[str]:
    value = body.get(field)
    if value is None:
        return []
    try:
        # As JSON, so that bytes are read as base64; and a single part without a list around it,
        # which the server's own parser takes, in a list.
        text = json.dumps(_listed(value))
        TypeAdapter(_GEMINI[field]).validate_json(text)
    except ValidationError as error:
        return [f"{field}{item['loc']}: {item['msg']}" for item in error.errors()][:5]
    return []


def _listed(value: Any) -> Any:
    if isinstance(value, list):
        return [_listed(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: [_listed(item)] if name == "parts" and isinstance(item, dict) else _listed(item)
        for name, item in value.items()
    }


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
