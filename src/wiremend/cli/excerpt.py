"""A small picture of a place in JSON: one line of it, and which part of that is meant.

Shape only: texts are cut short, what is nested deeper is counted.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

_TEXT = 32
_WIDTH = 88
_ITEMS = 12


class Excerpt(NamedTuple):
    """A line, and the part of it that is meant."""

    line: str
    start: int
    length: int


def excerpt(value: Any, pointer: str) -> Excerpt:
    """The place that ``pointer`` leads to, with what is around it."""
    around, step = _around(value, pointer)
    if step is None:
        line = _shown(around, depth=1)
        return _cut(line, 0, len(line))
    return _cut(*_with_mark(around, step))


def _around(value: Any, pointer: str) -> tuple[Any, str | int | None]:
    """What holds the place, and its key or index in there; None where it is all of it."""
    around, here = value, value
    step: str | int | None = None
    for raw in pointer.split("/")[1:]:
        name = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(here, list) and name.isdecimal() and int(name) < len(here):
            around, step, here = here, int(name), here[int(name)]
        elif isinstance(here, dict) and name in here:
            around, step, here = here, name, here[name]
        else:
            # What is missing is shown by what it is missing from.
            break
    if isinstance(around, list) and isinstance(step, int) and isinstance(here, dict):
        return here, None
    return around, step


def _with_mark(around: Any, step: str | int) -> tuple[str, int, int]:
    opening, closing = ("[", "]") if isinstance(around, list) else ("{", "}")
    pairs = list(enumerate(around) if isinstance(around, list) else around.items())
    at = next(n for n, (name, _) in enumerate(pairs) if name == step)
    first = max(0, at - _ITEMS)
    line, start, length = opening + ("…, " if first else ""), 0, 0
    for n, (name, item) in enumerate(pairs[first : at + _ITEMS], start=first):
        shown = _shown(item, depth=1 if n == at else 0)
        if isinstance(around, dict):
            shown = f"{short(name)}: {shown}"
        if n > first:
            line += ", "
        if n == at:
            start, length = len(line), len(shown)
        line += shown
    more = ", …" if at + _ITEMS < len(pairs) else ""
    return line + more + closing, start, length


def _shown(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return short(value)
    if isinstance(value, dict):
        if depth and value:
            items = list(value.items())[:_ITEMS]
            return "{" + ", ".join(f"{short(k)}: {_shown(v, 0)}" for k, v in items) + "}"
        return f"{{…{len(value)}}}" if value else "{}"
    if isinstance(value, list):
        if depth and value:
            return "[" + ", ".join(_shown(v, 0) for v in value[:_ITEMS]) + "]"
        return f"[…{len(value)}]" if value else "[]"
    return json.dumps(value)[:_TEXT]


def short(text: str) -> str:
    """The beginning of a text, in quotes and as a terminal can show it."""
    start = text if len(text) <= _TEXT else text[: _TEXT - 1] + "…"
    return '"' + "".join(c if c.isprintable() else _escaped(c) for c in start) + '"'


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]


def _cut(line: str, start: int, length: int) -> Excerpt:
    """The part of the line that has the mark, in the width of a terminal."""
    if len(line) <= _WIDTH:
        return Excerpt(line, start, length)
    left = max(0, min(start - 20, len(line) - _WIDTH))
    shown = line[left : left + _WIDTH]
    if left:
        shown = "…" + shown[1:]
    if left + _WIDTH < len(line):
        shown = shown[:-1] + "…"
    return Excerpt(shown, start - left, min(length, _WIDTH - (start - left)))
