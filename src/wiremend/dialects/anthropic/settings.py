"""Anthropic Messages: the fields beside the messages, in no provider's words and back.

Source: ``anthropic`` SDK, ``MessageCreateParams``; platform.claude.com, "Adaptive thinking" (from
4.6 on; a budget before) and "Effort".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wiremend.dialects.anthropic.models import model_version
from wiremend.dialects.base import Json, rest
from wiremend.dialects.settings import (
    NamedTool,
    OutputSchema,
    Settings,
    Thinking,
    Tool,
    ToolChoice,
    Written,
    plain_fields,
)

MAX_TOKENS = 4096
"""What is asked for where nothing was: the API demands a number, and every model takes this one."""

_ADAPTIVE_SINCE = (4, 6)
_EFFORTS = ("low", "medium", "high", "xhigh", "max")
_BUDGETS = {"minimal": 1024, "low": 2048, "medium": 8192, "high": 16384}
"""What an effort comes to in tokens, for models that take a budget alone."""
_LARGEST_BUDGET = 24576
_ROOM = 4096
"""Tokens for the answer beside those for thinking, which count as output too."""
_PLAIN = (
    ("model", "model", str),
    ("max_output_tokens", "max_tokens", int),
    ("temperature", "temperature", (int, float)),
    ("top_p", "top_p", (int, float)),
    ("top_k", "top_k", int),
    ("stream", "stream", bool),
)
_CHOICES: dict[str, ToolChoice] = {"auto": "auto", "any": "required", "none": "none"}
_TOOL_FIELDS = ("type", "name", "description", "input_schema", "strict", "defer_loading")
_NOTHING: Json = {"type": "object", "properties": {}}


def read_settings(envelope: Mapping[str, Any]) -> Settings:
    """The settings of a body; what has another form than the API's, or no name, is ``rest``."""
    left = rest(dict(envelope), "messages", "system")
    found = plain_fields(left, _PLAIN)
    tools = left.get("tools")
    if isinstance(tools, list):
        read = [_read_tool(tool) for tool in tools]
        found["tools"] = tuple(tool for tool in read if tool is not None)
        _leave(left, "tools", [t for t, known in zip(tools, read, strict=True) if known is None])
    found.update(_take_choice(left))
    found.update(_take_thinking(left))
    stops = left.get("stop_sequences")
    if isinstance(stops, list) and all(isinstance(stop, str) for stop in stops):
        found["stop"] = tuple(left.pop("stop_sequences"))
    metadata = left.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("user_id"), str):
        found["cache_key"] = metadata["user_id"]
        _leave(left, "metadata", rest(metadata, "user_id"))
    return Settings(rest=left, **found)


def write_settings(settings: Settings) -> Written:
    """The fields of a body, with a number of tokens in any case, as the API demands one."""
    lost: list[str] = []
    fields: Json = {}
    for name, key, _ in _PLAIN:
        value = getattr(settings, name)
        if value is not None:
            fields[key] = value
    fields.setdefault("max_tokens", MAX_TOKENS)
    if settings.temperature is not None and settings.temperature > 1:
        del fields["temperature"]
        lost.append("temperature")
    if settings.stop:
        fields["stop_sequences"] = list(settings.stop)
    kept = settings.rest.get("tools")
    tools = [*map(_written_tool, settings.tools), *(kept if isinstance(kept, list) else ())]
    if tools:
        fields["tools"] = tools
    _write_choice(settings, fields, lost)
    _write_thinking(settings, fields, lost)
    _write_output(settings.output, fields, lost)
    if settings.cache_key is not None:
        fields["metadata"] = {"user_id": settings.cache_key}
    for name, value in settings.rest.items():
        own = fields.get(name)
        if isinstance(own, dict) and isinstance(value, dict):
            fields[name] = {**value, **own}
        else:
            fields.setdefault(name, value)
    return Written(fields, tuple(lost))


def _leave(fields: Json, name: str, left: Any) -> None:
    if left:
        fields[name] = left
    else:
        del fields[name]


def _read_tool(tool: Any) -> Tool | None:
    """A function in neutral words; None for a server tool, and for one with fields of its own."""
    if not isinstance(tool, dict) or rest(tool, *_TOOL_FIELDS):
        return None
    name, schema = tool.get("name"), tool.get("input_schema")
    described, strict = tool.get("description"), tool.get("strict")
    deferred = tool.get("defer_loading", False)
    if tool.get("type", "custom") != "custom" or not isinstance(deferred, bool):
        return None
    if not isinstance(name, str) or not isinstance(schema, dict):
        return None
    if not isinstance(described, str | None) or not isinstance(strict, bool | None):
        return None
    return Tool(
        name=name, description=described, parameters=schema, strict=strict, deferred=deferred
    )


def _written_tool(tool: Tool) -> Json:
    out: Json = {"name": tool.name}
    if tool.description is not None:
        out["description"] = tool.description
    schema = _NOTHING if tool.parameters is None else tool.parameters
    out["input_schema"] = schema if "type" in schema else {"type": "object", **schema}
    if tool.strict is not None:
        out["strict"] = tool.strict
    if tool.deferred:
        out["defer_loading"] = True
    return out


def _take_choice(left: Json) -> Json:
    choice = left.get("tool_choice")
    if not isinstance(choice, dict) or rest(choice, "type", "name", "disable_parallel_tool_use"):
        return {}
    kind, name = choice.get("type"), choice.get("name")
    alone = choice.get("disable_parallel_tool_use")
    if not isinstance(kind, str) or not isinstance(alone, bool | None):
        return {}
    made: ToolChoice | None = _CHOICES.get(kind) if name is None else None
    if kind == "tool" and isinstance(name, str):
        made = NamedTool(name)
    if made is None:
        return {}
    del left["tool_choice"]
    return {"tool_choice": made, **({} if alone is None else {"parallel_calls": not alone})}


def _write_choice(settings: Settings, fields: Json, lost: list[str]) -> None:
    choice = settings.tool_choice
    if not fields.get("tools"):
        # Without tools there is nothing to choose from, and the API refuses a choice.
        if choice not in (None, "none"):
            lost.append("tool_choice")
        return
    if choice is None and settings.parallel_calls in (None, True):
        return
    if isinstance(choice, NamedTool):
        made: Json = {"type": "tool", "name": choice.name}
    else:
        made = {"type": next(k for k, c in _CHOICES.items() if c == (choice or "auto"))}
    if settings.parallel_calls is not None and choice != "none":
        made["disable_parallel_tool_use"] = not settings.parallel_calls
    fields["tool_choice"] = made


def _take_thinking(left: Json) -> Json:
    """``thinking`` and ``output_config``: how much to think, and the schema of the answer."""
    found: Json = {}
    config = left.get("output_config")
    config = dict(config) if isinstance(config, dict) else {}
    effort = config.get("effort") if config.get("effort") in _EFFORTS else None
    asked = left.get("thinking")
    if asked == {"type": "disabled"}:
        found["thinking"] = Thinking(effort="none")
    elif isinstance(asked, dict) and asked.keys() == {"type", "budget_tokens"}:
        budget = asked["budget_tokens"]
        if asked["type"] == "enabled" and isinstance(budget, int) and not isinstance(budget, bool):
            found["thinking"] = Thinking(effort=effort, budget=budget)
    elif asked == {"type": "adaptive"} or (asked is None and effort is not None):
        found["thinking"] = Thinking(effort=effort)
    if "thinking" in found:
        left.pop("thinking", None)
        if found["thinking"].effort != "none" and effort is not None:
            del config["effort"]
    shape = config.get("format")
    schema = shape.get("schema") if isinstance(shape, dict) else None
    if isinstance(schema, dict) and shape == {"type": "json_schema", "schema": schema}:
        found["output"] = OutputSchema(schema)
        del config["format"]
    if "output_config" in left and isinstance(left["output_config"], dict):
        _leave(left, "output_config", config)
    return found


def _write_thinking(settings: Settings, fields: Json, lost: list[str]) -> None:
    wanted = settings.thinking
    if wanted is None:
        return
    if wanted.effort == "none":
        fields["thinking"] = {"type": "disabled"}
        return
    version = model_version(settings.model)
    adapts = version is None or version >= _ADAPTIVE_SINCE
    budget = wanted.budget
    if budget is None and not adapts:
        budget = _BUDGETS.get(wanted.effort or "medium", _LARGEST_BUDGET)
    if budget is None:
        fields["thinking"] = {"type": "adaptive"}
    else:
        fields["thinking"] = {"type": "enabled", "budget_tokens": budget}
        if settings.max_output_tokens is None:
            fields["max_tokens"] = budget + _ROOM
    if adapts and wanted.effort in _EFFORTS:
        fields["output_config"] = {"effort": wanted.effort}
    elif wanted.effort is not None and adapts:
        lost.append("thinking.effort")


def _write_output(output: OutputSchema | None, fields: Json, lost: list[str]) -> None:
    if output is None:
        return
    if output.schema is None:
        lost.append("output")
        return
    shape = {"type": "json_schema", "schema": output.schema}
    fields["output_config"] = {**fields.get("output_config", {}), "format": shape}
    lost += [f"output.{name}" for name in ("name", "strict") if getattr(output, name) is not None]
