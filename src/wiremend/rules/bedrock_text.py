"""Amazon Bedrock Converse: blank text, empty messages, and shapes of other APIs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.rules.base import (
    BEDROCK,
    Body,
    Finding,
    Rule,
    is_blank,
    messages,
    objects,
    once,
    rule,
    shown,
)
from wiremend.rules.bedrock import (
    ASKED,
    MEMBERS,
    assistant,
    blocks,
    in_service_words,
    is_foreign,
    media,
    member_of,
    request,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path


_PAGE = media("document", "pdf", "JVBERi0xLjQK", name="page")


@rule(
    code="WM520",
    name="blank-text",
    dialects=BEDROCK,
    summary="A text block is empty or has nothing but white space.",
    doc="""
    Each text block of a message or of the system prompt says something; the text of a successful
    tool result may be blank. Models send empty text beside their calls, and pictures are sent
    without a word. wiremend drops the block, and the message where nothing else is left.
    """,
    before=request(user("", "Hello")),
    after=request(user("Hello")),
    provider_error=(
        "ValidationException: The text field in the ContentBlock object at {place} is blank. Add "
        "text to the text field, and try again."
    ),
    source="continuedev/continue#9767, boto/botocore#3525 (cases 055 and 060)",
)
def blank_text(body: Body) -> Iterator[Finding]:
    """Blank text in messages and in the system prompt."""
    for path, _, _, member, value in blocks(body):
        if member == "text" and is_blank(value):
            yield Finding(path, "This text says nothing.", {"place": ".".join(map(str, path))})
    for place, block in objects(body.get("system")):
        if member_of(block) == "text" and is_blank(block["text"]):
            words: dict[str, str | int] = {"place": f"system.{place}"}
            yield Finding(("system", place), "This text says nothing.", words)


@rule(
    code="WM521",
    name="empty-message",
    dialects=BEDROCK,
    summary="A message has no content.",
    doc="""
    Every message holds at least one block, the final one too. Answers that were cut before their
    first word, and cleaners that drop all blocks of a message, leave it behind. wiremend drops it.
    """,
    before=request(ASKED, assistant()),
    after=request(ASKED),
    provider_error=(
        "The content field in the Message object at messages.{index} is empty. Add a ContentBlock "
        "object to the content field and try again."
    ),
    source="theopenco/llmgateway#3127, archestra-ai/archestra#4220",
)
def empty_message(body: Body) -> Iterator[Finding]:
    """Messages without blocks."""
    for index, message in messages(body):
        content = message.get("content")
        if content is None:
            missing = (
                f"Value null at 'messages.{index + 1}.member.content' failed to satisfy "
                "constraint: Member must not be null"
            )
            yield Finding(("messages", index), "This message has no content.", said=missing)
        elif content == []:
            yield Finding(("messages", index), "This message is empty.", {"index": index})


@rule(
    code="WM522",
    name="foreign-part",
    dialects=BEDROCK,
    summary="A block, a message or a text has the shape of another API.",
    doc="""
    Converse has blocks with one member and without a type, and content is always a list of them.
    Typed blocks, content that is plain text, and a `tool_calls` field come from histories that
    were converted halfway. wiremend rewrites what has a counterpart here.
    """,
    before=request(user({"type": "text", "text": "Hello"})),
    after=request(user("Hello")),
    provider_error="Unknown parameter in {place}: {found}",
    source="botocore: ContentBlock; cases 028, 087 and 089 show the like for other APIs",
)
def foreign_part(body: Body) -> Iterator[Finding]:
    """Typed blocks, plain text for a list, and fields of other APIs."""
    for path, value in _contents(body):
        if isinstance(value, str):
            said = "Invalid type for parameter {place}: a list is wanted"
            yield Finding(path, "This is plain text, where blocks are wanted.", said=said)
        for place, block in objects(value):
            if is_foreign(block):
                words: dict[str, str | int] = {"found": "type"}
                kind = shown(block["type"])
                yield Finding((*path, place), f"This API has no typed block {kind}.", words)
    for index, message in messages(body):
        if isinstance(message.get("tool_calls"), list):
            at = ("messages", index, "tool_calls")
            words = {"found": "tool_calls"}
            yield Finding(at, "A message of this API has no `tool_calls`.", words)


@rule(
    code="WM537",
    name="several-members",
    dialects=BEDROCK,
    summary="A block has more than one member.",
    doc="""
    A content block is a union: it has exactly one member, which says what it is. Text and picture,
    or text and call, of one step are two blocks. wiremend makes a block of each.
    """,
    before=request(user("Hi", {"text": "Hello", **_PAGE})),
    after=request(user("Hi", "Hello", _PAGE)),
    provider_error="Value at '{place}' failed to satisfy constraint: Member must have exactly one "
    "member",
    source="botocore: ContentBlock, which is a union",
)
def several_members(body: Body) -> Iterator[Finding]:
    """Blocks of messages, results and the system prompt that hold several things."""
    for path, value in _contents(body):
        for place, block in objects(value):
            found = [name for name in block if name in MEMBERS]
            if len(found) > 1 and not is_foreign(block):
                at = (*path, place)
                said = f"This block has the members {' and '.join(found)}."
                yield Finding(at, said, {"place": in_service_words(at)})


@once
def _contents(body: Body) -> Iterator[tuple[Path, Any]]:
    """Everything that is a list of blocks, or should be."""
    yield ("system",), body.get("system")
    for index, message in messages(body):
        yield ("messages", index, "content"), message.get("content")
    for path, _, _, member, value in blocks(body):
        if member == "toolResult" and isinstance(value, dict):
            yield (*path, "toolResult", "content"), value.get("content")


RULES: tuple[Rule, ...] = (blank_text, empty_message, foreign_part, several_members)
