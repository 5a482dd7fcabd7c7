"""Judges that were not written here: the request types of the providers' own SDKs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

from anthropic.types import message_create_params
from google.genai import types as genai
from openai.types.chat import completion_create_params
from openai.types.responses import response_create_params
from pydantic import TypeAdapter, ValidationError

from tests.converse import converse_objections

OPENAI_SHAPED = ("openai-chat", "kimi", "deepseek", "qwen", "openrouter", "generic")

_PARAMS: dict[str, Any] = {
    "openai-chat": completion_create_params.CompletionCreateParamsNonStreaming,
    "openai-responses": response_create_params.ResponseCreateParamsNonStreaming,
    "anthropic": message_create_params.MessageCreateParamsNonStreaming,
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
    if dialect == "bedrock":
        return converse_objections(body)
    if dialect == "gemini":
        return [said for field in _GEMINI for said in _against_field(body, field)]
    complete = {"model": "m", **({"max_tokens": 1} if dialect == "anthropic" else {}), **body}
    if dialect == "mistral":
        # Its packages are not there where only the other dialects are judged.
        from tests.mistral import mistral_objections

        return mistral_objections(complete)
    if dialect in OPENAI_SHAPED[1:]:
        complete, dialect = _without_extensions(complete), "openai-chat"
    if dialect == "openai-responses":
        complete = _completed(complete)
    try:
        _exhaust(_adapter(dialect).validate_python(complete))
    except ValidationError as error:
        return [f"{item['loc']}: {item['msg']}" for item in error.errors()][:5]
    return []


def _without_extensions(body: dict[str, Any]) -> dict[str, Any]:
    """A body without the parts and tools that compatible servers have and OpenAI has not."""

    def known(message: Any) -> Any:
        content = message.get("content")
        if not isinstance(content, list):
            return {**message, "content": ""} if message.get("tools") else message
        own = [p for p in content if p.get("type") not in _EXTENSIONS[message["role"]]]
        # OpenAI's two formats of sound are not the only ones that others take.
        own = [
            {**p, "input_audio": {**p["input_audio"], "format": "wav"}}
            if isinstance(p.get("input_audio"), dict) and "format" in p["input_audio"]
            else p
            for p in own
        ]
        return {**message, "content": own or ""}

    kept = {**body, "messages": [known(message) for message in body["messages"]]}
    if isinstance(body.get("tools"), list):
        kept["tools"] = [t for t in body["tools"] if t.get("type") != "builtin_function"]
    return kept


_EXTENSIONS: dict[str, set[str]] = defaultdict(
    lambda: {"video_url", "video", "audio_url"}, tool={"image_url", "video_url"}
)


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
