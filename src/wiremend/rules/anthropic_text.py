"""Anthropic Messages: texts and empty messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.anthropic import (
    ASKED,
    assistant,
    markable,
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
    rule,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path


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
    for path, block in markable(body):
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


RULES: tuple[Rule, ...] = (
    blank_text,
    empty_message,
    trailing_whitespace,
)
