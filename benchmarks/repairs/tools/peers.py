"""The peers by name, each loaded when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from benchmarks.repairs.listening import Listener
from benchmarks.repairs.tools.base import Tool

_LANGCHAIN = ("langchain_anthropic", "langchain_aws", "langchain_google_genai", "langchain_openai")
_HOMES: dict[str, tuple[tuple[str, ...], str]] = {
    "litellm": (("litellm",), "LiteLLM"),
    "langchain": (_LANGCHAIN, "LangChain"),
    "pydantic-ai": (("pydantic_ai",), "PydanticAI"),
    "openai-agents": (("agents",), "OpenAIAgents"),
}
NAMES = tuple(_HOMES)


def is_installed(name: str) -> bool:
    """Whether the peer's packages are here, all of them."""
    return all(find_spec(package) is not None for package in _HOMES[name][0])


def peer(name: str, listener: Listener) -> Tool:
    """The peer, which will post to this listener."""
    module = import_module(f"benchmarks.repairs.tools.{name.replace('-', '_')}")
    return cast("Callable[[Listener], Tool]", getattr(module, _HOMES[name][1]))(listener)
