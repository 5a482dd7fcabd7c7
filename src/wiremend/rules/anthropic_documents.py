"""Anthropic Messages: documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.anthropic import all_blocks, request, text, user
from wiremend.rules.base import ANTHROPIC, Body, Finding, Rule, dotted, rule, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

_PDF, _PLAIN = "application/pdf", "text/plain"
_TYPES = {"base64": _PDF, "text": _PLAIN}


def _document(kind: str, media_type: str, data: str) -> Body:
    source = {"type": kind, "media_type": media_type, "data": data}
    return {"type": "document", "source": source}


@rule(
    code="WM232",
    name="document-media-type",
    dialects=ANTHROPIC,
    summary="A document is neither a PDF in base64 nor plain text.",
    doc="""
    The data of a document in base64 is a PDF; what is text stands as text, labelled plain text
    whatever is written in it. Spreadsheets and other office files cannot be sent as documents.
    wiremend writes text of any kind as plain text, and puts a line of text in the place of the
    rest.
    """,
    before=request(user(text("Sum up."), _document("base64", "text/markdown", "IyBIZWxsbw=="))),
    after=request(user(text("Sum up."), _document("text", "text/plain", "# Hello"))),
    provider_error="{place}.document.source.{kind}.media_type: Input should be '{wanted}'",
    source="anthropic types: Base64PDFSourceParam, PlainTextSourceParam",
)
def document_media_type(body: Body) -> Iterator[Finding]:
    """Labels that are not taken."""
    for path, block in all_blocks(body):
        source = block.get("source")
        if block.get("type") != "document" or not isinstance(source, dict):
            continue
        kind, label = source.get("type"), source.get("media_type")
        wanted = _TYPES.get(kind) if isinstance(kind, str) else None
        if wanted is not None and isinstance(label, str) and label != wanted:
            yield Finding(
                (*path, "source", "media_type"),
                f"Documents of type {shown(label)} are not taken in this form.",
                {"place": dotted(path), "kind": str(kind), "wanted": wanted},
            )


RULES: tuple[Rule, ...] = (document_media_type,)
