"""Amazon Bedrock Converse: documents, their names, and what stands beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wiremend.rules.base import BEDROCK, Body, Finding, Rule, objects, rule, shown
from wiremend.rules.bedrock import PDF, media, member_of, request, turns, user
from wiremend.rules.bedrock_media import files

if TYPE_CHECKING:
    from collections.abc import Iterator

# The underscore is missing in the documentation; the service takes it.
_NAME = re.compile(r"[a-zA-Z0-9 _()\[\]-]{1,200}")


@rule(
    code="WM530",
    name="document-name",
    dialects=BEDROCK,
    summary="A document's name has other characters than the service takes, or is too long.",
    doc="""
    The name of a document is 1 to 200 letters, digits, hyphens, underscores, round and square
    brackets, and spaces, never two of them in a row. Dots are refused, so a file's own name is.
    wiremend leaves the extension out and writes a space for whatever is refused.
    """,
    before=request(user("Sum up.", media("document", "pdf", PDF, name="report-v1.2.pdf"))),
    after=request(user("Sum up.", media("document", "pdf", PDF, name="report-v1 2"))),
    provider_error=(
        "The document file name can only contain alphanumeric characters, whitespace characters, "
        "hyphens, parentheses, and square brackets. The name can't contain more than one "
        "consecutive whitespace character. Check that the file name conforms to these restrictions "
        "and retry your request."
    ),
    source="vercel/ai#20365, aws-samples/generative-ai-use-cases#1671 (spaces but the plain one)",
)
def document_name(body: Body) -> Iterator[Finding]:
    """Names of documents, also of those in results."""
    for path, _, _, kind, value in files(body):
        name = value.get("name")
        if kind != "document" or not isinstance(name, str):
            continue
        if not _NAME.fullmatch(name) or "  " in name:
            yield Finding((*path, "document", "name"), f"The name {shown(name)} is not taken.")


@rule(
    code="WM531",
    name="duplicate-document-name",
    dialects=BEDROCK,
    summary="Two documents of the request have the same name.",
    doc="""
    The name of a document is unique in the whole request, results included. A file that is attached
    again, and clients that call every file "document", break this for every later request.
    wiremend puts a number behind the later name.
    """,
    before=request(
        user(
            "Compare.",
            media("document", "pdf", PDF, name="report"),
            media("document", "pdf", PDF, name="report"),
        )
    ),
    after=request(
        user(
            "Compare.",
            media("document", "pdf", PDF, name="report"),
            media("document", "pdf", PDF, name="report 2"),
        )
    ),
    provider_error=(
        "Messages can't contain duplicate document names. Rename the document and retry your "
        "request."
    ),
    source="maximhq/bifrost#7003, ag-ui-protocol/ag-ui#2425",
)
def duplicate_document_name(body: Body) -> Iterator[Finding]:
    """Names that an earlier document has."""
    seen: set[str] = set()
    for path, _, _, kind, value in sorted(files(body), key=lambda found: _place(found.path)):
        name = value.get("name")
        if kind == "document" and isinstance(name, str):
            if name in seen:
                said = f"An earlier document has the name {shown(name)} too."
                yield Finding((*path, "document", "name"), said)
            seen.add(name)


def _place(path: tuple[int | str, ...]) -> tuple[int, ...]:
    return tuple(step for step in path if isinstance(step, int))


@rule(
    code="WM532",
    name="document-without-text",
    dialects=BEDROCK,
    summary="A message has a document and no text.",
    doc="""
    A message with a document also has a text block. A file that is sent without a word is refused.
    wiremend puts a line of text beside it, which names the file.
    """,
    before=request(user(media("document", "pdf", PDF, name="report"))),
    after=request(user(media("document", "pdf", PDF, name="report"), "(a report)")),
    provider_error="A text block must be included when using documents.",
    source="archestra-ai/archestra#4220; the documentation of Message.content",
)
def document_without_text(body: Body) -> Iterator[Finding]:
    """User messages with a document and without a text block."""
    for index, message, role in turns(body):
        found = [(place, member_of(block)) for place, block in objects(message.get("content"))]
        members = [member for _, member in found]
        if role == "user" and "document" in members and "text" not in members:
            path = ("messages", index, "content", members.index("document"))
            yield Finding(path, "This message has a document and no text.")


RULES: tuple[Rule, ...] = (document_name, duplicate_document_name, document_without_text)
