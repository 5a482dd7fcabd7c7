"""Where a history can be cut so that each side is written without a look at the other.

A cut lies where one side has said all that it has to say and the other begins: before an answer to
the user or to complete results, and before a user who follows the assistant's words. Both messages
have to be there for certain, and nothing may reach across: no call whose result is behind the cut,
no id that is used on both sides, nothing that a dialect ties together (``projection.reach``).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, NamedTuple, TypeAlias

from wiremend.model import Message, TextPart, ThinkPart, is_blank
from wiremend.projection.reach import Reach, ReachOf

Turn: TypeAlias = Literal["", "assistant", "user"]
"""Who may begin behind a message: the side that it leaves the word to; empty: nobody."""

_WORDS = (TextPart, ThinkPart)


class _State(NamedTuple):
    """What is known behind a message."""

    next: Turn
    open: tuple[str, ...]
    """The calls that wait for a result in the run of results that may go on here."""
    called: tuple[str, ...]
    """All calls of the message that the run belongs to."""
    held: bool
    """Whether only the user can end what is open."""
    begun: bool
    """Whether a user has spoken."""


class _Undo(NamedTuple):
    """What a message changed that its state does not tell, to take it back."""

    before: tuple[tuple[Hashable, int | None], ...]
    voided: tuple[int, ...]
    everywhere: bool


_START = _State("", (), (), held=False, begun=False)
_QUIET = {
    (turn, held, begun): _State(turn, (), (), held, begun)
    for turn in ("", "assistant", "user")
    for held in (False, True)
    for begun in (False, True)
}


class Cuts:
    """The places of a growing history where it can be cut, kept up message by message.

    ``reused_ids``: a call id that was answered may be used again without a word. ``in_runs``: all
    depends on whether each result stands in the run behind its call.
    """

    def __init__(self, reach: ReachOf, *, reused_ids: bool, in_runs: bool = False) -> None:
        self.places: list[int] = []
        """In ascending order: a cut at ``n`` lies before the message ``n``."""
        self._reach = reach
        self._reused_ids = reused_ids
        self._in_runs = in_runs
        self._last: dict[Hashable, int] = {}
        self._states: list[_State] = []
        self._undo: list[_Undo | None] = []
        self._everywhere = 0

    def __len__(self) -> int:
        return len(self._states)

    @property
    def is_whole(self) -> bool:
        """Whether some message reaches everywhere, so that there is no cut at all."""
        return self._everywhere > 0

    def next_turn(self, place: int) -> Turn:
        """Who begins at a cut."""
        return self._states[place - 1].next

    def append(self, message: Message) -> None:
        """Take one more message into account."""
        index = len(self._states)
        before = self._states[-1] if self._states else _START
        reach = self._reach(message)
        known: list[tuple[Hashable, int | None]] = []
        back, repeats = self._tied(message, reach, index, known)
        voided: list[int] = []
        while self.places and self.places[-1] > back:
            voided.append(self.places.pop())
        everywhere = reach.everywhere or (
            self._in_runs and message.role == "tool" and message.tool_call_id not in before.called
        )
        self._everywhere += everywhere
        solid = _is_solid(message)
        cut = (
            back == index
            and solid
            and before.begun
            and before.next == message.role
            and (not before.held or message.role == "user")
        )
        if cut:
            self.places.append(index)
        held = reach.holds or (before.held and not (cut and message.role == "user"))
        # Calls that repeat an id may be dropped, and then the message has nothing to wait for.
        certain = solid and not repeats
        self._states.append(_behind(message, before, solid=certain, held=held))
        plain = not (known or voided or everywhere)
        self._undo.append(None if plain else _Undo(tuple(known), tuple(voided), everywhere))

    def truncate(self, end: int) -> None:
        """Forget the messages from ``end`` on."""
        for index in range(len(self._states) - 1, end - 1, -1):
            if self.places and self.places[-1] == index:
                self.places.pop()
            undo = self._undo[index]
            if undo is None:
                continue
            for key, place in reversed(undo.before):
                if place is None:
                    del self._last[key]
                else:
                    self._last[key] = place
            self.places.extend(reversed(undo.voided))
            self._everywhere -= undo.everywhere
        del self._states[end:], self._undo[end:]

    @property
    def _begun(self) -> bool:
        return bool(self._states) and self._states[-1].begun

    def _tied(
        self,
        message: Message,
        reach: Reach,
        index: int,
        known: list[tuple[Hashable, int | None]],
    ) -> tuple[int, bool]:
        """The earliest message that this one belongs together with, and whether by an id of a call.

        ``known`` gets what changes.
        """
        last = self._last
        back = -1 if reach.to_start or reach.everywhere else index
        repeats = False
        if message.role == "tool" and message.tool_call_id is not None:
            back = min(back, last.get(message.tool_call_id, index))
        # Nobody answers the calls of a message that is not sent.
        makes_calls = message.role != "tool" and not message.partial
        for call in message.tool_calls if makes_calls else ():
            place = last.get(call.id)
            if place is not None and not self._reused_ids:
                back, repeats = min(back, place), True
            known.append((call.id, place))
            last[call.id] = index
        for mark in reach.ties:
            place = last.get(mark)
            back = back if place is None else min(back, place)
            known.append((mark, place))
            last[mark] = index
        # What stands before the user, or is not sent, may be gone from the request.
        for mark in reach.firsts if makes_calls and self._begun else ():
            if mark not in last:
                back = -1
                known.append((mark, None))
                last[mark] = index
        return back, repeats


def _behind(message: Message, before: _State, *, solid: bool, held: bool) -> _State:
    begun = before.begun or (solid and message.role == "user")
    if message.role == "tool":
        left = before.open
        if message.tool_call_id in left:
            left = tuple(call_id for call_id in left if call_id != message.tool_call_id)
            turn: Turn = "" if left else "assistant"
        else:
            left, turn = (), ""
        return _State(turn, left, before.called, held, begun)
    if not message.tool_calls:
        return _QUIET[_word_to(message) if solid else "", held, begun]
    ids = tuple(call.id for call in message.tool_calls)
    complete = solid and len(set(ids)) == len(ids)
    return _State("", ids if complete else (), ids, held, begun)


def _word_to(message: Message) -> Turn:
    """Who may answer a message without calls."""
    if message.role == "user":
        return "assistant"
    # Media of the assistant's goes into a message of the user's behind it, where it may not stay.
    return "user" if all(type(part) in _WORDS for part in message.content) else ""


def _is_solid(message: Message) -> bool:
    """Whether a message of the user or the assistant is sent whatever becomes of its parts."""
    if message.partial or message.tools or message.role not in ("user", "assistant"):
        return False
    if message.tool_calls and message.role == "assistant":
        return True
    return any(type(part) is TextPart and not is_blank(part.text) for part in message.content)
