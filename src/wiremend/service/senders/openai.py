"""Through the ``openai`` package's clients: Chat Completions and Responses, Azure's too."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any

from wiremend.service.readers import Json
from wiremend.service.senders.base import as_json, check_client, names_of, split

_WITH_USAGE = {"include_usage": True}


class _Client:
    def __init__(self, client: Any, provider: str) -> None:
        check_client(client, self)
        self._create = self._creating(client)
        self._known = names_of(self._create)
        self._provider = provider

    @property
    def provider(self) -> str:
        """See ``Sends``."""
        return self._provider

    def _creating(self, client: Any) -> Any:
        raise NotImplementedError

    def _arguments(self, body: Json, headers: Mapping[str, str]) -> dict[str, Any]:
        rest = {name: value for name, value in body.items() if name != "stream"}
        arguments = split(rest, self._known)
        return {**arguments, "extra_headers": dict(headers)} if headers else arguments


class _Chat(_Client):
    """``include_usage`` asks servers for the tokens of a stream; some refuse the question."""

    def __init__(
        self, client: Any, *, provider: str = "openai", include_usage: bool = True
    ) -> None:
        super().__init__(client, provider)
        self._include_usage = include_usage

    @property
    def family(self) -> str:
        """See ``Sends``."""
        return "openai-chat"

    def _creating(self, client: Any) -> Any:
        return client.chat.completions.create

    def _streaming(self, body: Json, headers: Mapping[str, str]) -> dict[str, Any]:
        arguments = self._arguments(body, headers)
        if self._include_usage:
            arguments.setdefault("stream_options", _WITH_USAGE)
        return {**arguments, "stream": True}


class _Responses(_Client):
    def __init__(self, client: Any, *, provider: str = "openai") -> None:
        super().__init__(client, provider)

    @property
    def family(self) -> str:
        """See ``Sends``."""
        return "openai-responses"

    def _creating(self, client: Any) -> Any:
        return client.responses.create

    def _streaming(self, body: Json, headers: Mapping[str, str]) -> dict[str, Any]:
        return {**self._arguments(body, headers), "stream": True}


class OpenAIChat(_Chat):
    """Chat Completions through ``openai.OpenAI`` (or ``AzureOpenAI``, or any server's base URL)."""

    def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``Sender``."""
        return as_json(self._create(**self._arguments(body, headers)))

    def stream(self, body: Json, headers: Mapping[str, str]) -> Generator[Json, None, None]:
        """See ``Sender``."""
        with self._create(**self._streaming(body, headers)) as chunks:
            for chunk in chunks:
                yield as_json(chunk)


class AsyncOpenAIChat(_Chat):
    """Chat Completions through ``openai.AsyncOpenAI``."""

    async def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``AsyncSender``."""
        return as_json(await self._create(**self._arguments(body, headers)))

    async def stream(self, body: Json, headers: Mapping[str, str]) -> AsyncGenerator[Json, None]:
        """See ``AsyncSender``."""
        async with await self._create(**self._streaming(body, headers)) as chunks:
            async for chunk in chunks:
                yield as_json(chunk)


class OpenAIResponses(_Responses):
    """Responses through ``openai.OpenAI``."""

    send = OpenAIChat.send
    stream = OpenAIChat.stream


class AsyncOpenAIResponses(_Responses):
    """Responses through ``openai.AsyncOpenAI``."""

    send = AsyncOpenAIChat.send
    stream = AsyncOpenAIChat.stream
