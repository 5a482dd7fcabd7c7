"""A request's bytes in, the bytes to send and every repair out. No socket is known here."""

from __future__ import annotations

import json
import zlib
from functools import cached_property
from typing import Any

import msgspec

from wiremend.errors import WiremendError
from wiremend.inputs import Unusable, parse
from wiremend.mend import fix, snapshot_of_body
from wiremend.projection import Anomaly
from wiremend.recovery.attempts import Attempt
from wiremend.recovery.thinking import dropping_blocks
from wiremend.rules import check
from wiremend.rules.sound import KINDS, read_sound
from wiremend.transit.endpoints import Endpoint, with_model, without_model

_LARGEST_UNPACKED = 256 << 20


class Came:
    """A body that came to an endpoint, read no further than is needed.

    ``raw`` are its bytes as they came. A sound one of the usual form is known for that, and for
    its model, without being made into values.
    """

    def __init__(self, raw: bytes, encoding: str, endpoint: Endpoint) -> None:
        self.raw = raw
        self.endpoint = endpoint
        self._data = unpacked(raw, encoding)
        usual = endpoint.family in KINDS and endpoint.model is None
        self._sound = read_sound(self._data, endpoint.family) if usual else None

    @cached_property
    def body(self) -> dict[str, Any] | None:
        """The JSON object that it holds; None: it is none, which is the provider's to refuse."""
        try:
            value = parse(self._data)
        except Unusable:
            return None
        return value if isinstance(value, dict) else None

    @property
    def is_conversation(self) -> bool:
        """Whether it can be judged at all."""
        return self._sound is not None or self.body is not None

    @property
    def model(self) -> str | None:
        """The model, where the body or the path names one."""
        if self._sound is not None:
            return self._sound.model
        named = (self.body or {}).get("model", self.endpoint.model)
        return named if isinstance(named, str) else None

    def is_sound_for(self, dialect: str) -> bool:
        """Whether it surely breaks no rule of a dialect."""
        return self._sound is not None and dialect == self.endpoint.family


class Request(msgspec.Struct, frozen=True):
    """A conversation that came, and by whose rules it is judged."""

    came: Came
    dialect: str

    @property
    def raw(self) -> bytes:
        """Its bytes as they came."""
        return self.came.raw

    @property
    def body(self) -> dict[str, Any]:
        """What they hold."""
        return self.came.body or {}

    @property
    def endpoint(self) -> Endpoint:
        """Where it came to."""
        return self.came.endpoint

    @property
    def model(self) -> str | None:
        """The model, where the body or the path names one."""
        return self.came.model


class Judged(msgspec.Struct, frozen=True):
    """The bytes to send, and the repairs that they took; none where ``data`` is as it came."""

    data: bytes
    anomalies: tuple[Anomaly, ...] = ()


def judge(request: Request, attempt: Attempt) -> Judged:
    """What to send for a request on this attempt.

    What breaks no rule goes as it came. What cannot be read as a conversation does too: the
    provider says better than we could what is wrong with it.
    """
    if attempt.is_plain and request.came.is_sound_for(request.dialect):
        return Judged(request.raw)
    asked = with_model(request.body, request.endpoint)
    try:
        if attempt.is_plain and not check(asked, request.dialect):
            return Judged(request.raw)
        mended = fix(asked, request.dialect, **attempt.wishes())
    except WiremendError:
        return Judged(request.raw)
    body = dropping_blocks(mended.body) if attempt.drops_blocks else mended.body
    if not mended.anomalies and not attempt.drops_blocks:
        return Judged(request.raw)
    return Judged(written(without_model(body, request.body, request.endpoint)), mended.anomalies)


def snapshot(request: Request) -> frozenset[str]:
    """The keys of the media in a request, for the policy that strips exactly those."""
    return snapshot_of_body(with_model(request.body, request.endpoint), request.dialect)


def written(body: dict[str, Any]) -> bytes:
    """The JSON of a body, on one line."""
    try:
        return msgspec.json.encode(body)
    except (OverflowError, msgspec.MsgspecError):
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def unpacked(raw: bytes, encoding: str) -> bytes:
    """A body without its content encoding, or as it is where that is none that can be read."""
    if encoding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return raw
    # Both windows: that of gzip, and that of zlib.
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        data = unpacker.decompress(raw, _LARGEST_UNPACKED)
    except zlib.error:
        return raw
    return raw if unpacker.unconsumed_tail else data
