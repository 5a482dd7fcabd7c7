"""Anthropic Messages: what stands beside the messages, read and written.

Source: ``anthropic`` SDK, ``MessageCreateParams``. A tool is read as what all providers have of it:
its cache mark and its examples are only named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wiremend.dialects.base import Json, rest
from wiremend.dialects.setting_fields import Fields, merged, nearest, said, typed
from wiremend.dialects.settings import (
    Effort,
    NamedTool,
    OutputSchema,
    Settings,
    Thinking,
    Tool,
    ToolChoice,
    Written,
)

DEFAULT_MAX_TOKENS = 8192
"""What is written where nothing is said: the API wants a number."""

_ANY_OBJECT = {"type": "object"}
_EFFORTS: tuple[Effort, ...] = ("low", "medium", "high", "xhigh", "max")
_TOOL_FIELDS = ("description", "strict", "defer_loading")
_CHOICES: dict[str, ToolChoice] = {"auto": "auto", "none": "none", "any": "required"}


def read_settings(envelope: Mapping[str, Any]) -> Settings:
    """The fields beside the messages as settings."""
    fields = Fields(envelope, "messages", "system")
    output = fields.inner("output_config")
    metadata = fields.inner("metadata")
    choice, parallel = _read_choice(fields)
    settings = Settings(
        model=fields.text("model"),
        tools=_read_tools(fields),
        tool_choice=choice,
        parallel_calls=parallel,
        max_output_tokens=fields.whole("max_tokens"),
        temperature=fields.number("temperature"),
        top_p=fields.number("top_p"),
        top_k=fields.whole("top_k"),
        stop=fields.texts("stop_sequences"),
        thinking=_read_thinking(fields, output),
        output=_read_output(output),
        cache_key=metadata.text("user_id"),
        stream=fields.flag("stream"),
        rest=fields.rest,
    )
    fields.put_back("output_config", output)
    fields.put_back("metadata", metadata)
    return settings


def write_settings(settings: Settings) -> Written:
    """The settings as fields beside the messages.

    Where no limit is said, ``DEFAULT_MAX_TOKENS`` is written and the limit counts as lost.
    """
    lost: list[str] = []
    limit = settings.max_output_tokens
    if limit is None:
        limit = DEFAULT_MAX_TOKENS
        lost.append("max_output_tokens")
    key = settings.cache_key
    fields = said(
        model=settings.model,
        max_tokens=limit,
        tools=[_tool(tool) for tool in settings.tools] or None,
        temperature=settings.temperature,
        top_p=settings.top_p,
        top_k=settings.top_k,
        stop_sequences=list(settings.stop) or None,
        metadata=None if key is None else {"user_id": key},
        stream=settings.stream,
    )
    fields = merged(fields, _thinking(settings.thinking, lost))
    fields = merged(fields, _output(settings.output, lost))
    fields = merged(fields, settings.rest)
    _write_choice(settings, fields, lost)
    return Written(fields, tuple(lost))


def _read_tools(fields: Fields) -> tuple[Tool, ...]:
    table = fields.rest.get("tools")
    if not isinstance(table, list):
        return ()
    tools = [_read_tool(tool) for tool in table]
    others = [tool for tool, found in zip(table, tools, strict=True) if found is None]
    del fields.rest["tools"]
    if others:
        fields.rest["tools"] = others
    return tuple(tool for tool in tools if tool is not None)


def _read_tool(tool: Any) -> Tool | None:
    """A tool of the client; those of the server have a type of their own."""
    shaped = typed(
        tool, name=str, description=str, input_schema=dict, strict=bool, defer_loading=bool
    )
    if not shaped or tool.get("name") is None or tool.get("type") not in (None, "custom"):
        return None
    schema = tool.get("input_schema")
    return Tool(
        name=tool["name"],
        description=tool.get("description"),
        parameters=None if schema == _ANY_OBJECT else schema,
        strict=tool.get("strict"),
        deferred=tool.get("defer_loading") is True,
        more=tuple(rest(tool, "type", "name", "input_schema", *_TOOL_FIELDS)),
    )


def _tool(tool: Tool) -> Json:
    more = said(description=tool.description, strict=tool.strict)
    if tool.deferred:
        more["defer_loading"] = True
    schema = tool.parameters if tool.parameters is not None else dict(_ANY_OBJECT)
    return {"name": tool.name, "input_schema": schema, **more}


def _read_choice(fields: Fields) -> tuple[ToolChoice | None, bool | None]:
    inner = fields.inner("tool_choice")
    kind, name = inner.rest.get("type"), inner.rest.get("name")
    choice = _CHOICES.get(kind) if isinstance(kind, str) else None
    if kind == "tool" and isinstance(name, str):
        choice = NamedTool(name)
    if choice is None:
        return None, None
    disabled = inner.flag("disable_parallel_tool_use")
    for field in ("type", "name"):
        inner.rest.pop(field, None)
    fields.put_back("tool_choice", inner)
    return choice, None if disabled is None else not disabled


def _write_choice(settings: Settings, fields: Json, lost: list[str]) -> None:
    """How tools are called, which may only be said where there are any."""
    choice, parallel = settings.tool_choice, settings.parallel_calls
    if choice is None and parallel is None:
        return
    if not fields.get("tools"):
        lost.extend(["tool_choice"] if choice is not None else [])
        lost.extend(["parallel_calls"] if parallel is not None else [])
        return
    if choice is None:
        lost.append("tool_choice")  # one call at a time cannot be asked for without one
    out: Json = {"type": "any" if choice == "required" else choice or "auto"}
    if isinstance(choice, NamedTool):
        out = {"type": "tool", "name": choice.name}
    if parallel is not None and choice == "none":
        lost.append("parallel_calls")
    elif parallel is not None:
        out["disable_parallel_tool_use"] = not parallel
    fields["tool_choice"] = merged(out, fields.get("tool_choice") or {})


def _read_thinking(fields: Fields, output: Fields) -> Thinking | None:
    inner = fields.inner("thinking")
    kind = inner.rest.get("type")
    if kind == "disabled":
        del inner.rest["type"]
        fields.put_back("thinking", inner)
        return Thinking(effort="none")
    effort = output.effort("effort")
    if kind not in ("enabled", "adaptive"):
        return None if effort is None else Thinking(effort=effort)
    del inner.rest["type"]
    budget = inner.whole("budget_tokens") if kind == "enabled" else None
    fields.put_back("thinking", inner)
    return Thinking(effort=effort, budget=budget)


def _thinking(thinking: Thinking | None, lost: list[str]) -> Json:
    if thinking is None:
        return {}
    if thinking.effort == "none":
        if thinking.budget is not None:
            lost.append("thinking")
        return {"thinking": {"type": "disabled"}}
    budget = thinking.budget
    how: Json = {"type": "adaptive"}
    if budget is not None:
        how = {"type": "enabled", "budget_tokens": budget}
    if thinking.effort is None:
        return {"thinking": how}
    effort = nearest(thinking.effort, _EFFORTS)
    if effort != thinking.effort:
        lost.append("thinking")
    return {"thinking": how, "output_config": {"effort": effort}}


def _read_output(output: Fields) -> OutputSchema | None:
    value = output.rest.get("format")
    if not isinstance(value, dict) or value.keys() != {"type", "schema"}:
        return None
    if value["type"] != "json_schema" or not isinstance(value["schema"], dict):
        return None
    del output.rest["format"]
    return OutputSchema(value["schema"])


def _output(output: OutputSchema | None, lost: list[str]) -> Json:
    if output is None:
        return {}
    if output.schema is None:
        lost.append("output")
        return {}
    lost.extend(output.told("name", "strict", "description"))
    return {"output_config": {"format": {"type": "json_schema", "schema": output.schema}}}
