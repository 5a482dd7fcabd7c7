"""The request body as lines of JSON, message by message, with the lines that changed marked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from wiremend.dialects import find_dialect
from wiremend.inspector.entries import Block, Entry
from wiremend.inspector.view import View

Json = dict[str, Any]
_LONGEST = 2_000
"""A line longer than this is cut: it is somebody's picture."""


class RequestLines:
    """The body in chunks: what stands before the messages, each message, what stands behind.

    ``shown`` may give other values to be shown, each with the name of its field.
    """

    def __init__(self, view: View, shown: Callable[[Any, str], Any] | None = None) -> None:
        self._view = view
        self._shown = shown
        self._holds = find_dialect(view.options.dialect).holds
        body = view.body
        names = list(body)
        at = names.index(self._holds) if self._holds in body else len(names)
        self._before, self._after = names[:at], names[at + 1 :]
        found = body.get(self._holds)
        self._items: Sequence[Any] = found if isinstance(found, list) else ()
        self._has_list = isinstance(found, list)
        self._entries = {entry.pointer: n for n, entry in enumerate(view.right)}
        self._marks = self._changed_pointers()
        self.changed = sorted(
            {self._chunk_of(pointer) for pointer in self._marks if self._chunk_of(pointer) >= 0}
        )

    def __len__(self) -> int:
        return len(self._items) + 2

    def chunks(self, start: int, end: int) -> list[Json]:
        """The chunks from ``start`` to before ``end``: lines as ``[text, changed]``."""
        numbers = range(max(start, 0), min(end, len(self)))
        return [self._chunk(number) for number in numbers]

    def _chunk(self, number: int) -> Json:
        lines: list[tuple[str, bool]] = []
        entry = -1
        if number == 0:
            lines.append(("{", False))
            last = not (self._has_list or self._after)
            lines += self._members(self._before, ends=last)
            if self._has_list:
                lines.append((f"  {json.dumps(self._holds)}: [", False))
            elif self._holds in self._view.body:
                lines += self._members([self._holds], ends=not self._after)
        elif number == len(self) - 1:
            if self._has_list:
                lines.append(("  ]," if self._after else "  ]", False))
            lines += self._members(self._after, ends=True)
            lines.append(("}", False))
        else:
            index = number - 1
            pointer = f"/{self._holds}/{index}"
            entry = self._entries.get(pointer, -1)
            comma = "" if index == len(self._items) - 1 else ","
            lines += self._lines("    ", self._items[index], pointer, comma)
        return {
            "index": number,
            "entry": entry,
            "lines": [[_cut(text), int(changed)] for text, changed in lines],
        }

    def _members(self, names: Sequence[str], *, ends: bool) -> Iterator[tuple[str, bool]]:
        for number, name in enumerate(names):
            comma = "" if ends and number == len(names) - 1 else ","
            pointer = f"/{_step(name)}"
            yield from self._lines(
                "  ", self._view.body[name], pointer, comma, f"{self._name(name)}: "
            )

    def _name(self, name: str) -> str:
        shown = {name: ""} if self._shown is None else self._shown({name: ""}, "")
        return _text(next(iter(shown)))

    def _lines(
        self, indent: str, value: Any, pointer: str, comma: str, name: str = ""
    ) -> Iterator[tuple[str, bool]]:
        if self._shown is not None:
            value = self._shown(value, pointer.rpartition("/")[2])
        for text, place in _written(value, indent, pointer, f"{indent}{name}", comma):
            yield text, self._is_marked(place)

    def _is_marked(self, pointer: str) -> bool:
        while pointer:
            if pointer in self._marks:
                return True
            pointer = pointer.rpartition("/")[0]
        return False

    def _chunk_of(self, pointer: str) -> int:
        steps = pointer.split("/")
        if len(steps) > 2 and steps[1] == self._holds:
            return int(steps[2]) + 1
        name = steps[1].replace("~1", "/").replace("~0", "~") if len(steps) > 1 else ""
        return 0 if name in self._before else len(self) - 1 if name in self._after else -1

    def _changed_pointers(self) -> set[str]:
        marks = {pointer for entry in self._view.right for pointer in _marks_of(entry)}
        before = self._view.before
        if before is not None and not self._view.lost:
            for name, value in self._view.body.items():
                if name != self._holds and before.get(name) != value:
                    marks.update(_differences(before.get(name), value, f"/{_step(name)}"))
            marks.update(self._changed_fields(before))
        return marks

    def _changed_fields(self, before: Json) -> Iterator[str]:
        """What differs in messages that are linked one to one, fields that are no blocks too."""
        old = before.get(self._holds)
        if not isinstance(old, list):
            return
        partners: dict[int, list[int]] = {}
        for link in self._view.linked.links:
            if link.in_order:
                partners.setdefault(link.right, []).append(link.left)
        for number, lefts in partners.items():
            right, left = self._view.right[number].pointer, self._view.left[lefts[0]].pointer
            start = f"/{self._holds}/"
            if len(lefts) == 1 and right.startswith(start) and left.startswith(start):
                one, other = old[int(left[len(start) :])], self._items[int(right[len(start) :])]
                if one is not other and one != other and not _is_rewritten(one, other):
                    yield from _differences(one, other, right)


def _is_rewritten(one: Any, other: Any) -> bool:
    """Whether the lists inside differ in length, so that their blocks tell more than indexes."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return True
    return any(
        isinstance(one.get(name), list) != isinstance(other.get(name), list)
        or (isinstance(one.get(name), list) and len(one[name]) != len(other[name]))
        for name in ("content", "parts", "tool_calls")
        if name in one and name in other
    )


def _marks_of(entry: Entry) -> Iterator[str]:
    if entry.state in ("added", "moved"):
        yield entry.pointer
    else:
        yield from (block.pointer for block in entry.blocks if _is_new(block))


def _is_new(block: Block) -> bool:
    return block.state != "same" and bool(block.pointer)


def _differences(one: Any, other: Any, pointer: str) -> Iterator[str]:
    """The pointers of the smallest values in ``other`` that ``one`` does not have so."""
    if one == other:
        return
    if isinstance(one, dict) and isinstance(other, dict):
        for name, value in other.items():
            place = f"{pointer}/{_step(name)}"
            if name not in one:
                yield place
            else:
                yield from _differences(one[name], value, place)
        if one.keys() - other.keys() and other.keys() <= one.keys():
            yield f"{pointer}/"
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, value in enumerate(other):
            yield from _differences(one[index], value, f"{pointer}/{index}")
    else:
        yield pointer


def _written(
    value: Any, indent: str, pointer: str, start: str, comma: str
) -> Iterator[tuple[str, str]]:
    """Lines of JSON with the pointer of what each is about; no recursion, however deep it goes."""
    stack: list[Any] = [(value, indent, pointer, start, comma)]
    while stack:
        top = stack.pop()
        if len(top) == 2:
            yield top
            continue
        value, indent, pointer, start, comma = top
        inner = indent + "  "
        if isinstance(value, dict) and value:
            yield f"{start}{{", pointer
            stack.append((f"{indent}}}{comma}", pointer))
            last = len(value) - 1
            members = [
                (
                    item,
                    inner,
                    f"{pointer}/{_step(name)}",
                    f"{inner}{_text(name)}: ",
                    "," if n < last else "",
                )
                for n, (name, item) in enumerate(value.items())
            ]
            stack.extend(reversed(members))
        elif isinstance(value, list) and value:
            yield f"{start}[", pointer
            stack.append((f"{indent}]{comma}", pointer))
            last = len(value) - 1
            items = [
                (item, inner, f"{pointer}/{n}", inner, "," if n < last else "")
                for n, item in enumerate(value)
            ]
            stack.extend(reversed(items))
        else:
            yield f"{start}{_text(value)}{comma}", pointer


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _step(name: object) -> str:
    return str(name).replace("~", "~0").replace("/", "~1")


def _cut(line: str) -> str:
    more = len(line) - _LONGEST
    return line if more <= 0 else f"{line[:_LONGEST]}… ({more:,} more characters)"
