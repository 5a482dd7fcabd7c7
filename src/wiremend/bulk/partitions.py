"""The folder that a run over many conversations writes, and what it notes there of itself.

``part-00000.jsonl`` (or ``.parquet``) and so on are the output, ``_refused`` holds what could not
be used, by the same numbers. ``_done/part-00000.json`` is written behind them: a partition that has
it is done, whatever becomes of the run. ``_summary.json`` and ``_SUCCESS`` are written at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from wiremend.bulk.files import files_at
from wiremend.bulk.planning import Plan
from wiremend.errors import WiremendError

_AT_ONCE = 32
"""So many notes are fetched at the same time: a store is slow to answer, and answers many."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a split.

    ``read`` and ``written`` are bytes, ``refused`` documents and ``passed`` files that are no
    conversations; ``first`` is where and why something was refused first. ``counts`` are those of
    the work itself. ``failure`` says why the split could not be worked on at all.
    """

    number: int
    read: int = 0
    written: int = 0
    refused: int = 0
    passed: int = 0
    first: str | None = None
    counts: dict[str, Any] = {}
    failure: str | None = None


class _Begun(msgspec.Struct, frozen=True):
    """What a run was begun with; another run does not go on with it."""

    version: int
    run: str
    digest: str
    files: int
    bytes: int
    partitions: int


class Partitions:
    """The folder at a path or URL. Everything raises ``WiremendError``."""

    def __init__(self, root: str, total: int) -> None:
        self._files = files_at(root)
        self._root = self._files.inner(root)
        self._width = max(5, len(str(total - 1)))

    def begin(self, plan: Plan, run: str) -> None:
        """Note what is done here, or see that it is the same as it was.

        ``run`` says what is done, in words that are the same for the same work.
        """
        now = _Begun(1, run, plan.digest, plan.files, plan.size, len(plan.splits))
        kept = self._files.read(f"{self._root}/_plan.json")
        if kept is None:
            if self._files.names(self._root):
                raise WiremendError(f"{self._root} is not empty, and no run was begun there")
            self._files.write(f"{self._root}/_plan.json", msgspec.json.encode(now))
            return
        try:
            before = msgspec.json.decode(kept, type=_Begun)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise WiremendError(f"{self._root}/_plan.json does not say what was begun") from None
        if before != now:
            what = "files came, went or changed since"
            if before.run != run or before.digest == plan.digest:
                what = "other files or options were given, or it was another version of wiremend"
            raise WiremendError(f"{self._root} is about another run: {what}; name another folder")

    def done(self) -> list[Note]:
        """What is done already."""
        names = self._files.names(f"{self._root}/_done")
        paths = [f"{self._root}/_done/{name}" for name in names if name.startswith("part-")]
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            return list(threads.map(self._note, paths))

    def _note(self, path: str) -> Note:
        try:
            return msgspec.json.decode(self._files.read(path) or b"", type=Note)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise WiremendError(f"{path} does not say what was done; remove it") from None

    def put(self, note: Note, data: bytes, ending: str, refused: bytes) -> None:
        """Write a partition, what was refused, and then that it is done."""
        name = f"part-{note.number:0{self._width}}"
        if data:
            self._files.write(f"{self._root}/{name}{ending}", data)
        if refused:
            self._files.write(f"{self._root}/_refused/{name}.jsonl", refused)
        self._files.write(f"{self._root}/_done/{name}.json", msgspec.json.encode(note))

    def finish(self, summary: dict[str, Any]) -> None:
        """Write the summary, and that everything is there."""
        data = msgspec.json.format(msgspec.json.encode(summary), indent=2)
        self._files.write(f"{self._root}/_summary.json", data + b"\n")
        self._files.write(f"{self._root}/_SUCCESS", b"")


def added_up(all_counts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Counts of several partitions as one: numbers are added, names sorted."""
    total: dict[str, Any] = {}
    for counts in all_counts:
        total = _sum(total, counts)
    return total


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        return dict(sorted(_sums(one, other)))
    if isinstance(one, list | tuple):
        return [_sum(a, b) for a, b in zip(one, other, strict=True)]
    return one or other if isinstance(one, bool) else one + other


def _sums(one: dict[str, Any], other: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in one.keys() | other.keys():
        both = name in one and name in other
        yield name, _sum(one[name], other[name]) if both else one.get(name, other.get(name))
