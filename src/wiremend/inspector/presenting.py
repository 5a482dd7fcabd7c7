"""A view as the page takes it: a summary, and rows in pages, so that nothing large goes at once.

Long texts are cut (the page asks for the whole where somebody opens one), and pictures are
fetched one by one. What is written here is plain JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from wiremend.dialects.data_urls import parse_data_url, sniff
from wiremend.inspector.entries import Block, Entry
from wiremend.inspector.linking import Link, Row, blocks_with
from wiremend.inspector.placing import Problem, Repair
from wiremend.inspector.request_lines import RequestLines
from wiremend.inspector.view import View
from wiremend.rules import find_rule

Json = dict[str, Any]
CUT = 1_600
"""So many characters of a text are shown before somebody asks for more."""
_MOST_LISTED = 200
PICTURES = {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp"}
"""The raster types that a browser shows, and that cannot hold anything that runs."""


class Presented:
    """One view, ready to be asked for parts of it. ``cut=None`` leaves all texts whole.

    ``shown`` may put other values into the request's JSON; see ``RequestLines``.
    """

    def __init__(
        self,
        view: View,
        *,
        cut: int | None = CUT,
        shown: Callable[[Any, str], Any] | None = None,
    ) -> None:
        self.view = view
        self._cut = cut
        self._links_of_left: dict[int, list[Link]] = {}
        self._links_of_right: dict[int, list[Link]] = {}
        for one in view.linked.links:
            self._links_of_left.setdefault(one.left, []).append(one)
            self._links_of_right.setdefault(one.right, []).append(one)
        self._repairs = _by_row(enumerate(view.repairs), self._row_of_repair)
        self._problems = _by_row(enumerate(view.problems), self._row_of_problem)
        self._remaining = _by_row(enumerate(view.remaining), self._row_of_remaining)
        self.lines = RequestLines(view, shown)

    def summary(self) -> Json:
        """What stands above the rows, and where to jump to."""
        view = self.view
        repairs = [(one, self._row_of_repair(one)) for one in view.repairs]
        problems = [(one, self._row_of_problem(one)) for one in view.problems]
        remaining = [(one, self._row_of_remaining(one)) for one in view.remaining]
        return {
            "dialect": view.options.dialect,
            "judgedFor": view.judged_for or view.options.dialect,
            "strict": view.options.strict,
            "media": view.options.media,
            "verdict": view.verdict,
            "failure": view.failure,
            "left": _totals(view.left),
            "right": _totals(view.right),
            "rows": len(view.linked.rows),
            "repairCount": len(view.repairs),
            "problemCount": len(view.problems),
            "remainingCount": len(view.remaining),
            "repairs": _listed(repairs),
            "problems": _listed(problems),
            "remaining": _listed(remaining),
            "kinds": _kinds(view.repairs),
            "repairRows": sorted({row for _, row in repairs if row >= 0}),
            "problemRows": sorted({row for _, row in (*problems, *remaining) if row >= 0}),
            "rules": _rules(view),
            "lost": [msgspec.to_builtins(one) for one in view.lost],
            "bodyChunks": len(self.lines),
            "bodyChanged": self.lines.changed,
        }

    def rows(self, start: int, end: int) -> list[Json]:
        """The rows from ``start`` to before ``end``."""
        rows = self.view.linked.rows[max(start, 0) : max(end, 0)]
        return [self._row(number, row) for number, row in enumerate(rows, max(start, 0))]

    def search(self, wanted: str, most: int = 5_000) -> list[int]:
        """The numbers of the rows that hold a text, in any case."""
        needle = wanted.casefold()
        found: list[int] = []
        if not needle:
            return found
        for number, row in enumerate(self.view.linked.rows):
            entries = [self.view.left[n] for n in row.left] + [
                self.view.right[n] for n in row.right
            ]
            if any(needle in text.casefold() for entry in entries for text in _texts(entry)):
                found.append(number)
                if len(found) >= most:
                    break
        return found

    def block(self, side: str, entry: int, path: Sequence[int]) -> Block | None:
        """The block at a path of indexes in an entry; None where there is none."""
        entries = self.view.left if side == "left" else self.view.right
        if not 0 <= entry < len(entries) or not path:
            return None
        blocks, found = entries[entry].blocks, None
        for index in path:
            if not 0 <= index < len(blocks):
                return None
            found = blocks[index]
            blocks = found.parts
        return found

    def row_of(self, side: str, entry: int) -> int:
        """The row that an entry stands in; -1 where there is no such entry."""
        homes = self.view.linked.row_of_left if side == "left" else self.view.linked.row_of_right
        return homes[entry] if 0 <= entry < len(homes) else -1

    def _row(self, number: int, row: Row) -> Json:
        linked = self.view.linked
        links = [one for n in row.left for one in self._links_of_left.get(n, ())]
        links += [
            one
            for n in row.right
            for one in self._links_of_right.get(n, ())
            if linked.row_of_left[one.left] != number
        ]
        return {
            "index": number,
            "left": [self._entry(n, self.view.left[n]) for n in row.left],
            "right": [self._entry(n, self.view.right[n]) for n in row.right],
            "links": [
                {
                    **msgspec.to_builtins(one),
                    "leftRow": linked.row_of_left[one.left],
                    "rightRow": linked.row_of_right[one.right],
                }
                for one in links
            ],
            "repairs": self._repairs.get(number, []),
            "problems": self._problems.get(number, []),
            "remaining": self._remaining.get(number, []),
        }

    def _entry(self, number: int, entry: Entry) -> Json:
        written: Json = msgspec.to_builtins(entry)
        written["number"] = number
        written["blocks"] = [self._block(block) for block in entry.blocks]
        return written

    def _block(self, block: Block) -> Json:
        written: Json = msgspec.to_builtins(block)
        text = block.text
        if self._cut is not None and len(text) > self._cut:
            written["text"], written["more"] = text[: self._cut], len(text) - self._cut
        if block.source:
            written.pop("source")
            written.update(described(block.source))
        if block.parts:
            written["parts"] = [self._block(part) for part in block.parts]
        return written

    def _row_of_repair(self, repair: Repair) -> int:
        if repair.left:
            return self.view.linked.row_of_left[repair.left[0]]
        return self.view.linked.row_of_right[repair.right[0]] if repair.right else -1

    def _row_of_problem(self, problem: Problem) -> int:
        return self.view.linked.row_of_left[problem.entry] if problem.entry >= 0 else -1

    def _row_of_remaining(self, problem: Problem) -> int:
        return self.view.linked.row_of_right[problem.entry] if problem.entry >= 0 else -1


def described(source: str) -> Json:
    """What can be said of media: where it is, or its type and size; whether it can be shown."""
    parsed = parse_data_url(source)
    if parsed is None:
        address = source if len(source) <= 300 else f"{source[:299]}…"
        return {"address": address} if not source.startswith("data:") else {"label": "data"}
    found = sniff(parsed.data)
    return {
        "label": parsed.media_type or "no type",
        "bytes": len(parsed.data.rstrip("=")) * 3 // 4,
        **({"picture": PICTURES[found]} if found in PICTURES else {}),
    }


def _by_row(numbered: Any, row_of: Callable[[Any], int]) -> dict[int, list[Json]]:
    found: dict[int, list[Json]] = {}
    for number, one in numbered:
        row = row_of(one)
        if row >= 0:
            found.setdefault(row, []).append({"n": number, **msgspec.to_builtins(one)})
    return found


def _listed(found: Sequence[tuple[Repair | Problem, int]]) -> list[Json]:
    return [
        {"n": number, "row": row, **msgspec.to_builtins(one)}
        for number, (one, row) in enumerate(found[:_MOST_LISTED])
    ]


def _totals(entries: Sequence[Entry]) -> Json:
    return {"entries": len(entries), "tokens": sum(entry.tokens for entry in entries)}


def _kinds(repairs: Sequence[Repair]) -> list[Json]:
    counts = Counter(one.kind for one in repairs)
    docs = {one.kind: one.doc for one in repairs}
    return [
        {"kind": kind, "count": count, "doc": docs[kind]} for kind, count in counts.most_common()
    ]


def _rules(view: View) -> Json:
    """The rules that are spoken of, by their codes."""
    codes = {code for one in view.repairs for code in one.rules}
    codes |= {one.code for one in (*view.problems, *view.remaining)}
    found = (rule for code in sorted(codes) if (rule := find_rule(code)) is not None)
    return {
        rule.code: {
            "name": rule.name,
            "summary": rule.summary,
            "doc": rule.doc,
            "says": rule.said_by.get(view.options.dialect, rule.provider_error),
        }
        for rule in found
    }


def _texts(entry: Entry) -> Iterator[str]:
    yield entry.role
    yield entry.note
    if entry.origin is not None:
        yield entry.origin.kind
        yield from entry.origin.detail.values()
    for block in blocks_with(entry):
        yield from (block.text, block.name, block.call)
