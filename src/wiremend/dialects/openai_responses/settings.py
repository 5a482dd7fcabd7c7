"""OpenAI Responses: the fields beside the input, in no provider's words and back.

Source: ``openai`` SDK, ``ResponseCreateParams``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wiremend.dialects.base import Json, rest
from wiremend.dialects.setting_fields import EFFORTS, Fields, said
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

_CHOICES = ("auto", "none", "required")
_MESSAGES = ("input", "instructions")
_SCHEMA_NAME = "answer"
"""The API demands a name for a schema; most others have none to give."""
# Where a budget in tokens has to be said in words; Anthropic's smallest is 1024.
_BUDGETS: tuple[tuple[int, Effort], ...] = ((2048, "low"), (8192, "medium"))


def read_settings(envelope: Mapping[str, Any]) -> Settings:
    """The settings of a body; what has another form than the API's, or no name, is ``rest``."""
    left = Fields(envelope, *_MESSAGES)
    taken: Json = {
        "model": left.text("model"),
        "parallel_calls": left.flag("parallel_tool_calls"),
        "max_output_tokens": left.whole("max_output_tokens"),
        "temperature": left.number("temperature"),
        "top_p": left.number("top_p"),
        "cache_key": left.text("prompt_cache_key"),
        "stream": left.flag("stream"),
    }
    fields = left.rest
    tools, hosted = _read_tools(fields.pop("tools", None))
    if hosted is not None:
        fields["tools"] = hosted
    choice = _read_choice(fields.get("tool_choice"))
    if choice is not None:
        del fields["tool_choice"]
    return Settings(
        tools=tools,
        tool_choice=choice,
        thinking=_take_thinking(fields),
        output=_take_output(fields),
        rest=fields,
        **taken,
    )


def _read_tools(value: Any) -> tuple[tuple[Tool, ...], Any]:
    """The functions, and what else stood among the tools (None: nothing)."""
    if not isinstance(value, list):
        return (), value
    read = [(_read_tool(tool), tool) for tool in value]
    hosted = [tool for known, tool in read if known is None]
    return tuple(known for known, _ in read if known is not None), hosted or None


_TOOL_FIELDS = ("type", "name", "description", "parameters", "strict", "defer_loading")


def _read_tool(tool: Any) -> Tool | None:
    """A function in neutral words; None for what has no place there."""
    if not isinstance(tool, dict) or tool.get("type") != "function":
        return None
    name, parameters = tool.get("name"), tool.get("parameters")
    described, strict = tool.get("description"), tool.get("strict")
    deferred = tool.get("defer_loading", False)
    if not isinstance(name, str) or not isinstance(parameters, dict | None):
        return None
    if not isinstance(described, str | None) or not isinstance(strict, bool | None):
        return None
    if not isinstance(deferred, bool):
        return None
    return Tool(
        name=name,
        description=described,
        parameters=parameters,
        strict=strict,
        deferred=deferred,
        more=tuple(rest(tool, *_TOOL_FIELDS)),
    )


def _read_choice(value: Any) -> ToolChoice | None:
    if value in _CHOICES and isinstance(value, str):
        return value  # type: ignore[return-value]
    if isinstance(value, dict) and value.keys() == {"type", "name"} and value["type"] == "function":
        return NamedTool(value["name"]) if isinstance(value["name"], str) else None
    return None


def _take_thinking(fields: Json) -> Thinking | None:
    """``reasoning.effort``; the other wishes about reasoning stay where they are."""
    reasoning = fields.get("reasoning")
    if not isinstance(reasoning, dict) or reasoning.get("effort") not in EFFORTS:
        return Thinking() if reasoning == {} and fields.pop("reasoning") == {} else None
    left = rest(reasoning, "effort")
    del fields["reasoning"]
    if left:
        fields["reasoning"] = left
    return Thinking(effort=reasoning["effort"])


def _take_output(fields: Json) -> OutputSchema | None:
    """``text.format``; the verbosity stays where it is."""
    text = fields.get("text")
    shape = text.get("format") if isinstance(text, dict) else None
    output = _read_output(shape) if isinstance(shape, dict) else None
    if output is None:
        return None
    left = rest(fields.pop("text"), "format")
    if left:
        fields["text"] = left
    return output


def _read_output(shape: Json) -> OutputSchema | None:
    if shape == {"type": "json_object"}:
        return OutputSchema()
    name, schema, strict = shape.get("name"), shape.get("schema"), shape.get("strict")
    described = shape.get("description")
    unknown = rest(shape, "type", "name", "schema", "strict", "description")
    known = isinstance(name, str) and isinstance(schema, dict) and isinstance(strict, bool | None)
    if shape.get("type") != "json_schema" or unknown or not known:
        return None
    if not isinstance(described, str | None):
        return None
    return OutputSchema(schema, None if name == _SCHEMA_NAME else name, strict, described)


def write_settings(settings: Settings) -> Written:
    """The fields of a body; a budget of thinking is said as an effort."""
    fields = said(
        model=settings.model,
        parallel_tool_calls=settings.parallel_calls,
        max_output_tokens=settings.max_output_tokens,
        temperature=settings.temperature,
        top_p=settings.top_p,
        prompt_cache_key=settings.cache_key,
        stream=settings.stream,
    )
    hosted = settings.rest.get("tools")
    tools = [*map(_written_tool, settings.tools), *(hosted if isinstance(hosted, list) else ())]
    if tools:
        fields["tools"] = tools
    if isinstance(settings.tool_choice, NamedTool):
        fields["tool_choice"] = {"type": "function", "name": settings.tool_choice.name}
    elif settings.tool_choice is not None:
        fields["tool_choice"] = settings.tool_choice
    if settings.thinking is not None:
        fields["reasoning"] = _written_thinking(settings.thinking)
    if settings.output is not None:
        fields["text"] = {"format": _written_output(settings.output)}
    for name, value in settings.rest.items():
        if name not in fields:
            fields[name] = value
        elif name in ("reasoning", "text") and isinstance(value, dict):
            fields[name] = {**value, **fields[name]}
    return Written(fields, tuple(_lost(settings)))


def _written_tool(tool: Tool) -> Json:
    out: Json = {"type": "function", "name": tool.name}
    if tool.description is not None:
        out["description"] = tool.description
    out["parameters"] = tool.parameters
    # Left out, it would count as true, under which most schemas of others are refused.
    out["strict"] = tool.strict
    if tool.deferred:
        out["defer_loading"] = True
    return out


def _written_thinking(thinking: Thinking) -> Json:
    if thinking.effort is not None:
        return {"effort": thinking.effort}
    if thinking.budget is None:
        return {}
    return {"effort": next((e for most, e in _BUDGETS if thinking.budget <= most), "high")}


def _written_output(output: OutputSchema) -> Json:
    if output.schema is None:
        return {"type": "json_object"}
    out: Json = {"type": "json_schema", "name": output.name or _SCHEMA_NAME}
    out["schema"] = output.schema
    if output.strict is not None:
        out["strict"] = output.strict
    if output.description is not None:
        out["description"] = output.description
    return out


def _lost(settings: Settings) -> list[str]:
    lost = [name for name in ("top_k", "stop") if getattr(settings, name)]
    if settings.thinking is not None and settings.thinking.budget is not None:
        lost.append("thinking.budget")
    elif settings.thinking == Thinking() and settings.rest.get("reasoning"):
        lost.append("thinking")
    return lost
