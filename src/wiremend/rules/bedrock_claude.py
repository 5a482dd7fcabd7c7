"""Amazon Bedrock Converse: reasoning, and what only Claude asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import (
    BEDROCK,
    Body,
    Finding,
    Rule,
    is_id,
    last_message,
    objects,
    rule,
)
from wiremend.rules.bedrock import (
    ASKED,
    assistant,
    blocks,
    in_service_words,
    maker,
    member_of,
    request,
    result,
    thinking,
    turns,
    use,
    user,
    with_tools,
)
from wiremend.rules.models import refuses_prefill

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIELDS = ("thinking", "reasoning_config")
_RESULTS = ("toolResult", "cachePoint")
_WORDLESS = {"reasoningContent": {"reasoningText": {"text": None, "signature": "c2ln"}}}


def _thinks(how: str) -> Body:
    return {"additionalModelRequestFields": {"thinking": {"type": how}}}


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
        worded = isinstance(inner, dict) and inner.get("text") is not None
        if isinstance(inner, dict) and worded and not is_id(inner.get("signature")):
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


@rule(
    code="WM534",
    name="thinking-expected",
    dialects=BEDROCK,
    summary="Claude's thinking is enabled, and the turn that goes on does not start with it.",
    doc="""
    With thinking enabled in `additionalModelRequestFields`, the assistant turn whose results end
    the request starts with reasoning. Reasoning that was dropped, or stored in another shape than
    it is sent in, breaks this. The turn is the whole exchange since the user last spoke, and in it
    later steps need no reasoning of their own. wiremend switches thinking off for the request, as
    no client can write a signed block.
    """,
    before=with_tools(ASKED, assistant(use()), user(result()), **_thinks("enabled")),
    after=with_tools(ASKED, assistant(use()), user(result()), **_thinks("disabled")),
    provider_error=(
        "The model returned the following errors: messages.{index}.content.0.type: Expected "
        "`thinking` or `redacted_thinking`, but found `{found}`. When `thinking` is enabled, a "
        "final `assistant` message must start with a thinking block (preceeding the lastmost set "
        "of `tool_use` and `tool_result` blocks)."
    ),
    source="langchain-ai/langchain-aws#844 (case 073, for the same models)",
)
def thinking_expected(body: Body) -> Iterator[Finding]:
    """The open turn, from its end back to where it starts."""
    if maker(body) != "anthropic" or not _thinking_enabled(body):
        return
    said = list(turns(body))
    if not said or said[-1][2] != "user" or set(_members(said[-1][1])) - {*_RESULTS}:
        return
    latest: tuple[int, str] | None = None
    for index, message, role in reversed(said):
        members = _members(message)
        if role == "user":
            if "toolResult" not in members:
                break
            continue
        if members[:1] == ["reasoningContent"]:
            return
        if latest is None:
            latest = index, (members or ["text"])[0]
    if latest is not None:
        path = ("messages", latest[0], "content", 0)
        found = {"toolUse": "tool_use"}.get(latest[1], latest[1])
        words: dict[str, str | int] = {"index": latest[0], "found": found}
        yield Finding(path, "The turn that these results go on with has no thinking.", words)


def _thinking_enabled(body: Body) -> bool:
    fields = body.get("additionalModelRequestFields")
    asked = [fields.get(name) for name in _FIELDS] if isinstance(fields, dict) else []
    return any(isinstance(one, dict) and one.get("type") == "enabled" for one in asked)


def _members(message: Body) -> list[str]:
    return [member_of(block) for _, block in objects(message.get("content"))]


@rule(
    code="WM535",
    name="reasoning-without-text",
    dialects=BEDROCK,
    summary="A block of reasoning has no text.",
    doc="""
    `reasoningText.text` is always there, though it may be empty beside a signature. Stores that
    keep no empty text write null in its place, and every later request is refused. wiremend writes
    empty text where there is a signature, and drops the block where there is none.
    """,
    before=request(ASKED, assistant(_WORDLESS, "Rain."), user("Thanks.")),
    after=request(ASKED, assistant(thinking(text="", signature="c2ln"), "Rain."), user("Thanks.")),
    provider_error="Value at '{member}' failed to satisfy constraint: Member must not be null",
    source="danny-avila/LibreChat#13888; botocore: ReasoningTextBlock",
)
def reasoning_without_text(body: Body) -> Iterator[Finding]:
    """Reasoning whose text is null or missing."""
    for path, _, _, member, value in blocks(body):
        inner = value.get("reasoningText") if isinstance(value, dict) else None
        if member == "reasoningContent" and isinstance(inner, dict) and inner.get("text") is None:
            at = (*path, member, "reasoningText", "text")
            words: dict[str, str | int] = {"member": in_service_words(at)}
            yield Finding(at, "This reasoning has no text.", words)


RULES: tuple[Rule, ...] = (
    unsigned_thinking,
    trailing_whitespace,
    thinking_expected,
    reasoning_without_text,
)
