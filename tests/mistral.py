"""Judges that were not written here: Mistral's SDK, and the validators of its own tokenizers."""

from __future__ import annotations

from typing import Any

from mistral_common.exceptions import MistralCommonException
from mistral_common.protocol.instruct.request import ChatCompletionRequest as MistralRequest
from mistral_common.protocol.instruct.validator import ValidationMode, get_validator
from mistral_common.tokens.tokenizers.base import TokenizerVersion
from mistralai.client.models import ChatCompletionRequest as MistralParams
from pydantic import ValidationError


def mistral_objections(body: dict[str, Any]) -> list[str]:
    """What Mistral's SDK, and the validators of its own tokenizers, have against a body."""
    found: list[str] = []
    try:
        MistralParams.model_validate(body)
    except ValidationError as error:
        found = [f"{item['loc']}: {item['msg']}" for item in error.errors()]
    if not _CHUNKS_OF_THE_SERVICE & _types(body["messages"]):
        asked = {name: body[name] for name in ("model", "messages", "tools") if name in body}
        for version in (TokenizerVersion.v11, TokenizerVersion.v13):
            validator = get_validator(version, ValidationMode.serving)
            try:
                validator.validate_request(MistralRequest.model_validate(asked))
            except (ValidationError, MistralCommonException) as error:
                found.append(f"{version}: {error}")
    return found[:5]


_CHUNKS_OF_THE_SERVICE = {"document_url", "file", "reference", "resource", "resource_link"}
"""Types of chunks that the tokenizers have never seen."""


def _types(value: Any) -> set[str]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = {str(value.get("type"))} if isinstance(value, dict) else set()
    return own.union(*(_types(item) for item in inner))
