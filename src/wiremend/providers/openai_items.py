"""OpenAI Responses, simulated: what one item, message or part may look like."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from wiremend.providers.openai_parts import check_type
from wiremend.providers.openai_tools import check_definitions, check_length, check_name, missing
from wiremend.providers.pictures import TAKEN, looks_like
from wiremend.providers.reply import RefusalError

_LONGEST_ID = 64
_ROLES = ("assistant", "system", "developer", "user")
_SAID = ("output_text", "refusal")
_GIVEN = ("input_text", "input_image", "input_file")
_PARTS_ONLY = (*_SAID, *_GIVEN, "text", "image_url", "image", "tool_use", "tool_result")
_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*),", re.IGNORECASE)
_BAD_PICTURE = (
    "You uploaded an unsupported image. Please make sure your image has of one the following "
    "formats: ['png', 'jpeg', 'gif', 'webp']."
)
_BEGINNINGS = {
    "message": "msg",
    "reasoning": "rs",
    "function_call": "fc",
    "function_call_output": "fc",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctc",
    "web_search_call": "ws",
}


def item_type(item: dict[str, Any]) -> str:
    """The type of an item; only a message and a reference may leave it out."""
    return str(item.get("type") or ("message" if "role" in item else "item_reference"))


def check_kind(item: Any, place: str) -> None:
    """Refuse what is no item, or a message of a role that there is not."""
    check_type(item, dict, place)
    if item.get("type") is None and "role" not in item and "id" not in item:
        raise missing(f"{place}.type")
    if item.get("type") is not None:
        check_type(item["type"], str, f"{place}.type")
    kind = item_type(item)
    if kind in _PARTS_ONLY:
        raise RefusalError(
            f"Invalid value: '{kind}'. Supported values are: 'message' and other items.",
            param=place,
            code="invalid_value",
        )
    if kind == "message" and item.get("role") not in _ROLES:
        raise RefusalError(
            f"Invalid value: '{item.get('role')}'. Supported values are: 'assistant', 'system', "
            "'developer', and 'user'.",
            param=f"{place}.role",
            code="invalid_value",
        )


def check_item(item: dict[str, Any], place: str) -> None:
    """Refuse an item that could never stand in an input, wherever it stood."""
    kind = item_type(item)
    _check_id(item, kind, place)
    if kind == "message":
        _check_message(item, place)
    elif kind == "reasoning":
        _check_reasoning(item, place)
    elif kind == "additional_tools":
        check_definitions(item.get("tools"), f"{place}.tools")
    elif kind.endswith(("_call", "_output")):
        _check_tool_item(item, kind, place)


def _check_id(item: dict[str, Any], kind: str, place: str) -> None:
    name, param = item.get("id"), f"{place}.id"
    if name is None or kind == "local_shell_call_output":
        return
    check_type(name, str, param)
    check_length(name, _LONGEST_ID, param)
    beginning = _BEGINNINGS.get(kind, "")
    if not name or not name.startswith(beginning):
        raise RefusalError(
            f"Invalid '{param}': '{name}'. Expected an ID that begins with '{beginning}'.",
            param=param,
            code="invalid_value",
        )


def _check_message(item: dict[str, Any], place: str) -> None:
    if "tool_calls" in item:
        param = f"{place}.tool_calls"
        raise RefusalError(f"Unknown parameter: '{param}'.", param=param, code="unknown_parameter")
    _check_content(item, "content", _SAID if item["role"] == "assistant" else _GIVEN, place)


def _check_content(holder: dict[str, Any], field: str, known: tuple[str, ...], place: str) -> None:
    param = f"{place}.{field}"
    if field not in holder:
        raise missing(param)
    content = holder[field]
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        got = "null" if content is None else "an object" if isinstance(content, dict) else "another"
        raise RefusalError(
            f"Invalid type for '{param}': expected one of an array of objects or string, but got "
            f"{got} instead.",
            param=param,
            code="invalid_type",
        )
    for index, part in enumerate(content):
        _check_part(part, known, f"{param}[{index}]")


def _check_part(part: Any, known: tuple[str, ...], place: str) -> None:
    check_type(part, dict, place)
    kind = check_type(part.get("type"), str, f"{place}.type")
    if kind not in known:
        names = [f"'{name}'" for name in known]
        raise RefusalError(
            f"Invalid value: '{kind}'. Supported values are: {', '.join(names[:-1])} and "
            f"{names[-1]}. ({place})",
            param=place,
            code="invalid_value",
        )
    if kind in ("input_text", "output_text"):
        check_type(part.get("text"), str, f"{place}.text")
    elif kind == "refusal":
        check_type(part.get("refusal"), str, f"{place}.refusal")
    elif kind == "input_image" and part.get("file_id") is None:
        url = check_type(part.get("image_url"), str, f"{place}.image_url")
        _check_picture(url, f"{place}.image_url")


def _check_picture(url: str, place: str) -> None:
    inline = _DATA_URL.match(url)
    if inline is None:
        return
    label = inline[1].lower()
    label = "image/jpeg" if label == "image/jpg" else label
    found = looks_like(url[inline.end() :]) if inline[2].lower().endswith(";base64") else None
    if label not in TAKEN or found not in {None, label}:
        raise RefusalError(_BAD_PICTURE, param=place, code="invalid_image_format")


def _check_reasoning(item: dict[str, Any], place: str) -> None:
    if "summary" not in item:
        raise missing(f"{place}.summary")
    check_type(item["summary"], list, f"{place}.summary")
    if item.get("id") is None and not item.get("encrypted_content"):
        raise missing(f"{place}.id")


def _check_tool_item(item: dict[str, Any], kind: str, place: str) -> None:
    served = kind.startswith("tool_search_") and item.get("call_id") is None
    if kind not in _NUMBERED or served:
        return
    anonymous = kind == "function_call_output" and isinstance(item.get("name"), str)
    by_id = kind == "local_shell_call_output" and "call_id" not in item
    if not (anonymous and item.get("call_id") is None):
        _check_number(item, "id" if by_id else "call_id", place)
    if kind in ("function_call", "custom_tool_call"):
        check_name(item, place)
    if kind == "function_call":
        _check_arguments(item.get("arguments"), f"{place}.arguments")
    elif kind == "custom_tool_call":
        if item.get("input") is None:
            raise missing(f"{place}.input")
        check_type(item["input"], str, f"{place}.input")
    elif kind in ("function_call_output", "custom_tool_call_output"):
        _check_content(item, "output", _GIVEN, place)


_NUMBERED = (
    *("function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call"),
    *("computer_call", "tool_search_call", "function_call_output", "custom_tool_call_output"),
    *("local_shell_call_output", "shell_call_output", "apply_patch_call_output"),
    *("computer_call_output", "tool_search_output"),
)


def _check_number(item: dict[str, Any], field: str, place: str) -> None:
    param = f"{place}.{field}"
    if item.get(field) is None:
        raise missing(param)
    number = check_type(item[field], str, param)
    if not number:
        raise RefusalError(
            f"Invalid '{param}': empty string. Expected a string with minimum length 1, "
            "but got an empty string instead.",
            param=param,
            code="empty_string",
        )
    check_length(number, _LONGEST_ID, param)


def _check_arguments(arguments: Any, place: str) -> None:
    check_type(arguments, str, place)
    try:
        json.loads(arguments, parse_constant=_no_constant, parse_int=str)
    except RecursionError:
        return
    except ValueError:
        raise RefusalError(
            f"Invalid '{place}': expected the text of a JSON object.",
            param=place,
            code="invalid_value",
        ) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
