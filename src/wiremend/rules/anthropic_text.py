"""Anthropic Messages: texts, empty messages and cache marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.anthropic import (
    ASKED,
    all_blocks,
    assistant,
    request,
    text,
    turns,
    user,
)
from wiremend.rules.base import (
    ANTHROPIC,
    Body,
    Finding,
    Rule,
    is_blank,
    last_message,
    messages,
    objects,
    once,
    rule,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

MAX_MARKS = 4
_MARK = {"type": "ephemeral"}
_MARK_FIELDS = frozenset({"type", "ttl"})


@once
def _markable(body: Body) -> Iterator[tuple[Path, Body]]:
    """Everything that may carry a cache mark, in the order in which the provider reads it."""
    for key in ("tools", "system"):
        for place, item in objects(body.get(key)):
            yield (key, place), item
    yield from all_blocks(body)


@rule(
    code="WM209",
    name="blank-text",
    dialects=ANTHROPIC,
    summary="A text block is empty or has nothing but white space.",
    doc="""
    Each text block says something; this holds for messages, for the system prompt and for the
    text inside a tool result. Models send empty text beside their calls, and streams that were
    cut leave it behind. wiremend drops the block, and the message where nothing else is left.
    """,
    before=request(user(text(""), text("Hello"))),
    after=request(user(text("Hello"))),
    provider_error="messages: text content blocks must be non-empty",
    source="BerriAI/litellm#22979, anomalyco/opencode#31259 (cases 050 and 051)",
)
def blank_text(body: Body) -> Iterator[Finding]:
    """Blank text in messages, results and the system prompt."""
    blank = "messages: text content blocks must contain non-whitespace text"
    for index, message in messages(body):
        content = message.get("content")
        if is_blank(content) and content:
            at: Path = ("messages", index, "content")
            yield Finding(at, "This text is only white space.", said=blank)
    for path, block in _markable(body):
        if path[0] == "tools" or block.get("type") != "text" or not is_blank(block.get("text")):
            continue
        if block["text"]:
            yield Finding(path, "This text is only white space.", said=blank)
        elif block.get("cache_control") is None:
            yield Finding(path, "This text is empty.")


@rule(
    code="WM210",
    name="empty-message",
    dialects=ANTHROPIC,
    summary="A message has no content.",
    doc="""
    Every message says something, except that a final assistant message may be empty. Content
    that is null or missing is refused everywhere. Cleaners that drop all blocks of a message
    leave the message behind. wiremend drops it.
    """,
    before=request(ASKED, assistant(), user("Hello?")),
    after=request(ASKED, user("Hello?")),
    provider_error=(
        "{place}: all messages must have non-empty content except for the optional final "
        "assistant message"
    ),
    source="anthropics/claude-code#6458 and #2196 (cases 053 and 011)",
)
def empty_message(body: Body) -> Iterator[Finding]:
    """Messages without content; an empty final assistant message is none."""
    last = last_message(body)
    for index, message, role in turns(body):
        content = message.get("content")
        if content is None:
            missing = "{place}.content: Field required"
            yield Finding(("messages", index), f"This {role} message has no content.", said=missing)
        elif content in ("", []) and (role == "user" or last is None or last[0] != index):
            yield Finding(("messages", index), f"This {role} message is empty.")
    yield from _empty_system(body)


def _empty_system(body: Body) -> Iterator[Finding]:
    for index, message in messages(body):
        # A system message may consist of settings instead of words.
        if message.get("role") != "system" or message.get("output_config"):
            continue
        if message.get("content") in (None, "", []):
            said = "{place}: system content must contain at least one block"
            yield Finding(("messages", index), "This system message is empty.", said=said)


@rule(
    code="WM211",
    name="trailing-whitespace",
    dialects=ANTHROPIC,
    summary="The final assistant message ends in white space.",
    doc="""
    A final assistant message is the beginning of the answer, and the model cannot go on from
    white space. Everywhere else white space at the end is fine. wiremend trims the end.
    """,
    before=request(ASKED, assistant("The weather in Oslo is ")),
    after=request(ASKED, assistant("The weather in Oslo is")),
    provider_error="messages: final assistant content cannot end with trailing whitespace",
    source="anomalyco/opencode#1295 (cases 015 and 058)",
)
def trailing_whitespace(body: Body) -> Iterator[Finding]:
    """The end of the last text of a final assistant message."""
    found = last_message(body)
    if found is None or found[1].get("role") != "assistant":
        return
    path: Path = ("messages", found[0], "content")
    words = found[1].get("content")
    if isinstance(words, list) and words and isinstance(words[-1], dict):
        path = (*path, len(words) - 1)
        words = words[-1].get("text") if words[-1].get("type") == "text" else None
    # Blank text has its own rule.
    if isinstance(words, str) and words.strip() and words[-1].isspace():
        yield Finding(path, "The request ends in white space.")


@rule(
    code="WM220",
    name="too-many-cache-marks",
    dialects=ANTHROPIC,
    summary="More than four blocks carry cache_control.",
    doc="""
    A request takes four cache marks, counted over tools, system prompt, messages and the blocks
    inside tool results; the one at the top of the request counts too. Agents that mark the
    newest message each time and never clean up go beyond that. wiremend drops the earliest
    marks in the messages, which the later ones cover.
    """,
    before=request(user(*(text(f"page {n}", cache_control=_MARK) for n in range(5)))),
    after=request(
        user(text("page 0"), *(text(f"page {n}", cache_control=_MARK) for n in range(1, 5)))
    ),
    provider_error=("A maximum of 4 blocks with cache_control may be provided. Found {count}."),
    source="cline/cline (cases 014 and 057)",
)
def too_many_cache_marks(body: Body) -> Iterator[Finding]:
    """The fifth mark, once for the request."""
    marks = [path for path, item in _markable(body) if item.get("cache_control") is not None]
    if body.get("cache_control") is not None:
        marks.append(())
    if len(marks) > MAX_MARKS:
        yield Finding(
            (*marks[MAX_MARKS], "cache_control"),
            f"The request has {len(marks)} cache marks; {MAX_MARKS} are taken.",
            {"count": len(marks)},
        )


@rule(
    code="WM221",
    name="cache-mark-on-empty-text",
    dialects=ANTHROPIC,
    summary="An empty text block carries cache_control.",
    doc="""
    A cache mark on an empty text is refused with an error of its own. wiremend drops the block
    and puts the mark on the block before it, where that may carry one.
    """,
    before=request(user(text("Hello"), text("", cache_control=_MARK))),
    after=request(user(text("Hello", cache_control=_MARK))),
    provider_error="{place}.text: cache_control cannot be set for empty text blocks",
    source="anthropics/claude-code#54013 (case 056)",
)
def cache_mark_on_empty_text(body: Body) -> Iterator[Finding]:
    """Marks on empty text."""
    for path, item in _markable(body):
        if item.get("text") == "" and item.get("cache_control") is not None:
            yield Finding(path, "This empty text carries a cache mark.")


@rule(
    code="WM222",
    name="cache-mark-fields",
    dialects=ANTHROPIC,
    summary="A cache_control has fields that the provider does not know.",
    doc="""
    A cache mark has a type and may have a ttl. Fields of other versions and other services are
    refused as extra inputs. wiremend leaves them out.
    """,
    before=request(user(text("Hello", cache_control={"type": "ephemeral", "scope": "global"}))),
    after=request(user(text("Hello", cache_control=_MARK))),
    provider_error="{place}.ephemeral.{field}: Extra inputs are not permitted",
    source="wire rules, anthropic 4 (case 122); anthropic types: CacheControlEphemeralParam",
)
def cache_mark_fields(body: Body) -> Iterator[Finding]:
    """Unknown fields of the marks."""
    items: list[tuple[Path, Body]] = [((), body), *_markable(body)]
    for path, item in items:
        mark = item.get("cache_control")
        for field in mark.keys() - _MARK_FIELDS if isinstance(mark, dict) else ():
            yield Finding(
                (*path, "cache_control", field),
                "A cache mark has only a type and a ttl.",
                {"place": _place(path), "field": shown(field)},
            )


def _place(path: Path) -> str:
    return ".".join(str(step) for step in (*path, "cache_control"))


RULES: tuple[Rule, ...] = (
    blank_text,
    empty_message,
    trailing_whitespace,
    too_many_cache_marks,
    cache_mark_on_empty_text,
    cache_mark_fields,
)
