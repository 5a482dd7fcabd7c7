"""Where in its file a JSON pointer leads: for tools that want lines and columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from wiremend.inputs import Document
from wiremend.inputs.parsing import decode

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class Position(NamedTuple):
    """A place in a file: line and column count from 1, the column in characters."""

    line: int
    column: int


def locate(document: Document, pointers: Sequence[str]) -> list[Position]:
    """The position of each pointer's value; of the nearest thing around it where it has none."""
    if not pointers:
        return []
    text = decode(document.data)
    wanted = {prefix for pointer in pointers for prefix in _prefixes(pointer)}
    starts = _starts(text, wanted)
    first = document.line or 1
    out = []
    for pointer in pointers:
        offset = next(starts[prefix] for prefix in _prefixes(pointer) if prefix in starts)
        line = text.count("\n", 0, offset)
        out.append(Position(first + line, offset - text.rfind("\n", 0, offset)))
    return out


def _prefixes(pointer: str) -> list[str]:
    """The pointer and those of all that it lies in, the innermost first."""
    steps = pointer.split("/")
    return ["/".join(steps[:end]) for end in range(len(steps), 0, -1)]


def _starts(text: str, wanted: set[str]) -> dict[str, int]:
    """The offsets of the values whose pointers are wanted, found in one walk over the tokens."""
    from json import loads

    starts: dict[str, int] = {}
    missing = len(wanted)
    # For each open container: its pointer, and its next index or its current key.
    stack: list[tuple[str, int | None, str]] = []
    expects_key = False
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "]}":
            stack.pop()
            expects_key = False
            continue
        if mark == ",":
            base, index, _ = stack[-1]
            expects_key = index is None
            if index is not None:
                stack[-1] = (base, index + 1, str(index + 1))
            continue
        if mark == ":":
            expects_key = False
            continue
        if expects_key:
            base, _, _ = stack[-1]
            key = str(loads(mark, strict=False))
            stack[-1] = (base, None, key.replace("~", "~0").replace("/", "~1"))
            continue
        pointer = f"{stack[-1][0]}/{stack[-1][2]}" if stack else ""
        if pointer in wanted:
            # Of a repeated key the last one counts.
            starts[pointer] = token.start()
            missing -= 1
        if mark == "{":
            stack.append((pointer, None, ""))
            expects_key = True
        elif mark == "[":
            stack.append((pointer, 0, "0"))
    return starts
