"""Anthropic Messages, simulated: how a conversation may end, and thinking at its end."""

from __future__ import annotations

from typing import Any

from wiremend.providers.anthropic_blocks import BLANK
from wiremend.providers.anthropic_models import takes_prefill, thinks_unasked
from wiremend.providers.reply import RefusalError

_THINKING = ("thinking", "redacted_thinking")


def check_ending(body: dict[str, Any], messages: list[dict[str, Any]], *, paused: bool) -> None:
    """Refuse a prefill that cannot be continued, and thinking that is missing or unwanted.

    ``messages`` are well-formed; ``paused`` says that the last one waits for a server tool.
    """
    mode = _thinking_mode(body)
    if messages[-1]["role"] == "assistant":
        _check_prefill(body.get("model"), messages, mode, paused=paused)
    if mode == "enabled":
        _check_open_turn(messages)


def _thinking_mode(body: dict[str, Any]) -> str:
    thinking = body.get("thinking")
    mode = thinking.get("type") if isinstance(thinking, dict) else None
    if isinstance(mode, str):
        return mode
    return "adaptive" if thinks_unasked(body.get("model")) else "disabled"


def _check_prefill(model: Any, messages: list[dict[str, Any]], mode: str, *, paused: bool) -> None:
    if not paused and not takes_prefill(model):
        raise RefusalError(
            "This model does not support assistant message prefill. "
            "The conversation must end with a user message."
        )
    content = messages[-1]["content"]
    text = content if isinstance(content, str) else _text_of(content[-1] if content else {})
    if text != text.rstrip(BLANK):
        raise RefusalError("messages: final assistant content cannot end with trailing whitespace")
    if mode == "disabled" and isinstance(content, list):
        for position, block in enumerate(content):
            if block["type"] in _THINKING:
                raise RefusalError(
                    f"messages.{len(messages) - 1}.content.{position}: When thinking is disabled, "
                    f"an `assistant` message in the final position cannot contain "
                    f"`{block['type']}`. To use thinking blocks, enable `thinking` in your request."
                )


def _text_of(block: dict[str, Any]) -> str:
    return block["text"] if block.get("type") == "text" else ""


def _check_open_turn(messages: list[dict[str, Any]]) -> None:
    """The turn that goes on with the results at the end has to start with thinking.

    Which of its messages is meant is not documented: any is taken.
    """
    turn = _open_turn(messages)
    starts = [_first_type(messages[index]) for index in turn]
    if starts and not any(start is None or start in _THINKING for start in starts):
        raise RefusalError(
            f"messages.{turn[-1]}.content.0.type: Expected `thinking` or `redacted_thinking`, but "
            f"found `{starts[-1]}`. When `thinking` is enabled, a final `assistant` message must "
            "start with a thinking block (preceeding the lastmost set of `tool_use` and "
            "`tool_result` blocks). We recommend you include thinking blocks from previous turns. "
            "To avoid this requirement, disable `thinking`."
        )


def _open_turn(messages: list[dict[str, Any]]) -> list[int]:
    """The indices of the assistant messages since the user last said something of their own."""
    turn: list[int] = []
    if not _has_only_results(messages[-1]):
        return turn
    for index in range(len(messages) - 1, -1, -1):
        role = messages[index]["role"]
        if role == "assistant":
            turn.append(index)
        elif role == "user" and not _has_results(messages[index]):
            break
    return turn[::-1]


def _has_only_results(message: dict[str, Any]) -> bool:
    content = message["content"]
    return isinstance(content, list) and all(b["type"] == "tool_result" for b in content)


def _has_results(message: dict[str, Any]) -> bool:
    content = message["content"]
    return isinstance(content, list) and any(block["type"] == "tool_result" for block in content)


def _first_type(message: dict[str, Any]) -> str | None:
    content = message["content"]
    if isinstance(content, str):
        return "text" if content else None
    return content[0]["type"] if content else None
