"""Amazon Bedrock Converse: ``toolConfig`` in no provider's words and back."""

from __future__ import annotations

from typing import Any

from wiremend.dialects.base import Json, rest
from wiremend.dialects.settings import NamedTool, Settings, Tool, ToolChoice

_CHOICES = {"auto": "auto", "required": "any"}
_ANYTHING = {"type": "object", "properties": {}}


def read_tools(left: Json) -> Json:
    """Tools and the choice of one, taken out of ``left``; tools that only Bedrock has stay."""
    config = left.get("toolConfig")
    if not isinstance(config, dict):
        return {}
    config = dict(config)
    found: Json = {}
    listed = config.get("tools")
    if isinstance(listed, list):
        read = [(_tool(item), item) for item in listed]
        found["tools"] = tuple(tool for tool, _ in read if tool is not None)
        config["tools"] = [item for tool, item in read if tool is None]
        if not config["tools"]:
            del config["tools"]
    choice = _choice(config.get("toolChoice")) if found.get("tools") else None
    if choice is not None:
        found["tool_choice"] = choice
        del config["toolChoice"]
    if config:
        left["toolConfig"] = config
    else:
        del left["toolConfig"]
    return found


def write_tools(settings: Settings, fields: Json, lost: list[str]) -> None:
    """Write tools and the choice of one; a choice is nothing without tools."""
    kept = settings.rest.get("toolConfig")
    config = dict(kept) if isinstance(kept, dict) else {}
    others = config.pop("tools", [])
    written = [_written(tool) for tool in settings.tools]
    if isinstance(others, list):
        written.extend(others)
    if written:
        config = {"tools": written, **config}
    if any(tool.deferred for tool in settings.tools):
        lost.append("tools.deferred")
    if any(tool.description == "" for tool in settings.tools):
        lost.append("tools.description")
    if any(tool.parameters is None for tool in settings.tools):
        lost.append("tools.parameters")
    choice = settings.tool_choice
    if choice is not None and (choice == "none" or not settings.tools):
        lost.append("tool_choice")
    elif isinstance(choice, NamedTool):
        config["toolChoice"] = {"tool": {"name": choice.name}}
    elif choice is not None:
        config["toolChoice"] = {_CHOICES[choice]: {}}
    if config:
        fields["toolConfig"] = config


def _tool(item: Any) -> Tool | None:
    spec = item.get("toolSpec") if isinstance(item, dict) and len(item) == 1 else None
    if not isinstance(spec, dict):
        return None
    schema = spec.get("inputSchema")
    parameters = schema.get("json") if isinstance(schema, dict) and len(schema) == 1 else None
    name, description, strict = (spec.get(key) for key in ("name", "description", "strict"))
    if not isinstance(name, str) or not isinstance(parameters, dict):
        return None
    if not isinstance(description, str | None) or not isinstance(strict, bool | None):
        return None
    more = tuple(rest(spec, "name", "description", "inputSchema", "strict"))
    return Tool(name=name, description=description, parameters=parameters, strict=strict, more=more)


def _written(tool: Tool) -> Json:
    spec: Json = {"name": tool.name}
    if tool.description:
        spec["description"] = tool.description
    spec["inputSchema"] = {"json": _ANYTHING if tool.parameters is None else tool.parameters}
    if tool.strict is not None:
        spec["strict"] = tool.strict
    return {"toolSpec": spec}


def _choice(value: Any) -> ToolChoice | None:
    if value == {"auto": {}}:
        return "auto"
    if value == {"any": {}}:
        return "required"
    named = value.get("tool") if isinstance(value, dict) and len(value) == 1 else None
    name = named.get("name") if isinstance(named, dict) and len(named) == 1 else None
    return NamedTool(name) if isinstance(name, str) else None
