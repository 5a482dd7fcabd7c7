"""Servers that hand the messages to a model's own chat template: vLLM, SGLang, Ollama, LM Studio.

The strictest templates decide: one system message in front, then user and assistant in turn, and
no message without words. Sources: reports 043 and 048; docs.vllm.ai, "Multimodal Inputs".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.base import Json, extras, extras_of, rest
from wiremend.dialects.names import Alphabet
from wiremend.dialects.openai_chat import Profile, make_dialect
from wiremend.dialects.openai_chat.profile import ANY_ID, LENIENT, PLAIN_ROLES
from wiremend.dialects.openai_chat.settings import SettingWords
from wiremend.dialects.profiles.order import some_user, system_in_front
from wiremend.model import AudioPart, MediaSource, Message, Part
from wiremend.projection.anomalies import OnAnomaly
from wiremend.projection.neighbours import merge_neighbours

NAME = "generic"
_AUDIO = "audio_url"


def in_turn(
    messages: Sequence[Message], _envelope: Mapping[str, Any], report: OnAnomaly
) -> Sequence[Message]:
    """Messages of one role in a row as one, system messages too."""
    return merge_neighbours(messages, report, ("system", "user", "assistant"))


def _read_part(block: Json, _role: str) -> Part | None:
    source = block.get(_AUDIO)
    if block.get("type") != _AUDIO or not isinstance(source, dict):
        return None
    url = source.get("url")
    if not isinstance(url, str):
        return None
    media = MediaSource(url, extras=extras(NAME, rest(source, "url")))
    return AudioPart(media, extras={NAME: {"type": _AUDIO, **rest(block, "type", _AUDIO)}})


def _write_part(part: Part) -> Json | None:
    """Audio by its address, where it was written so or is not in the request itself."""
    if type(part) is not AudioPart:
        return None
    source, kept = part.audio_url, extras_of(part, NAME)
    if kept.get("type") != _AUDIO and source.url.startswith("data:"):
        return None
    return {"type": _AUDIO, _AUDIO: {"url": source.url, **extras_of(source, NAME)}, **kept}


GENERIC_PROFILE = Profile(
    name=NAME,
    takes=msgspec.structs.replace(LENIENT, blank_messages=frozenset(), assistant_first=False),
    ids=ANY_ID,
    # Some are checked, some not: what can be written in a template is taken.
    names=Alphabet(r"(?s).+", 10_000),
    roles=PLAIN_ROLES,
    media=frozenset({"image", "audio", "video"}),
    labelled_images=False,
    remote_audio=True,
    reasoning=("reasoning_content", "reasoning"),
    read_part=_read_part,
    write_part=_write_part,
    settings=SettingWords(max_tokens="max_tokens", top_k=True, cache_key=None),
    steps_look_around=False,
    steps=(system_in_front, some_user, in_turn),
)
GENERIC = make_dialect(GENERIC_PROFILE)
"""Chat Completions as strict chat templates take it."""
