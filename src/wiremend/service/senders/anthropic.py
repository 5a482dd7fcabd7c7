"""Through the ``anthropic`` package's clients, those for Bedrock and Vertex too."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any

from wiremend.service.readers import Json
from wiremend.service.senders.base import as_json, check_client, names_of, split


class _Messages:
    def __init__(self, client: Any, *, provider: str = "anthropic") -> None:
        check_client(client, self)
        self._create = client.messages.create
        self._known = names_of(self._create)
        self.provider = provider

    @property
    def family(self) -> str:
        """See ``Sends``."""
        return "anthropic"

    def _arguments(self, body: Json, headers: Mapping[str, str], *, stream: bool) -> dict[str, Any]:
        rest = {name: value for name, value in body.items() if name != "stream"}
        arguments = split(rest, self._known)
        if headers:
            arguments["extra_headers"] = dict(headers)
        return {**arguments, "stream": True} if stream else arguments


class AnthropicMessages(_Messages):
    """Messages through ``anthropic.Anthropic``."""

    def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``Sender``."""
        return as_json(self._create(**self._arguments(body, headers, stream=False)))

    def stream(self, body: Json, headers: Mapping[str, str]) -> Generator[Json, None, None]:
        """See ``Sender``."""
        with self._create(**self._arguments(body, headers, stream=True)) as events:
            for event in events:
                yield as_json(event)


class AsyncAnthropicMessages(_Messages):
    """Messages through ``anthropic.AsyncAnthropic``."""

    async def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``AsyncSender``."""
        return as_json(await self._create(**self._arguments(body, headers, stream=False)))

    async def stream(self, body: Json, headers: Mapping[str, str]) -> AsyncGenerator[Json, None]:
        """See ``AsyncSender``."""
        async with await self._create(**self._arguments(body, headers, stream=True)) as events:
            async for event in events:
                yield as_json(event)
