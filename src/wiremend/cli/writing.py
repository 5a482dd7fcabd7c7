"""JSON as it is written: in the layout of what was read."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_SECOND_LINE = re.compile(rb"\s*[\[{]\r?\n([ \t]*)\S")
_HEAD = 4096


class Layout(NamedTuple):
    """How JSON is laid out: ``indent`` is None for one line."""

    indent: str | None
    separators: tuple[str, str]
    newline: str = "\n"

    def write(self, value: Any) -> bytes:
        """The value as UTF-8 JSON with the end of its last line."""
        text = json.dumps(value, ensure_ascii=False, indent=self.indent, separators=self.separators)
        if self.newline != "\n":
            # Inside texts a line break is always an escape.
            text = text.replace("\n", self.newline)
        return encoded(text + self.newline)


def layout_of(data: bytes) -> Layout:
    """The layout of JSON that was read; two spaces where it cannot be told."""
    head = data[:_HEAD]
    newline = "\r\n" if b"\r\n" in head else "\n"
    if b"\n" not in data.strip():
        compact_items = b'":' in head and b'": ' not in head
        return Layout(None, (",", ":") if compact_items else (", ", ": "), newline)
    found = _SECOND_LINE.match(head)
    indent = found[1].decode() if found else "  "
    return Layout(indent, (",", ": "), newline)


def compact(value: Any) -> str:
    """A value on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def pretty(value: Any) -> str:
    """A value for reading."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def encoded(text: str) -> bytes:
    """Text as UTF-8; half of a surrogate pair becomes its escape, which JSON allows."""
    return text.encode("utf-8", "backslashreplace")
