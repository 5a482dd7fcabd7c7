"""DeepSeek.

Sources: api-docs.deepseek.com, "Thinking Mode" (2026: on by default, and a must beside calls);
reports 010, 117 and 119; earendil-works/pi#1048 (roles).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.base import CONTENT, extras_of, with_extras
from wiremend.dialects.openai_chat import Profile, make_dialect
from wiremend.dialects.openai_chat.profile import ANY_ID, LENIENT, PLAIN_ROLES, USUAL_NAMES
from wiremend.dialects.openai_chat.settings import SettingWords
from wiremend.dialects.profiles.reasoning import drop_reasoning, fill_reasoning
from wiremend.model import Message, TextPart
from wiremend.projection.anomalies import OnAnomaly, ToolResultJoined

NAME = "deepseek"
_THINKS = re.compile(r"deepseek-(?:reasoner|v[4-9])")
_REFUSES = re.compile(r"deepseek-r1")


def thinks(envelope: Mapping[str, Any]) -> bool:
    """Whether thinking is on: as the request says, or by default of the model."""
    thinking = envelope.get("thinking")
    said = thinking.get("type") if isinstance(thinking, dict) else None
    if said in ("enabled", "disabled"):
        return bool(said == "enabled")
    return _is(_THINKS, envelope)


def refuses_reasoning(envelope: Mapping[str, Any]) -> bool:
    """Whether the model is of the time when reasoning could not be sent back."""
    return _is(_REFUSES, envelope)


def _is(pattern: re.Pattern[str], envelope: Mapping[str, Any]) -> bool:
    model = envelope.get("model")
    return isinstance(model, str) and pattern.search(model.lower()) is not None


def results_as_text(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """Results written as lists of parts, as one text (report 119)."""
    return [
        _as_text(message, report) if message.role == "tool" else message for message in messages
    ]


def _as_text(message: Message, report: OnAnomaly) -> Message:
    kept = extras_of(message, NAME)
    plain = len(message.content) == 1 and not getattr(message.content[0], "extras", None)
    if plain and kept.get(CONTENT) != "list":
        return message
    report(ToolResultJoined(message.tool_call_id or ""))
    text = "\n".join(part.text for part in message.content if type(part) is TextPart)
    shaped = {name: value for name, value in kept.items() if name != CONTENT}
    joined: Message = with_extras(message, NAME, shaped)
    return msgspec.structs.replace(joined, content=(TextPart(text),))


DEEPSEEK_PROFILE = Profile(
    name=NAME,
    takes=LENIENT,
    ids=ANY_ID,
    names=USUAL_NAMES,
    roles=PLAIN_ROLES,
    media=frozenset(),
    foreign=frozenset({"refusal"}),
    any_thinking=True,
    marks=("prefix",),
    settings=SettingWords(
        max_tokens="max_tokens",
        cache_key=None,
        thinking="switch",
        efforts=("high", "max"),
        schemas=False,
    ),
    steps_look_around=False,
    steps=(results_as_text, drop_reasoning(refuses_reasoning), fill_reasoning(thinks)),
)
DEEPSEEK = make_dialect(DEEPSEEK_PROFILE)
"""Chat Completions of DeepSeek: text alone, and reasoning back with every call."""
