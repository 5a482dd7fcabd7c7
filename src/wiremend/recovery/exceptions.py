"""The exceptions of SDKs and HTTP clients, read by their shape: none of them is imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wiremend.errors import WiremendError
from wiremend.recovery.errors import Classified, classify
from wiremend.recovery.signs import Sign

_ABORTS = frozenset(
    ("CancelledError", "KeyboardInterrupt", "SystemExit", "GeneratorExit", "APIUserAbortError")
)
_OUTAGES = frozenset(
    {
        *("ConnectionError", "TimeoutError", "gaierror", "SSLError"),  # Python
        *("HTTPException", "URLError"),  # its http.client and urllib
        "APIConnectionError",  # openai, anthropic, and what is made like them
        *("TransportError", "StreamError"),  # httpx, httpx2, google-auth
        *("Timeout", "ChunkedEncodingError"),  # requests
        *("ClientConnectionError", "ClientPayloadError"),  # aiohttp
        *("HTTPClientError", "IncompleteReadError"),  # botocore
        "NoResponseError",  # mistralai
    }
)
"""Names of classes for requests that got no answer, or lost it on the way."""

_STATUS_NAMES = ("status_code", "code", "status")
_DEEPEST = 8


def classify_exception(
    error: BaseException, dialect: str | None = None, *, extra_signs: Sequence[Sign] = ()
) -> Classified:
    """Classify what an SDK or an HTTP client raised; see ``classify``.

    Known by their shape are openai, anthropic, google-genai, mistralai, botocore, httpx, httpx2,
    requests, aiohttp, urllib and what wraps them, an exception group or a chain of causes too.
    """
    found = Classified("other")
    if isinstance(error, WiremendError):  # what is said here is no provider's
        return found
    for link in _chain(error):
        found = _one(link, dialect, extra_signs)
        if found.error_class != "other" or _status(link) is not None:
            break
    return found


def _one(error: BaseException, dialect: str | None, extra_signs: Sequence[Sign]) -> Classified:
    names = {cls.__name__ for cls in type(error).__mro__}
    if names & _ABORTS:
        return Classified("aborted")
    status = _status(error)
    if status is None and names & _OUTAGES:
        return Classified("network")
    body, headers = _said(error), _headers(error)
    return classify(status, body, dialect, headers=headers, extra_signs=extra_signs)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, those in its group, and what caused it."""
    waiting, seen = [error], 0
    while waiting and seen < _DEEPEST:
        link = waiting.pop(0)
        seen += 1
        yield link
        if isinstance(link, BaseExceptionGroup):
            waiting.extend(link.exceptions)
        cause = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
        if cause is not None:
            waiting.append(cause)


def _status(error: BaseException) -> int | None:
    response = _attribute(error, "response")
    if isinstance(response, Mapping):  # botocore
        metadata = response.get("ResponseMetadata")
        numbers = [metadata.get("HTTPStatusCode") if isinstance(metadata, Mapping) else None]
    else:
        numbers = [_attribute(error, name) for name in _STATUS_NAMES]
        numbers += [_attribute(response, name) for name in _STATUS_NAMES]
    known = (n for n in numbers if isinstance(n, int) and not isinstance(n, bool))
    return next((int(n) for n in known if 100 <= n <= 599), None)


def _said(error: BaseException) -> Any:
    """What came with it: the body as the SDK kept it, the answer's text, or its own words."""
    response = _attribute(error, "response")
    if isinstance(response, Mapping):
        return {**response, "ResponseMetadata": None}
    # Of a stream that nobody read, the text cannot be had.
    candidates = (
        _attribute(error, "body"),
        _attribute(error, "details"),
        _attribute(response, "text"),
    )
    for said in candidates:
        if isinstance(said, str | bytes | dict | list) and said:
            return said
    return str(error)


def _headers(error: BaseException) -> dict[str, str]:
    response = _attribute(error, "response")
    if isinstance(response, Mapping):
        metadata = response.get("ResponseMetadata")
        headers = metadata.get("HTTPHeaders") if isinstance(metadata, Mapping) else None
    else:
        headers = _attribute(response, "headers") or _attribute(error, "headers")
    if not isinstance(headers, Mapping):
        return {}
    return {str(name): str(value) for name, value in headers.items()}


def _attribute(value: Any, name: str) -> Any:
    try:
        return getattr(value, name, None)
    except Exception:  # noqa: BLE001  (a property that reads a closed stream may raise anything)
        return None
