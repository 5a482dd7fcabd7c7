"""Call ids that no other call of a history has, also where requests are under way side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterable


class CallIds:
    """Which ids are given out and in no history yet. Safe to use from several threads."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        self._lock = threading.Lock()

    def claim(self, history: Iterable[str]) -> Claim:
        """A claim for one answer to a history with these call ids."""
        taken = frozenset(history)
        with self._lock:
            # What is in a history speaks for itself from now on.
            self._given -= taken
        return Claim(self, taken)

    def _take(self, wanted: str, taken: frozenset[str]) -> str:
        with self._lock:
            call_id, number = wanted, 1
            while call_id in taken or call_id in self._given:
                number += 1
                call_id = f"{wanted}__{number}"
            self._given.add(call_id)
        return call_id

    def _give_back(self, ids: Iterable[str]) -> None:
        with self._lock:
            self._given.difference_update(ids)


class Claim:
    """The ids of one answer's calls: the provider's own, or ``<id>__2`` where that is taken."""

    def __init__(self, ids: CallIds, taken: frozenset[str]) -> None:
        self._ids = ids
        self._taken = taken
        self._mine: dict[int, str] = {}
        self.renamed: dict[str, str] = {}

    def name(self, index: int, wanted: str) -> str:
        """The id of the call at an index, the same each time it is asked for."""
        if index not in self._mine:
            wanted = wanted or f"call_{index}"
            self._mine[index] = call_id = self._ids._take(wanted, self._taken)  # noqa: SLF001
            if call_id != wanted:
                self.renamed[call_id] = wanted
        return self._mine[index]

    def give_back(self) -> None:
        """The answer came to nothing: its ids are free again."""
        self._ids._give_back(self._mine.values())  # noqa: SLF001
        self._mine.clear()
        self.renamed.clear()
