"""Which call a function response answers.

Calls of this API need no id. In the model each gets one of its own that no other call has, and the
id on the wire stays among its extras: so nothing on the wire ever has to be renamed, and a
response finds its call by id where both have one, else by name, else by its place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple


class Called(NamedTuple):
    """A call that waits for its response: its id on the wire, and its name."""

    wire_id: str | None
    name: str


class Answer(NamedTuple):
    """A function response before it is known whose it is."""

    wire_id: str | None
    name: str


class Links:
    """Hands out the ids of calls, and finds the call of each response, content by content."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}
        self._turned = False
        self._open: dict[str, Called] = {}
        self._by_id: dict[str, deque[str]] = {}
        self._by_name: dict[str, deque[str]] = {}
        self._by_name_alone: dict[str, deque[str]] = {}
        """The open calls by the ids in the model, and their ids by what tells them apart."""
        self._lost: dict[str, str] = {}
        """Calls of earlier turns that nothing answered, by their id on the wire."""

    def content(self, role: str) -> None:
        """A content of this role starts: calls that follow the user's are of another turn."""
        if role != "assistant":
            self._turned = True

    def call(self, wire_id: str | None, name: str, place: tuple[int, int]) -> str:
        """The id in the model of a call at this content and part."""
        wanted = wire_id or f"call_{place[0]}_{place[1]}"
        call_id, number = wanted, self._used.get(wanted, 0)
        while call_id in self._used:
            # Some models count from zero in every turn, so each id remembers its last number.
            number += 1
            self._used[wanted] = number
            call_id = f"{wanted}__{number}"
        self._used[call_id] = 0
        if self._turned:
            self._new_turn()
        self._open[call_id] = Called(wire_id, name)
        self._by_name.setdefault(name, deque()).append(call_id)
        if wire_id is None:
            self._by_name_alone.setdefault(name, deque()).append(call_id)
        else:
            self._by_id.setdefault(wire_id, deque()).append(call_id)
        return call_id

    def answers(self, responses: Sequence[Answer], index: int) -> list[str]:
        """The ids in the model of the calls that the responses of one content answer.

        A response whose call cannot be told gets an id that no call has.
        """
        found: dict[int, str] = {}
        for n, response in enumerate(responses):
            if response.wire_id is not None:
                self._take(n, self._next(self._by_id, response.wire_id), found)
                if n not in found and response.wire_id in self._lost:
                    found[n] = self._lost.pop(response.wire_id)
        for n, response in enumerate(responses):
            if n not in found:
                # Two different ids speak against it, whatever the names are.
                names = self._by_name if response.wire_id is None else self._by_name_alone
                self._take(n, self._next(names, response.name), found)
        self._by_place([n for n in range(len(responses)) if n not in found], responses, found)
        return [found.get(n) or self._nobody(r, index, n) for n, r in enumerate(responses)]

    def _by_place(
        self, left: list[int], responses: Sequence[Answer], found: dict[int, str]
    ) -> None:
        """Where as many calls as responses are left, each is the next one's."""
        if not left or len(left) != len(self._open):
            return
        calls = list(self._open.items())
        if all(
            call.wire_id is None or responses[n].wire_id is None
            for n, (_, call) in zip(left, calls, strict=True)
        ):
            for n, (call_id, _) in zip(left, calls, strict=True):
                self._take(n, call_id, found)

    def _new_turn(self) -> None:
        self._lost.update((c.wire_id, call_id) for call_id, c in self._open.items() if c.wire_id)
        for table in (self._open, self._by_id, self._by_name, self._by_name_alone):
            table.clear()
        self._turned = False

    def _next(self, table: dict[str, deque[str]], key: str) -> str | None:
        """The first call under a key that is still open."""
        waiting = table.get(key)
        while waiting:
            call_id = waiting.popleft()
            if call_id in self._open:
                return call_id
        return None

    def _take(self, n: int, call_id: str | None, found: dict[int, str]) -> None:
        if call_id is not None:
            del self._open[call_id]
            found[n] = call_id

    def _nobody(self, response: Answer, index: int, n: int) -> str:
        wanted = response.wire_id or f"response_{index}_{n}"
        while wanted in self._open or (wanted in self._used and response.wire_id is None):
            wanted += "_"
        return wanted
