"""Anthropic Messages, simulated: what one message and one block may look like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wiremend.providers.pictures import TAKEN, looks_like
from wiremend.providers.reply import RefusalError

if TYPE_CHECKING:
    from collections.abc import Callable

BLANK = (
    "\t\n\v\f\r \u00a0\ufeff\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
_CALL_ID = "^[a-zA-Z0-9_-]+$"
_SERVER_ID = "^srvtoolu_[a-zA-Z0-9_]+$"
_NAME = "^[a-zA-Z0-9_-]{1,128}$"
_CALL_PATTERNS = {
    "tool_use": (_CALL_ID, _NAME),
    "server_tool_use": (_SERVER_ID, _NAME),
    # An MCP server names its tools as it likes.
    "mcp_tool_use": (_CALL_ID, "^(?s:.+)$"),
}
_LARGEST_PICTURE = 10 * 1024 * 1024
_MARK_FIELDS = frozenset({"type", "ttl"})
_LIFETIMES = ("5m", "1h")
_EMPTY = "all messages must have non-empty content except for the optional final assistant message"
_DICTIONARY = "Input should be a valid dictionary or object to extract fields from"


class Spot(tuple[str | int, ...]):
    """A place in the request, written the way the provider writes it: ``messages.0.content.1``."""

    __slots__ = ()

    def __truediv__(self, step: str | int) -> Spot:
        return Spot((*self, step))

    def __str__(self) -> str:
        return ".".join(map(str, self))


def check_message(message: dict[str, Any], spot: Spot, *, last: bool) -> list[dict[str, Any]]:
    """Check a message's content by itself; return its blocks, those inside results included."""
    if "content" not in message:
        raise RefusalError(f"{spot / 'content'}: Field required")
    content, role = message["content"], message["role"]
    if not isinstance(content, str | list):
        raise RefusalError(f"{spot / 'content'}: Input should be a valid list")
    final_assistant = last and role == "assistant"
    if not content and not final_assistant:
        raise RefusalError(f"{spot}: {_EMPTY}")
    if isinstance(content, str):
        # The final assistant's blanks are refused for standing at its end.
        if content and not final_assistant:
            _check_not_blank(content)
        return []
    blocks: list[dict[str, Any]] = []
    for position, block in enumerate(content):
        blocks += _check_block(block, spot / "content" / position, _ALLOWED[role])
    return blocks


def check_system(system: Any) -> list[dict[str, Any]]:
    """Check the system prompt; return its blocks."""
    if not isinstance(system, list):
        return []
    blocks: list[dict[str, Any]] = []
    for position, block in enumerate(system):
        blocks += _check_block(block, Spot(("system", position)), _ALLOWED["system"])
    return blocks


def check_tool_definition(tool: dict[str, Any], spot: Spot) -> None:
    """Check a tool's mark, and its name where the client chose it."""
    check_cache_mark(tool, spot)
    if tool.get("type") in (None, "custom") and "name" in tool:
        _check_pattern(tool["name"], _NAME, spot / "custom" / "name")


def check_cache_mark(holder: dict[str, Any], spot: Spot) -> None:
    """Refuse a cache mark with fields or values that it cannot have."""
    mark = holder.get("cache_control")
    if mark is None:
        return
    place = spot / "cache_control"
    if not isinstance(mark, dict):
        raise RefusalError(f"{place}: {_DICTIONARY}")
    if mark.get("type") != "ephemeral":
        raise RefusalError(
            f"{place}: Input tag '{mark.get('type')}' found using 'type' does not match any of "
            "the expected tags: 'ephemeral'"
        )
    for field in mark:
        if field not in _MARK_FIELDS:
            raise RefusalError(f"{place / 'ephemeral' / field}: Extra inputs are not permitted")
    if mark.get("ttl", "5m") not in _LIFETIMES:
        raise RefusalError(f"{place / 'ephemeral' / 'ttl'}: Input should be '5m' or '1h'")


def _check_not_blank(text: str) -> None:
    if not text:
        raise RefusalError("messages: text content blocks must be non-empty")
    if not text.strip(BLANK):
        raise RefusalError("messages: text content blocks must contain non-whitespace text")


def _check_pattern(value: Any, pattern: str, spot: Spot) -> None:
    if not isinstance(value, str):
        raise RefusalError(f"{spot}: Input should be a valid string")
    # `$` would let a line feed at the end through; `fullmatch` without it does not.
    if not re.fullmatch(pattern.strip("^$"), value):
        raise RefusalError(f"{spot}: String should match pattern '{pattern}'")


def _check_block(block: Any, spot: Spot, allowed: frozenset[str]) -> list[dict[str, Any]]:
    """Check one block; return it and whatever it holds."""
    if not isinstance(block, dict):
        raise RefusalError(f"{spot}: {_DICTIONARY}")
    kind = block.get("type")
    if not isinstance(kind, str):
        raise RefusalError(f"{spot}.type: Field required")
    if kind not in allowed:
        if kind in _ONLY_IN:
            raise RefusalError(
                f"{spot}: `{kind}` blocks can only be in `{_ONLY_IN[kind]}` messages"
            )
        tags = ", ".join(f"'{tag}'" for tag in sorted(allowed))
        raise RefusalError(
            f"{spot}: Input tag '{kind}' found using 'type' does not match any of the expected "
            f"tags: {tags}"
        )
    if kind in _UNMARKABLE and block.get("cache_control") is not None:
        raise RefusalError(f"{spot / kind / 'cache_control'}: Extra inputs are not permitted")
    check_cache_mark(block, spot / kind)
    check = _CHECKS.get(kind, _check_server_result if kind.endswith("_tool_result") else None)
    return [block, *((check(block, spot) if check else None) or ())]


def _check_text(block: dict[str, Any], spot: Spot) -> None:
    text = block.get("text")
    if not isinstance(text, str):
        raise RefusalError(f"{spot / 'text' / 'text'}: Input should be a valid string")
    if not text and block.get("cache_control") is not None:
        raise RefusalError(f"{spot / 'text'}: cache_control cannot be set for empty text blocks")
    _check_not_blank(text)


def _check_thinking(block: dict[str, Any], spot: Spot) -> None:
    if not isinstance(block.get("thinking"), str):
        raise RefusalError(f"{spot / 'thinking' / 'thinking'}: Field required")
    if "signature" not in block:
        raise RefusalError(f"{spot / 'thinking' / 'signature'}: Field required")
    if not isinstance(block["signature"], str) or not block["signature"].strip():
        raise RefusalError(f"{spot}: Invalid `signature` in `thinking` block")


def _check_redacted(block: dict[str, Any], spot: Spot) -> None:
    if not isinstance(block.get("data"), str) or not block["data"]:
        raise RefusalError(f"{spot}: Invalid `data` in `redacted_thinking` block")


def _check_call(block: dict[str, Any], spot: Spot) -> None:
    kind = block["type"]
    for field, wanted in zip(("id", "name"), _CALL_PATTERNS[kind], strict=True):
        if field not in block:
            raise RefusalError(f"{spot / kind / field}: Field required")
        _check_pattern(block[field], wanted, spot / kind / field)
    if "input" not in block:
        raise RefusalError(f"{spot / kind / 'input'}: Field required")
    if not isinstance(block["input"], dict):
        raise RefusalError(f"{spot / kind / 'input'}: Input should be a valid dictionary")


def _check_answered_id(block: dict[str, Any], spot: Spot) -> None:
    if "tool_use_id" not in block:
        raise RefusalError(f"{spot / block['type'] / 'tool_use_id'}: Field required")
    if not isinstance(block["tool_use_id"], str):
        raise RefusalError(
            f"{spot / block['type'] / 'tool_use_id'}: Input should be a valid string"
        )


def _check_result(block: dict[str, Any], spot: Spot) -> list[dict[str, Any]]:
    _check_answered_id(block, spot)
    content = block.get("content")
    says_nothing = not content or (isinstance(content, str) and not content.strip(BLANK))
    if says_nothing and block.get("is_error") is True:
        raise RefusalError(f"{spot}: `tool_result` content cannot be empty if `is_error` is true")
    if content is None or isinstance(content, str):
        return []
    place = spot / "tool_result" / "content"
    if not isinstance(content, list):
        raise RefusalError(f"{place}: Input should be a valid list")
    if block.get("is_error") is True and any(
        isinstance(part, dict) and part.get("type") != "text" for part in content
    ):
        raise RefusalError(f"{spot}: all content must be type `text` if `is_error` is true")
    return _check_inside(content, place, _IN_RESULTS)


def _check_server_result(block: dict[str, Any], spot: Spot) -> None:
    _check_answered_id(block, spot)


def _check_image(block: dict[str, Any], spot: Spot) -> None:
    place = spot / "image" / "source"
    source = block.get("source")
    if not isinstance(source, dict):
        raise RefusalError(f"{place}: Field required")
    if source.get("type") != "base64":
        _check_reference(source, place)
        return
    label, data = source.get("media_type"), source.get("data")
    place = place / "base64"
    if label not in TAKEN:
        raise RefusalError(
            f"{place / 'media_type'}: Input should be 'image/jpeg', 'image/png', 'image/gif' or "
            "'image/webp'"
        )
    if not isinstance(data, str):
        raise RefusalError(f"{place / 'data'}: Input should be a valid string")
    if not data:
        raise RefusalError(f"{place}: image cannot be empty")
    if len(data) > _LARGEST_PICTURE:
        raise RefusalError(
            f"{place}: image exceeds 10 MB maximum: {len(data)} bytes > {_LARGEST_PICTURE} bytes"
        )
    found = looks_like(data)
    if found in TAKEN and found != label:
        raise RefusalError(
            f"{place}: The image was specified using the {label} media type, but the image "
            f"appears to be a {found} image"
        )
    if found is not None and found != label:
        raise RefusalError("Could not process image")


def _check_document(block: dict[str, Any], spot: Spot) -> list[dict[str, Any]]:
    source = block.get("source")
    kind = source.get("type") if isinstance(source, dict) else None
    label = source.get("media_type") if isinstance(source, dict) else None
    wanted = {"base64": "application/pdf", "text": "text/plain"}.get(str(kind))
    if wanted is not None and isinstance(label, str) and label != wanted:
        place = spot / "document" / "source" / str(kind) / "media_type"
        raise RefusalError(f"{place}: Input should be '{wanted}'")
    held = source.get("content") if isinstance(source, dict) else None
    return _check_inside(held, spot / "document" / "source" / "content", _IN_DOCUMENTS)


def _check_search_result(block: dict[str, Any], spot: Spot) -> list[dict[str, Any]]:
    return _check_inside(block.get("content"), spot / "search_result" / "content", _SYSTEM)


def _check_inside(held: Any, place: Spot, allowed: frozenset[str]) -> list[dict[str, Any]]:
    inside: list[dict[str, Any]] = []
    for position, part in enumerate(held if isinstance(held, list) else ()):
        inside += _check_block(part, place / position, allowed)
    return inside


def _check_reference(source: dict[str, Any], place: Spot) -> None:
    fields = {"url": "url", "file": "file_id"}
    field = fields.get(str(source.get("type")))
    if field is None:
        raise RefusalError(
            f"{place}: Input tag '{source.get('type')}' found using 'type' does not match any of "
            "the expected tags: 'base64', 'file', 'url'"
        )
    if not isinstance(source.get(field), str):
        raise RefusalError(f"{place / str(source['type']) / field}: Field required")


_CHECKS: dict[str, Callable[[dict[str, Any], Spot], list[dict[str, Any]] | None]] = {
    "text": _check_text,
    "thinking": _check_thinking,
    "redacted_thinking": _check_redacted,
    "tool_use": _check_call,
    "server_tool_use": _check_call,
    "mcp_tool_use": _check_call,
    "tool_result": _check_result,
    "image": _check_image,
    "document": _check_document,
    "search_result": _check_search_result,
}
_UNMARKABLE = frozenset({"thinking", "redacted_thinking"})
_ASSISTANT_ONLY = frozenset(
    {"thinking", "redacted_thinking", "tool_use", "server_tool_use", "mcp_tool_use"}
    | {
        f"{tool}_tool_result"
        for tool in (
            *("web_search", "web_fetch", "code_execution", "bash_code_execution"),
            *("text_editor_code_execution", "tool_search", "mcp", "advisor"),
        )
    }
)
_SYSTEM = frozenset({"text", "tool_addition", "tool_removal"})
_ANYWHERE = _SYSTEM | {
    *("image", "document", "search_result", "container_upload"),
    *("compaction", "fallback", "mcp_tool_listing"),
}
_IN_RESULTS = frozenset(
    {"text", "image", "document", "search_result", "tool_reference", "browser_state"}
)
_IN_DOCUMENTS = frozenset({"text", "image"})
_ALLOWED: dict[str, frozenset[str]] = {
    "user": _ANYWHERE | {"tool_result"},
    "assistant": _ANYWHERE | _ASSISTANT_ONLY,
    "system": _SYSTEM,
}
_ONLY_IN = {**dict.fromkeys(_ASSISTANT_ONLY, "assistant"), "tool_result": "user"}
