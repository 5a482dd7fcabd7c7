"""Anthropic Messages, simulated: what is looked at in which order, and the answer."""

from __future__ import annotations

from typing import Any

from wiremend.providers.anthropic_blocks import (
    Spot,
    check_cache_mark,
    check_message,
    check_system,
    check_tool_definition,
)
from wiremend.providers.anthropic_ending import check_ending
from wiremend.providers.anthropic_models import is_in_a_cloud, takes_system_messages
from wiremend.providers.anthropic_turns import Turns
from wiremend.providers.reply import RefusalError, Reply
from wiremend.providers.wire import arrive, fingerprint, roughly_tokens

_LARGEST_REQUEST = 32 * 1024 * 1024
_LARGEST_PICTURE_IN_A_CLOUD = 5 * 1024 * 1024
_MOST_MARKS = 4
_CLIENT_TOOLS = frozenset({"tool_use", "tool_result"})


class AnthropicMessages:
    """The strict end of the Messages API."""

    name = "anthropic"

    def post(self, body: dict[str, Any]) -> Reply:
        """Judge a request body."""
        try:
            arrived = arrive(body)
            _check_size(arrived)
            _check_request(body)
        except RefusalError as refusal:
            error = {"type": refusal.kind, "message": refusal.message}
            return Reply(refusal.status, {"type": "error", "error": error})
        return _taken(body, arrived)


def _taken(body: dict[str, Any], arrived: bytes) -> Reply:
    model = body.get("model")
    answer = {
        "id": f"msg_{fingerprint(arrived)[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model if isinstance(model, str) else "simulated",
        "content": [{"type": "text", "text": "Understood."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": roughly_tokens(arrived), "output_tokens": 3},
    }
    return Reply(200, answer)


def _check_size(arrived: bytes) -> None:
    if len(arrived) > _LARGEST_REQUEST:
        raise RefusalError("Request exceeds the maximum size", status=413, kind="request_too_large")


def _check_request(body: Any) -> None:
    if not isinstance(body, dict):
        raise RefusalError("Input should be a valid dictionary or object to extract fields from")
    messages = _messages(body)
    holders = _check_surroundings(body)
    last = len(messages) - 1
    found: list[dict[str, Any]] = []
    for index, message in enumerate(messages):
        _check_role(message, messages, index, body.get("model"))
        found += check_message(message, Spot(("messages", index)), last=index == last)
    if is_in_a_cloud(body.get("model")):
        _check_pictures(found)
    _check_marks([*holders, *found, body])
    if not body.get("tools") and any(block.get("type") in _CLIENT_TOOLS for block in found):
        raise RefusalError(
            "Requests which include `tool_use` or `tool_result` blocks must define tools."
        )
    turns = Turns()
    for index, message in enumerate(messages):
        turns.step(index, message)
    turns.end()
    check_ending(body, messages, paused=turns.paused(last))


def _check_pictures(blocks: list[dict[str, Any]]) -> None:
    for block in blocks:
        source = block.get("source") if block.get("type") == "image" else None
        data = source.get("data") if isinstance(source, dict) else None
        size = len(data) if isinstance(data, str) else 0
        if size > _LARGEST_PICTURE_IN_A_CLOUD:
            raise RefusalError(
                f"messages: image exceeds 5 MB maximum: {size} bytes > "
                f"{_LARGEST_PICTURE_IN_A_CLOUD} bytes"
            )


def _messages(body: dict[str, Any]) -> list[Any]:
    if "messages" not in body:
        raise RefusalError("messages: Field required")
    messages = body["messages"]
    if not isinstance(messages, list):
        raise RefusalError("messages: Input should be a valid list")
    if not messages:
        raise RefusalError("messages: at least one message is required")
    return messages


def _check_marks(holders: list[dict[str, Any]]) -> None:
    """Refuse a fifth mark, and one of an hour behind a shorter one."""
    marks = [h["cache_control"] for h in holders if h.get("cache_control") is not None]
    if len(marks) > _MOST_MARKS:
        raise RefusalError(
            f"A maximum of {_MOST_MARKS} blocks with cache_control may be provided. "
            f"Found {len(marks)}."
        )
    lasting = [mark.get("ttl", "5m") for mark in marks]
    if lasting != sorted(lasting):
        raise RefusalError(
            "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' "
            "cache_control block. Note that blocks are processed in the following order: `tools`, "
            "`system`, `messages`."
        )


def _check_surroundings(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Check the tool definitions, the system prompt and the request's own mark; those in order."""
    holders: list[dict[str, Any]] = []
    check_cache_mark(body, Spot(()))
    tools = body.get("tools")
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        if isinstance(tool, dict):
            check_tool_definition(tool, Spot(("tools", index)))
            holders.append(tool)
    return holders + check_system(body.get("system"))


def _check_role(message: Any, messages: list[Any], index: int, model: Any) -> None:
    if not isinstance(message, dict):
        raise RefusalError(
            f"messages.{index}: Input should be a valid dictionary or object to extract fields from"
        )
    if "role" not in message:
        raise RefusalError(f"messages.{index}.role: Field required")
    role = message["role"]
    if role == "system":
        _check_system_message(messages, index, model)
    elif role not in ("user", "assistant"):
        raise RefusalError(
            f'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant".'
        )
    elif index == 0 and role != "user" and not _starts_with_compaction(message):
        raise RefusalError('messages: first message must use the "user" role')


def _starts_with_compaction(message: dict[str, Any]) -> bool:
    content = message.get("content")
    first = content[0] if isinstance(content, list) and content else None
    return isinstance(first, dict) and first.get("type") == "compaction"


def _check_system_message(messages: list[Any], index: int, model: Any) -> None:
    if not takes_system_messages(model):
        raise RefusalError(
            'messages: Unexpected role "system". The Messages API accepts a top-level `system` '
            'parameter, not "system" as an input message role.'
        )
    before = messages[index - 1] if index else None
    after = messages[index + 1] if index + 1 < len(messages) else None
    if not _may_precede_system(before) or _role_of(after) not in (None, "assistant", "system"):
        raise RefusalError(
            f"messages.{index}: a message with role 'system' must come immediately after a 'user' "
            "message, and be the last one or come before an 'assistant' message"
        )


def _may_precede_system(message: Any) -> bool:
    """Whether this is a user's turn, or an assistant's that waits for a server tool."""
    role = _role_of(message)
    if role != "assistant":
        return role in ("user", "system")
    content = message.get("content")
    last = content[-1] if isinstance(content, list) and content else None
    return isinstance(last, dict) and last.get("type") == "server_tool_use"


def _role_of(message: Any) -> Any:
    return message.get("role") if isinstance(message, dict) else None
