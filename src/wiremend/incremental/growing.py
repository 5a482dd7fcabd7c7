"""What was written of a history that grows: its closed part is kept, its open end written anew.

The closed part is written segment by segment, from cut to cut (``cuts``), each with an invented
message in front of it and behind it, so that nothing takes it for the begin or the end of a
request. A segment whose end is no cut any more, because something came that reaches back across
it, is written anew with what follows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import compress, count
from operator import is_not
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from wiremend.incremental.cuts import Cuts, Turn
from wiremend.model import Message
from wiremend.projection.anomalies import Anomaly

P = TypeVar("P")
P_contra = TypeVar("P_contra", contravariant=True)

SEGMENT = 128
"""About how many messages are written at once where many came: what an undo costs at most."""


class Made(NamedTuple, Generic[P]):
    """What was written of a part of the history.

    ``head`` is what stands beside the pieces, ``carry`` what has to be known of them to go on
    (None and False where there is no such thing).
    """

    pieces: list[P]
    anomalies: list[Anomaly]
    head: Any = None
    carry: bool = False


class Place(NamedTuple):
    """Where a part stands: who begins it and who goes on behind it (empty: nobody, it is the end).

    ``number`` of pieces stand before it; ``carry`` is that of the part before. A part at the very
    begin has nothing in front of it.
    """

    first: Turn
    then: Turn
    number: int
    carry: bool


class Kept(Protocol[P_contra]):
    """Where the pieces of closed segments go."""

    def extend(self, pieces: Sequence[P_contra]) -> None:
        """Add the pieces of one more segment."""
        ...

    def mark(self) -> int:
        """How much there is, for ``cut``."""
        ...

    def cut(self, mark: int) -> None:
        """Go back to what there was."""
        ...


class KeptList(Generic[P]):
    """Pieces as they are. ``items`` only ever grows: what was shared of it stays as it was."""

    def __init__(self) -> None:
        self.items: list[P] = []

    def extend(self, pieces: Sequence[P]) -> None:
        """See ``Kept``."""
        self.items.extend(pieces)

    def mark(self) -> int:
        """See ``Kept``."""
        return len(self.items)

    def cut(self, mark: int) -> None:
        """See ``Kept``."""
        self.items = self.items[:mark]


class _Segment(NamedTuple):
    """A closed segment: what there was of everything at its end."""

    end: int
    number: int
    anomalies: int
    marks: tuple[int, ...]
    carry: bool


_BEGIN = _Segment(0, 0, 0, (), carry=False)


class Growing(Generic[P]):
    """A history, the pieces of its closed part in ``kept``, and its open end.

    ``write`` writes a part of the history. It may refuse a part of which it finds that it cannot
    be written alone (None): then everything is written at once.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Message], Place], Made[P] | None],
        cuts: Cuts,
        kept: Sequence[Kept[P]],
    ) -> None:
        self.history: list[Message] = []
        self.anomalies: KeptList[Anomaly] = KeptList()
        self.head: Any = None
        """That of the first closed segment."""
        self._write = write
        self._cuts = cuts
        self._kept = kept
        self._segments: list[_Segment] = []
        self._end: Made[P] | None = None
        self._refused = False

    @property
    def closed(self) -> int:
        """How many pieces are closed."""
        return self._segments[-1].number if self._segments else 0

    def append(self, message: Message) -> None:
        """Add a message."""
        self.history.append(message)
        self._end = None

    def truncate(self, end: int) -> None:
        """Forget the messages from ``end`` on."""
        if end >= len(self.history):
            return
        del self.history[end:]
        self._cuts.truncate(end)
        self._end = None
        self._refused = False
        self._reopen(lambda segment: segment.end > end)

    def follow(self, history: Sequence[Message]) -> None:
        """Become this history: what is the same from the start, object for object, is kept."""
        own = self.history
        same = min(len(own), len(history))
        same = next(compress(count(), map(is_not, own, history)), same)
        self.truncate(same)
        self.extend(history[same:])

    def restart(self, cuts: Cuts, kept: Sequence[Kept[P]]) -> None:
        """Write everything anew."""
        self._reopen(lambda _: True)
        self._cuts, self._kept = cuts, kept
        self._end = None
        self._refused = False

    def rewrite_head(self) -> bool:
        """Write the first segment anew, for its head alone; whether the rest of it is the same."""
        self._end = None
        self._refused = False
        if not self._segments:
            return True
        first = self._segments[0]
        made = self._part(_BEGIN, first.end, self._cuts.next_turn(first.end))
        if made is None or made.anomalies != self.anomalies.items[: first.anomalies]:
            return False
        self.head = made.head
        return len(made.pieces) == first.number

    def extend(self, messages: Iterable[Message]) -> None:
        """Add messages."""
        self.history.extend(messages)
        self._end = None

    def open_end(self) -> Made[P]:
        """What is written of the open end, once all is closed that can be."""
        if self._end is None:
            for index in range(len(self._cuts), len(self.history)):
                self._cuts.append(self.history[index])
            self._end = self._written()
        return self._end

    def _written(self) -> Made[P]:
        places = self._cuts.places
        self._reopen(lambda segment: not _holds(places, segment.end))
        if not (self._refused or self._cuts.is_whole) and self._close():
            end = self._part(self._at, len(self.history), "")
            if end is not None:
                return end
        self._refused = True
        self._reopen(lambda _: True)
        whole = self._write(self.history, Place("", "", 0, carry=False))
        assert whole is not None, "a whole history can always be written"
        return whole

    @property
    def _at(self) -> _Segment:
        return self._segments[-1] if self._segments else _BEGIN

    def _close(self) -> bool:
        """Close what can be closed; whether nothing refused to be."""
        places = self._cuts.places
        last = places[-1] if places else 0
        while (at := self._at).end < last:
            wanted = min(at.end + SEGMENT, last)
            end = places[bisect_left(places, wanted)]
            made = self._part(at, end, self._cuts.next_turn(end))
            if made is None:
                return False
            if not self._segments:
                self.head = made.head
            for kept in self._kept:
                kept.extend(made.pieces)
            self.anomalies.extend(made.anomalies)
            marks = tuple(kept.mark() for kept in self._kept)
            number = at.number + len(made.pieces)
            self._segments.append(_Segment(end, number, self.anomalies.mark(), marks, made.carry))
        return True

    def _part(self, at: _Segment, end: int, then: Turn) -> Made[P] | None:
        first = self._cuts.next_turn(at.end) if at.end else ""
        return self._write(self.history[at.end : end], Place(first, then, at.number, at.carry))

    def _reopen(self, stale: Callable[[_Segment], bool]) -> None:
        """Forget the segments at the end that are not closed any more."""
        there = len(self._segments)
        while self._segments and stale(self._segments[-1]):
            self._segments.pop()
        if len(self._segments) == there:
            return
        at = self._at
        self.anomalies.cut(at.anomalies)
        for kept, mark in zip(self._kept, at.marks or (0,) * len(self._kept), strict=True):
            kept.cut(mark)


def _holds(places: list[int], place: int) -> bool:
    at = bisect_left(places, place)
    return at < len(places) and places[at] == place


class OverHistory:
    """What everything that is made of a growing history can be told about it."""

    _growing: Growing[Any]

    def __len__(self) -> int:
        return len(self._growing.history)

    def append(self, message: Message) -> None:
        """Add a message to the history."""
        self._growing.append(message)

    def extend(self, messages: Iterable[Message]) -> None:
        """Add messages to the history."""
        self._growing.extend(messages)

    def truncate(self, end: int) -> None:
        """Take the messages from ``end`` on out of the history, as an undo does."""
        self._growing.truncate(end)

    def follow(self, history: Sequence[Message]) -> None:
        """Make this the history. What it begins with that was there before, the same objects, is
        kept as it was made; to find that out costs some nanoseconds a message."""
        self._growing.follow(history)
