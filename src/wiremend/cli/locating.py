"""Where in its file a JSON pointer leads: for tools that want lines and columns."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wiremend.inputs import Document
from wiremend.inputs.parsing import decode

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class Position(NamedTuple):
    """A place in a file: line and column count from 1, the column in characters."""

    line: int
    column: int


def locate(document: Document, pointers: Sequence[str]) -> list[Position]:
    """The position of each pointer's value; of the nearest thing around it where it has none."""
    if not pointers:
        return []
    if not any(pointers):
        # The whole of it, which may be no JSON.
        return [Position(document.line or 1, 1)] * len(pointers)
    text = decode(document.data)
    starts = _starts(text, {prefix for pointer in pointers for prefix in _prefixes(pointer)})
    line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
    out = []
    for pointer in pointers:
        offset = next(starts[prefix] for prefix in _prefixes(pointer) if prefix in starts)
        line = bisect_right(line_starts, offset)
        out.append(Position((document.line or 1) + line - 1, offset - line_starts[line - 1] + 1))
    return out


def _prefixes(pointer: str) -> Iterator[str]:
    """The pointer and those of all that it lies in, the innermost first."""
    steps = pointer.split("/")
    return ("/".join(steps[:end]) for end in range(len(steps), 0, -1))


class _Open:
    """A container that the walk is in: ``step`` is its current key or index, escaped."""

    def __init__(self, pointer: str, *, is_object: bool) -> None:
        self.pointer = pointer
        self.is_object = is_object
        self.index = 0
        self.key = ""
        self.expects_key = is_object

    def inside(self) -> str:
        """The pointer of the value that comes next."""
        return f"{self.pointer}/{self.key if self.is_object else self.index}"


def _starts(text: str, wanted: set[str]) -> dict[str, int]:
    """The offsets of the values whose pointers are wanted, found in one walk over the tokens.

    ``text`` is known to be JSON. Of a key that stands twice the last one counts.
    """
    starts: dict[str, int] = {}
    stack: list[_Open] = []
    for token in _TOKEN.finditer(text):
        mark = token[0]
        around = stack[-1] if stack else None
        if mark in ("]", "}"):
            stack.pop()
        elif mark == "," and around is not None:
            around.index += 1
            around.expects_key = around.is_object
        elif around is not None and around.expects_key:
            around.key = str(json.loads(mark)).replace("~", "~0").replace("/", "~1")
            around.expects_key = False
        elif mark != ":":
            pointer = around.inside() if around is not None else ""
            if pointer in wanted:
                starts[pointer] = token.start()
            if mark in ("{", "["):
                stack.append(_Open(pointer, is_object=mark == "{"))
    return starts
