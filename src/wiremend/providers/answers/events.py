"""What the streams of all dialects share: events, the numbers in ids, a text in pieces."""

from __future__ import annotations

import base64
import re
from typing import Any

import msgspec

# No clock is read here, so every answer is of the same moment.
CREATED = 1_700_000_000
_PIECE = re.compile(r"\S{1,24}\s*|\s+")
_ARGUMENTS = 12


class Event(msgspec.Struct, frozen=True):
    """One event of a stream: its JSON, and its name where the dialect's events have one."""

    data: dict[str, Any] | str
    name: str = ""


class Numbered(msgspec.Struct, frozen=True):
    """The number of an answer, from which its ids are made; no two answers share one."""

    number: int

    def name(self, prefix: str, length: int, index: int = 0) -> str:
        """An id of ``length`` characters behind its prefix."""
        return f"{prefix}{self.number:0{length - 2}d}{index:02d}"

    def signature(self, index: int) -> str:
        """An opaque text, as a provider signs with."""
        return base64.b64encode(f"simulated signature {self.number}.{index}".encode()).decode()


def in_pieces(text: str) -> list[str]:
    """A text as a model streams it: word by word. Joined, the pieces are the text."""
    return _PIECE.findall(text)


def arguments_in_pieces(text: str) -> list[str]:
    """Arguments in pieces that fall where they may, inside words and escapes too."""
    return [text[start : start + _ARGUMENTS] for start in range(0, len(text), _ARGUMENTS)]
