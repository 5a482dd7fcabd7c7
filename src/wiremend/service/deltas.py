"""What a stream gives piece by piece: small values, the same for every provider."""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class TextDelta(msgspec.Struct, frozen=True, tag="text"):
    """The next piece of the model's text, a refusal's too."""

    text: str


class ThinkDelta(msgspec.Struct, frozen=True, tag="think"):
    """The next piece of the model's thinking, as far as its provider shows it."""

    text: str


class CallDelta(msgspec.Struct, frozen=True, tag="call"):
    """The next piece of a call's arguments, which are JSON text; the first may be empty.

    ``index`` counts the calls of the answer from 0. ``call_id`` is the one that the recorded
    message has: where the provider's own is taken already, it is not the provider's.
    """

    index: int
    call_id: str
    name: str
    arguments: str


Delta: TypeAlias = TextDelta | ThinkDelta | CallDelta
