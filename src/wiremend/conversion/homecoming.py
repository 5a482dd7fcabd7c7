"""The way home: what a request lost when it was converted, from the request that it came from.

The request that was converted is converted again, as it must have been then. Where the one that
comes back still begins with the result, that beginning is what it was at home, and only what was
added since has to be converted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

from wiremend.conversion.translation import ThinkingWish, carried, named_model, translated
from wiremend.dialects import Conversation, Dialect, sanitise
from wiremend.dialects.base import Json
from wiremend.mend import Wishes, written
from wiremend.model import Message, ToolCall, said_and_called
from wiremend.projection.anomalies import ignore

_WISHES: tuple[ThinkingWish, ...] = (None, *get_args(get_args(ThinkingWish)[0]))


class Home(NamedTuple):
    """What is known of the request at home.

    ``ids`` are the call ids that changed on the way, new to old. If the conversation that came
    back is still ``is_whole``: ``history`` is its beginning as it was at home, ``added`` what came
    since, ``fields`` those beside the messages.
    """

    ids: Mapping[str, str]
    is_whole: bool
    history: Sequence[Message]
    added: Sequence[Message]
    fields: Json


def come_home(
    conversation: Conversation, home: Json, origin: Dialect, goal: Dialect, model: str | None
) -> Home:
    """What the conversation, which ``origin`` had, was before it left ``home`` in ``goal``'s."""
    was = goal.decode(sanitise(home, ignore), ignore)
    here = conversation.history
    away = origin.read_settings(conversation.envelope)
    ids: Mapping[str, str] = {}
    for wish in _WISHES:
        carry, fields, _ = carried(was, goal, origin, away.model)
        carry, _ = translated(carry, goal, origin, wish, {})
        sent = written(origin, carry, fields, Wishes(), ignore)
        echo = origin.decode(sent, ignore)
        ids = ids or _changed_ids(carry, echo.history)
        added = _added(here, echo.history)
        if added is not None:
            changed = origin.read_settings(echo.envelope) != away
            beside = _settings(conversation, was, origin, goal) if changed else was.envelope
            return Home(ids, True, was.history, added, {**beside, **named_model(goal, model)})
    return Home(ids, False, (), here, {})


def _added(here: Sequence[Message], echo: Sequence[Message]) -> list[Message] | None:
    """What stands behind the echo; None where the conversation does not begin with it.

    The last message of the echo may have gone on: a model's items in a row are one message.
    """
    end = len(echo) - 1
    if end < 0:
        return list(here)
    if len(here) <= end or list(here[:end]) != list(echo[:end]):
        return None
    if here[end] == echo[end]:
        return list(here[end + 1 :])
    more = _beyond(here[end], echo[end])
    return None if more is None else [more, *here[end + 1 :]]


def _beyond(message: Message, start: Message) -> Message | None:
    """What a message says beyond its start; None where it begins otherwise."""
    items, begun = list(said_and_called(message)), list(said_and_called(start))
    if message.role != start.role or len(items) == len(begun) or items[: len(begun)] != begun:
        return None
    parts = [item for item in items[len(begun) :] if not isinstance(item, ToolCall)]
    calls = [item for item in items[len(begun) :] if isinstance(item, ToolCall)]
    # Where calls stood between these parts is lost with the notes of the whole.
    return Message(message.role, tuple(parts), tuple(calls))


def _changed_ids(history: Sequence[Message], echo: Sequence[Message]) -> dict[str, str]:
    """How each call is called in the other's words, where it is not what it was.

    Calls keep their order; where one was dropped nobody can tell which is which.
    """
    old, new = ([call.id for m in said for call in m.tool_calls] for said in (history, echo))
    if len(new) != len(old):
        return {}
    return {now: before for now, before in zip(new, old, strict=True) if now != before}


def _settings(
    conversation: Conversation, was: Conversation, origin: Dialect, goal: Dialect
) -> dict[str, Any]:
    """The fields as they are by now, with those of home that the other has no words for."""
    _, now, _ = carried(conversation, origin, goal, None)
    said = goal.write_settings(goal.read_settings(was.envelope))
    nameless = goal.read_settings(was.envelope).rest
    own = {n: v for n, v in was.envelope.items() if n in nameless or n not in said.fields}
    return {**own, **now}
