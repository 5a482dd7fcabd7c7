"""Chat Completions, simulated: what one message, part or call may look like."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from wiremend.providers.manners import OPENAI, Manners
from wiremend.providers.pictures import TAKEN, looks_like
from wiremend.providers.reply import RefusalError

_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*),", re.IGNORECASE)

_TEXT_FIELD = {"text": "text", "refusal": "refusal"}
# Any of these says what the assistant did, so its content may be null.
_INSTEAD_OF_CONTENT = ("tool_calls", "refusal", "audio", "function_call")

_JSON_NAMES: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a decimal",
    type(None): "null",
}
# OpenAI itself takes the label that cameras and browsers like to invent.
_MEDIA_ALIASES = {"image/jpg": "image/jpeg"}
_BAD_PICTURE = (
    "You uploaded an unsupported image. Please make sure your image has of one the following "
    "formats: ['png', 'jpeg', 'gif', 'webp']."
)


def check_type(value: Any, wanted: type, place: str) -> Any:
    """Return the value, or refuse it in the provider's words for a wrong JSON type."""
    if isinstance(value, wanted):
        return value
    got = _JSON_NAMES.get(type(value), "something else")
    raise RefusalError(
        f"Invalid type for '{place}': expected {_JSON_NAMES[wanted]}, but got {got} instead.",
        param=place,
        code="invalid_type",
    )


def check_identifier(
    holder: dict[str, Any], field: str, place: str, manners: Manners = OPENAI
) -> str:
    """Return the id of a call or of a tool message, refused where it is empty or too long."""
    param = f"{place}.{field}"
    if field not in holder:
        raise RefusalError(
            f"Missing required parameter: '{param}'.",
            param=param,
            code="missing_required_parameter",
        )
    identifier = str(check_type(holder[field], str, param))
    if not identifier:
        raise RefusalError(
            f"Invalid '{param}': empty string. Expected a string with minimum length 1, "
            "but got an empty string instead.",
            param=param,
            code="empty_string",
        )
    if manners.longest_id is not None:
        _check_length(identifier, manners.longest_id, param)
    return identifier


def check_tool_name(name: Any, place: str, manners: Manners = OPENAI) -> None:
    """Refuse a tool name that is too long or has other characters than the server takes."""
    check_type(name, str, place)
    if not re.fullmatch(manners.name, name):
        raise RefusalError(manners.bad_name.format(place=place), param=place, code="invalid_value")
    _check_length(name, manners.longest_name, place)


def _check_length(text: str, longest: int, place: str) -> None:
    if len(text) > longest:
        raise RefusalError(
            f"Invalid '{place}': string too long. Expected a string with maximum length "
            f"{longest}, but got a string with length {len(text)} instead.",
            param=place,
            code="string_above_max_length",
        )


def check_arguments(arguments: Any, place: str, manners: Manners) -> None:
    """Refuse arguments that are not the JSON text of an object, unless any text is taken."""
    if manners.arguments == "json or object" and isinstance(arguments, dict):
        return
    check_type(arguments, str, place)
    if manners.arguments == "text":
        return
    try:
        parsed = json.loads(arguments, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RefusalError(
            f"invalid function arguments json string: {error}", param=place
        ) from None
    if not isinstance(parsed, dict):
        raise RefusalError(
            f"invalid function arguments json string: expected an object, "
            f"but got {_JSON_NAMES[type(parsed)]} instead",
            param=place,
        )


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def check_content(
    message: dict[str, Any], role: str, place: str, manners: Manners = OPENAI
) -> None:
    """Refuse content that a message of this role cannot have."""
    content = message.get("content")
    if content is None:
        if not _may_be_null(message, role, manners):
            raise RefusalError(
                "Invalid value for 'content': expected a string, got null.",
                param=f"{place}.content",
            )
        return
    if isinstance(content, str):
        return
    check_type(content, list, f"{place}.content")
    if not content:
        raise RefusalError(
            f"Invalid '{place}.content': empty array. Expected an array with minimum length 1, "
            "but got an empty array instead.",
            param=f"{place}.content",
            code="empty_array",
        )
    for index, part in enumerate(content):
        _check_part(part, role, place, f"{place}.content[{index}]", manners)


def _may_be_null(message: dict[str, Any], role: str, manners: Manners) -> bool:
    if role == "function" or (manners.tools_in_messages and message.get("tools")):
        return True
    return role == "assistant" and any(
        message.get(field) is not None for field in _INSTEAD_OF_CONTENT
    )


def _check_part(part: Any, role: str, message: str, place: str, manners: Manners) -> None:
    check_type(part, dict, place)
    kind = check_type(part.get("type"), str, f"{place}.type")
    known_kinds = manners.parts.get(role, ())
    if kind == "image_url" and kind not in known_kinds and kind in manners.parts["user"]:
        raise RefusalError(
            f"Invalid '{message}'. Image URLs are only allowed for messages with role 'user', "
            f"but this message with role '{role}' contains an image URL.",
            param=message,
            code="invalid_value",
        )
    if kind not in known_kinds:
        known = " and ".join(f"'{name}'" for name in known_kinds) or "none"
        raise RefusalError(
            manners.bad_part.format(kind=kind, known=known, role=role, place=place),
            param=f"{place}.type",
            code="invalid_value",
        )
    if kind in _TEXT_FIELD:
        field = _TEXT_FIELD[kind]
        check_type(part.get(field), str, f"{place}.{field}")
    elif kind == "image_url":
        at, url = f"{place}.image_url", part.get("image_url")
        if not (manners.bare_addresses and isinstance(url, str)):
            url = check_type(url, dict, at).get("url")
            at = f"{at}.url"
        check_type(url, str, at)
        if manners.looks_at_pictures:
            _check_picture(url, at)
    elif kind not in manners.shapeless:
        check_type(part.get(kind), dict, f"{place}.{kind}")


def _check_picture(url: str, place: str) -> None:
    inline = _DATA_URL.match(url)
    if inline is None:
        return
    label = inline[1].lower()
    label = _MEDIA_ALIASES.get(label, label)
    found = looks_like(url[inline.end() :]) if inline[2].lower().endswith(";base64") else None
    if label not in TAKEN or found not in {None, label}:
        raise RefusalError(_BAD_PICTURE, param=place, code="invalid_image_format")
