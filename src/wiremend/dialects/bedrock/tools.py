"""Amazon Bedrock Converse: the definitions of tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.base import Json, rest
from wiremend.model import Message
from wiremend.projection.anomalies import (
    EmptyToolListDropped,
    FieldDropped,
    OnAnomaly,
    ToolsDeclared,
)


def tool_list(envelope: Mapping[str, Any]) -> list[Any]:
    """The definitions of a request; none where that field holds no list."""
    config = envelope.get("toolConfig")
    tools = config.get("tools") if isinstance(config, dict) else None
    return tools if isinstance(tools, list) else []


def tool_names(envelope: Mapping[str, Any]) -> list[str]:
    """The names of the tools that a request defines."""
    found = [_spec(tool).get("name") for tool in tool_list(envelope)]
    return [name for name in found if isinstance(name, str)]


def declare_tools(messages: Sequence[Message], envelope: Json, report: OnAnomaly) -> Json:
    """The envelope with a definition for each tool that has to be defined (report 104)."""
    envelope = _described(envelope, report)
    table = tool_list(envelope)
    known = tool_names(envelope)
    declared = [tool for message in messages for tool in message.tools or ()]
    added = [native(tool) for tool in declared if isinstance(tool, dict)]
    added = [tool for tool in added if _spec(tool).get("name") not in known]
    if not table and not added:
        for name in dict.fromkeys(call.name for m in messages for call in m.tool_calls):
            report(ToolsDeclared(name))
            described = "Used earlier in this conversation."
            schema = {"json": {"type": "object", "properties": {}}}
            spec = {"name": name, "description": described, "inputSchema": schema}
            added.append({"toolSpec": spec})
    config = envelope.get("toolConfig")
    config = config if isinstance(config, dict) else {}
    if added:
        return {**envelope, "toolConfig": {**config, "tools": [*table, *added]}}
    if config.get("tools") == []:
        report(EmptyToolListDropped())
        return {name: value for name, value in envelope.items() if name != "toolConfig"}
    return envelope


def _described(envelope: Json, report: OnAnomaly) -> Json:
    """The envelope without descriptions that are empty: one may be left out, not be empty."""
    tools = tool_list(envelope)
    empty = [n for n, tool in enumerate(tools) if _spec(tool).get("description") == ""]
    if not empty:
        return envelope
    described = list(tools)
    for n in empty:
        report(FieldDropped("description", "tool"))
        described[n] = {**tools[n], "toolSpec": rest(tools[n]["toolSpec"], "description")}
    return {**envelope, "toolConfig": {**envelope["toolConfig"], "tools": described}}


def rename_tools(envelope: Json, renamed: Mapping[str, str]) -> Json:
    """The envelope with tools under their new names, in the choice of one too."""
    config = envelope.get("toolConfig")
    if not renamed or not isinstance(config, dict):
        return envelope
    out = {**config}
    if tool_list(envelope):
        out["tools"] = [_renamed(tool, renamed) for tool in tool_list(envelope)]
    choice = config.get("toolChoice")
    if isinstance(choice, dict) and isinstance(choice.get("tool"), dict):
        chosen = choice["tool"]
        name = chosen.get("name")
        if isinstance(name, str) and name in renamed:
            out["toolChoice"] = {**choice, "tool": {**chosen, "name": renamed[name]}}
    return {**envelope, "toolConfig": out}


def native(tool: Json) -> Json:
    """A definition as a session log or another API writes it, in this API's words."""
    if "toolSpec" in tool:
        return tool
    inner = tool.get("function", tool)
    inner = inner if isinstance(inner, dict) else {}
    schema = inner.get("parameters") or inner.get("input_schema")
    spec: Json = {"name": inner.get("name")}
    if inner.get("description"):
        spec["description"] = inner["description"]
    spec["inputSchema"] = {"json": schema or {"type": "object", "properties": {}}}
    return {"toolSpec": spec}


def _spec(tool: Any) -> Json:
    spec = tool.get("toolSpec") if isinstance(tool, dict) else None
    return spec if isinstance(spec, dict) else {}


def _renamed(tool: Any, renamed: Mapping[str, str]) -> Any:
    spec = _spec(tool)
    name = spec.get("name")
    if isinstance(name, str) and name in renamed:
        return {**tool, "toolSpec": {**spec, "name": renamed[name]}}
    return tool
