"""Which call a function response answers.

Calls of this API need no id. In the model each gets one of its own that no other call has, and the
id on the wire stays among its extras: so nothing on the wire ever has to be renamed, and a
response finds its call by id where both have one, else by name, else by its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Called(NamedTuple):
    """A call that waits for its response: its id in the model, its id on the wire, its name."""

    call_id: str
    wire_id: str | None
    name: str


class Answer(NamedTuple):
    """A function response before it is known whose it is."""

    wire_id: str | None
    name: str


class Links:
    """Hands out the ids of calls, and finds the call of each response, content by content."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._open: list[Called] = []
        self._turned = False
        self._lost: dict[str, Called] = {}
        """Calls of earlier turns that nothing answered, by their id on the wire."""

    def content(self, role: str) -> None:
        """A content of this role starts: calls that follow the user's are of another turn."""
        if role != "assistant":
            self._turned = True

    def call(self, wire_id: str | None, name: str, place: tuple[int, int]) -> str:
        """The id in the model of a call at this content and part."""
        wanted = wire_id or f"call_{place[0]}_{place[1]}"
        call_id, number = wanted, 1
        while call_id in self._used:
            number += 1
            call_id = f"{wanted}__{number}"
        self._used.add(call_id)
        if self._turned:
            self._lost.update((c.wire_id, c) for c in self._open if c.wire_id)
            self._open, self._turned = [], False
        self._open.append(Called(call_id, wire_id, name))
        return call_id

    def answers(self, responses: Sequence[Answer], index: int) -> list[str]:
        """The ids in the model of the calls that the responses of one content answer.

        A response whose call cannot be told gets an id that no call has.
        """
        found: dict[int, str] = {}
        for n, response in enumerate(responses):
            call = self._by_id(response)
            if call is not None:
                found[n] = call.call_id
        for n, response in enumerate(responses):
            if n not in found:
                named = (c for c in self._open if c.name == response.name and _fits(c, response))
                self._take(n, next(named, None), found)
        left = [n for n in range(len(responses)) if n not in found]
        if len(left) == len(self._open) and all(
            _fits(call, responses[n]) for n, call in zip(left, self._open, strict=True)
        ):
            for n, call in zip(left, tuple(self._open), strict=True):
                self._take(n, call, found)
        return [found.get(n) or self._nobody(r, index, n) for n, r in enumerate(responses)]

    def _by_id(self, response: Answer) -> Called | None:
        if response.wire_id is None:
            return None
        call = next((c for c in self._open if c.wire_id == response.wire_id), None)
        if call is not None:
            self._open.remove(call)
            return call
        return self._lost.pop(response.wire_id, None)

    def _take(self, n: int, call: Called | None, found: dict[int, str]) -> None:
        if call is not None:
            self._open.remove(call)
            found[n] = call.call_id

    def _nobody(self, response: Answer, index: int, n: int) -> str:
        wanted = response.wire_id or f"response_{index}_{n}"
        while wanted in self._used and response.wire_id is None:
            wanted += "_"
        return wanted


def _fits(call: Called, response: Answer) -> bool:
    """Whether nothing speaks against it: two different ids do."""
    return call.wire_id is None or response.wire_id is None
