"""Why something was repaired: the rule of the provider that it broke."""

from __future__ import annotations

from functools import cache

from wiremend.rules import RULES, Rule

_ARGUMENTS = (
    *("arguments-not-object", "arguments-not-json", "input-not-object", "args-not-object"),
)
_IDS = (
    *("tool-call-id-empty", "tool-call-id-too-long", "tool-call-id-format", "tool-use-id"),
    *("tool-result-id", "item-id"),
)
_MEDIA = (
    *("image-media-type", "image-mismatch", "image-too-large", "document-media-type"),
    *("media-format", "invalid-bytes"),
)
_FIRST = ("first-message-user", "first-turn-not-user")
_ALTERNATE = ("roles-alternate",)
_BLANK = ("blank-text", "empty-text")
_EMPTY = (
    *("empty-message", "no-parts", "empty-assistant-message", "empty-content-list"),
    *("null-content", "part-without-data", "blank-text"),
)
_PLACES = ("misplaced-block", "misplaced-part", "result-not-first")
_THINKING = (
    *("unsigned-thinking", "thinking-unexpected", "reasoning-refused", "lone-reasoning"),
    *("reasoning-not-kept",),
)
_SERVER = ("server-tool-unpaired",)

_NAMES: dict[str, tuple[str, ...]] = {
    "tool_result_reordered": ("missing-tool-result", "result-not-first", "orphan-tool-result"),
    "tool_result_synthesized": ("missing-tool-result",),
    "orphan_tool_result_dropped": ("orphan-tool-result", "surplus-tool-result"),
    "duplicate_tool_call_dropped": ("duplicate-tool-use-id", "duplicate-tool-call-id"),
    "duplicate_tool_call_renamed": ("duplicate-tool-use-id", "duplicate-tool-call-id"),
    "duplicate_tool_result_dropped": ("duplicate-tool-result", "surplus-tool-result"),
    "leading_non_user_dropped": _FIRST,
    "leading_user_inserted": _FIRST,
    "consecutive_assistants_merged": _ALTERNATE,
    "neighbours_merged": (*_ALTERNATE, "call-turn-order"),
    "whitespace_text_dropped": _BLANK,
    "empty_text_dropped": _BLANK,
    "vacuous_message_dropped": _EMPTY,
    "empty_content_reshaped": _EMPTY,
    "tool_results_sorted": ("missing-tool-result",),
    "tool_results_grouped": ("missing-tool-result",),
    "tool_result_without_id_dropped": ("orphan-tool-result", "tool-result-id"),
    "tool_call_id_restored": _IDS,
    "tool_call_id_mapped": _IDS,
    "tool_name_mapped": ("tool-name", "tool-name-missing"),
    "tool_result_filled": ("result-content", "error-result-empty", "empty-text", "null-content"),
    "failure_said_in_words": ("error-result-not-text",),
    "tool_result_joined": ("tool-content-list",),
    "tools_declared": ("tools-undefined",),
    "arguments_mended": _ARGUMENTS,
    "final_user_inserted": ("prefill", "last-message", "final-model-turn"),
    "bridge_inserted": ("role-order",),
    "results_separated": ("results-beside-words",),
    "system_message_moved": ("system-not-first", "role", "unknown-role"),
    "role_rewritten": ("role", "role-unknown", "unknown-role", "chat-shaped-item"),
    "empty_tool_calls_dropped": ("empty-tool-calls",),
    "empty_tool_list_dropped": ("empty-tool-list",),
    "misplaced_block_moved": _PLACES,
    "thinking_dropped": _THINKING,
    "thinking_switched_off": ("thinking-expected",),
    "reasoning_filled": ("reasoning-missing",),
    "reasoning_summary_added": ("reasoning-summary",),
    "server_tool_dropped": _SERVER,
    "server_tool_result_moved": _SERVER,
    "cache_mark_dropped": (
        *("too-many-cache-marks", "cache-mark-on-empty-text", "cache-mark-on-thinking"),
        *("cache-mark-fields", "cache-mark-ttl-order", "too-many-cache-points"),
        *("cache-point-behind-document", "cache-point-behind-thinking"),
    ),
    "trailing_whitespace_trimmed": ("trailing-whitespace",),
    "field_dropped": ("unknown-field", "prefix-not-last"),
    "media_relabelled": ("image-mismatch",),
    "media_replaced": _MEDIA,
    "media_moved": ("image-outside-user", "assistant-media"),
    "image_refitted": _MEDIA,
    "foreign_part_converted": ("part-type", "foreign-part", "foreign-shape"),
    "foreign_part_dropped": ("part-type", "foreign-part", "foreign-shape"),
    "surrogate_replaced": ("lone-surrogate",),
    "number_replaced": ("non-finite-number",),
    "document_renamed": ("document-name", "duplicate-document-name"),
    "document_announced": ("document-without-text",),
    "item_id_dropped": ("duplicate-item-id", "item-id", "reasoning-not-kept"),
    "item_id_replaced": ("duplicate-item-id", "item-id"),
    "item_dropped": ("duplicate-item-id", "lone-reasoning", "missing-tool-result"),
    "tool_definition_reshaped": ("chat-shaped-tool",),
    "output_reshaped": ("output-form", "output-type"),
    "signature_dropped": ("invalid-bytes",),
    "signature_skipped": ("thought-signature-missing",),
    "part_split": ("several-data", "several-members"),
    "empty_part_dropped": ("part-without-data",),
    "response_wrapped": ("response-not-object", "json-not-object"),
}
"""By the kind of a repair: the names of the rules that it may be about. Each dialect has some."""


@cache
def rules_of(kind: str, dialect: str) -> tuple[Rule, ...]:
    """The rules of a dialect that a kind of repair is about."""
    names = _NAMES.get(kind, ())
    return tuple(one for one in RULES if one.name in names and dialect in one.dialects)
