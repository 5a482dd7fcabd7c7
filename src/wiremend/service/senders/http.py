"""Through plain ``httpx2``, or anything that is called the same: no SDK is needed."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Generator, Iterable, Mapping
from typing import Any

from wiremend.dialects import find_dialect
from wiremend.errors import WiremendError
from wiremend.service.failures import ProviderError
from wiremend.service.readers import Json
from wiremend.service.senders.base import check_client

_PROVIDERS = {
    "anthropic": "anthropic",
    "gemini": "gcp.gemini",
    "bedrock": "aws.bedrock",
    "openai-chat": "openai",
    "openai-responses": "openai",
}
_END = "[DONE]"
# Whose servers tell the tokens of a stream where they are asked to; others may refuse the question.
_TELL_USAGE = frozenset(("openai-chat", "kimi", "deepseek", "qwen", "openrouter"))


class _Endpoint:
    """``url`` is where requests go, in full: ``https://api.openai.com/v1/chat/completions``.

    For Gemini it ends with ``/models`` and for Bedrock with ``/model``: the rest names the model.
    Keys are headers of the client.
    """

    def __init__(self, client: Any, url: str, dialect: str, *, provider: str | None = None) -> None:
        check_client(client, self)
        self._client = client
        self._url = url.rstrip("/")
        self._family = find_dialect(dialect).family
        self._tells_usage = dialect in _TELL_USAGE
        self._provider = provider or _PROVIDERS[self._family]

    @property
    def family(self) -> str:
        """See ``Sends``."""
        return self._family

    @property
    def provider(self) -> str:
        """See ``Sends``."""
        return self._provider

    def _request(self, body: Json, headers: Mapping[str, str], *, stream: bool) -> dict[str, Any]:
        url, rest = self._url, dict(body)
        if self._family in ("gemini", "bedrock"):
            model = rest.pop("model", None) or rest.pop("modelId", None)
            if not isinstance(model, str):
                said = "name the model in the settings: it is part of the URL"
                raise WiremendError(said, ("model",))
            url = f"{url}/{model}{self._verb(stream=stream)}"
        elif stream:
            rest["stream"] = True
            if self._tells_usage:
                rest.setdefault("stream_options", {"include_usage": True})
        return {"method": "POST", "url": url, "json": rest, "headers": dict(headers)}

    def _verb(self, *, stream: bool) -> str:
        if self._family == "gemini":
            return ":streamGenerateContent?alt=sse" if stream else ":generateContent"
        return "/converse"


class Http(_Endpoint):
    """Requests through an ``httpx2.Client``."""

    def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``Sender``."""
        answer = self._client.request(**self._request(body, headers, stream=False))
        return _response(answer.status_code, answer.text, answer.headers)

    def stream(self, body: Json, headers: Mapping[str, str]) -> Generator[Json, None, None]:
        """See ``Sender``."""
        with self._client.stream(**self._request(body, headers, stream=True)) as answer:
            if answer.status_code >= 400:
                raise _refusal(
                    answer.status_code, answer.read().decode("utf-8", "replace"), answer.headers
                )
            events = _Events()
            for line in answer.iter_lines():
                yield from events.line(line)
            yield from events.line("")


class AsyncHttp(_Endpoint):
    """Requests through an ``httpx2.AsyncClient``."""

    async def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``AsyncSender``."""
        answer = await self._client.request(**self._request(body, headers, stream=False))
        return _response(answer.status_code, answer.text, answer.headers)

    async def stream(self, body: Json, headers: Mapping[str, str]) -> AsyncGenerator[Json, None]:
        """See ``AsyncSender``."""
        async with self._client.stream(**self._request(body, headers, stream=True)) as answer:
            if answer.status_code >= 400:
                said = (await answer.aread()).decode("utf-8", "replace")
                raise _refusal(answer.status_code, said, answer.headers)
            events = _Events()
            async for line in answer.aiter_lines():
                for chunk in events.line(line):
                    yield chunk
            for chunk in events.line(""):
                yield chunk


class _Events:
    """Lines of an event stream in, what each event holds out."""

    def __init__(self) -> None:
        self._data: list[str] = []

    def line(self, line: str) -> Iterable[Json]:
        """The event that a line completes."""
        if line:
            name, _, value = line.partition(":")
            if name == "data":
                self._data.append(value.removeprefix(" "))
            return ()
        text, self._data = "\n".join(self._data), []
        if not text or text.strip() == _END:
            return ()
        return (_parsed(200, text),)


def _response(status: int, text: str, headers: Mapping[str, str]) -> Json:
    if status >= 400:
        raise _refusal(status, text, headers)
    return _parsed(status, text)


def _refusal(status: int, text: str, headers: Mapping[str, str]) -> ProviderError:
    try:
        body: Any = json.loads(text)
    except json.JSONDecodeError:
        body = text
    return ProviderError(status, body if isinstance(body, dict) else text, headers)


def _parsed(status: int, text: str) -> Json:
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        raise ProviderError(status, text) from None
    if not isinstance(value, dict):
        raise ProviderError(status, text)
    return value
