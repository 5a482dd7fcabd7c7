"""Which calls and results belong together: the arithmetic that both dialects share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from wiremend.errors import Path
from wiremend.rules.base import is_id

if TYPE_CHECKING:
    from collections.abc import Iterator

Placed: TypeAlias = tuple[Path, Any]


@dataclass
class Run:
    """The calls of one turn and the results in the only place where they may stand.

    Each is a path and the raw id. Ids that are no text or empty have a rule of their own and
    are passed over here.
    """

    calls: list[Placed] = field(default_factory=list)
    results: list[Placed] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """Whether each call has its result, in order: no rule about pairs has work here."""
        return [call_id for _, call_id in self.calls] == [call_id for _, call_id in self.results]

    @cached_property
    def call_ids(self) -> Counter[str]:
        """How many calls carry each id."""
        return Counter(call_id for _, call_id in self.calls if is_id(call_id))

    @cached_property
    def answers(self) -> frozenset[Path]:
        """The results that are neither orphans nor repetitions."""
        wrong = {path for found in (self.orphans(), self.repeated()) for path, _ in found}
        return frozenset(path for path, _ in self.results if path not in wrong)

    def unanswered(self) -> Iterator[tuple[Path, str]]:
        """Calls without a result; an id that is used twice is named once."""
        done = {call_id for _, call_id in self.results if is_id(call_id)}
        for path, call_id in self.calls:
            if is_id(call_id) and call_id not in done:
                done.add(call_id)
                yield path, call_id

    def orphans(self) -> Iterator[tuple[Path, str]]:
        """Results that answer none of the calls."""
        known = self.call_ids
        for path, call_id in self.results:
            if is_id(call_id) and call_id not in known:
                yield path, call_id

    def repeated(self) -> Iterator[tuple[Path, str]]:
        """Results beyond the number of calls with their id."""
        left = self.call_ids.copy()
        for path, call_id in self.results:
            if is_id(call_id) and call_id in left:
                left[call_id] -= 1
                if left[call_id] < 0:
                    yield path, call_id
