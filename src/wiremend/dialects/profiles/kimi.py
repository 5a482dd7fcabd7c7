"""Kimi, the API of Moonshot.

Sources: platform.kimi.ai, "Use Kimi Vision Model", "Partial Mode", "Kimi K2 Thinking"; reports
052, 079, 081, 097 and 103; openclaw/openclaw#22194 (roles), MoonshotAI/kimi-cli#1773 (names).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.names import Alphabet
from wiremend.dialects.openai_chat import Profile, make_dialect
from wiremend.dialects.openai_chat.profile import ANY_ID, LENIENT, PLAIN_ROLES
from wiremend.dialects.openai_chat.settings import SettingWords
from wiremend.dialects.profiles.reasoning import fill_reasoning
from wiremend.model import Message, TextPart, media_source, with_content
from wiremend.projection.anomalies import MediaReplaced, OnAnomaly
from wiremend.projection.media import STRIPPED

# K2.5 and K2.6 think unless told not to; the others cannot be told.
_THINKS_ALWAYS = re.compile(r"k2-thinking|k2[.p][7-9]|kimi-k[3-9]|thinking-preview")
_THINKS_BY_DEFAULT = re.compile(r"k2[.p][56]")
_TEXT_ONLY = re.compile(r"moonshot-v1-(?!.*vision)|kimi-k2(?![.p\d])")
_PICTURES_ONLY = re.compile(r"moonshot-v1-.*vision")


def thinks(envelope: Mapping[str, Any]) -> bool:
    """Whether thinking is on, by the model and by what the request says of it."""
    model = envelope.get("model")
    name = model if isinstance(model, str) else ""
    if _THINKS_ALWAYS.search(name):
        return True
    thinking = envelope.get("thinking")
    said = thinking.get("type") if isinstance(thinking, dict) else None
    if said in ("enabled", "disabled"):
        return bool(said == "enabled")
    return _THINKS_BY_DEFAULT.search(name) is not None


def media_of_model(
    messages: Sequence[Message], envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """Pictures and films that the model does not take, as lines of text (kimi-cli#788)."""
    model = envelope.get("model")
    name = model if isinstance(model, str) else ""
    if _TEXT_ONLY.search(name):
        refused: tuple[str, ...] = ("image", "video")
    elif _PICTURES_ONLY.search(name):
        refused = ("video",)
    else:
        return messages
    return [_without_media(message, refused, report) for message in messages]


def _without_media(message: Message, kinds: tuple[str, ...], report: OnAnomaly) -> Message:
    parts = list(message.content)
    for n, part in enumerate(parts):
        found = media_source(part)
        if found is not None and found[0] in kinds:
            report(MediaReplaced(found[0], "model"))
            parts[n] = TextPart(STRIPPED[found[0]])
    if all(new is old for new, old in zip(parts, message.content, strict=True)):
        return message
    return with_content(message, tuple(parts), list(range(len(parts))))


KIMI_PROFILE = Profile(
    name="kimi",
    takes=msgspec.structs.replace(LENIENT, blank_messages=frozenset({"system", "user"})),
    # Its own ids are `name:index`, from zero in every turn; with others it stops calling tools.
    ids=ANY_ID,
    # `$` is for its builtin functions.
    names=Alphabet(r"\$?[a-zA-Z_][a-zA-Z0-9_-]*", 64),
    roles=PLAIN_ROLES,
    media=frozenset({"image", "video"}),
    media_roles=frozenset({"user", "tool"}),
    foreign=frozenset({"refusal"}),
    any_thinking=True,
    marks=("partial",),
    tools_in_messages=True,
    settings=SettingWords(thinking="switch", efforts=("low", "high", "max")),
    steps_look_around=False,
    steps=(media_of_model, fill_reasoning(thinks)),
)
KIMI = make_dialect(KIMI_PROFILE)
"""Chat Completions of Moonshot: ids as they are, and reasoning back with every call."""
