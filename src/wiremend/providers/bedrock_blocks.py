"""Amazon Bedrock Converse, simulated: the service's own model of messages and blocks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from wiremend.providers.reply import RefusalError

_BLANK = " \t\r\n\f\v\u00a0\ufeff\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_ID = re.compile(r"[a-zA-Z0-9_.:-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_LONGEST = 64
_INDEX = re.compile(r"\.(\d+)(?=\.|$)")


def constraint(place: str, wanted: str) -> NoReturn:
    """Refuse a value that breaks the service's own model, whose words count from one."""
    place = _INDEX.sub(lambda found: f".{int(found[1]) + 1}.member", place)
    raise RefusalError(f"Value at '{place}' failed to satisfy constraint: Member must {wanted}")


def check_identifier(value: Any, place: str, *, name: bool = False) -> None:
    """Check a tool's name, or the id of a call."""
    if not isinstance(value, str):
        constraint(place, "not be null" if value is None else "be a string")
    if not value:
        constraint(place, "have length greater than or equal to 1")
    if len(value) > _LONGEST:
        constraint(place, f"have length less than or equal to {_LONGEST}")
    pattern = _NAME if name else _ID
    if not pattern.fullmatch(value):
        constraint(place, f"satisfy regular expression pattern: {pattern.pattern}")


def check_message(message: Any, index: int) -> None:
    """Check one message by itself."""
    place = f"messages.{index}"
    if not isinstance(message, dict):
        constraint(place, "be an object")
    if message.get("role") not in ("user", "assistant", "system"):
        constraint(f"{place}.role", "satisfy enum value set: [user, assistant]")
    content = message.get("content")
    if content is None:
        constraint(f"{place}.content", "not be null")
    if not isinstance(content, list):
        constraint(f"{place}.content", "be a list")
    if not content:
        raise RefusalError(
            f"The content field in the Message object at messages.{index} is empty. Add a "
            "ContentBlock object to the content field and try again."
        )
    for position, block in enumerate(content):
        spot = f"messages.{index}.content.{position}"
        member = _member(block, spot, _IN_MESSAGES)
        if member == "text" and not block["text"].strip(_BLANK):
            raise RefusalError(
                f"The text field in the ContentBlock object at {spot} is blank. Add text to the "
                "text field, and try again."
            )


def check_system(system: Any) -> None:
    """Check the system prompt."""
    if system is None:
        return
    if not isinstance(system, list):
        constraint("system", "be a list")
    for position, block in enumerate(system):
        member = _member(block, f"system.{position}", _IN_SYSTEM)
        if member == "text" and not block["text"].strip(_BLANK):
            raise RefusalError(
                f"The text field in the SystemContentBlock object at system.{position} is blank. "
                "Add text to the text field, and try again."
            )


def _member(block: Any, spot: str, known: tuple[str, ...]) -> str:
    """The one member of a block, which is checked too; an unknown one is left to newer models."""
    if not isinstance(block, dict):
        constraint(spot, "be an object")
    found: list[str] = [name for name in block if name in _ANYWHERE]
    if isinstance(block.get("type"), str) and found in ([], ["text"]):
        raise RefusalError(f"Unknown parameter in {spot}: type")
    if not block or len(found) > 1:
        constraint(spot, "have exactly one member")
    if not found:
        return ""
    if found[0] not in known:
        raise RefusalError(f"Unknown parameter in {spot}: {found[0]}")
    _check_member(found[0], block[found[0]], f"{spot}.{found[0]}")
    return found[0]


def _check_member(member: str, value: Any, spot: str) -> None:
    if member == "json":
        if not isinstance(value, dict):
            raise RefusalError(
                f"The format of the value at {spot} is invalid. Provide a json object for the "
                "field and try again."
            )
    elif member == "text":
        if not isinstance(value, str):
            constraint(spot, "be a string")
    elif not isinstance(value, dict):
        constraint(spot, "be an object")
    elif member in _CHECKS:
        _CHECKS[member](value, spot)


def _check_call(value: dict[str, Any], spot: str) -> None:
    check_identifier(value.get("toolUseId"), f"{spot}.toolUseId")
    if value.get("type") == "server_tool_use":
        return
    check_identifier(value.get("name"), f"{spot}.name", name=True)
    if not isinstance(value.get("input"), dict):
        raise RefusalError(
            f"The format of the value at {spot}.input is invalid. Provide a json object for the "
            "field and try again."
        )


def _check_result(value: dict[str, Any], spot: str) -> None:
    check_identifier(value.get("toolUseId"), f"{spot}.toolUseId")
    content = value.get("content")
    if not isinstance(content, list):
        constraint(f"{spot}.content", "not be null" if content is None else "be a list")
    said = False
    for position, block in enumerate(content):
        member = _member(block, f"{spot}.content.{position}", _IN_RESULTS)
        said = said or member != "text" or bool(block["text"].strip(_BLANK))
    if value.get("status") == "error" and not said:
        raise RefusalError(
            f"The model returned the following errors: {spot}: content cannot be empty if "
            "`is_error` is true"
        )


def _check_reasoning(value: dict[str, Any], spot: str) -> None:
    inner = value.get("reasoningText")
    if isinstance(inner, dict) and inner.get("text") is None:
        constraint(f"{spot}.reasoningText.text", "not be null")


_CHECKS: dict[str, Callable[[dict[str, Any], str], None]] = {
    "toolUse": _check_call,
    "toolResult": _check_result,
    "reasoningContent": _check_reasoning,
}
_IN_RESULTS = ("json", "text", "image", "document", "video", "searchResult")
_IN_SYSTEM = ("text", "guardContent", "cachePoint")
_IN_MESSAGES = (
    *("text", "image", "document", "video", "audio", "toolUse", "toolResult", "guardContent"),
    *("cachePoint", "reasoningContent", "citationsContent", "searchResult", "toolAddition"),
    "toolRemoval",
)
_ANYWHERE = frozenset(_IN_MESSAGES + _IN_RESULTS)
