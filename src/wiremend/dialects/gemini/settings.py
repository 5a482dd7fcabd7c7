"""Gemini: what stands beside the contents, in no provider's words and back.

Sources: ``google.genai.types``: ``GenerationConfig``, ``ThinkingConfig``, ``Tool``,
``FunctionDeclaration``, ``FunctionCallingConfig``; ai.google.dev, "Gemini thinking" (levels from
Gemini 3 on, budgets before).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wiremend.dialects.base import Json
from wiremend.dialects.gemini.fields import read_names
from wiremend.dialects.gemini.models import model_version
from wiremend.dialects.gemini.tools import json_schema
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

_MODES: dict[str, ToolChoice] = {"AUTO": "auto", "NONE": "none", "ANY": "required"}
_LEVELS: dict[str, Effort] = {
    "MINIMAL": "minimal",
    "LOW": "low",
    "MEDIUM": "medium",
    "HIGH": "high",
}
_BUDGETS: dict[str, int] = {
    "minimal": 512,
    "low": 1024,
    "medium": 8192,
    "high": 24576,
    "xhigh": 24576,
    "max": 24576,
}
"""What a level comes to in tokens, for models that take a budget alone."""
_CONFIG = "generationConfig"
_THINKING = "thinkingConfig"
_CHOICE = "toolConfig"
_CALLING = "functionCallingConfig"
_DECLARATIONS = "functionDeclarations"
_NUMBERS = ("temperature", "topP", "topK", "maxOutputTokens")


def read_settings(envelope: Mapping[str, Any]) -> Settings:
    """The settings of a request; what is not understood is in ``rest``, in camelCase."""
    left = {name: value for name, value in read_names(envelope)[0].items() if name != "contents"}
    if left.get("systemInstruction", 0) is None:
        # Its place is kept by null: what it said is in the history.
        del left["systemInstruction"]
    config = _taken_object(left, _CONFIG)
    numbers = {name: _number(config, name) for name in _NUMBERS}
    model = left.get("model")
    if isinstance(model, str):
        del left["model"]
    settings = Settings(
        model=model if isinstance(model, str) else None,
        tools=_read_tools(left),
        tool_choice=_read_choice(left),
        max_output_tokens=_whole(numbers["maxOutputTokens"], config, "maxOutputTokens"),
        temperature=numbers["temperature"],
        top_p=numbers["topP"],
        top_k=_whole(numbers["topK"], config, "topK"),
        stop=_read_stop(config),
        thinking=_read_thinking(config),
        output=_read_output(config),
        rest=left,
    )
    if config:
        left[_CONFIG] = config
    return settings


def write_settings(settings: Settings) -> Written:
    """The fields of a request. Strict tools, a cache key and streaming cannot be said in them."""
    rest = dict(settings.rest)
    lost: list[str] = []
    out: Json = {} if settings.model is None else {"model": settings.model}
    tools = [{_DECLARATIONS: [_declaration(tool) for tool in settings.tools]}]
    hosted = rest.get("tools")
    if settings.tools or isinstance(hosted, list):
        rest.pop("tools", None)
        others = hosted if isinstance(hosted, list) else []
        out["tools"] = [*(tools if settings.tools else ()), *others]
    config = _written_config(settings, lost)
    if config or _CONFIG in rest:
        out[_CONFIG] = _merged(config, rest.pop(_CONFIG, None))
    choice = _written_choice(settings.tool_choice)
    if choice is not None or _CHOICE in rest:
        out[_CHOICE] = _merged(choice or {}, rest.pop(_CHOICE, None))
    for name, value in (
        ("parallel_calls", settings.parallel_calls),
        ("cache_key", settings.cache_key),
        ("stream", settings.stream),
    ):
        if value is not None:
            lost.append(name)
    lost.extend(
        f"tools.{name}"
        for name in ("strict", "deferred")
        if any(getattr(tool, name) for tool in settings.tools)
    )
    return Written({**out, **rest}, tuple(lost))


def _declaration(tool: Tool) -> Json:
    """A function that the model may call; its schema is JSON Schema as it is."""
    out: Json = {"name": tool.name}
    if tool.description is not None:
        out["description"] = tool.description
    if tool.parameters is not None:
        out["parametersJsonSchema"] = tool.parameters
    return out


def _merged(own: Json, others: Any) -> Any:
    """Fields of an object with those that were kept aside; objects in it are joined too."""
    if not isinstance(others, dict):
        return own or others
    out = {**own}
    for name, value in others.items():
        inner = own.get(name)
        out[name] = (
            {**inner, **value} if isinstance(inner, dict) and isinstance(value, dict) else value
        )
    return out


def _taken_object(left: Json, name: str) -> Json:
    """An object's fields in camelCase, taken out of ``left``; what is no object stays there."""
    if not isinstance(left.get(name), dict):
        return {}
    return read_names(left.pop(name))[0]


def _number(config: Json, name: str) -> Any:
    value = config.get(name)
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    return config.pop(name) if known else None


def _whole(value: Any, config: Json, name: str) -> int | None:
    if isinstance(value, float):
        if not value.is_integer():
            config[name] = value
            return None
        return int(value)
    return value if isinstance(value, int) else None


def _read_stop(config: Json) -> tuple[str, ...]:
    value = config.get("stopSequences")
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return tuple(config.pop("stopSequences"))
    return ()


def _read_thinking(config: Json) -> Thinking | None:
    inner = _taken_object(config, _THINKING)
    if not inner:
        return None
    found = _thinking(inner)
    if inner:
        config[_THINKING] = inner
    return found


def _thinking(inner: Json) -> Thinking | None:
    """The thinking that a config asks for; what of it is understood is taken out."""
    budget, level = inner.get("thinkingBudget"), inner.get("thinkingLevel")
    if isinstance(budget, int) and not isinstance(budget, bool) and level is None:
        if budget < -1:
            return None
        del inner["thinkingBudget"]
        if budget == 0:
            return Thinking(effort="none")
        return Thinking(budget=budget if budget > 0 else None)
    if isinstance(level, str) and level.upper() in _LEVELS and budget is None:
        del inner["thinkingLevel"]
        return Thinking(effort=_LEVELS[level.upper()])
    return None


def _read_output(config: Json) -> OutputSchema | None:
    if config.get("responseMimeType") != "application/json":
        return None
    schemas = [n for n in ("responseSchema", "responseJsonSchema") if config.get(n) is not None]
    if len(schemas) > 1 or not all(isinstance(config[name], dict) for name in schemas):
        return None
    del config["responseMimeType"]
    if not schemas:
        return OutputSchema()
    schema = config.pop(schemas[0])
    return OutputSchema(json_schema(schema) if schemas[0] == "responseSchema" else schema)


def _read_tools(left: Json) -> tuple[Tool, ...]:
    tools = left.get("tools")
    listed = [tools] if isinstance(tools, dict) else tools
    if not isinstance(listed, list):
        return ()
    known: list[Tool] = []
    others: list[Any] = []
    for item in listed:
        fields = read_names(item)[0] if isinstance(item, dict) else {}
        functions = fields.pop(_DECLARATIONS, None)
        if not isinstance(functions, list):
            others.append(item)
            continue
        strange = []
        for function in functions:
            tool = _read_tool(function)
            if tool is None:
                strange.append(function)
            else:
                known.append(tool)
        if strange or fields:
            others.append({**fields, **({_DECLARATIONS: strange} if strange else {})})
    if others:
        left["tools"] = others
    else:
        del left["tools"]
    return tuple(known)


def _read_tool(function: Any) -> Tool | None:
    """A declaration as a tool; None where it says more than a tool can hold."""
    if not isinstance(function, dict):
        return None
    fields = read_names(function)[0]
    name, description = fields.pop("name", None), fields.pop("description", None)
    schema, plain = fields.pop("parameters", None), fields.pop("parametersJsonSchema", None)
    typed = isinstance(name, str) and isinstance(description, (str, type(None)))
    if not typed or (schema is not None and plain is not None):
        return None
    parameters = json_schema(schema) if schema is not None else plain
    if parameters is not None and not isinstance(parameters, dict):
        return None
    return Tool(name=name, description=description, parameters=parameters, more=tuple(fields))


def _read_choice(left: Json) -> ToolChoice | None:
    config = _taken_object(left, _CHOICE)
    calling = _taken_object(config, _CALLING)
    choice: ToolChoice | None = None
    mode, allowed = calling.get("mode"), calling.get("allowedFunctionNames")
    rest = calling.keys() - {"mode", "allowedFunctionNames"}
    if isinstance(mode, str) and not rest:
        if not allowed:
            choice = _MODES.get(mode)
        elif mode == "ANY" and isinstance(allowed, list) and len(allowed) == 1:
            choice = NamedTool(allowed[0]) if isinstance(allowed[0], str) else None
    if choice is None and calling:
        config[_CALLING] = calling
    if config:
        left[_CHOICE] = config
    return choice


def _written_choice(choice: ToolChoice | None) -> Json | None:
    if choice is None:
        return None
    if isinstance(choice, NamedTool):
        return {_CALLING: {"mode": "ANY", "allowedFunctionNames": [choice.name]}}
    mode = next(mode for mode, meant in _MODES.items() if meant == choice)
    return {_CALLING: {"mode": mode}}


def _written_config(settings: Settings, lost: list[str]) -> Json:
    plain = {
        "temperature": settings.temperature,
        "topP": settings.top_p,
        "topK": settings.top_k,
        "maxOutputTokens": settings.max_output_tokens,
        "stopSequences": list(settings.stop) or None,
    }
    out: Json = {name: value for name, value in plain.items() if value is not None}
    if settings.thinking is not None:
        out[_THINKING] = _written_thinking(settings.thinking, settings.model, lost)
    if settings.output is not None:
        out["responseMimeType"] = "application/json"
        if settings.output.schema is not None:
            out["responseJsonSchema"] = settings.output.schema
        lost.extend(settings.output.told("name", "strict", "description"))
    return out


def _written_thinking(thinking: Thinking, model: str | None, lost: list[str]) -> Json:
    if thinking.effort == "none":
        return {"thinkingBudget": 0}
    if thinking.budget is not None:
        # Both together are refused, and the number says more.
        if thinking.effort is not None:
            lost.append("thinking.effort")
        return {"thinkingBudget": thinking.budget}
    if thinking.effort is None:
        return {"thinkingBudget": -1}
    version = model_version(model)
    if version is not None and version < (3, 0):
        lost.append("thinking.effort")
        return {"thinkingBudget": _BUDGETS[thinking.effort]}
    level = next((n for n, effort in _LEVELS.items() if effort == thinking.effort), None)
    if level is None:
        lost.append("thinking.effort")
    return {"thinkingLevel": level or "HIGH"}
