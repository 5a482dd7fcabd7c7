"""The types of input items, and which of them belong together.

Source: ``openai`` SDK, ``ResponseInputItemParam``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wiremend.dialects.base import Json
from wiremend.errors import Path, WiremendError


class CallKind(NamedTuple):
    """A type of calls: the type of its outputs, the field with what is called for.

    ``name`` is that of the tool where the item has none.
    """

    output: str
    field: str
    name: str | None = None


CALLS = {
    "function_call": CallKind("function_call_output", "arguments"),
    "custom_tool_call": CallKind("custom_tool_call_output", "input"),
    "local_shell_call": CallKind("local_shell_call_output", "action", "local_shell"),
    "shell_call": CallKind("shell_call_output", "action", "shell"),
    "apply_patch_call": CallKind("apply_patch_call_output", "operation", "apply_patch"),
    "computer_call": CallKind("computer_call_output", "action", "computer"),
    "tool_search_call": CallKind("tool_search_output", "arguments", "tool_search"),
}
OUTPUTS = {kind.output: name for name, kind in CALLS.items()}
TEXTUAL = (
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
    "apply_patch_call_output",
)
"""Outputs that hold text, or a list of parts; the others have a form of their own."""

_CLIENT = (
    "mcp_approval_response",
    "compaction_trigger",
    "configuration_update",
    "additional_tools",
    *OUTPUTS,
)
_ID_PREFIXES = {
    "message": "msg",
    "reasoning": "rs",
    "function_call": "fc",
    "function_call_output": "fc",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctc",
    "web_search_call": "ws",
}
LONGEST_ITEM_ID = 64
LONGEST_CALL_ID = 64
ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}


def kind_of(item: Json, path: Path = ()) -> str:
    """The type of an item, also where it may be left out. Raises ``WiremendError`` for no item."""
    kind = item.get("type")
    if kind is None:
        if "role" in item:
            return "message"
        if isinstance(item.get("id"), str):
            return "item_reference"
    if not isinstance(kind, str):
        raise WiremendError("expected an item with a type or a role", (*path, "type"))
    return kind


def call_key(item: Json, kind: str) -> str | None:
    """What ties a call to its output; None where nothing does.

    The API's guide to the local shell names ``call_id``, the SDK's type of its output ``id``.
    """
    key = item.get("call_id")
    if key is None and kind == "local_shell_call_output":
        key = item.get("id")
    return key if isinstance(key, str) else None


def is_legal_call_id(call_id: str) -> bool:
    """Whether the API can have given, or takes, this as what ties a call to its output."""
    return 0 < len(call_id) <= LONGEST_CALL_ID


def is_served(item: Json, kind: str) -> bool:
    """Whether a tool search ran on the server, so that no client has to answer it."""
    return kind.startswith("tool_search_") and call_key(item, kind) is None


def is_model_item(item: Json) -> bool:
    """Whether the model made this item, so that it can follow its reasoning."""
    kind = kind_of(item)
    if kind == "message":
        return item.get("role") == "assistant"
    return is_served(item, kind) or kind not in _CLIENT


def is_legal_id(value: Any, kind: str) -> bool:
    """Whether an item of this type may have this id (reports 084 to 086).

    Only prefixes that the API's own refusals name are demanded.
    """
    return (
        isinstance(value, str)
        and len(value) <= LONGEST_ITEM_ID
        and value.startswith(_ID_PREFIXES.get(kind, ""))
        and value != ""
    )
