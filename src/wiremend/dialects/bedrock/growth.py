"""Amazon Bedrock Converse: how far a message reaches in a request that grows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from wiremend.dialects.base import SPLIT, Growth, Json, extras_of
from wiremend.dialects.bedrock.fields import JOINS, NAME
from wiremend.dialects.bedrock.prepare import is_cache_point
from wiremend.dialects.bedrock.tools import tool_list
from wiremend.dialects.bedrock.whole import begins_turn, has_thinking
from wiremend.dialects.names import Alphabet
from wiremend.dialects.reaches import of_ids, of_names
from wiremend.model import DocumentPart, Message, OpaquePart, Part
from wiremend.projection.reach import EVERYWHERE, NEARBY, Reach, ReachOf

_DOCUMENTS = "$documents"
"""The mark of messages with documents, none of which may have the name of another."""


def growth_of(ids: Alphabet, names: Alphabet) -> Growth:
    """How requests grow whose ids and names are those that the API takes."""

    def reach(envelope: Mapping[str, Any]) -> ReachOf:
        declares = not tool_list(envelope)
        return lambda message: _reach(message, ids, names, declares=declares)

    fields = "additionalModelRequestFields"
    return Growth(reach=reach, reads=("modelId", fields), ends=(fields,), thinks=_thinks)


def _reach(message: Message, ids: Alphabet, names: Alphabet, *, declares: bool) -> Reach:
    if any(is_cache_point(part) for part in message.content):
        return EVERYWHERE  # at most four are taken
    kept = extras_of(message, NAME)
    to_start = bool(message.tools) or SPLIT in kept or JOINS in kept
    ties: list[Hashable] = [_DOCUMENTS] if any(map(_may_be_document, message.content)) else []
    ties += of_ids(message, ids) + of_names(message, names)
    # Without a table each tool is defined that was ever called, in the order of the calls.
    firsts = tuple(("tool", call.name) for call in message.tool_calls) if declares else ()
    if not (ties or firsts or to_start):
        return NEARBY
    return Reach(tuple(ties), firsts, to_start=to_start)


def _may_be_document(part: Part) -> bool:
    if type(part) is not OpaquePart:
        return type(part) is DocumentPart
    is_thinking = isinstance(part.data, dict) and "reasoningContent" in part.data
    return part.provider == NAME and not is_thinking


def _thinks(messages: Sequence[Json], before: bool) -> bool:
    for message in reversed(messages):
        if message["role"] == "assistant":
            if has_thinking(message):
                return True
        elif message["role"] == "user" and begins_turn(message):
            return False
    return before
