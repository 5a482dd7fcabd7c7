"""Sound requests of Chat Completions, as OpenAI takes them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from wiremend.rules import media
from wiremend.rules.sound.base import Kind, Never, NoConverse, parse_object

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Name: TypeAlias = Annotated[str, Meta(pattern=r"^[a-zA-Z0-9_-]{1,64}\Z")]


class _Text(Struct, gc=False, forbid_unknown_fields=True, tag="text"):
    text: str


class _Url(Struct, gc=False, forbid_unknown_fields=True):
    url: str
    detail: str | None = None


class _Image(Struct, gc=False, forbid_unknown_fields=True, tag="image_url"):
    image_url: _Url


class _Function(Struct, gc=False, forbid_unknown_fields=True):
    name: Name
    arguments: str


class _Call(Struct, gc=False, forbid_unknown_fields=True):
    id: Id
    function: _Function
    type: Literal["function"] = "function"


_Texts: TypeAlias = Annotated[list[_Text], Meta(min_length=1)]
_Parts: TypeAlias = Annotated[list[_Text | _Image], Meta(min_length=1)]


class _System(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="system"):
    content: str | _Texts
    name: str | None = None


class _Developer(_System, gc=False, tag_field="role", tag="developer"):
    pass


class _User(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="user"):
    content: str | _Parts
    name: str | None = None


class _Assistant(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="assistant"):
    content: str | _Texts | None = None
    tool_calls: Annotated[list[_Call], Meta(min_length=1)] | None = None
    name: str | None = None
    weight: int | None = None
    reasoning_content: str | None = None
    refusal: None = None
    audio: None = None
    function_call: None = None
    annotations: Annotated[list[None], Meta(max_length=0)] | None = None


class _Tool(Struct, gc=False, forbid_unknown_fields=True, tag_field="role", tag="tool"):
    content: str | _Texts
    tool_call_id: Id
    name: str | None = None


class _Defined(Struct):
    name: Name


class _Definition(Struct, forbid_unknown_fields=True):
    function: _Defined
    type: Literal["function"] = "function"


class _Request(NoConverse, gc=False, kw_only=True):
    messages: Annotated[list[_System | _Developer | _User | _Assistant | _Tool], Meta(min_length=1)]
    model: str | None = None
    tools: list[_Definition] | None = None
    # Fields by which another format is known.
    system: Never | UnsetType = UNSET
    anthropic_version: Never | UnsetType = UNSET
    anthropic_beta: Never | UnsetType = UNSET
    stop_sequences: Never | UnsetType = UNSET
    top_k: Never | UnsetType = UNSET
    mcp_servers: Never | UnsetType = UNSET
    context_management: Never | UnsetType = UNSET


def _holds(request: _Request) -> bool:
    """Whether each call has its result behind it, in order, and each message says something."""
    open_calls: list[str] = []
    answered = 0
    for message in request.messages:
        if isinstance(message, _Tool):
            if answered == len(open_calls) or open_calls[answered] != message.tool_call_id:
                return False
            answered += 1
            continue
        if answered != len(open_calls):
            return False
        if isinstance(message, _Assistant):
            if message.tool_calls is not None:
                open_calls = [call.id for call in message.tool_calls]
                answered = 0
                if len(open_calls) > 1 and len(set(open_calls)) != len(open_calls):
                    return False
                for call in message.tool_calls:
                    parse_object(call.function.arguments)
                continue
            if message.content is None:
                return False
        elif (
            isinstance(message, _User)
            and not isinstance(message.content, str)
            and not all(map(_is_taken, message.content))
        ):
            return False
        open_calls = []
        answered = 0
    return answered == len(open_calls)


def _is_taken(part: _Text | _Image) -> bool:
    """Whether a part is text, a picture that is somewhere else, or one that is what it says."""
    if isinstance(part, _Text):
        return True
    url = media.parse_data_url(part.image_url.url)
    if url is None:
        return True
    return url.media_type in media.IMAGE_TYPES and media.sniff(url.data) in (None, url.media_type)


def _is_evident(request: _Request) -> bool:
    return request.model is None or "claude" not in request.model


KIND = Kind("openai-chat", _Request, _holds, _is_evident)
