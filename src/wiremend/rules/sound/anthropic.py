"""Sound requests of Anthropic's Messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from wiremend.rules import media
from wiremend.rules.base import is_blank
from wiremend.rules.sound.base import Kind, Never, NoConverse, Spoken

MOST_MARKS = 4
# Less than any model takes, wherever it runs.
_LONGEST = 4 << 20

Id: TypeAlias = Annotated[str, Meta(pattern=r"^[a-zA-Z0-9_-]+\Z")]
Name: TypeAlias = Annotated[str, Meta(pattern=r"^[a-zA-Z0-9_-]{1,128}\Z")]
Filled: TypeAlias = Annotated[str, Meta(min_length=1)]


class _Mark(Struct, gc=False, forbid_unknown_fields=True):
    type: Literal["ephemeral"]
    ttl: Literal["5m"] = "5m"


class _Text(Struct, gc=False, forbid_unknown_fields=True, tag="text"):
    text: Spoken
    cache_control: _Mark | None = None


class _Source(Struct, gc=False, forbid_unknown_fields=True):
    type: Literal["base64"]
    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: Annotated[str, Meta(max_length=_LONGEST)]


class _Image(Struct, gc=False, forbid_unknown_fields=True, tag="image"):
    source: _Source
    cache_control: _Mark | None = None


class _Thinking(Struct, gc=False, forbid_unknown_fields=True, tag="thinking"):
    thinking: str
    signature: Filled


class _Redacted(Struct, gc=False, forbid_unknown_fields=True, tag="redacted_thinking"):
    data: Filled


class _Use(Struct, gc=False, forbid_unknown_fields=True, tag="tool_use"):
    id: Id
    name: Name
    input: dict[str, Any]
    cache_control: _Mark | None = None


class _Result(Struct, gc=False, forbid_unknown_fields=True, tag="tool_result"):
    tool_use_id: Id
    content: str | list[_Text | _Image] | None = None
    is_error: bool | None = None
    cache_control: _Mark | None = None


_Asked: TypeAlias = Annotated[list[_Text | _Image | _Result], Meta(min_length=1)]
_Said: TypeAlias = Annotated[list[_Text | _Thinking | _Redacted | _Use], Meta(min_length=1)]


class _User(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="user"):
    content: Spoken | _Asked


class _Assistant(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="assistant"):
    content: Spoken | _Said


class _Tool(Struct):
    name: Name | UnsetType = UNSET
    cache_control: _Mark | None = None


class _Request(NoConverse, gc=False, kw_only=True):
    messages: Annotated[list[_User | _Assistant], Meta(min_length=1)]
    model: str | None = None
    system: str | list[_Text] | None = None
    tools: list[_Tool] | None = None
    thinking: dict[str, Any] | None = None
    cache_control: Never | UnsetType = UNSET
    # Fields by which another format is known.
    max_completion_tokens: Never | UnsetType = UNSET
    response_format: Never | UnsetType = UNSET
    functions: Never | UnsetType = UNSET
    frequency_penalty: Never | UnsetType = UNSET
    presence_penalty: Never | UnsetType = UNSET
    logit_bias: Never | UnsetType = UNSET
    parallel_tool_calls: Never | UnsetType = UNSET
    reasoning_effort: Never | UnsetType = UNSET
    n: Never | UnsetType = UNSET
    stop: Never | UnsetType = UNSET


def _holds(request: _Request) -> bool:
    """Whether the user begins and ends, and the results of each turn come first, in order."""
    used: set[str] = set()
    open_calls: list[str] = []
    marks = _marks(request.tools) + _marks(request.system)
    after_user = False
    for message in request.messages:
        if isinstance(message, _User):
            after_user = True
            if isinstance(message.content, str):
                if open_calls:
                    return False
                continue
            found = _answers(message.content, open_calls)
            if found is None:
                return False
            marks += found
            open_calls = []
            continue
        if not after_user:
            return False
        after_user = False
        if isinstance(message.content, str):
            continue
        for block in message.content:
            if isinstance(block, _Use):
                if block.id in used:
                    return False
                used.add(block.id)
                open_calls.append(block.id)
        marks += _marks(message.content)
    if not after_user or marks > MOST_MARKS or (used and not request.tools):
        return False
    return not (request.thinking and carries_results(request.messages[-1]))


def _answers(content: list[_Text | _Image | _Result], open_calls: list[str]) -> int | None:
    """How many cache marks are on the blocks of a user's message; None where it is unusual."""
    marks = 0
    wanted = len(open_calls)
    for place, block in enumerate(content):
        if isinstance(block, _Result):
            if place >= wanted or block.tool_use_id != open_calls[place]:
                return None
            if isinstance(block.content, list):
                if not all(map(_is_what_it_says, block.content)):
                    return None
                marks += _marks(block.content)
            if block.is_error and not _is_text(block.content):
                return None
        elif place < wanted or not _is_what_it_says(block):
            return None
        if block.cache_control is not None:
            marks += 1
    return marks if len(content) >= wanted else None


def _is_what_it_says(block: _Text | _Image) -> bool:
    if isinstance(block, _Text):
        return True
    return media.sniff(block.source.data) in (None, block.source.media_type)


def _is_text(content: str | list[_Text | _Image] | None) -> bool:
    """Whether a failed result says something, and nothing else than text."""
    if isinstance(content, str):
        return not is_blank(content)
    return bool(content) and all(isinstance(block, _Text) for block in content or ())


def carries_results(message: Any) -> bool:
    """Whether the turn of the model goes on: then its thinking is the rules' to judge."""
    return type(message.content) is list and type(message.content[0]) is _Result


def _marks(items: Any) -> int:
    if type(items) is not list:
        return 0
    return sum(getattr(item, "cache_control", None) is not None for item in items)


def _is_evident(request: _Request) -> bool:
    if request.model is not None:
        return "claude" in request.model
    return request.system is not None or any(map(_has_own_block, request.messages))


def _has_own_block(message: _User | _Assistant) -> bool:
    """Whether a block of a message is in the words of this API alone."""
    return not isinstance(message.content, str) and any(
        not isinstance(block, _Text) for block in message.content
    )


def _loose(request: _Request) -> Iterator[Any]:
    for message in request.messages:
        if type(message) is _Assistant and type(message.content) is list:
            for block in message.content:
                if type(block) is _Use:
                    yield block.input


KIND = Kind("anthropic", _Request, _holds, _is_evident, _loose)
