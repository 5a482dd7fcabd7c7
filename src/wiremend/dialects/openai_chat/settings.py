"""Chat Completions: what stands beside the messages, read and written for each server.

Sources: ``openai`` SDK, ``chat.CompletionCreateParams``; for the others the sources of their
profiles. A tool is read as what all providers have of it: a mark for a cache is only named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from wiremend.dialects.base import Json, rest
from wiremend.dialects.openai_chat.thinking import Way, read_thinking, write_thinking
from wiremend.dialects.setting_fields import EFFORTS, Fields, merged, said, typed
from wiremend.dialects.settings import (
    Effort,
    NamedTool,
    OutputSchema,
    ReadSettings,
    Settings,
    Tool,
    ToolChoice,
    WriteSettings,
    Written,
)

MaxTokens: TypeAlias = Literal["max_tokens", "max_completion_tokens"]

_NOTHING: Json = {"type": "object", "properties": {}}
_UNNAMED = "answer"  # a schema needs a name here


class SettingWords(msgspec.Struct, frozen=True, kw_only=True):
    """How a server calls things. The defaults are OpenAI's.

    ``thinking`` is the way in which it is told how much to think, with the words in ``efforts``;
    ``schemas``: an answer can be held to a JSON Schema. ``needs_parameters``: a tool that takes
    nothing has to say so.
    """

    max_tokens: MaxTokens = "max_completion_tokens"
    top_k: bool = False
    cache_key: str | None = "prompt_cache_key"
    thinking: Way = "effort"
    efforts: tuple[Effort, ...] = EFFORTS
    schemas: bool = True
    needs_parameters: bool = False


OPENAI_WORDS = SettingWords()


def read_settings(envelope: Mapping[str, Any], words: SettingWords = OPENAI_WORDS) -> Settings:
    """The fields beside the messages as settings."""
    fields = Fields(envelope, "messages")
    return Settings(
        model=fields.text("model"),
        tools=_read_tools(fields, words),
        tool_choice=_read_choice(fields),
        parallel_calls=fields.flag("parallel_tool_calls"),
        max_output_tokens=_first_limit(fields, words),
        temperature=fields.number("temperature"),
        top_p=fields.number("top_p"),
        top_k=fields.whole("top_k") if words.top_k else None,
        stop=fields.texts("stop"),
        thinking=read_thinking(fields, words.thinking),
        output=_read_output(fields),
        cache_key=fields.text(words.cache_key) if words.cache_key else None,
        stream=fields.flag("stream"),
        rest=fields.rest,
    )


def write_settings(settings: Settings, words: SettingWords = OPENAI_WORDS) -> Written:
    """The settings as fields beside the messages."""
    lost: list[str] = []
    fields = said(
        model=settings.model,
        tools=[_tool(tool, words) for tool in settings.tools] or None,
        temperature=settings.temperature,
        top_p=settings.top_p,
        stop=list(settings.stop) or None,
        response_format=_output(settings.output, words, lost),
        stream=settings.stream,
        **{words.max_tokens: settings.max_output_tokens},
    )
    fields.update(write_thinking(settings.thinking, words.thinking, words.efforts, lost))
    if words.top_k:
        fields.update(said(top_k=settings.top_k))
    elif settings.top_k is not None:
        lost.append("top_k")
    if words.cache_key:
        fields.update(said(**{words.cache_key: settings.cache_key}))
    elif settings.cache_key is not None:
        lost.append("cache_key")
    if any(tool.deferred for tool in settings.tools):
        lost.append("tools.deferred")
    fields = merged(fields, settings.rest)
    _write_choice(settings, fields, lost)
    return Written(fields, tuple(lost))


def settings_for(words: SettingWords) -> tuple[ReadSettings, WriteSettings]:
    """Both directions for a server of these words."""
    return (
        lambda envelope: read_settings(envelope, words),
        lambda settings: write_settings(settings, words),
    )


def _first_limit(fields: Fields, words: SettingWords) -> int | None:
    """The limit by the server's own name, or by the other one that SDKs write."""
    other: MaxTokens = (
        "max_tokens" if words.max_tokens == "max_completion_tokens" else "max_completion_tokens"
    )
    # Under its own name it is written again: what stands there must not be in the way.
    return fields.whole(words.max_tokens if words.max_tokens in fields.rest else other)


def _read_tools(fields: Fields, words: SettingWords) -> tuple[Tool, ...]:
    table = fields.rest.get("tools")
    if not isinstance(table, list):
        return ()
    tools = [_read_tool(tool, words) for tool in table]
    others = [tool for tool, found in zip(table, tools, strict=True) if found is None]
    del fields.rest["tools"]
    if others:
        fields.rest["tools"] = others
    return tuple(tool for tool in tools if tool is not None)


def _read_tool(tool: Any, words: SettingWords) -> Tool | None:
    function: Any = tool.get("function") if isinstance(tool, dict) else None
    shaped = typed(function, name=str, description=str, parameters=dict, strict=bool)
    if not shaped or tool.get("type") != "function" or function.get("name") is None:
        return None
    parameters = function.get("parameters")
    return Tool(
        name=function["name"],
        description=function.get("description"),
        parameters=None if words.needs_parameters and parameters == _NOTHING else parameters,
        strict=function.get("strict"),
        more=(
            *rest(tool, "type", "function"),
            *rest(function, "name", "description", "parameters", "strict"),
        ),
    )


def _tool(tool: Tool, words: SettingWords) -> Json:
    parameters = tool.parameters
    if parameters is None and words.needs_parameters:
        parameters = dict(_NOTHING)
    more = said(description=tool.description, parameters=parameters, strict=tool.strict)
    return {"type": "function", "function": {"name": tool.name, **more}}


def _read_choice(fields: Fields) -> ToolChoice | None:
    value = fields.rest.get("tool_choice")
    choice: ToolChoice | None = None
    if value in ("auto", "none", "required"):
        choice = value
    elif value == "any":  # Mistral's older word
        choice = "required"
    elif isinstance(value, dict) and value.get("type") == "function":
        name = (value.get("function") or {}).get("name") if typed(value, function=dict) else None
        choice = NamedTool(name) if isinstance(name, str) else None
    if choice is not None:
        del fields.rest["tool_choice"]
    return choice


def _write_choice(settings: Settings, fields: Json, lost: list[str]) -> None:
    """How tools are called, which may only be said where there are any."""
    choice, parallel = settings.tool_choice, settings.parallel_calls
    if not fields.get("tools"):
        lost.extend(["tool_choice"] if choice is not None else [])
        lost.extend(["parallel_calls"] if parallel is not None else [])
        return
    if isinstance(choice, NamedTool):
        fields["tool_choice"] = {"type": "function", "function": {"name": choice.name}}
    elif choice is not None:
        fields["tool_choice"] = choice
    fields.update(said(parallel_tool_calls=parallel))


def _read_output(fields: Fields) -> OutputSchema | None:
    value: Any = fields.rest.get("response_format")
    if value == {"type": "json_object"}:
        del fields.rest["response_format"]
        return OutputSchema()
    held: Any = value.get("json_schema") if isinstance(value, dict) else None
    known = isinstance(held, dict) and held.keys() <= {"name", "schema", "strict", "description"}
    if not known or not typed(held, name=str, schema=dict, strict=bool, description=str):
        return None
    if held.get("schema") is None or value.keys() != {"type", "json_schema"}:
        return None
    del fields.rest["response_format"]
    name = held.get("name")
    named = None if name == _UNNAMED else name
    return OutputSchema(held["schema"], named, held.get("strict"), held.get("description"))


def _output(output: OutputSchema | None, words: SettingWords, lost: list[str]) -> Json | None:
    if output is None:
        return None
    if output.schema is None or not words.schemas:
        if output != OutputSchema():
            lost.append("output")
        return {"type": "json_object"}
    held = {"name": output.name or _UNNAMED, "schema": output.schema}
    more = said(strict=output.strict, description=output.description)
    return {"type": "json_schema", "json_schema": {**held, **more}}
