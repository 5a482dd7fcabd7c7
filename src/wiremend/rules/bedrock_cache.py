"""Amazon Bedrock Converse: cache points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import BEDROCK, Body, Finding, Rule, messages, objects, once, one_of, rule
from wiremend.rules.bedrock import ASKED, assistant, maker, media, request, thinking, user

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

MAX_POINTS = 4
_POINT = {"cachePoint": {"type": "default"}}
_TEXTS = frozenset({"csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"})
_NOTES = media("document", "md", "IyBOb3Rlcw==", name="notes")


@once
def _points(body: Body) -> Iterator[Path]:
    config = body.get("toolConfig")
    tools = config.get("tools") if isinstance(config, dict) else None
    for place, tool in objects(tools):
        if "cachePoint" in tool:
            yield ("toolConfig", "tools", place)
    for place, block in objects(body.get("system")):
        if "cachePoint" in block:
            yield ("system", place)
    for index, message in messages(body):
        for place, block in objects(message.get("content")):
            if "cachePoint" in block:
                yield ("messages", index, "content", place)


@rule(
    code="WM525",
    name="cache-point-behind-thinking",
    dialects=BEDROCK,
    summary="A cache point stands right behind reasoning.",
    doc="""
    A cache point marks what stands before it, and reasoning cannot be marked. Helpers that put a
    cache point at the end of a message, whatever is there, break this where an answer was cut
    after its reasoning. wiremend drops the cache point.
    """,
    before=request(ASKED, assistant(thinking(signature="c2ln"), _POINT), user("And?")),
    after=request(ASKED, assistant(thinking(signature="c2ln")), user("And?")),
    provider_error=(
        "Cache point cannot be inserted after reasoning block. Please remove the invalid cache "
        "point and try again."
    ),
    source="anomalyco/opencode#36517, strands-agents/harness-sdk#1820",
)
def cache_point_behind_thinking(body: Body) -> Iterator[Finding]:
    """Cache points whose block before is reasoning."""
    for index, message in messages(body):
        behind = False
        for place, block in objects(message.get("content")):
            if "reasoningContent" in block:
                behind = True
            elif "cachePoint" not in block:
                behind = False
            elif behind:
                path = ("messages", index, "content", place)
                yield Finding(path, "The block before this cache point is reasoning.")


@rule(
    code="WM526",
    name="too-many-cache-points",
    dialects=BEDROCK,
    summary="More than four cache points, and the model is Claude.",
    doc="""
    A request to Claude takes four cache points, counted over tools, system prompt and messages.
    Agents that mark the newest message each time and never clean up go beyond that. wiremend drops
    the earliest ones in the messages, which the later ones cover.
    """,
    before=request(user(*(block for n in range(5) for block in (f"page {n}", _POINT)))),
    after=request(user("page 0", *(block for n in range(1, 5) for block in (f"page {n}", _POINT)))),
    provider_error=(
        "The model returned the following errors: A maximum of 4 blocks with cache_control may be "
        "provided. Found {count}."
    ),
    source="twentyhq/twenty#26217",
)
def too_many_cache_points(body: Body) -> Iterator[Finding]:
    """The fifth cache point, once for the request."""
    points = list(_points(body))
    if maker(body) == "anthropic" and len(points) > MAX_POINTS:
        said = f"The request has {len(points)} cache points; {MAX_POINTS} are taken."
        yield Finding(points[MAX_POINTS], said, {"count": len(points)})


@rule(
    code="WM536",
    name="cache-point-behind-document",
    dialects=BEDROCK,
    summary="A cache point stands right behind a document that is no PDF, and the model is Claude.",
    doc="""
    The service cannot pass on to Claude a cache point behind a document of text, such as txt, md,
    csv or docx; behind a PDF it can. Helpers that mark the end of the newest message break this as
    soon as it ends with such a file. wiremend drops the cache point.
    """,
    before=request(user("Sum up.", _NOTES, _POINT)),
    after=request(user("Sum up.", _NOTES)),
    provider_error="The model returned the following errors: {place}.type: Field required",
    source="strands-agents/harness-sdk#1966 and #2001, pizza-bot-app/pizza-bot#6",
)
def cache_point_behind_document(body: Body) -> Iterator[Finding]:
    """Cache points whose block before is a document of text."""
    for index, message in messages(body) if maker(body) == "anthropic" else ():
        behind = False
        for place, block in objects(message.get("content")):
            document = block.get("document")
            if isinstance(document, dict):
                behind = one_of(document.get("format"), _TEXTS)
            elif "cachePoint" not in block:
                behind = False
            elif behind:
                path = ("messages", index, "content", place)
                words: dict[str, str | int] = {"place": ".".join(map(str, path))}
                yield Finding(path, "The block before is a document of text.", words)


RULES: tuple[Rule, ...] = (
    cache_point_behind_thinking,
    too_many_cache_points,
    cache_point_behind_document,
)
