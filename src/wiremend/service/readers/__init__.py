"""Streams of each wire format, put together."""

from __future__ import annotations

from collections.abc import Callable

from wiremend.errors import WiremendError
from wiremend.service.readers.anthropic import AnthropicReader
from wiremend.service.readers.base import Guarded, Json, Reader
from wiremend.service.readers.gemini import GeminiReader
from wiremend.service.readers.openai_chat import ChatReader
from wiremend.service.readers.openai_responses import ResponsesReader

__all__ = ["Json", "Reader", "reader_of"]

_READERS: dict[str, Callable[[], Reader]] = {
    "openai-chat": ChatReader,
    "openai-responses": ResponsesReader,
    "anthropic": AnthropicReader,
    "gemini": GeminiReader,
}


def reader_of(family: str) -> Reader:
    """A reader for one stream in a wire format. Raises ``WiremendError`` where there is none."""
    if family not in _READERS:
        raise WiremendError(f"streams of {family} are not read; there are: {', '.join(_READERS)}")
    return Guarded(_READERS[family](), family)
