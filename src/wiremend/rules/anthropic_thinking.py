"""Anthropic Messages: thinking blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.rules.anthropic import (
    ASKED,
    assistant,
    blocks_of,
    carries_results,
    request,
    result,
    text,
    thinking,
    turns,
    use,
    user,
    with_tools,
)
from wiremend.rules.base import (
    ANTHROPIC,
    Body,
    Finding,
    Rule,
    dotted,
    is_id,
    last_message,
    objects,
    rule,
    shown,
)
from wiremend.rules.models import thinks_by_default

if TYPE_CHECKING:
    from collections.abc import Iterator

_THINKING = ("thinking", "redacted_thinking")
_ENABLED = {"type": "enabled", "budget_tokens": 1024}


@rule(
    code="WM214",
    name="unsigned-thinking",
    dialects=ANTHROPIC,
    summary="A thinking block has no signature.",
    doc="""
    Thinking comes with a signature and is taken back only with it. Thinking of another model,
    or of a store that keeps only the text, has none, and so has redacted thinking that lost its
    data. wiremend drops the block.
    """,
    before=request(ASKED, assistant(thinking(""), text("Rain.")), user("Thanks.")),
    after=request(ASKED, assistant(text("Rain.")), user("Thanks.")),
    provider_error="{place}: Invalid `signature` in `thinking` block",
    source="caozhiyuan/copilot-api#78, tombii/better-ccflare#52 (cases 076 and 017)",
)
def unsigned_thinking(body: Body) -> Iterator[Finding]:
    """Thinking that nobody vouches for."""
    for path, _, block in blocks_of(body, "thinking"):
        if not is_id(block.get("signature")):
            yield Finding(path, "This thinking block has no signature.")
    for path, _, block in blocks_of(body, "redacted_thinking"):
        if not is_id(block.get("data")):
            said = "{place}: Invalid `data` in `redacted_thinking` block"
            yield Finding(path, "This redacted thinking block has no data.", said=said)


@rule(
    code="WM215",
    name="thinking-expected",
    dialects=ANTHROPIC,
    summary="Thinking is enabled, and the turn that goes on does not start with it.",
    doc="""
    With `thinking.type` enabled, the assistant turn whose results end the request starts with a
    thinking block. Thinking that was dropped, or switched on in the middle of a turn, breaks
    this. The turn is the whole exchange since the user last spoke, and in it later steps need no
    thinking of their own. wiremend switches thinking off for the request, as no client can
    write a signed block.
    """,
    before=with_tools(ASKED, assistant(use()), user(result()), thinking=_ENABLED),
    after=with_tools(ASKED, assistant(use()), user(result()), thinking={"type": "disabled"}),
    provider_error=(
        "{place}.type: Expected `thinking` or `redacted_thinking`, but found `{found}`. When "
        "`thinking` is enabled, a final `assistant` message must start with a thinking block "
        "(preceeding the lastmost set of `tool_use` and `tool_result` blocks)."
    ),
    source="anomalyco/opencode#3077 (case 073)",
)
def thinking_expected(body: Body) -> Iterator[Finding]:
    """The open turn, from its end back to where it starts."""
    if _thinking_type(body) != "enabled":
        return
    said = list(turns(body))
    if not said or not _only_results(said[-1][1]):
        return
    latest: tuple[int, str] | None = None
    for index, message, name in reversed(said):
        if name == "user":
            if not carries_results(message):
                break
            continue
        first = _first_type(message)
        if first in _THINKING:
            return
        if latest is None:
            latest = index, first
    if latest is not None:
        path = ("messages", latest[0], "content", 0)
        found = {"found": shown(latest[1]), "place": dotted(path)}
        yield Finding(path, "The turn that these results go on with has no thinking.", dict(found))


def _thinking_type(body: Body) -> Any:
    config = body.get("thinking")
    return config.get("type") if isinstance(config, dict) else None


def _only_results(message: Body) -> bool:
    content = message.get("content")
    if message.get("role") != "user" or not isinstance(content, list) or not content:
        return False
    return all(isinstance(block, dict) and block.get("type") == "tool_result" for block in content)


def _first_type(message: Body) -> str:
    # These mark a place in the turn and are no content of it.
    marks = ("compaction", "fallback", "mcp_tool_listing")
    for _, block in objects(message.get("content")):
        if block.get("type") not in marks:
            return str(block.get("type"))
    return "text"


@rule(
    code="WM216",
    name="thinking-unexpected",
    dialects=ANTHROPIC,
    summary="Thinking is off, and the final message is the assistant's and has some.",
    doc="""
    With thinking off, an assistant message at the end of the request, which the model is to go
    on with, has no thinking blocks; earlier ones may. wiremend drops them there.
    """,
    before=request(ASKED, assistant(thinking(), text("The weather"))),
    after=request(ASKED, assistant(text("The weather"))),
    provider_error=(
        "{place}: When thinking is disabled, an `assistant` message in the final position cannot "
        "contain `thinking`. To use thinking blocks, enable `thinking` in your request."
    ),
    source="tailcallhq/forgecode#1853 and #1195",
)
def thinking_unexpected(body: Body) -> Iterator[Finding]:
    """Thinking in a final assistant message."""
    off = _thinking_type(body) == "disabled"
    unsaid = body.get("thinking") is None and not thinks_by_default(body.get("model"))
    found = last_message(body)
    if not (off or unsaid) or found is None or found[1].get("role") != "assistant":
        return
    for place, block in objects(found[1].get("content")):
        if block.get("type") in _THINKING:
            yield Finding(
                ("messages", found[0], "content", place),
                "The final message has thinking, which the request does not enable.",
            )


@rule(
    code="WM230",
    name="cache-mark-on-thinking",
    dialects=ANTHROPIC,
    summary="A thinking block has a cache_control.",
    doc="""
    Thinking is cached with what stands around it and takes no mark of its own. Helpers that mark
    the last or the last but one block of a message, whatever it is, break this. wiremend drops
    the mark.
    """,
    before=request(
        ASKED,
        assistant({**thinking(), "cache_control": {"type": "ephemeral"}}, text("Rain.")),
        user("Thanks."),
    ),
    after=request(ASKED, assistant(thinking(), text("Rain.")), user("Thanks.")),
    provider_error="{place}.{kind}.cache_control: Extra inputs are not permitted",
    source="Wei-Shaw/sub2api#225, LeenHawk/gproxy#67; anthropic types: ThinkingBlockParam",
)
def cache_mark_on_thinking(body: Body) -> Iterator[Finding]:
    """Marks where none can be."""
    for path, _, block in blocks_of(body, *_THINKING):
        if block.get("cache_control") is not None:
            words: dict[str, str | int] = {"kind": shown(block["type"]), "place": dotted(path)}
            yield Finding((*path, "cache_control"), "Thinking takes no cache mark.", words)


RULES: tuple[Rule, ...] = (
    unsigned_thinking,
    thinking_expected,
    thinking_unexpected,
    cache_mark_on_thinking,
)
