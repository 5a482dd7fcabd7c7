"""Claude Code's records as a tree: which of them a session goes on from, and in which order.

Each record names its parent. The conversation is the way from the last record to the root; the
other blocks of an answer that was written as several records, and the results of its calls, hang
beside that way. A compaction starts a new root.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from typing import Any, NamedTuple

from wiremend.logs.base import Home, Json, Problem, Record
from wiremend.logs.faults import BROKEN_CHAIN, PARENT_LOOP

_SPOKEN = ("user", "assistant")


class Link(NamedTuple):
    """A record of the conversation. ``is_beside``: it hangs beside the way to the root."""

    record: int
    is_beside: bool


class Tree:
    """The records of a log by their ids.

    A record whose parent is lost is taken to follow the one that was written before it: in
    ``parents``, and as a problem.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self.values: list[Any] = [record.value for record in records]
        self.ids: dict[str, int] = {}
        self.parents: dict[int, str | None] = {}
        self.problems: list[Problem] = []
        self._named: list[int] = []
        for index, value in enumerate(self.values):
            if isinstance(value, dict) and isinstance(value.get("uuid"), str):
                # Of a record that was written again the last form counts.
                self.ids[value["uuid"]] = index
        self._named = sorted(self.ids.values())
        for index in self._named:
            parent = self.values[index].get("parentUuid")
            self.parents[index] = parent if isinstance(parent, str) else None
        self._keep_segment()
        self._mend_links()

    def leaf(self, without: Container[int] = ()) -> int | None:
        """The last record with something said that is not a subagent's; the tool goes on there."""
        said = (i for i in reversed(self._named) if i not in without and self._is_said(i))
        return next(said, None)

    def side_leaves(self) -> list[int]:
        """The last record of each conversation of a subagent that is written into the same log."""
        roots: dict[int, int] = {}
        for index in self._named:
            if self._is_said(index, by_subagent=True):
                roots[self.path(index)[0]] = index
        return list(roots.values())

    def path(self, leaf: int) -> list[int]:
        """From the root to ``leaf``."""
        out = [leaf]
        seen = {leaf}
        while (parent := self._parent(out[-1])) is not None and parent not in seen:
            out.append(parent)
            seen.add(parent)
        return out[::-1]

    def conversation(self, leaf: int) -> list[Link]:
        """The records of the conversation that ends with ``leaf``, in order."""
        path = self.path(leaf)
        taken = set(path)
        last = {message: i for i in path if (message := message_id(self.values[i])) is not None}
        if not last:
            return [Link(index, False) for index in path]
        beside = self._beside(last, taken)
        out: list[Link] = []
        for index in path:
            out.append(Link(index, False))
            message = message_id(self.values[index])
            if message is not None and last[message] == index:
                out.extend(Link(one, True) for one in beside.get(message, ()))
        return out

    def _beside(self, last: dict[str, int], taken: set[int]) -> dict[str, list[int]]:
        blocks: dict[str, list[int]] = {}
        children: dict[str, list[int]] = {}
        for index in self._named:
            message = message_id(self.values[index])
            if message in last:
                blocks.setdefault(message, []).append(index)
            parent = self.parents[index]
            if parent is not None:
                children.setdefault(parent, []).append(index)
        out: dict[str, list[int]] = {}
        for message, own in blocks.items():
            skipped = [index for index in own if index not in taken]
            taken.update(skipped)
            results = self._results(own, children, taken)
            out[message] = [*skipped, *results]
        return out

    def _results(
        self, blocks: list[int], children: dict[str, list[int]], taken: set[int]
    ) -> list[int]:
        found = []
        for block in blocks:
            for child in children.get(self.values[block]["uuid"], ()):
                if child not in taken and has_result(self.values[child]):
                    taken.add(child)
                    found.append(child)
        return sorted(found)

    def _is_said(self, index: int, *, by_subagent: bool = False) -> bool:
        value = self.values[index]
        return value.get("type") in _SPOKEN and bool(value.get("isSidechain")) == by_subagent

    def _parent(self, index: int) -> int | None:
        parent = self.parents.get(index)
        return None if parent is None else self.ids.get(parent)

    def _keep_segment(self) -> None:
        """A compaction may keep the last messages as they are: they follow its summary."""
        for index in reversed(self._named):
            value = self.values[index]
            if value.get("subtype") != "compact_boundary":
                continue
            about = value.get("compactMetadata")
            segment = about.get("preservedSegment") if isinstance(about, dict) else None
            if isinstance(segment, dict):
                self._splice(segment)
            return

    def _splice(self, segment: Json) -> None:
        head, anchor, tail = (segment.get(f"{name}Uuid") for name in ("head", "anchor", "tail"))
        if not all(isinstance(uuid, str) and uuid in self.ids for uuid in (head, anchor, tail)):
            return
        for index, parent in self.parents.items():
            if parent == anchor and index != self.ids[str(head)]:
                self.parents[index] = tail
        self.parents[self.ids[str(head)]] = anchor

    def _mend_links(self) -> None:
        for index in self._named:
            parent = self.parents[index]
            if parent is None or not self._is_in_doubt(index, parent):
                continue
            before = self._written_before(index)
            if before is None:
                continue
            self.parents[index] = before
            is_lost = parent not in self.ids
            fault = BROKEN_CHAIN if is_lost else PARENT_LOOP
            said = (
                "The parent of this record is not in the log: the tool forgets what is before it."
                if is_lost
                else "The parents of this record lead back to it."
            )
            mended = {**self.values[index], "parentUuid": before}
            self.problems.append(Problem(fault, Home(index, "/parentUuid"), said, mended))

    def _is_in_doubt(self, index: int, parent: str) -> bool:
        if parent not in self.ids:
            return True
        # Records are appended behind their parents, so only a link forward can close a loop.
        return self.ids[parent] >= index and index in self._ancestors(index)

    def _ancestors(self, index: int) -> Iterator[int]:
        seen: set[int] = set()
        parent = self._parent(index)
        while parent is not None and parent not in seen:
            seen.add(parent)
            yield parent
            parent = self._parent(parent)

    def _written_before(self, index: int) -> str | None:
        own = bool(self.values[index].get("isSidechain"))
        for other in reversed(self._named[: bisect_left(self._named, index)]):
            if bool(self.values[other].get("isSidechain")) == own:
                return str(self.values[other]["uuid"])
        return None


def message_id(value: Json) -> str | None:
    """The id of the provider's answer that this record is a part of."""
    message = value.get("message")
    if value.get("type") != "assistant" or not isinstance(message, dict):
        return None
    found = message.get("id")
    return found if isinstance(found, str) and found else None


def has_result(value: Any) -> bool:
    """Whether the record holds the result of a call."""
    message = value.get("message") if isinstance(value, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    return (
        value.get("type") == "user"
        and isinstance(content, list)
        and any(isinstance(block, dict) and block.get("type") == "tool_result" for block in content)
    )
