"""The items of the OpenAI Agents SDK as messages of a session, and back as they came.

What the model made in a row is one message, as elsewhere in wiremend. A message from which the
dialect writes the very items again needs nothing more; with any other the items are kept too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import Any

import msgspec

from wiremend.dialects import sanitise
from wiremend.dialects.base import Json, extras_of, with_extras
from wiremend.dialects.openai_responses import OPENAI_RESPONSES
from wiremend.dialects.openai_responses.decode import decode_body
from wiremend.dialects.openai_responses.encode import encode_items
from wiremend.errors import WiremendError
from wiremend.model import ContextMessage, Message, OpaquePart
from wiremend.projection import project
from wiremend.projection.anomalies import ignore

_NAME = "openai-agents"
_ITEMS = "items"
_plain = msgspec.json.Encoder(order="sorted")


def messages_of(items: Sequence[Any]) -> list[ContextMessage]:
    """Items, in the order in which they came, as messages to keep.

    Raises ``WiremendError`` where an item is no JSON object.
    """
    plain = [_as_json(item, at) for at, item in enumerate(items)]
    alone = [(item, _decoded([item])) for item in plain]
    out: list[ContextMessage] = []
    for is_made, some in groupby(alone, lambda pair: _is_of_model(pair[1])):
        run = list(some)
        together = _decoded([item for item, _ in run]) if is_made else []
        if len(together) == 1:
            out.append(_kept(together[0], [item for item, _ in run]))
        else:
            out.extend(message for item, found in run for message in _all_kept(found, item))
    return out


def items_of(history: Sequence[ContextMessage], limit: int | None = None) -> list[Json]:
    """The items of a history, or the last ``limit``: those put in, and what others put in as items.

    Only as many messages are looked at as it takes.
    """
    found: list[list[Json]] = []
    missing = limit
    for message in reversed(history):
        if missing is not None and missing <= 0:
            break
        items = _items(message)
        found.append(items)
        missing = None if missing is None else missing - len(items)
    surplus = -missing if missing is not None and missing < 0 else 0
    return list(chain.from_iterable(reversed(found)))[surplus:]


def _items(message: ContextMessage) -> list[Json]:
    own = extras_of(message, _NAME)
    if not own:
        # Alone, and without what is made up behind its calls: the results may be among the items.
        return _written(project(OPENAI_RESPONSES.prepare([message], ignore))[:1])
    kept: list[Json] | None = own.get(_ITEMS)
    return _written([message]) if kept is None else kept


def _as_json(item: Any, at: int) -> Json:
    """The item as JSON has it: a copy, which no one changes any more."""
    wrong = WiremendError("expected an item: a JSON object", (_ITEMS, at))
    if not isinstance(item, dict):
        raise wrong
    try:
        plain: Json = msgspec.json.decode(msgspec.json.encode(sanitise(item, ignore)))
    except (TypeError, ValueError, RecursionError) as error:
        raise wrong from error
    return plain


def _decoded(items: list[Json]) -> Sequence[ContextMessage]:
    try:
        return decode_body({"input": items}, ignore).history  # type: ignore[return-value]  # it is
    except WiremendError:
        return ()


def _is_of_model(found: Sequence[ContextMessage]) -> bool:
    return len(found) == 1 and found[0].role == "assistant"


def _all_kept(found: Sequence[ContextMessage], item: Json) -> Iterator[ContextMessage]:
    """The messages of one item; of several the first keeps it. One that nobody reads is opaque."""
    if len(found) == 1:
        yield _kept(found[0], [item])
        return
    first, *more = found or (ContextMessage("user", (OpaquePart(_NAME, item),)),)
    yield with_extras(first, _NAME, {_ITEMS: [item]})
    for message in more:
        yield with_extras(message, _NAME, {_ITEMS: []})


def _kept(message: ContextMessage, items: list[Json]) -> ContextMessage:
    same = _plain.encode(_written([message])) == _plain.encode(items)
    fields: Json = {"dialect": OPENAI_RESPONSES.name} if same else {_ITEMS: items}
    kept: ContextMessage = with_extras(message, _NAME, fields)
    return kept


def _written(messages: Sequence[Message]) -> list[Json]:
    return encode_items(messages, ignore)[1]
