"""What is kept between requests: how far the media of a turn had to be given up to get through.

A proxy is told of no sessions and turns. The requests of a turn share everything up to what the
user said last, those of a session what the user said first: hashes of that are what they are
known by here, and no word of it is kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from wiremend.dialects import find_dialect, sanitise
from wiremend.errors import WiremendError
from wiremend.model import Message, to_json
from wiremend.projection.anomalies import ignore
from wiremend.recovery.attempts import Attempt, Turn
from wiremend.transit.judging import Request


class Turns:
    """The turns and sessions that something had to be given up in; the longest unused go first."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, Turn] = OrderedDict()

    def recall(self, request: Request) -> Turn:
        """What the last request of the same turn, or else of the same session, got through with."""
        # Nearly always there is nothing, and no key has to be made.
        keys = _keys(request) if self._kept else None
        if keys is None:
            return Turn()
        turn = self._kept.get(keys.turn)
        session = self._kept.get(keys.session, Turn())
        return turn if turn is not None else session.next_turn()

    def remember(self, request: Request, accepted: Attempt) -> None:
        """Keep what a request got through with for those that follow it."""
        keys = _keys(request)
        if keys is None:
            return
        kept = self.recall(request).after(accepted)
        for key, turn in ((keys.turn, kept), (keys.session, kept.next_turn())):
            if turn != Turn():
                self._kept[key] = turn
                self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


class _Keys(NamedTuple):
    turn: bytes
    session: bytes


def _keys(request: Request) -> _Keys | None:
    try:
        dialect = find_dialect(request.dialect)
        history = dialect.decode(sanitise(request.body, ignore), ignore).history
    except (WiremendError, RecursionError):
        return None
    said = [number for number, message in enumerate(history) if message.role == "user"]
    if not said:
        return None
    salt = f"{request.dialect} {request.model} "
    return _Keys(
        _hash(f"turn {salt}", history[: said[-1] + 1]),
        _hash(f"session {salt}", history[: said[0] + 1]),
    )


def _hash(salt: str, history: Sequence[Message]) -> bytes:
    return blake2b(salt.encode() + to_json(history), digest_size=16).digest()
