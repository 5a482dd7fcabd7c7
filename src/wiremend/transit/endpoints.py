"""What an agent asks for: which wire format a path speaks, and where its model is named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec


class Endpoint(msgspec.Struct, frozen=True):
    """A path whose body is a conversation.

    ``family`` is the wire format, ``model`` the model where the path names it, and
    ``model_field`` the field that the rules of that format look for it in.
    """

    family: str
    model: str | None = None
    model_field: str = "model"


_MODEL = r"(?P<model>[^/:]+(?:/[^/:]+)*?)"
# The end of the path decides: gateways and clouds put what they like before it.
_ENDPOINTS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"/chat/completions$"), "openai-chat", "model"),
    (re.compile(r"/responses$"), "openai-responses", "model"),
    (re.compile(r"/messages(?:/count_tokens)?$"), "anthropic", "model"),
    (re.compile(rf"/anthropic/models/{_MODEL}:(?:stream)?[rR]awPredict$"), "anthropic", "model"),
    (re.compile(rf"/models/{_MODEL}:(?:generate|streamGenerate)Content$"), "gemini", "model"),
    (re.compile(r"/model/(?P<model>[^/]+)/converse(?:-stream)?$"), "bedrock", "modelId"),
)


def find_endpoint(method: str, path: str) -> Endpoint | None:
    """The endpoint that a request goes to; None for what wiremend has nothing to say about.

    ``path`` is the path of the URL, percent-decoded, without the query.
    """
    if method != "POST":
        return None
    for pattern, family, field in _ENDPOINTS:
        found = pattern.search(path.rstrip("/"))
        if found:
            return Endpoint(family, found.groupdict().get("model"), field)
    return None


def signs_body(headers: Mapping[str, str]) -> bool:
    """Whether the sender signed the very bytes of the body, as AWS clients do.

    ``headers`` finds names in any case.
    """
    signed = headers.get("authorization", "").startswith("AWS4-")
    return signed and headers.get("x-amz-content-sha256") != "UNSIGNED-PAYLOAD"


def with_model(request: dict[str, Any], endpoint: Endpoint) -> dict[str, Any]:
    """The request with the model that its path names, so that rules by model see it."""
    if endpoint.model is None or endpoint.model_field in request:
        return request
    return {**request, endpoint.model_field: endpoint.model}


def without_model(
    mended: dict[str, Any], request: dict[str, Any], endpoint: Endpoint
) -> dict[str, Any]:
    """What ``with_model`` was made of, mended: the field is gone if it was not the caller's."""
    if endpoint.model is None or endpoint.model_field in request:
        return mended
    return {name: value for name, value in mended.items() if name != endpoint.model_field}
