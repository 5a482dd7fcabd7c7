"""Gemini: how far a message reaches in a request that grows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wiremend.dialects.base import SPLIT, Growth, extras_of
from wiremend.dialects.data_urls import is_base64
from wiremend.dialects.gemini.fields import NAME, PART
from wiremend.dialects.gemini.models import wants_signatures
from wiremend.dialects.gemini.tools import FUNCTION_NAMES
from wiremend.dialects.reaches import of_names
from wiremend.model import Message
from wiremend.projection.reach import NEARBY, Reach, ReachOf


def _reach_of(envelope: Mapping[str, Any]) -> ReachOf:
    signs = wants_signatures(envelope.get("model"))
    return lambda message: _reach(message, signs=signs)


def _reach(message: Message, *, signs: bool) -> Reach:
    to_start = bool(message.tools) or SPLIT in extras_of(message, NAME)
    ties = of_names(message, FUNCTION_NAMES)
    # A stand-in for a signature is only for the turn that goes on.
    holds = signs and bool(message.tool_calls) and not _is_signed(message)
    if not (ties or to_start or holds):
        return NEARBY
    return Reach(tuple(ties), holds=holds, to_start=to_start)


def _is_signed(message: Message) -> bool:
    signature = extras_of(message.tool_calls[0], NAME).get(PART, {}).get("thoughtSignature")
    return isinstance(signature, str) and bool(signature) and is_base64(signature)


GROWTH = Growth(reach=_reach_of)
