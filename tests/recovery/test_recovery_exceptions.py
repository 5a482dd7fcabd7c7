"""What the SDKs really raise, made by the SDKs themselves, each in its class."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import ssl
import urllib.error
from email.message import Message
from typing import Any

import aiohttp
import anthropic
import botocore.exceptions
import httpx2
import mistralai.client.errors
import openai
import pytest
from google.genai import errors as genai_errors

from wiremend.errors import WiremendError
from wiremend.recovery import Classified, classify_exception

_ORPHAN = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
_REQUEST = httpx2.Request("POST", "https://provider.example/v1/x")


def _response(status: int, body: Any, **headers: str) -> httpx2.Response:
    return httpx2.Response(status, json=body, headers=headers, request=_REQUEST)


def _openai(status: int, error: dict[str, Any]) -> Exception:
    client = openai.OpenAI(
        api_key="k",
        base_url="https://provider.example/v1",
        max_retries=0,
        http_client=httpx2.Client(
            transport=httpx2.MockTransport(
                lambda _: httpx2.Response(
                    status, json={"error": error}, headers={"retry-after": "3"}
                )
            )
        ),
    )
    with pytest.raises(openai.APIError) as caught:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}])
    return caught.value


def _anthropic(status: int, body: Any) -> Exception:
    client = anthropic.Anthropic(
        api_key="k",
        max_retries=0,
        http_client=httpx2.Client(
            transport=httpx2.MockTransport(lambda _: httpx2.Response(status, json=body))
        ),
    )
    with pytest.raises(anthropic.APIError) as caught:
        client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "x"}])
    return caught.value


def test_an_openai_error_says_class_rules_and_how_long_to_wait() -> None:
    orphan = _openai(400, {"message": _ORPHAN, "type": "invalid_request_error", "code": None})
    found = classify_exception(orphan, "openai-chat")
    assert (found.error_class, found.rules) == ("structure", ("WM102",))
    assert found.next_policy == {"structure": "strict"}
    busy = _openai(429, {"message": "Rate limit reached", "code": "rate_limit_exceeded"})
    found = classify_exception(busy)
    assert (found.error_class, found.retry_after) == ("rate_limit", 3.0)


def test_an_anthropic_error_in_a_stream_that_began_well_is_read_by_its_body() -> None:
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    error = anthropic.APIStatusError("Overloaded", response=_response(200, {}), body=body)
    assert classify_exception(error).error_class == "overloaded"
    assert classify_exception(_anthropic(529, body)).error_class == "overloaded"


def test_an_answer_whose_text_nobody_read_does_not_disturb() -> None:
    unread = httpx2.Response(413, stream=httpx2.ByteStream(b"x"), request=_REQUEST)
    error = httpx2.HTTPStatusError("no", request=_REQUEST, response=unread)
    assert classify_exception(error).error_class == "request_too_large"


@pytest.mark.parametrize(
    ("error", "error_class"),
    [
        (openai.APIConnectionError(request=_REQUEST), "network"),
        (openai.APITimeoutError(request=_REQUEST), "network"),
        (anthropic.APIConnectionError(request=_REQUEST), "network"),
        (anthropic.APITimeoutError(_REQUEST), "network"),
        (httpx2.ConnectError("x"), "network"),
        (httpx2.ReadTimeout("x"), "network"),
        (httpx2.RemoteProtocolError("peer closed connection"), "network"),
        (httpx2.HTTPStatusError("x", request=_REQUEST, response=_response(401, {})), "auth"),
        (aiohttp.ServerDisconnectedError(), "network"),
        (aiohttp.ClientPayloadError(), "network"),
        (botocore.exceptions.EndpointConnectionError(endpoint_url="https://x"), "network"),
        (botocore.exceptions.ReadTimeoutError(endpoint_url="https://x"), "network"),
        (http.client.RemoteDisconnected("x"), "network"),
        (http.client.IncompleteRead(b""), "network"),
        (urllib.error.URLError("x"), "network"),
        (urllib.error.HTTPError("https://x", 402, "x", Message(), None), "quota"),
        (socket.gaierror(), "network"),
        (ssl.SSLError(), "network"),
        (ConnectionResetError(), "network"),
        (TimeoutError(), "network"),
        (asyncio.CancelledError(), "aborted"),
        (KeyboardInterrupt(), "aborted"),
        (GeneratorExit(), "aborted"),
        (ValueError("a fault in the program"), "other"),
        (SystemExit(400), "aborted"),
    ],
)
def test_an_exception_is_of_its_class(error: BaseException, error_class: str) -> None:
    assert classify_exception(error).error_class == error_class


def test_a_google_error_is_read() -> None:
    text = (
        "Please ensure that the number of function response parts is equal to the number of "
        "function call parts of the function call turn."
    )
    body = {"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}
    found = classify_exception(genai_errors.ClientError(400, body), "gemini")
    assert (found.error_class, found.rules) == ("structure", ("WM401", "WM403"))
    unavailable = {"error": {"code": 503, "message": "later", "status": "UNAVAILABLE"}}
    assert classify_exception(genai_errors.ServerError(503, unavailable)) == Classified(
        "overloaded"
    )


def test_a_botocore_error_is_read() -> None:
    said = "The toolResult blocks at messages.2.content contain duplicate Ids: tooluse_a"
    answer = {
        "Error": {"Code": "ValidationException", "Message": said},
        "ResponseMetadata": {"HTTPStatusCode": 400, "HTTPHeaders": {"retry-after": "2"}},
    }
    error = botocore.exceptions.ClientError(answer, "Converse")  # type: ignore[arg-type]
    found = classify_exception(error, "bedrock")
    assert (found.error_class, found.rules) == ("structure", ("WM503",))
    assert (found.pointer, found.retry_after) == ("/messages/2/content", 2.0)
    throttled = {"Error": {"Code": "ThrottlingException", "Message": "slower"}}
    in_stream = botocore.exceptions.EventStreamError(throttled, "ConverseStream")  # type: ignore[arg-type]
    assert classify_exception(in_stream).error_class == "rate_limit"


def test_a_mistral_error_is_read() -> None:
    body = json.dumps({"message": "Unexpected role 'user' after role 'tool'", "code": "3230"})
    raw = _response(400, {})
    error = mistralai.client.errors.SDKError("API error occurred", raw, body)
    assert classify_exception(error, "mistral").rules == ("WM642",)


def test_what_wraps_an_error_is_looked_through() -> None:
    orphan = _openai(400, {"message": _ORPHAN})
    try:
        try:
            raise orphan
        except openai.APIError as error:
            raise RuntimeError("the step failed") from error
    except RuntimeError as error:
        wrapped: BaseException = error
    assert classify_exception(wrapped).error_class == "structure"
    group = ExceptionGroup("tasks", [ValueError("x"), httpx2.ConnectError("y")])
    assert classify_exception(group).error_class == "network"
    ring = ValueError("x")
    ring.__cause__ = ring
    assert classify_exception(ring).error_class == "other"


def test_what_wiremend_says_itself_is_no_refusal_of_a_provider() -> None:
    error = WiremendError("messages[3].content must be a string", ("messages", 3, "content"))
    assert classify_exception(error) == Classified("other")
