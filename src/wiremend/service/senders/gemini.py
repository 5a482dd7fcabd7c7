"""Through the ``google-genai`` package's client, for the Gemini API and Vertex."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import aclosing, closing
from typing import Any

from wiremend.errors import WiremendError
from wiremend.service.readers import Json

# The SDK's own types know fewer fields than the API: the body goes beside them, as it is, and takes
# the place of this.
_PLACEHOLDER = "-"
_URL_SAFE = str.maketrans("-_", "+/")
_BYTES = frozenset(("thoughtSignature", "data"))


class _Contents:
    def __init__(self, client: Any, *, provider: str = "gcp.gemini") -> None:
        self._client = client
        self.provider = provider

    @property
    def family(self) -> str:
        """See ``Sends``."""
        return "gemini"


class GeminiContents(_Contents):
    """generateContent through ``google.genai.Client``."""

    def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``Sender``."""
        return _as_json(self._client.models.generate_content(**_arguments(body, headers)))

    def stream(self, body: Json, headers: Mapping[str, str]) -> Generator[Json, None, None]:
        """See ``Sender``."""
        chunks = self._client.models.generate_content_stream(**_arguments(body, headers))
        with closing(chunks):
            for chunk in chunks:
                yield _as_json(chunk)


class AsyncGeminiContents(_Contents):
    """generateContent through ``google.genai.Client(…).aio``, or the client that has it."""

    def __init__(self, client: Any, *, provider: str = "gcp.gemini") -> None:
        super().__init__(getattr(client, "aio", client), provider=provider)

    async def send(self, body: Json, headers: Mapping[str, str]) -> Json:
        """See ``AsyncSender``."""
        return _as_json(await self._client.models.generate_content(**_arguments(body, headers)))

    async def stream(self, body: Json, headers: Mapping[str, str]) -> AsyncGenerator[Json, None]:
        """See ``AsyncSender``."""
        chunks = await self._client.models.generate_content_stream(**_arguments(body, headers))
        async with aclosing(chunks):
            async for chunk in chunks:
                yield _as_json(chunk)


def _arguments(body: Json, headers: Mapping[str, str]) -> dict[str, Any]:
    model = body.get("model")
    if not isinstance(model, str):
        raise WiremendError("name the model in the settings: it is part of the URL", ("model",))
    rest = {name: value for name, value in body.items() if name != "model"}
    options: dict[str, Any] = {"extra_body": rest}
    if headers:
        options["headers"] = dict(headers)
    return {"model": model, "contents": _PLACEHOLDER, "config": {"http_options": options}}


def _as_json(response: Any) -> Json:
    dumped: Json = response.model_dump(
        mode="json", by_alias=True, exclude_unset=True, exclude={"sdk_http_response", "parsed"}
    )
    written: Json = _with_plain_base64(dumped)
    return written


def _with_plain_base64(value: Any) -> Any:
    """The SDK writes bytes for URLs; the API wrote them, and wants signatures back, plainly."""
    if isinstance(value, list):
        return [_with_plain_base64(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: item.translate(_URL_SAFE)
        if name in _BYTES and isinstance(item, str)
        else _with_plain_base64(item)
        for name, item in value.items()
        if item is not None
    }
