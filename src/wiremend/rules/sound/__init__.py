"""The quick answer: requests in which no rule can find anything, known by their type.

Nearly every request is sound, and going through all rules to say so takes ten times as long as
reading it. Here the form that most requests have is a type, whose values msgspec reads and
verifies at once; what a type cannot say is one walk over the messages. Whatever is unusual is not
sound for all that is known here, and is the rules' to judge: these types allow less than providers
do, never more than the rules.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from wiremend.rules.base import has_non_finite
from wiremend.rules.sound import anthropic, chat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wiremend.rules.sound.base import Kind, Request

KINDS: Mapping[str, Kind[Any]] = {kind.dialect: kind for kind in (chat.KIND, anthropic.KIND)}
"""The dialects that have a quick answer."""


def is_sound(body: Any, dialect: str) -> bool:
    """Whether a body surely breaks no rule of its dialect; False: that has to be looked into."""
    kind = KINDS.get(dialect)
    if kind is None:
        return False
    try:
        read = msgspec.convert(body, kind.type)
        if not kind.holds(read):
            return False
        # Half of a surrogate pair, and numbers that are none, hide where no type looks.
        msgspec.json.encode(body)
        beside = (value for name, value in body.items() if name != "messages")
        return not any(map(has_non_finite, chain(kind.loose(read), beside)))
    except (ValueError, TypeError, OverflowError, RecursionError):
        return False


def read_sound(data: bytes, dialect: str) -> Request | None:
    """A body that was not read yet, if it is sound and surely of no other format; else None."""
    kind = KINDS[dialect]
    try:
        read: Request = kind.decoder.decode(data)
        return read if kind.is_evident(read) and kind.holds(read) else None
    except (ValueError, RecursionError):
        return None
