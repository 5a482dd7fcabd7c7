"""Content parts: what a message is made of.

In JSON a part is an object with a ``type``. Attributes are snake_case in Python and camelCase
in JSON (``image_url`` is ``imageUrl``). ``extras`` keeps what a provider sent and this model
has no name for, by dialect: ``{"anthropic": {"cache_control": {"type": "ephemeral"}}}``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

Extras: TypeAlias = dict[str, Any]


class Value(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    rename="camel",
    gc=False,
    forbid_unknown_fields=True,
):
    """Base of all model values: frozen, free of reference cycles, defaults left out of JSON."""


class TextPart(Value, frozen=True, tag_field="type", tag="text"):
    """Text, as a user typed it, a model wrote it or a tool gave it."""

    text: str
    extras: Extras | None = None


class ThinkPart(Value, frozen=True, tag_field="type", tag="think"):
    """A model's reasoning. ``encrypted`` is the provider's signature: it goes back unchanged."""

    think: str
    encrypted: str | None = None
    extras: Extras | None = None


class MediaSource(Value, frozen=True):
    """Where media is: ``url`` is a ``data:`` URL or a remote one; ``id`` tells copies apart."""

    url: str
    id: str | None = None
    extras: Extras | None = None


class ImagePart(Value, frozen=True, tag_field="type", tag="image_url"):
    """An image."""

    image_url: MediaSource
    extras: Extras | None = None


class AudioPart(Value, frozen=True, tag_field="type", tag="audio_url"):
    """A sound recording."""

    audio_url: MediaSource
    extras: Extras | None = None


class VideoPart(Value, frozen=True, tag_field="type", tag="video_url"):
    """A film."""

    video_url: MediaSource
    extras: Extras | None = None


class DocumentPart(Value, frozen=True, tag_field="type", tag="document"):
    """A file to be read, such as a PDF.

    One of ``url`` (a ``data:`` URL or a remote one), ``file_id`` (the provider's) and ``text`` says
    where its content is.
    """

    url: str | None = None
    file_id: str | None = None
    text: str | None = None
    title: str | None = None
    extras: Extras | None = None


class OpaquePart(Value, frozen=True, tag_field="type", tag="opaque"):
    """Something that only ``provider`` (a dialect's name) understands, kept as it came.

    Server tool calls and their results, redacted thinking, refusals, citations' sources: sent
    back unchanged to that provider and to no other.
    """

    provider: str
    data: Any


Part: TypeAlias = (
    TextPart | ThinkPart | ImagePart | AudioPart | VideoPart | DocumentPart | OpaquePart
)
MediaPart: TypeAlias = ImagePart | AudioPart | VideoPart

# What JavaScript's trim removes, which existing session logs were written by; Python's own
# strip() differs on U+FEFF, U+0085 and U+001C to U+001F.
BLANK_CHARACTERS = (
    "\t\n\v\f\r \u00a0\ufeff\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def is_blank(text: str) -> bool:
    """Whether the text is empty or has nothing but blank characters."""
    # The first character settles it for nearly every text, without copying the text.
    return not text or (text[0] in BLANK_CHARACTERS and not text.strip(BLANK_CHARACTERS))


def is_vacuous(part: Part) -> bool:
    """Whether the part says nothing: blank text, or blank thinking that no provider signed."""
    if type(part) is TextPart:
        return is_blank(part.text)
    if type(part) is ThinkPart:
        return part.encrypted is None and is_blank(part.think)
    return False


def media_source(part: Part) -> tuple[str, MediaSource] | None:
    """The kind of a media part (``"image"``, ``"audio"`` or ``"video"``) and its source."""
    if type(part) is ImagePart:
        return "image", part.image_url
    if type(part) is AudioPart:
        return "audio", part.audio_url
    if type(part) is VideoPart:
        return "video", part.video_url
    return None
