"""Amazon Bedrock Converse: what shows only in the whole request, mended on the way out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiremend.dialects.base import Json
from wiremend.dialects.bedrock.fields import JOINS, NAME
from wiremend.dialects.bedrock.media import DOCUMENTS
from wiremend.dialects.bedrock.tools import tool_list
from wiremend.dialects.moving import behind_exchanges
from wiremend.model import (
    DocumentPart,
    ImagePart,
    Message,
    OpaquePart,
    Part,
    TextPart,
    ThinkPart,
    with_content,
)
from wiremend.projection.anomalies import (
    CacheMarkDropped,
    MediaMoved,
    OnAnomaly,
    ThinkingDropped,
    ThinkingSwitchedOff,
    VacuousMessageDropped,
)

MOST_CACHE_POINTS = 4
_TEXTS = tuple(name for name in DOCUMENTS if name != "pdf")
THINKING_FIELDS = ("thinking", "reasoning_config")
"""Where a request asks Claude to think: both names are documented."""


def drop_unsigned(messages: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """The messages without thinking that Claude did not sign, which it refuses (report 076)."""
    out: list[Message] = []
    for message in messages:
        kept = [n for n, part in enumerate(message.content) if not _unsigned(part)]
        if len(kept) == len(message.content):
            out.append(message)
            continue
        for _ in range(len(message.content) - len(kept)):
            report(ThinkingDropped("unsigned"))
        if kept or message.tool_calls:
            content = tuple(message.content[n] for n in kept)
            out.append(with_content(message, content, kept))
        else:
            report(VacuousMessageDropped(message.role))
    return out


def _unsigned(part: Part) -> bool:
    if type(part) is ThinkPart:
        return not part.encrypted
    data = part.data if type(part) is OpaquePart and part.provider == NAME else None
    thought = data.get("reasoningContent") if isinstance(data, dict) else None
    inner = thought.get("reasoningText") if isinstance(thought, dict) else None
    return isinstance(inner, dict) and not inner.get("signature")


def move_media(messages: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """Pictures and documents of the assistant, in a user message behind the exchange.

    Source: the documentation of ``Message.content``: only users may have them.
    """

    def parted(message: Message) -> tuple[Message, Sequence[Part]]:
        media = [part for part in message.content if _media_kind(part)]
        if message.role != "assistant" or not media:
            return message, ()
        for part in media:
            report(MediaMoved(_media_kind(part), message.role))
        line = TextPart("[Attached from the assistant message:]")
        return _without_media(message), (line, *media)

    return behind_exchanges(messages, parted, _joining)


def _joining(parts: tuple[Part, ...]) -> Message:
    return Message("user", parts, extras={NAME: {JOINS: True}})


def _without_media(message: Message) -> Message:
    kept = [n for n, part in enumerate(message.content) if not _media_kind(part)]
    content = tuple(message.content[n] for n in kept)
    if not content and not message.tool_calls:
        content = (TextPart("[The attachment is in the next user message.]"),)
    return with_content(message, content, kept)


def _media_kind(part: Part) -> str:
    if type(part) is ImagePart:
        return "image"
    if type(part) is DocumentPart:
        return "document"
    data = part.data if type(part) is OpaquePart and part.provider == NAME else None
    found = [kind for kind in ("image", "document") if isinstance(data, dict) and kind in data]
    return found[0] if found else ""


def mend_thinking(body: Json, report: OnAnomaly) -> Json:
    """Thinking off where the open turn of Claude's has none: none can be invented (report 073).

    Source for Bedrock: langchain-ai/langchain-aws#844.
    """
    fields = body.get("additionalModelRequestFields")
    field = next(
        (
            name
            for name in THINKING_FIELDS
            if isinstance(fields, dict)
            and isinstance(fields.get(name), dict)
            and fields[name].get("type") == "enabled"
        ),
        None,
    )
    turn = _open_turn(body["messages"]) if field else []
    if not isinstance(fields, dict) or not turn or any(map(has_thinking, turn)):
        return body
    report(ThinkingSwitchedOff())
    off = {**fields, field: {"type": "disabled"}}
    return {**body, "additionalModelRequestFields": off}


def _open_turn(messages: Sequence[Json]) -> list[Json]:
    """The assistant messages of the turn whose results, and nothing else, end the request.

    System messages among them are no turns.
    """
    turn: list[Json] = []
    said = [message for message in messages if message["role"] != "system"]
    ends = said[-1]["content"] if said else []
    if not all(isinstance(b, dict) and ("toolResult" in b or _is_mark(b)) for b in ends):
        return turn
    for message in reversed(said):
        if message["role"] == "assistant":
            turn.append(message)
        elif begins_turn(message):
            break
    return turn


def begins_turn(message: Json) -> bool:
    """Whether a turn begins with this message of the user's, which holds no result."""
    return not any(isinstance(b, dict) and "toolResult" in b for b in message["content"])


def has_thinking(message: Json) -> bool:
    """Whether a message of the assistant's starts with thinking."""
    first = message["content"][0] if message["content"] else None
    return isinstance(first, dict) and "reasoningContent" in first


def drop_cache_points(body: Json, report: OnAnomaly, *, claude: bool) -> Json:
    """The body without cache points behind thinking; for Claude none behind documents that are no
    PDF either, and no more than four.

    The last ones, which cover the most, stay; those of tools and system prompt serve every turn.
    Sources: anomalyco/opencode#36517, strands-agents/harness-sdk#1966, twentyhq/twenty#26217.
    """
    marks = _marks(tool_list(body)) + _marks(body.get("system"))
    messages: list[Json] = []
    for message in body["messages"]:
        content = message["content"]
        kept = _without_misplaced_marks(content, report, claude=claude)
        marks += _marks(kept)
        messages.append(message if len(kept) == len(content) else {**message, "content": kept})
    surplus = marks - MOST_CACHE_POINTS if claude else 0
    for index, message in enumerate(messages):
        kept = []
        for block in message["content"]:
            if surplus > 0 and _is_mark(block) and len(message["content"]) > 1:
                surplus -= 1
                report(CacheMarkDropped("surplus"))
            else:
                kept.append(block)
        if len(kept) < len(message["content"]):
            messages[index] = {**message, "content": kept}
    return {**body, "messages": messages}


def _marks(blocks: Any) -> int:
    return sum(map(_is_mark, blocks)) if isinstance(blocks, list) else 0


def _is_mark(block: Any) -> bool:
    return isinstance(block, dict) and "cachePoint" in block


def _without_misplaced_marks(content: list[Any], report: OnAnomaly, *, claude: bool) -> list[Any]:
    kept: list[Any] = []
    for block in content:
        before = kept[-1] if kept and isinstance(kept[-1], dict) else {}
        document = before.get("document")
        if not _is_mark(block):
            kept.append(block)
        elif "reasoningContent" in before:
            report(CacheMarkDropped("behind thinking"))
        elif claude and isinstance(document, dict) and document.get("format") in _TEXTS:
            report(CacheMarkDropped("behind a document"))
        else:
            kept.append(block)
    return kept
