"""Amazon Bedrock Converse, simulated: what stands beside the messages."""

from __future__ import annotations

from typing import Any, TypeGuard

from wiremend.providers.bedrock_blocks import check_identifier, constraint


def check_settings(body: dict[str, Any]) -> bool:
    """Check tools and settings; tell whether the request defines tools."""
    _check_inference(body.get("inferenceConfig"))
    for field, least, most in (
        ("additionalModelResponseFieldPaths", 0, 10),
        ("requestMetadata", 1, 16),
    ):
        value = body.get(field)
        if isinstance(value, list | dict) and not least <= len(value) <= most:
            constraint(field, f"have length between {least} and {most}")
    return _check_tools(body.get("toolConfig"))


def _check_inference(config: Any) -> None:
    if not isinstance(config, dict):
        return
    for name in ("temperature", "topP"):
        value = config.get(name)
        if _is_number(value) and not 0 <= value <= 1:
            constraint(f"inferenceConfig.{name}", "have value between 0 and 1")
    most = config.get("maxTokens")
    if _is_number(most) and most < 1:
        constraint("inferenceConfig.maxTokens", "have value greater than or equal to 1")
    stops = config.get("stopSequences")
    if isinstance(stops, list) and (len(stops) > 2500 or "" in stops):
        constraint("inferenceConfig.stopSequences", "have length between 0 and 2500")


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_tools(config: Any) -> bool:
    if config is None:
        return False
    if not isinstance(config, dict):
        constraint("toolConfig", "be an object")
    tools = config.get("tools")
    if tools is None:
        return False
    if not isinstance(tools, list):
        constraint("toolConfig.tools", "be a list")
    if not tools:
        constraint("toolConfig.tools", "have length greater than or equal to 1")
    for position, tool in enumerate(tools):
        place = f"toolConfig.tools.{position}"
        if not isinstance(tool, dict):
            constraint(place, "be an object")
        spec = tool.get("toolSpec", {})
        if not isinstance(spec, dict):
            constraint(f"{place}.toolSpec", "be an object")
        if "toolSpec" in tool:
            check_identifier(spec.get("name"), f"{place}.toolSpec.name", name=True)
            schema = spec.get("inputSchema")
            if not isinstance(schema, dict) or not isinstance(schema.get("json"), dict):
                constraint(f"{place}.toolSpec.inputSchema", "not be null")
        if spec.get("description") == "":
            constraint(f"{place}.toolSpec.description", "have length greater than or equal to 1")
    return True
