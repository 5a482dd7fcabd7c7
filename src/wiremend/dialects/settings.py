"""What stands beside the messages of a request, in no provider's words.

Each dialect reads its own fields as ``Settings`` and writes ``Settings`` as its own fields, so that
a request can be converted from any one to any other. What has no name here stays in ``rest``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from wiremend.dialects.base import Json

Effort: TypeAlias = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A function that the model may call. ``parameters`` is a JSON Schema, or None.

    ``deferred``: it is not shown to the model until it is loaded. ``more`` names the fields that
    only its own provider has: they are not written.
    """

    name: str
    description: str | None = None
    parameters: Json | None = None
    strict: bool | None = None
    deferred: bool = False
    more: tuple[str, ...] = ()


class NamedTool(msgspec.Struct, frozen=True):
    """The tool that the model has to call."""

    name: str


ToolChoice: TypeAlias = Literal["auto", "none", "required"] | NamedTool


class OutputSchema(msgspec.Struct, frozen=True):
    """The answer has to be JSON; ``schema`` None: any JSON object."""

    schema: Json | None = None
    name: str | None = None
    strict: bool | None = None
    description: str | None = None

    def told(self, *names: str) -> list[str]:
        """Those of these fields that say something, for a target that has no place for them."""
        return [f"output.{name}" for name in names if getattr(self, name) is not None]


class Thinking(msgspec.Struct, frozen=True, kw_only=True):
    """How much the model shall think: ``budget`` in tokens, ``effort`` in words.

    Neither: on, and as much as the provider finds right. Off is an effort of ``"none"``.
    """

    effort: Effort | None = None
    budget: int | None = None


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a request beside its messages; None: not said.

    ``rest`` are the fields that only their own provider has, hosted tools among them, as they came.
    """

    model: str | None = None
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice | None = None
    parallel_calls: bool | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop: tuple[str, ...] = ()
    thinking: Thinking | None = None
    output: OutputSchema | None = None
    cache_key: str | None = None
    stream: bool | None = None
    rest: Json = {}


class Written(msgspec.Struct, frozen=True):
    """The fields that a provider takes, and the names of the settings that it cannot be told."""

    fields: Json
    lost: tuple[str, ...] = ()


ReadSettings: TypeAlias = Callable[[Mapping[str, Any]], Settings]
WriteSettings: TypeAlias = Callable[[Settings], Written]
