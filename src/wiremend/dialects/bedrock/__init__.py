"""Amazon Bedrock Converse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.anthropic.whole import mend_end
from wiremend.dialects.base import Dialect, Json, spoken
from wiremend.dialects.bedrock.decode import decode_body
from wiremend.dialects.bedrock.documents import mend_documents
from wiremend.dialects.bedrock.encode import encode_messages
from wiremend.dialects.bedrock.fields import NAME
from wiremend.dialects.bedrock.growth import growth_of
from wiremend.dialects.bedrock.models import (
    is_claude,
    refuses_system_inside,
    wants_results_alone,
)
from wiremend.dialects.bedrock.prepare import prepare_messages
from wiremend.dialects.bedrock.settings import read_settings, write_settings
from wiremend.dialects.bedrock.tools import declare_tools, rename_tools, tool_names
from wiremend.dialects.bedrock.whole import (
    drop_cache_points,
    drop_unsigned,
    mend_thinking,
    move_media,
)
from wiremend.dialects.names import Alphabet, map_ids, map_names
from wiremend.model import Message
from wiremend.projection import OnAnomaly, Takes

_IDS = Alphabet(r"[a-zA-Z0-9_.:-]+", 64)
_NAMES = Alphabet(r"[a-zA-Z0-9_-]+", 64)
_TAKES = Takes(
    empty_results=True,
    failed_results=True,
    results_in_any_order=True,
    reused_ids=True,
)

__all__ = ["BEDROCK"]


def _encode(
    messages: Sequence[Message],
    envelope: Mapping[str, Any],
    report: OnAnomaly,
    *,
    strict: bool = False,  # noqa: ARG001 (it is strict anyway: roles always alternate)
) -> Json:
    model = envelope.get("modelId")
    body = declare_tools(messages, dict(envelope), report)
    said: Sequence[Message] = spoken(messages)
    if is_claude(model):
        said = drop_unsigned(said, report)
        # Where thinking is asked for depends on the model: it is left in a final message.
        asked = {"model": model, "thinking": {"type": "enabled"}}
        said = mend_end(said, asked, report)
    said = map_ids(move_media(said, report), _IDS, report)
    said, renamed = map_names(said, tool_names(body), _NAMES, report)
    body = rename_tools(body, renamed)
    system, wire = encode_messages(
        said,
        report,
        keeps_system=not refuses_system_inside(model),
        results_alone=wants_results_alone(model),
    )
    if system:
        body["system"] = system
    elif body.get("system", "") is None:
        del body["system"]
    body["messages"] = wire
    body = mend_documents(body, report)
    if is_claude(model):
        body = mend_thinking(body, report)
    return drop_cache_points(body, report, claude=is_claude(model))


BEDROCK = Dialect(
    name=NAME,
    holds="messages",
    family=NAME,
    thinking="claude",
    takes=_TAKES,
    decode=decode_body,
    prepare=prepare_messages,
    encode=_encode,
    read_settings=read_settings,
    write_settings=write_settings,
    growth=growth_of(_IDS, _NAMES),
)
"""Converse of Amazon Bedrock: strict turns, whatever the model behind it is."""
