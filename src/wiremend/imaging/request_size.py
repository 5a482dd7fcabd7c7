"""How much of a request its images may take, where the whole of it is too large."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from wiremend.model import Message

LEAST_DATA = 128 * 1024
"""Base64 characters that an image is left at least; rather than smaller, older ones go."""
_PLACEHOLDER = 256


class Share(NamedTuple):
    """How many of the oldest images have to go, and what each of the others may have at most."""

    dropped: int
    data: int


def written_size(messages: Sequence[Message]) -> int:
    """About how many bytes the messages take in a body."""
    sent = [(message.content, message.tool_calls) for message in messages]
    try:
        return len(msgspec.json.encode(sent))
    except UnicodeEncodeError:
        return len(json.dumps(msgspec.to_builtins(sent)))


def share(rest: int, sizes: Sequence[int], most: int) -> Share | None:
    """The share of images of these sizes, the oldest first, beside ``rest`` bytes of history.

    None where the history may stay as it is, or where it is too large without any image. What is
    beside the history, and what is added to it later, gets a part of its own. The sizes come from a
    short ladder, so that an image stays the same for many of the requests that follow.
    """
    if rest + sum(sizes) <= most - most // 64:
        return None
    room = most - most // 16 - rest
    dropped = 0
    while dropped < len(sizes) and _sum(sizes[dropped:], LEAST_DATA) > room:
        dropped += 1
        room -= _PLACEHOLDER
    if room < 0:
        return None
    data = LEAST_DATA
    while data <= max(sizes, default=0) and _sum(sizes[dropped:], 2 * data) <= room:
        data *= 2
    return Share(dropped, data)


def _sum(sizes: Sequence[int], most: int) -> int:
    return sum(min(size, most) for size in sizes)
