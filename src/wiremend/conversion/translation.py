"""What one provider said, in the words that another can hear, and what had to stay behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from wiremend.context.tool_results import FAILED, FAILED_EMPTY
from wiremend.conversion.custom import custom_tools, with_custom_calls, with_told_tools
from wiremend.conversion.kindred import shared, takes_all_fields_of
from wiremend.conversion.media import with_standard_media
from wiremend.conversion.opaque import retold
from wiremend.dialects import Conversation, Dialect
from wiremend.dialects.base import Json, extras_of, own_fields, rest
from wiremend.dialects.bedrock import fields as bedrock
from wiremend.dialects.gemini import fields as gemini
from wiremend.dialects.openai_responses import fields as openai_responses
from wiremend.dialects.settings import Settings
from wiremend.model import (
    ContextMessage,
    DocumentPart,
    Message,
    Part,
    TextPart,
    ThinkPart,
    media_source,
    with_content,
)

ThinkingWish: TypeAlias = Literal["drop", "text"] | None


class Lost(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the target has no place for: ``what`` it is, ``where`` it was, how often."""

    what: str
    where: str
    count: int = 1


def carried(
    conversation: Conversation, origin: Dialect, goal: Dialect, model: str | None
) -> tuple[Sequence[Message], Json, list[Lost]]:
    """The history, the target's fields beside the messages, and those that it cannot be told."""
    history: Sequence[Message] = conversation.history
    if origin.name == goal.name:
        return history, {**conversation.envelope, **named_model(goal, model)}, []
    settings = origin.read_settings(conversation.envelope)
    if origin.family != goal.family:
        history, settings = origin.read_tools(history, settings)
    if model is not None:
        settings = msgspec.structs.replace(settings, model=model)
    left = dict(settings.rest)
    native, stand_ins, others = custom_tools(left.pop("tools", None), origin, goal)
    # Fields without a name of their own are known to servers of one family, hosted tools are not.
    same = takes_all_fields_of(origin, goal)
    kept = left if same else shared(left, origin, goal)
    gone = {**({} if same else left), **({"tools": others} if others else {})}
    if native:
        kept = {**kept, "tools": native}
    settings = msgspec.structs.replace(settings, rest=kept, tools=(*settings.tools, *stand_ins))
    made = goal.write_settings(settings)
    lost = [*_rest(gone), *(Lost(name, "settings") for name in made.lost)]
    more = Counter(name for tool in settings.tools for name in tool.more)
    lost += [Lost(name, "tools", count) for name, count in more.items()]
    loads = sum(1 for message in history if message.tools)
    if loads and not goal.loads_tools:
        # They are in the table from the start.
        lost.append(Lost("loading of tools", "messages", loads))
    return history, made.fields, lost


def named_model(goal: Dialect, model: str | None) -> Json:
    """The field for the model, whatever the dialect calls it."""
    fields = goal.write_settings(Settings(model=model)).fields
    return {name: value for name, value in fields.items() if value == model is not None}


_GROUPS = (
    *("generationConfig", "toolConfig", "inferenceConfig", "additionalModelRequestFields"),
    *("text", "reasoning", "output_config", "thinking", "stream_options", "response_format"),
)
"""The fields that hold settings, each of which means something alone."""


def _rest(fields: Json) -> Iterator[Lost]:
    """The fields that only the source has; a list is named by its entries' types.

    Of an object of settings, those in it are named: what went over of it is not lost.
    """
    for name, value in fields.items():
        if name in _GROUPS and isinstance(value, dict) and value:
            yield from _rest({f"{name}.{inner}": each for inner, each in value.items()})
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            kinds = Counter(_kind(item) for item in value)
            yield from (Lost(kind, name, count) for kind, count in kinds.items())
        elif value is not None:
            yield Lost(name, "settings")


def _kind(item: Any) -> str:
    if isinstance(item, dict):
        kind = item.get("type")
        return kind if isinstance(kind, str) else ", ".join(map(str, item)) or "object"
    return type(item).__name__


# --- history ----------------------------------------------------------------------------------


def translated(
    history: Sequence[Message],
    origin: Dialect,
    goal: Dialect,
    thinking: ThinkingWish,
    ids: Mapping[str, str],
) -> tuple[list[Message], list[Lost]]:
    """The history without what only the source's provider understands, and what that was."""
    if origin.family != goal.family:
        history = [_read_failure(message, origin) for message in history]
    lost: Counter[tuple[str, str]] = Counter()
    out: list[Message] = []
    for given in history:
        message = _renamed(given, ids) if ids else given
        if origin.name != goal.name:
            lost.update((name, message.role) for name in _own_fields(message, origin.name))
            lost.update((name, message.role) for name in _unnamed(message, goal))
            message = with_standard_media(_retold(message, origin, goal, lost))
            message = with_told_tools(message, origin, goal, lost)
            message = with_custom_calls(message, origin, goal)
        rethinks = origin.thinking != goal.thinking or thinking is not None
        out.append(_rethought(message, thinking, lost) if rethinks else message)
    return out, [Lost(what, where, count) for (what, where), count in lost.items() if count]


def _own_fields(message: Message, dialect: str) -> Iterator[str]:
    """The names of the source's own fields on a message, its parts and its calls."""
    sources = (found[1] for found in map(media_source, message.content) if found)
    for value in (message, *message.content, *sources, *message.tool_calls):
        if getattr(value, "extras", None):
            kept = extras_of(value, dialect)
            yield from own_fields(kept)
            yield from rest(kept.get(bedrock.BLOCK, {}), "json")
            yield from kept.get(bedrock.BESIDE, {})
            if dialect == gemini.NAME:
                yield from kept.get(gemini.PART, {})
                yield from kept.get(gemini.CONTENT, {})
                # The name of a file goes over as a title where it is a document's.
                titled = ("displayName",) if type(value) is DocumentPart else ()
                yield from rest(kept.get(gemini.INNER, {}), *titled)


def _unnamed(message: Message, goal: Dialect) -> Iterator[str]:
    """What has a name that the target cannot write: a speaker, a file."""
    if message.name is not None and message.role != "tool" and goal.family != "openai-chat":
        yield "name"
    if goal.name == "gemini":  # only Vertex takes the name of a file
        titled = (part for part in message.content if type(part) is DocumentPart and part.title)
        yield from ("title of document" for _ in titled)


def _retold(
    message: Message, origin: Dialect, goal: Dialect, lost: Counter[tuple[str, str]]
) -> Message:
    """The message with words for what only the source understands, and without what has none."""
    told = [retold(part, origin, goal) for part in message.content]
    if not any(told):
        return message
    parts: list[Part] = []
    kept: list[int] = []
    for index, (part, instead) in enumerate(zip(message.content, told, strict=True)):
        if instead is not None:
            # Another shape of the same is no loss; words for it are one.
            lost[instead.lost, message.role] += type(instead.part) in (TextPart, type(None))
        left = part if instead is None else instead.part
        if left is not None:
            parts.append(left)
            kept.append(index)
    return with_content(message, tuple(parts), kept)


def _rethought(message: Message, wish: ThinkingWish, lost: Counter[tuple[str, str]]) -> Message:
    if not any(type(part) is ThinkPart for part in message.content):
        return message
    parts: list[Part] = []
    kept: list[int] = []
    for index, part in enumerate(message.content):
        if type(part) is not ThinkPart:
            parts.append(part)
        elif wish == "text" and part.think:
            parts.append(TextPart(f"<thinking>\n{part.think}\n</thinking>"))
        elif wish is None and part.think:
            # Another provider can prove nothing by this one's signature.
            if part.encrypted is not None or _has_sealed_item(part):
                lost["signature of thinking", message.role] += 1
            parts.append(ThinkPart(part.think))
        else:
            lost["thinking", message.role] += 1
            continue
        kept.append(index)
    return with_content(message, tuple(parts), kept)


def _has_sealed_item(part: ThinkPart) -> bool:
    """Whether reasoning came as an item with content that only its provider can read."""
    item = extras_of(part, openai_responses.NAME).get(openai_responses.ITEM)
    return isinstance(item, dict) and bool(item.get("encrypted_content"))


def _renamed(message: Message, ids: Mapping[str, str]) -> Message:
    if message.tool_call_id is not None and message.tool_call_id in ids:
        message = msgspec.structs.replace(message, tool_call_id=ids[message.tool_call_id])
    if any(call.id in ids for call in message.tool_calls):
        calls = tuple(
            msgspec.structs.replace(call, id=ids.get(call.id, call.id))
            for call in message.tool_calls
        )
        message = msgspec.structs.replace(message, tool_calls=calls)
    return message


def _read_failure(message: Message, origin: Dialect) -> Message:
    """A result whose first line says that it failed, as a failed result; see ``with_failure``."""
    if message.role != "tool" or origin.takes.failed_results or not message.content:
        return message
    first = message.content[0]
    if type(first) is not TextPart or not isinstance(message, ContextMessage):
        return message
    if first.text in (FAILED, FAILED_EMPTY):
        rest: tuple[Part, ...] = message.content[1:]
    elif first.text.startswith(f"{FAILED}\n"):
        text = first.text.removeprefix(f"{FAILED}\n")
        rest = (msgspec.structs.replace(first, text=text), *message.content[1:])
    else:
        return message
    return msgspec.structs.replace(message, content=rest, is_error=True)
