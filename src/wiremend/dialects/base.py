"""What a dialect is, and what all of them share: a conversation, and the keeping of extras.

A dialect turns a request body into history (``decode``) and messages into a body (``encode``).
Between the two stand ``prepare``, which mends what shows in one message alone, and the
projection, which mends what shows only between messages. None of it does I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from wiremend.errors import Path, WiremendError
from wiremend.model import Message
from wiremend.model.parts import Extras
from wiremend.projection import OnAnomaly, Takes
from wiremend.projection.reach import ReachOf

if TYPE_CHECKING:
    from wiremend.dialects.settings import ReadSettings, Settings, WriteSettings

Json: TypeAlias = dict[str, Any]

CONTENT = "$content"
"""In a message's extras: the shape that its content had, where it is not the usual one."""
SPLIT = "$from"
"""In a message's extras: the number of the wire message that it was split from."""
FIELDS = "$fields"
"""In extras of each message that a wire message was split into: that one's own fields."""


class Conversation(msgspec.Struct, frozen=True):
    """A decoded request: its history, and the body without it.

    In ``envelope`` the keys that held messages stay, so that a body keeps the order of its keys.
    """

    history: tuple[Message, ...]
    envelope: Json


class Encode(Protocol):
    """Writes projected messages as a request body; mends what shows only in the whole of it."""

    def __call__(
        self,
        messages: Sequence[Message],
        envelope: Mapping[str, Any],
        report: OnAnomaly,
        *,
        strict: bool = False,
    ) -> Json:
        """``strict`` is for a provider that refused the request that was written without."""
        ...


def _same(history: Sequence[Message], settings: Settings) -> tuple[Sequence[Message], Settings]:
    return history, settings


def _never(_: Mapping[str, Any]) -> bool:
    return False


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """How the requests of a dialect grow, for those who keep what was written of their begin.

    ``reach`` says, for the fields beside the messages, how far each message reaches. ``reads`` are
    those fields that the messages are written by, beside the names of tools. ``ends`` are those
    that the end of a request decides: the last messages are asked for them, where ``thinks`` (the
    messages so far, and whether the turn before them had) says whether the open turn has thinking.
    """

    reach: Callable[[Mapping[str, Any]], ReachOf]
    reads: tuple[str, ...] = ("model",)
    ends: tuple[str, ...] = ()
    thinks: Callable[[Sequence[Json], bool], bool] | None = None


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """One wire format, for one provider or for a family of servers.

    ``name`` is what ``--for`` and ``--format`` take. ``holds`` is the field of a body with the
    list of messages (of items, of contents: whatever the provider calls them). ``takes`` is what
    the provider takes as it is, so that projection leaves it alone. ``decode`` reads a request
    body as history, or raises ``WiremendError`` where it is no such body. ``prepare`` gives the
    history without what the provider refuses in a message taken alone. ``encode`` writes a
    request body. ``family`` is the wire format that it shares with others, and the name under
    which its extras are kept; ``thinking`` names those whose models take each other's thinking.
    ``read_settings`` and ``write_settings`` turn what stands beside the messages into no
    provider's words, and back. ``read_tools`` declares tools in messages where this dialect loads
    them in a way of its own. ``loads_tools``: a tool may be defined in the middle of a
    conversation. ``continues``: by its fields, a request goes on with a conversation that the
    provider keeps. ``growth`` says what of a request stays when it grows; None: nothing is known.
    """

    name: str
    holds: str
    family: str
    thinking: str
    takes: Takes
    decode: Callable[[Json, OnAnomaly], Conversation]
    prepare: Callable[[Sequence[Message], OnAnomaly], Sequence[Message]]
    encode: Encode
    read_settings: ReadSettings
    write_settings: WriteSettings
    read_tools: Callable[[Sequence[Message], Settings], tuple[Sequence[Message], Settings]] = _same
    loads_tools: bool = False
    continues: Callable[[Mapping[str, Any]], bool] = _never
    growth: Growth | None = None


def extras_of(value: Any, dialect: str) -> Json:
    """What this dialect kept on a message, part or call (never to be changed)."""
    kept = value.extras
    if not kept:
        return {}
    found: Json = kept.get(dialect, {})
    return found


def extras(dialect: str, fields: Json) -> Extras | None:
    """Extras for a message, part or call: None where there is nothing to keep."""
    return {dialect: fields} if fields else None


def with_extras(value: Any, dialect: str, fields: Json) -> Any:
    """The message, part or call with these instead of what the dialect kept before."""
    rest = {name: kept for name, kept in (value.extras or {}).items() if name != dialect}
    if fields:
        rest[dialect] = fields
    return msgspec.structs.replace(value, extras=rest or None)


def unprepared(part: Any) -> WiremendError:
    """The error for a part that ``encode`` got and ``prepare`` would have replaced."""
    return WiremendError(
        f"a {type(part).__name__} that this dialect has no words for: `prepare` the history first"
    )


def wire_fields(kept: Json) -> Json:
    """The provider's own fields among what a dialect kept, without the dialect's notes."""
    return {name: value for name, value in kept.items() if not name.startswith("$")} if kept else {}


def own_fields(kept: Json) -> Json:
    """The provider's own fields of the wire message that a message is, or was split from."""
    return {**wire_fields(kept), **kept.get(FIELDS, {})}


def rest(fields: Json, *known: str) -> Json:
    """The fields that have no place in the model."""
    return {name: value for name, value in fields.items() if name not in known}


def tool_table(envelope: Mapping[str, Any]) -> list[Any]:
    """The tool definitions of a request; none where that field holds no list."""
    tools = envelope.get("tools")
    return tools if isinstance(tools, list) else []


def spoken(messages: Sequence[Message]) -> list[Message]:
    """The messages without those that only declare tools."""
    return [m for m in messages if m.content or m.tool_calls or not m.tools]


def expect_list(value: Any, path: Path, what: str) -> list[Any]:
    """The value, which has to be an array; ``what`` says of what in the error."""
    if not isinstance(value, list):
        raise WiremendError(f"expected an array of {what}", path)
    return value


def expect_object(value: Any, path: Path, what: str) -> Json:
    """The value, which has to be an object; ``what`` says which in the error."""
    if not isinstance(value, dict):
        raise WiremendError(f"expected an object: {what}", path)
    return value
