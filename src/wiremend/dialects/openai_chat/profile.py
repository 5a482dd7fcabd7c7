"""What differs between the servers that speak Chat Completions: data, and a few small functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from wiremend.dialects.base import Json
from wiremend.dialects.names import Alphabet
from wiremend.dialects.openai_chat.fields import NAME
from wiremend.dialects.openai_chat.settings import OPENAI_WORDS, SettingWords
from wiremend.model import Message, Part
from wiremend.projection import OnAnomaly, Takes

Before: TypeAlias = Callable[[Sequence[Message], OnAnomaly], Sequence[Message]]
"""A repair of messages taken alone, before they are projected."""
Step: TypeAlias = Callable[[Sequence[Message], Mapping[str, Any], OnAnomaly], Sequence[Message]]
"""A repair of the projected messages, which may look at the fields beside them."""

EVERY_ROLE = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
PLAIN_ROLES = frozenset({"system", "user", "assistant", "tool"})


def _no_part(_block: Json, _role: str) -> Part | None:
    return None


def _no_block(_part: Part) -> Json | None:
    return None


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """One server's manners. The defaults are those of OpenAI itself.

    ``ids`` and ``names`` are the call ids and tool names that are taken, ``roles`` those of the
    wire. ``media`` are the kinds that user messages take (image, audio, video, document) and
    ``media_roles`` who takes them; ``labelled_images``: an image's label and type matter;
    ``remote_audio`` and ``remote_documents``: an address will do where OpenAI wants the data.
    ``foreign`` are types of parts that OpenAI has and this server has not, not even to refuse.
    ``reasoning`` are the fields that hold thinking, the first of them the one for thinking from
    elsewhere if ``any_thinking``. ``said_in_fields`` are fields with which an assistant says
    something beside its content, ``marks`` those that are true for a beginning that the model is
    to go on with. ``tools_in_messages``: a message may declare tools;
    ``parsed_arguments``: arguments may be an object; ``settings`` are its words for the fields
    beside the messages. ``read_part`` and ``write_part`` know the
    parts that no other server has. ``before`` and ``steps`` repair what only this one refuses;
    ``steps_look_around``: a step may look further than at the messages beside one, at the first
    and at the last, so that every request is written whole.
    """

    name: str
    takes: Takes
    ids: Alphabet
    names: Alphabet
    roles: frozenset[str] = EVERY_ROLE
    media: frozenset[str] = frozenset({"image", "audio", "document"})
    media_roles: frozenset[str] = frozenset({"user"})
    labelled_images: bool = True
    remote_audio: bool = False
    remote_documents: bool = False
    foreign: frozenset[str] = frozenset()
    reasoning: tuple[str, ...] = ("reasoning_content",)
    any_thinking: bool = False
    said_in_fields: tuple[str, ...] = ("refusal", "audio", "function_call")
    marks: tuple[str, ...] = ()
    tools_in_messages: bool = False
    parsed_arguments: bool = False
    settings: SettingWords = OPENAI_WORDS
    read_part: Callable[[Json, str], Part | None] = _no_part
    write_part: Callable[[Part], Json | None] = _no_block
    before: tuple[Before, ...] = ()
    steps: tuple[Step, ...] = ()
    steps_look_around: bool = True


LENIENT = Takes(
    blank_text=True,
    thinking_alone=False,
    results_in_any_order=True,
    reused_ids=True,
    assistant_first=True,
)
"""About content, order and ids; strict about pairing. Most servers are so."""
ANY_ID = Alphabet(r"(?s).+", 10_000)
USUAL_NAMES = Alphabet(r"[a-zA-Z0-9_-]+", 64)

OPENAI = Profile(name=NAME, takes=LENIENT, ids=Alphabet(r"(?s).+", 40), names=USUAL_NAMES)
