"""The request body of a history that grows: a step costs what was added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from wiremend.caching import mark_cache
from wiremend.dialects import find_dialect, sanitise
from wiremend.dialects.base import Json
from wiremend.incremental.cuts import Cuts
from wiremend.incremental.growing import Growing, KeptList, Made, OverHistory, Place
from wiremend.incremental.keeping import KeptBytes, body_chunks, encode
from wiremend.incremental.projection import ASSISTANT, BEHIND, IN_FRONT, USER
from wiremend.mend import Fixed, Media, Wishes, request, written
from wiremend.model import Message, TextPart, ThinkPart, ToolCall
from wiremend.projection import Anomaly, OnAnomaly, Strip
from wiremend.projection.anomalies import ToolNameMapped, ToolsDeclared, ignore
from wiremend.projection.reach import Reach, ReachOf, reach_when_sent

_THOUGHT = [
    USER,
    Message("assistant", (ThinkPart(".", "c2ln"),), (ToolCall("before", "before", "{}"),)),
    Message("tool", (TextPart("."),), tool_call_id="before"),
]
"""What stands for a turn that has thinking and goes on."""


class _Base(NamedTuple):
    """What is written of the messages that stand for others."""

    in_front: list[Any]
    behind: list[Any]
    anomalies: Counter[Anomaly]


class RequestBuilder(OverHistory):
    """``request`` for a history that grows: the same body, at the cost of what was added.

    ``settings`` are the other fields of the body; for the other options see ``wiremend.request``
    and ``wiremend.mark_cache`` (``cache``). What was written of a message is written once, and the
    same bytes go out again, which is what the prompt caches of providers look for. A change of
    ``settings`` writes only what depends on it.

    The messages in a body are shared by the bodies of later requests: they must not be changed.
    """

    def __init__(
        self,
        dialect: str,
        settings: Mapping[str, Any] | None = None,
        *,
        strict: bool = False,
        media: Media = None,
        duplicates: Literal["rename", "drop"] | None = None,
        frontier: Literal["close", "keep"] = "close",
        cache: bool = False,
    ) -> None:
        self.dialect = dialect
        self._target = find_dialect(dialect)
        self._wishes = Wishes(strict=strict, media=media, duplicates=duplicates, frontier=frontier)
        self._cache = cache
        self._envelope: Json = dict(settings or {})
        self._bases: dict[bool, _Base | None] = {}
        self._values: KeptList[Any] | None = None
        self._bytes: KeptBytes | None = None
        # Which pictures are too old, or have to be refitted, depends on the whole history.
        self._is_plain = self._target.growth is None or not (
            media is None or media == "strip" or isinstance(media, Strip)
        )
        self._growing: Growing[Any] = Growing(self._write, self._cuts(), ())

    @property
    def settings(self) -> Mapping[str, Any]:
        """The fields of the body beside its messages."""
        return self._envelope

    @settings.setter
    def settings(self, settings: Mapping[str, Any]) -> None:
        before, self._envelope = self._envelope, dict(settings)
        if _same(before, self._envelope):
            return
        self._bases = {}
        if not self._decides(before) or not self._growing.rewrite_head():
            self._restart()

    def request(self) -> Fixed:
        """The body and every repair, as ``wiremend.request`` gives them."""
        if self._is_plain:
            return self._plain()
        if self._values is None:
            self._values = KeptList()
            self._restart()
        end = self._growing.open_end()
        body, count, recent = self._parts(end, self._values.items.__getitem__)
        if count or self._growing.closed:
            body[self._target.holds] = [*self._values.items[:count], *recent]
        return Fixed(body, tuple(self._found(end)))

    def encode(self) -> bytes:
        """The body as JSON in UTF-8, without white space. Each message is encoded once."""
        return b"".join(self.chunks())

    def chunks(self) -> list[bytes]:
        """The same in pieces, for a client that sends such: what was written before is not even
        copied. It has a length, ``sum(map(len, chunks))``, and can be sent again."""
        if self._is_plain:
            return [encode(self._plain().body)]
        if self._bytes is None:
            self._bytes = KeptBytes()
            self._restart()
        end = self._growing.open_end()
        body, count, recent = self._parts(end, self._bytes.piece)
        if not (count or self._growing.closed):
            return [encode(body)]
        body[self._target.holds] = recent
        return body_chunks(body, self._target.holds, self._bytes, count)

    def anomalies(self) -> Sequence[Anomaly]:
        """Every repair that the request took."""
        if self._is_plain:
            return self._plain().anomalies
        return self._found(self._growing.open_end())

    def _plain(self) -> Fixed:
        wishes = msgspec.structs.asdict(self._wishes)
        made = request(self._growing.history, self.dialect, self._envelope, **wishes)
        return Fixed(mark_cache(made.body, self.dialect), made.anomalies) if self._cache else made

    def _found(self, end: Made[Any]) -> list[Anomaly]:
        return [*self._growing.anomalies.items, *end.anomalies]

    def _parts(self, end: Made[Any], piece: Any) -> tuple[Json, int, list[Any]]:
        """The body, how many closed pieces stay as they are, and the pieces behind them.

        Where nothing is closed, the body has its messages already.
        """
        closed = self._growing.closed
        growth = self._target.growth
        if not closed or growth is None:
            body = dict(end.head)
            return (mark_cache(body, self.dialect) if self._cache else body), 0, []
        decided = {name: end.head[name] for name in growth.ends if name in end.head}
        body = {**self._growing.head, **decided}
        recent = end.pieces
        if not self._cache:
            return body, closed, recent
        # Marks are set at the last message and at the last of the user's before it.
        while closed and sum(1 for item in recent[:-1] if item.get("role") == "user") < 1:
            closed -= 1
            recent = [piece(closed), *recent]
        body = mark_cache({**body, self._target.holds: recent}, self.dialect)
        return body, closed, body[self._target.holds]

    def _restart(self) -> None:
        kept = [store for store in (self._values, self._bytes) if store is not None]
        for store in kept:
            store.cut(0)
        self._growing.restart(self._cuts(), kept)

    def _cuts(self) -> Cuts:
        takes, growth = self._target.takes, self._target.growth
        reach = growth.reach(self._envelope) if growth is not None else reach_when_sent
        renames = self._wishes.duplicates != "drop"
        return Cuts(
            _both(reach, renames=renames),
            reused_ids=takes.reused_ids and renames,
            in_runs=takes.results_apart,
        )

    def _decides(self, before: Mapping[str, Any]) -> bool:
        """Whether messages that were written with other settings would be written the same."""
        growth = self._target.growth
        if growth is None:
            return False
        if any(not _same(before.get(n), self._envelope.get(n)) for n in growth.reads):
            return False
        for matters in (_is_empty, self._target.continues):
            if matters(before) != matters(self._envelope):
                return False
        # A name that is made must be none of a tool.
        return not any(type(a) is ToolNameMapped for a in self._growing.anomalies.items)

    def _write(self, part: Sequence[Message], place: Place) -> Made[Any] | None:
        holds, growth = self._target.holds, self._target.growth
        anomalies: list[Anomaly] = []
        is_part = bool(place.first or place.then)
        thought = place.carry and place.first == "assistant"
        base = self._base(thought=thought) if is_part else None
        if is_part and base is None:
            return None
        in_front = _THOUGHT if thought else IN_FRONT[place.first]
        body = self._body([*in_front, *part, *BEHIND[place.then]], anomalies.append)
        if base is None:
            body = sanitise(body, anomalies.append)
            return Made([], anomalies, body)
        pieces = self._own(body.get(holds), base, len(in_front), len(BEHIND[place.then]))
        if pieces is None:
            return None
        if place.first:
            anomalies = _without(anomalies, base.anomalies)
        pieces = _sanitised(pieces, anomalies.append, holds, place.number)
        head = {name: None if name == holds else value for name, value in body.items()}
        head = sanitise(head, ignore if place.first else anomalies.append)
        thinks = growth.thinks if growth is not None else None
        return Made(pieces, anomalies, head, thinks is not None and thinks(pieces, place.carry))

    def _own(self, pieces: Any, base: _Base, before: int, behind: int) -> list[Any] | None:
        """The pieces without those of the messages that stand for others; None: they differ."""
        if not isinstance(pieces, list):
            return None
        end = len(pieces) - behind
        stand_ins = base.in_front[:before], base.behind[len(base.behind) - behind :]
        return pieces[before:end] if (pieces[:before], pieces[end:]) == stand_ins else None

    def _base(self, *, thought: bool) -> _Base | None:
        """What is written of the messages that stand for others; None where it is no piece each."""
        if thought not in self._bases:
            in_front = _THOUGHT if thought else [USER]
            anomalies: list[Anomaly] = []
            body = self._body([*in_front, ASSISTANT, USER], anomalies.append)
            pieces = body.get(self._target.holds)
            whole = isinstance(pieces, list) and len(pieces) == len(in_front) + 2
            if not whole or any(type(anomaly) is ToolNameMapped for anomaly in anomalies):
                self._bases[thought] = None
            else:
                assert isinstance(pieces, list), "just checked"
                in_front_of_user = len(in_front) + (0 if thought else 1)
                self._bases[thought] = _Base(
                    pieces[:in_front_of_user], pieces[len(in_front) :], Counter(anomalies)
                )
        return self._bases[thought]

    def _body(self, messages: Sequence[Message], report: OnAnomaly) -> Json:
        return written(self._target, messages, dict(self._envelope), self._wishes, report)


def _both(reach: ReachOf, *, renames: bool) -> ReachOf:
    """The reach in what is sent, and in the dialect."""

    def both(message: Message) -> Reach:
        far = reach(message)
        # Where calls may be dropped, nobody knows which is the first that is sent.
        to_start = reach_when_sent(message).to_start or bool(far.firsts and not renames)
        return far._replace(to_start=True) if to_start else far

    return both


def _without(anomalies: list[Anomaly], base: Counter[Anomaly]) -> list[Anomaly]:
    """The repairs of a part that are not those of every part, nor those of the begin."""
    left = Counter(base)
    out: list[Anomaly] = []
    for anomaly in anomalies:
        if left[anomaly]:
            left[anomaly] -= 1
        elif type(anomaly) is not ToolsDeclared:
            out.append(anomaly)
    return out


def _sanitised(pieces: list[Any], report: OnAnomaly, holds: str, number: int) -> list[Any]:
    if sanitise(pieces, ignore) is pieces:
        return list(pieces)
    return [sanitise(piece, report, (holds, number + n)) for n, piece in enumerate(pieces)]


def _is_empty(settings: Mapping[str, Any]) -> bool:
    return not (settings.get("tools") or settings.get("toolConfig"))


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON."""
    if one is other:
        return True
    try:
        return encode(one) == encode(other)
    except (TypeError, ValueError):
        return False
