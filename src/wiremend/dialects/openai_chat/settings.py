"""Chat Completions: the fields beside the messages, in no provider's words and back.

What differs between the servers is a ``Words`` of their profile. Sources: ``openai`` SDK,
``CompletionCreateParams``; the API references of Moonshot, DeepSeek, Mistral, Alibaba Cloud
(compatible mode), OpenRouter and vLLM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

import msgspec

from wiremend.dialects.base import Json, rest
from wiremend.dialects.settings import (
    Effort,
    NamedTool,
    OutputSchema,
    Settings,
    Thinking,
    Tool,
    ToolChoice,
    Written,
    plain_fields,
)

_EFFORTS = get_args(Effort)
_SCHEMA_NAME = "answer"
"""The API demands a name for a schema; most others have none to give."""
_TOOL_FIELDS = ("name", "description", "parameters", "strict")


class Reading(msgspec.Struct, frozen=True):
    """How a server is told to think: what its fields mean, and which fields say so.

    ``take`` removes the fields that it understands; ``write`` gives None where the wish cannot
    be told, and says whether all of it was.
    """

    take: Callable[[Json], Thinking | None]
    write: Callable[[Thinking], tuple[Json, bool] | None]


# --- ways to say how much to think --------------------------------------------------------------


def _take_effort(fields: Json) -> Thinking | None:
    effort = fields.get("reasoning_effort")
    return Thinking(effort=fields.pop("reasoning_effort")) if effort in _EFFORTS else None


def _write_effort(wanted: Thinking) -> tuple[Json, bool] | None:
    if wanted.effort is None:
        return None
    return {"reasoning_effort": wanted.effort}, wanted.budget is None


def _take_switch(fields: Json) -> Thinking | None:
    switch = fields.get("thinking")
    if switch == {"type": "enabled"}:
        del fields["thinking"]
        return Thinking()
    if switch == {"type": "disabled"}:
        del fields["thinking"]
        return Thinking(effort="none")
    return None


def _write_switch(wanted: Thinking) -> tuple[Json, bool] | None:
    if wanted.effort == "none":
        return {"thinking": {"type": "disabled"}}, wanted.budget is None
    return {"thinking": {"type": "enabled"}}, wanted == Thinking()


def _take_enable(fields: Json) -> Thinking | None:
    enabled, budget = fields.get("enable_thinking"), fields.get("thinking_budget")
    if not isinstance(enabled, bool):
        return None
    if isinstance(budget, bool) or not isinstance(budget, int | None):
        return None
    if not enabled and budget is not None:
        return None
    del fields["enable_thinking"]
    fields.pop("thinking_budget", None)
    return Thinking(budget=budget) if enabled else Thinking(effort="none")


def _write_enable(wanted: Thinking) -> tuple[Json, bool] | None:
    if wanted.effort == "none":
        return {"enable_thinking": False}, wanted.budget is None
    budget = {} if wanted.budget is None else {"thinking_budget": wanted.budget}
    return {"enable_thinking": True, **budget}, wanted.effort is None


def _take_reasoning(fields: Json) -> Thinking | None:
    reasoning = fields.get("reasoning")
    if not isinstance(reasoning, dict) or rest(reasoning, "effort", "max_tokens", "enabled"):
        return None
    effort, budget = reasoning.get("effort"), reasoning.get("max_tokens")
    if effort is not None and effort not in _EFFORTS:
        return None
    if isinstance(budget, bool) or not isinstance(budget, int | None):
        return None
    enabled = reasoning.get("enabled", True)
    if enabled is not True and reasoning != {"enabled": False}:
        return None
    del fields["reasoning"]
    return Thinking(effort=effort, budget=budget) if enabled else Thinking(effort="none")


def _write_reasoning(wanted: Thinking) -> tuple[Json, bool] | None:
    said = {"effort": wanted.effort, "max_tokens": wanted.budget}
    told = {name: value for name, value in said.items() if value is not None}
    return {"reasoning": told or {"enabled": True}}, True


BY_EFFORT = Reading(_take_effort, _write_effort)
BY_SWITCH = Reading(_take_switch, _write_switch)
BY_ENABLE = Reading(_take_enable, _write_enable)
BY_REASONING = Reading(_take_reasoning, _write_reasoning)
UNSAID = Reading(lambda _: None, lambda _: None)


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """How a server calls its settings; the defaults are OpenAI's own words.

    ``most_tokens`` is the field for the longest answer, ``required`` the word for "call some
    tool". ``cache_key`` is the field for one, None where there is none. ``schemas``: the answer
    may be held to a JSON Schema, and not only to JSON. ``parallel``, ``top_k`` and ``strict``
    (tools) are known; ``bare_tools`` need no parameters.
    """

    most_tokens: str = "max_completion_tokens"
    required: str = "required"
    cache_key: str | None = "prompt_cache_key"
    thinking: Reading = BY_EFFORT
    schemas: bool = True
    parallel: bool = True
    top_k: bool = False
    strict: bool = True
    bare_tools: bool = True


def _plain(words: Words) -> list[tuple[str, str, Any]]:
    table: list[tuple[str, str, Any]] = [
        ("model", "model", str),
        ("max_output_tokens", words.most_tokens, int),
        ("temperature", "temperature", (int, float)),
        ("top_p", "top_p", (int, float)),
        ("stream", "stream", bool),
    ]
    if words.parallel:
        table.append(("parallel_calls", "parallel_tool_calls", bool))
    if words.top_k:
        table.append(("top_k", "top_k", int))
    if words.cache_key is not None:
        table.append(("cache_key", words.cache_key, str))
    return table


def read_settings(words: Words, envelope: Mapping[str, Any]) -> Settings:
    """The settings of a body; what has another form than the server's, or no name, is ``rest``."""
    left = rest(dict(envelope), "messages")
    # The older name of the same field; who has both meant something by it.
    if {"max_tokens", "max_completion_tokens"} & left.keys() == {"max_tokens"}:
        left[words.most_tokens] = left.pop("max_tokens")
    found = plain_fields(left, _plain(words))
    tools = left.get("tools")
    if isinstance(tools, list):
        read = [_read_tool(tool) for tool in tools]
        found["tools"] = tuple(tool for tool in read if tool is not None)
        left["tools"] = [tool for tool, known in zip(tools, read, strict=True) if known is None]
        if not left["tools"]:
            del left["tools"]
    choice = _read_choice(words, left.get("tool_choice"))
    if choice is not None:
        found["tool_choice"] = choice
        del left["tool_choice"]
    stops = left.get("stop")
    stops = [stops] if isinstance(stops, str) else stops
    if isinstance(stops, list) and all(isinstance(stop, str) for stop in stops):
        found["stop"] = tuple(stops)
        del left["stop"]
    output = _read_output(left.get("response_format"))
    if output is not None:
        found["output"] = output
        del left["response_format"]
    found["thinking"] = words.thinking.take(left)
    return Settings(rest=left, **found)


def write_settings(words: Words, settings: Settings) -> Written:
    """The fields of a body, and the names of the settings that this server cannot be told."""
    lost: list[str] = []
    fields: Json = {}
    table = _plain(words)
    for name, key, _ in table:
        value = getattr(settings, name)
        if value is not None:
            fields[key] = value
    known = {name for name, _, _ in table}
    lost += [
        name
        for name in ("parallel_calls", "top_k", "cache_key")
        if name not in known and getattr(settings, name) is not None
    ]
    kept = settings.rest.get("tools")
    tools = [_written_tool(tool, words, lost) for tool in settings.tools]
    if tools or isinstance(kept, list):
        fields["tools"] = [*tools, *(kept if isinstance(kept, list) else ())]
    choice = settings.tool_choice
    if isinstance(choice, NamedTool):
        fields["tool_choice"] = {"type": "function", "function": {"name": choice.name}}
    elif choice is not None:
        fields["tool_choice"] = words.required if choice == "required" else choice
    if settings.stop:
        fields["stop"] = list(settings.stop)
    _write_output(settings.output, words, fields, lost)
    if settings.thinking is not None:
        said = words.thinking.write(settings.thinking)
        fields.update(said[0] if said else {})
        if said is None or not said[1]:
            lost.append("thinking")
    return Written({**settings.rest, **fields}, tuple(dict.fromkeys(lost)))


def _read_tool(tool: Any) -> Tool | None:
    """A function in neutral words; None for what has no place there."""
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict) or rest(tool, "type", "function"):
        return None
    if tool.get("type") != "function" or rest(function, *_TOOL_FIELDS):
        return None
    name, parameters = function.get("name"), function.get("parameters")
    described, strict = function.get("description"), function.get("strict")
    if not isinstance(name, str) or not isinstance(parameters, dict | None):
        return None
    if not isinstance(described, str | None) or not isinstance(strict, bool | None):
        return None
    return Tool(name=name, description=described, parameters=parameters, strict=strict)


def _written_tool(tool: Tool, words: Words, lost: list[str]) -> Json:
    function: Json = {"name": tool.name}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.parameters is not None:
        function["parameters"] = tool.parameters
    elif not words.bare_tools:
        function["parameters"] = {"type": "object", "properties": {}}
    if tool.strict is not None and words.strict:
        function["strict"] = tool.strict
    elif tool.strict is not None:
        lost.append("tools.strict")
    if tool.deferred:
        lost.append("tools.deferred")
    return {"type": "function", "function": function}


def _read_choice(words: Words, value: Any) -> ToolChoice | None:
    if value in (words.required, "required"):
        return "required"
    if value in ("auto", "none"):
        return value  # type: ignore[no-any-return]
    if not isinstance(value, dict) or value.keys() != {"type", "function"}:
        return None
    function = value["function"]
    if value["type"] != "function" or not isinstance(function, dict):
        return None
    name = function.get("name")
    return NamedTool(name) if isinstance(name, str) and len(function) == 1 else None


def _read_output(shape: Any) -> OutputSchema | None:
    if shape == {"type": "json_object"}:
        return OutputSchema()
    if not isinstance(shape, dict) or shape.keys() != {"type", "json_schema"}:
        return None
    inner = shape["json_schema"]
    if shape["type"] != "json_schema" or not isinstance(inner, dict):
        return None
    name, schema, strict = inner.get("name"), inner.get("schema"), inner.get("strict")
    if rest(inner, "name", "schema", "strict") or not isinstance(schema, dict):
        return None
    if not isinstance(name, str) or not isinstance(strict, bool | None):
        return None
    return OutputSchema(schema, None if name == _SCHEMA_NAME else name, strict)


def _write_output(output: OutputSchema | None, words: Words, fields: Json, lost: list[str]) -> None:
    if output is None:
        return
    if output.schema is None or not words.schemas:
        fields["response_format"] = {"type": "json_object"}
        if output.schema is not None:
            lost.append("output.schema")
        return
    inner: Json = {"name": output.name or _SCHEMA_NAME, "schema": output.schema}
    if output.strict is not None:
        inner["strict"] = output.strict
    fields["response_format"] = {"type": "json_schema", "json_schema": inner}
