"""What servers of OpenAI's APIs say at the door, as data."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from wiremend.simulator.services.base import MB

Said: TypeAlias = tuple[str, str | None, str]
"""The kind, the code and the message of an error."""

_INVALID = "invalid_request_error"


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """How one server refuses.

    ``shape`` is that of its error bodies. ``errors`` are its usual ones by status; ``id_header``
    the header that names a request; ``open_door``: no key is asked for; ``prefix`` stands before
    the path in the base URL that its users set.
    """

    shape: Literal["openai", "mistral", "openrouter", "qwen"] = "openai"
    errors: dict[int, Said]
    id_header: str = "x-request-id"
    open_door: bool = False
    largest: int = 512 * MB
    bad_json: str = "We could not parse the JSON body of your request."
    bad_json_status: int = 400


_COMMON: dict[int, Said] = {
    400: (_INVALID, None, "Invalid request."),
    403: (_INVALID, None, "You do not have access to this resource."),
    413: (_INVALID, "request_too_large", "The request body is too large."),
    415: (_INVALID, "unsupported_content_type", "Unsupported content type."),
    422: (_INVALID, None, "Unprocessable request."),
    429: ("requests", "rate_limit_exceeded", "Rate limit reached for requests per minute (RPM)."),
    500: (
        "server_error",
        None,
        "The server had an error while processing your request. Sorry about that!",
    ),
    503: ("server_error", None, "The engine is currently overloaded, please try again later"),
}

WORDS = {
    "openai-chat": Words(
        errors={
            **_COMMON,
            401: (
                _INVALID,
                None,
                "You didn't provide an API key. You need to provide your API key in an "
                "Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
            ),
        },
    ),
    "kimi": Words(
        errors={
            **_COMMON,
            401: ("invalid_authentication_error", None, "Invalid Authentication"),
            404: ("resource_not_found_error", None, "The requested resource was not found"),
            429: (
                "rate_limit_reached_error",
                None,
                "Your account has reached its max RPM, please try again after 1 seconds",
            ),
            503: (
                "engine_overloaded_error",
                None,
                "The engine is currently overloaded, please try again later",
            ),
        },
        id_header="msh-request-id",
        largest=100 * MB,
        bad_json="Invalid request: the body is not valid JSON",
    ),
    "deepseek": Words(
        errors={
            **_COMMON,
            401: (
                "authentication_error",
                "invalid_request_error",
                "Authentication Fails (auth header is missing)",
            ),
            429: ("rate_limit_error", None, "Rate limit reached. Please pace your requests."),
            503: (
                "service_unavailable_error",
                None,
                "Service is too busy. Please try again later.",
            ),
        },
        id_header="x-ds-trace-id",
        bad_json="Failed to parse the request body as JSON",
        bad_json_status=400,
    ),
    "mistral": Words(
        shape="mistral",
        errors={
            **_COMMON,
            400: ("invalid_request_error", "3000", "Invalid request."),
            401: ("unauthorized", None, "Unauthorized"),
            404: ("not_found", None, "no Route matched with those values"),
            429: ("rate_limited", "1300", "Rate limit exceeded"),
            503: ("service_unavailable", "3505", "Service tier capacity exceeded for this model."),
        },
        id_header="mistral-correlation-id",
        bad_json="JSON decode error",
        bad_json_status=422,
    ),
    "qwen": Words(
        shape="qwen",
        errors={
            **_COMMON,
            401: (
                _INVALID,
                "invalid_api_key",
                "You didn't provide an API key. You need to provide your API key in an "
                "Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
            ),
            429: (
                "limit_requests",
                "limit_requests",
                "You exceeded your current requests list, please wait and try again.",
            ),
        },
    ),
    "openrouter": Words(
        shape="openrouter",
        errors={
            **_COMMON,
            401: (_INVALID, None, "No auth credentials found"),
            429: (_INVALID, None, "Rate limit exceeded: free-models-per-min."),
            503: (_INVALID, None, "No instances available"),
        },
        id_header="x-generation-id",
        bad_json="Invalid JSON payload",
    ),
    "generic": Words(
        errors={
            **_COMMON,
            404: ("NotFoundError", "404", "Not Found"),
            429: ("TooManyRequests", "429", "Too many requests"),
            500: ("InternalServerError", "500", "Internal server error"),
        },
        open_door=True,
        bad_json="JSON decode error",
    ),
}
"""By dialect. OpenAI's own are used for Responses as well."""
