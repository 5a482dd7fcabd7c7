"""Gemini generateContent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.base import Dialect, Json, spoken
from wiremend.dialects.gemini.decode import SYSTEM_FIELDS, decode_body
from wiremend.dialects.gemini.encode import encode_contents, encode_system
from wiremend.dialects.gemini.fields import NAME
from wiremend.dialects.gemini.growth import GROWTH
from wiremend.dialects.gemini.prepare import prepare_messages
from wiremend.dialects.gemini.settings import read_settings, write_settings
from wiremend.dialects.gemini.tools import FUNCTION_NAMES
from wiremend.dialects.gemini.whole import (
    declare_tools,
    declared_names,
    join_runs,
    mend_end,
    mend_signatures,
    merge_neighbours,
    move_media,
    rename_tools,
)
from wiremend.dialects.names import map_names
from wiremend.model import Message
from wiremend.projection import OnAnomaly, Takes

_TAKES = Takes(
    blank_text=True,
    empty_results=True,
    failed_results=True,
    results_in_any_order=True,
    reused_ids=True,
)

__all__ = ["GEMINI"]


def _encode(
    messages: Sequence[Message],
    envelope: Mapping[str, Any],
    report: OnAnomaly,
    *,
    strict: bool = False,
) -> Json:
    model = envelope.get("model")
    body = declare_tools(messages, envelope)
    messages = mend_end(spoken(messages), model, report)
    messages = move_media(join_runs(messages, report), model, report)
    messages, renamed = map_names(messages, declared_names(body), FUNCTION_NAMES, report)
    body = rename_tools(body, renamed)
    start = next((n for n, m in enumerate(messages) if m.role != "system"), len(messages))
    system = encode_system(messages[:start], report)
    for field in SYSTEM_FIELDS:
        # Its place was held by null; what could not be read is still there.
        if field in body and body[field] is None and (system is None or system[0] != field):
            del body[field]
    if system is not None:
        body[system[0]] = system[1]
    contents = encode_contents(messages[start:], renamed, report)
    if strict:
        contents = merge_neighbours(contents, report)
    contents = mend_signatures(contents, model, report)
    single = envelope.get("contents") == {} and len(contents) == 1
    body["contents"] = contents[0] if single else contents
    return body


GEMINI = Dialect(
    name=NAME,
    holds="contents",
    family=NAME,
    thinking="gemini",
    takes=_TAKES,
    decode=decode_body,
    prepare=prepare_messages,
    encode=_encode,
    read_settings=read_settings,
    write_settings=write_settings,
    growth=GROWTH,
)
"""The Gemini API: calls and responses are counted, every part holds exactly one kind of data."""
