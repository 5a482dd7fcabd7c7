"""Amazon Bedrock Converse: what only Claude asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import BEDROCK, Body, Finding, Rule, is_id, last_message, rule
from wiremend.rules.bedrock import (
    ASKED,
    assistant,
    blocks,
    maker,
    member_of,
    request,
    thinking,
    user,
)
from wiremend.rules.models import refuses_prefill

if TYPE_CHECKING:
    from collections.abc import Iterator


@rule(
    code="WM523",
    name="unsigned-thinking",
    dialects=BEDROCK,
    summary="Reasoning has no signature, and the model is Claude.",
    doc="""
    Claude's reasoning comes with a signature and is taken back only with it; other models sign
    nothing. Reasoning of another model, or of a store that keeps only the text, has none. wiremend
    drops the block.
    """,
    before=request(ASKED, assistant(thinking(), "Rain."), user("Thanks.")),
    after=request(ASKED, assistant("Rain."), user("Thanks.")),
    provider_error=(
        "The model returned the following errors: {place}: Invalid `signature` in `thinking` block"
    ),
    source="vercel/ai#7034; the documentation of ReasoningTextBlock.signature",
)
def unsigned_thinking(body: Body) -> Iterator[Finding]:
    """Reasoning that nobody vouches for."""
    if maker(body) != "anthropic":
        return
    for path, message, _, member, value in blocks(body):
        if member != "reasoningContent" or message.get("role") != "assistant":
            continue
        inner = value.get("reasoningText") if isinstance(value, dict) else None
        if isinstance(inner, dict) and not is_id(inner.get("signature")):
            place = ".".join(map(str, path))
            yield Finding(path, "This reasoning has no signature.", {"place": place})


@rule(
    code="WM524",
    name="trailing-whitespace",
    dialects=BEDROCK,
    summary="The final assistant message ends in white space, and the model is Claude.",
    doc="""
    A final assistant message is the beginning of the answer, and Claude cannot go on from white
    space. Everywhere else white space at the end is fine. wiremend trims the end.
    """,
    before=request(ASKED, assistant("The weather in Oslo is ")),
    after=request(ASKED, assistant("The weather in Oslo is")),
    provider_error=(
        "The model returned the following errors: messages: final assistant content cannot end "
        "with trailing whitespace"
    ),
    source="anomalyco/opencode#1295 (cases 015 and 058, for the same models)",
)
def trailing_whitespace(body: Body) -> Iterator[Finding]:
    """The end of the last text of a final assistant message."""
    found = last_message(body)
    if maker(body) != "anthropic" or found is None or found[1].get("role") != "assistant":
        return
    content = found[1].get("content")
    last = content[-1] if isinstance(content, list) and content else None
    if not isinstance(last, dict) or refuses_prefill(body.get("modelId")):
        return
    words = last["text"] if member_of(last) == "text" else None
    # Blank text has its own rule.
    if isinstance(words, str) and words.strip() and words[-1].isspace():
        path = ("messages", found[0], "content", len(content or ()) - 1)
        yield Finding(path, "The request ends in white space.")


RULES: tuple[Rule, ...] = (unsigned_thinking, trailing_whitespace)
