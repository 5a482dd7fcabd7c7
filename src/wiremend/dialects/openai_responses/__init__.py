"""OpenAI Responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.base import CONTENT, Dialect, Json, extras_of
from wiremend.dialects.moving import move_media
from wiremend.dialects.names import Alphabet, map_ids
from wiremend.dialects.openai_responses.decode import INPUT, continues, decode_body
from wiremend.dialects.openai_responses.encode import encode_items
from wiremend.dialects.openai_responses.fields import NAME, PLACE
from wiremend.dialects.openai_responses.growth import growth_of
from wiremend.dialects.openai_responses.items import LONGEST_CALL_ID
from wiremend.dialects.openai_responses.prepare import prepare_messages
from wiremend.dialects.openai_responses.settings import read_settings, write_settings
from wiremend.dialects.openai_responses.tools import with_tools
from wiremend.dialects.openai_responses.whole import mend_items
from wiremend.model import Message
from wiremend.projection import OnAnomaly, Takes

_IDS = Alphabet(r"(?s).+", LONGEST_CALL_ID)
_TAKES = Takes(
    blank_text=True,
    empty_results=True,
    results_in_any_order=True,
    results_apart=True,
    assistant_first=True,
)

__all__ = ["OPENAI_RESPONSES"]


def _encode(
    messages: Sequence[Message],
    envelope: Mapping[str, Any],
    report: OnAnomaly,
    *,
    strict: bool = False,
) -> Json:
    messages = map_ids(move_media(messages, report, taken_from=_MEDIA), _IDS, report)
    messages, body = with_tools(messages, envelope, report)
    instructions, items = encode_items(messages, report)
    if instructions is not None:
        body["instructions"] = instructions
    items = mend_items(items, envelope, report, strict=strict)
    if items or INPUT in body or not continues(body):
        body[INPUT] = items[0]["content"] if _was_whole(messages) else items
    return body


_MEDIA = ("user", "system", "tool")


def _was_whole(messages: Sequence[Message]) -> bool:
    """Whether all that is said is what was the whole input, as a string."""
    said = [message for message in messages if PLACE not in extras_of(message, NAME)]
    return len(said) == 1 and extras_of(said[0], NAME).get(CONTENT) == INPUT


OPENAI_RESPONSES = Dialect(
    name=NAME,
    holds=INPUT,
    family=NAME,
    thinking="openai",
    takes=_TAKES,
    decode=decode_body,
    prepare=prepare_messages,
    encode=_encode,
    read_settings=read_settings,
    write_settings=write_settings,
    loads_tools=True,
    continues=continues,
    growth=growth_of(_IDS),
)
"""Responses of OpenAI: items with ids of their own, results wherever they came."""
