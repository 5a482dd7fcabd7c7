"""What was found in many conversations, counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from wiremend.cli.base import count
from wiremend.rules import Violation

_FEW = 10
"""So many conversations can be looked at one by one: no table is needed."""


class Tally(msgspec.Struct):
    """Counts of a run; ``rules`` has violations and conversations of each code and name."""

    conversations: int = 0
    broken: int = 0
    violations: int = 0
    fixable: int = 0
    unusable: int = 0
    passed: int = 0
    rules: dict[str, tuple[int, int]] = {}
    stopped: bool = False

    def add(self, conversations: int, broken: int, violations: Sequence[Violation]) -> None:
        """Count what was checked, and what was found."""
        self.conversations += conversations
        if not violations:
            return
        self.broken += broken
        self.violations += len(violations)
        here: set[str] = set()
        for one in violations:
            self.fixable += one.fixable
            key = f"{one.code} {one.rule}"
            times, places = self.rules.get(key, (0, 0))
            self.rules[key] = times + 1, places + (key not in here)
            here.add(key)

    def in_words(self) -> str:
        """The counts in one line."""
        said = count(self.conversations, "conversation")
        if self.violations:
            said += f", {self.broken} with {count(self.violations, 'violation')}"
            said += f" ({self.fixable} repaired by `wiremend fix`)"
        elif self.conversations:
            said += ", no violations"
        if self.unusable:
            said += f", {count(self.unusable, 'unusable input')}"
        if self.passed:
            said += f", {count(self.passed, 'other file')} passed over"
        if self.stopped:
            said += "; stopped there, as --strict-input says"
        return said

    def table(self) -> Iterator[str]:
        """The rules that were broken, where there is much to look at."""
        return table(("rule", "violations", "conversations"), self.rules, self.conversations)


def table(
    head: Sequence[str], counts: Mapping[str, Sequence[int]], conversations: int
) -> Iterator[str]:
    """Lines with what was counted under each name, the most frequent first.

    None where so few conversations can be looked at one by one.
    """
    if conversations <= _FEW or not counts:
        return
    width = max(map(len, counts))
    yield "  " + "  ".join([head[0].ljust(width), *(f"{name:>10}" for name in head[1:])])
    for name, numbers in sorted(counts.items(), key=lambda item: (-item[1][0], item[0])):
        cells = (f"{n:>{max(10, len(h))},}" for n, h in zip(numbers, head[1:], strict=True))
        yield "  " + "  ".join([name.ljust(width), *cells])
