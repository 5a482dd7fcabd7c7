"""OpenAI Responses, simulated: what a tool's definition may look like."""

from __future__ import annotations

import re
from typing import Any

from wiremend.providers.openai_parts import check_type
from wiremend.providers.reply import RefusalError

_LONGEST_NAME = 128
_NAME = re.compile(r"[a-zA-Z0-9_-]+")


def check_definitions(tools: Any, place: str) -> None:
    """Refuse a function or a custom tool without a legal name, or in the shape of chat."""
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        if isinstance(tool, dict) and tool.get("type") in ("function", "custom"):
            check_name(tool, f"{place}[{index}]")


def check_name(holder: dict[str, Any], place: str) -> None:
    """Refuse a tool's name outside ``^[a-zA-Z0-9_-]{1,128}$``."""
    param = f"{place}.name"
    if "name" not in holder:
        raise missing(param)
    name = check_type(holder["name"], str, param)
    if not _NAME.fullmatch(name):
        raise RefusalError(
            f"Invalid '{param}': string does not match pattern. "
            "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            param=param,
            code="invalid_value",
        )
    check_length(name, _LONGEST_NAME, param)


def check_length(text: str, longest: int, param: str) -> None:
    """Refuse a text that is longer than the API stores."""
    if len(text) > longest:
        raise RefusalError(
            f"Invalid '{param}': string too long. Expected a string with maximum length "
            f"{longest}, but got a string with length {len(text)} instead.",
            param=param,
            code="string_above_max_length",
        )


def missing(param: str) -> RefusalError:
    """The refusal for a field that has to be there."""
    return RefusalError(
        f"Missing required parameter: '{param}'.", param=param, code="missing_required_parameter"
    )
