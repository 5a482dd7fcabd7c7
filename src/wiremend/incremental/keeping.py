"""What is kept of the pieces of a request: as values, or as the bytes of their JSON."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import msgspec

encode = msgspec.json.Encoder().encode

BLOCK = 1 << 16
"""Bytes: what is complete of this size is never touched again, so that it can be handed out."""


class KeptBytes:
    """Pieces as JSON, separated by commas, in blocks that are never changed."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._block_ends = array("Q")
        self._open = bytearray()
        self._ends = array("Q")
        self._size = 0

    def extend(self, pieces: Sequence[Any]) -> None:
        """See ``Kept``."""
        for piece in pieces:
            written = encode(piece)
            if self._ends:
                self._open += b","
            self._open += written
            self._size += len(written) + bool(self._ends)
            self._ends.append(self._size)
            if len(self._open) >= BLOCK:
                self._blocks.append(bytes(self._open))
                self._block_ends.append(self._size)
                self._open.clear()

    def mark(self) -> int:
        """See ``Kept``."""
        return len(self._ends)

    def cut(self, mark: int) -> None:
        """See ``Kept``."""
        chunks = self.chunks(mark)
        whole = bisect_right(self._block_ends, self.size(mark))
        self._open = bytearray(b"".join(chunks[whole:]))
        del self._blocks[whole:], self._block_ends[whole:], self._ends[mark:]
        self._size = self.size(mark)

    def size(self, count: int) -> int:
        """How many bytes the first ``count`` pieces take."""
        return self._ends[count - 1] if count else 0

    def chunks(self, count: int) -> list[bytes]:
        """The first ``count`` pieces; only what is in no complete block is copied."""
        size = self.size(count)
        whole = bisect_right(self._block_ends, size)
        chunks = self._blocks[:whole]
        left = size - (self._block_ends[whole - 1] if whole else 0)
        if left:
            rest = self._blocks[whole] if whole < len(self._blocks) else self._open
            chunks.append(bytes(rest[:left]))
        return chunks

    def piece(self, index: int) -> Any:
        """A piece as a value."""
        start = self.size(index) + 1 if index else 0
        at = bisect_right(self._block_ends, start)
        before = self._block_ends[at - 1] if at else 0
        held = self._blocks[at] if at < len(self._blocks) else self._open
        return msgspec.json.decode(held[start - before : self.size(index + 1) - before])


def body_chunks(body: dict[str, Any], holds: str, closed: KeptBytes, count: int) -> list[bytes]:
    """A body as JSON: its messages are the first ``count`` of ``closed`` and those in ``holds``."""
    out: list[bytes] = []
    head = b"{"
    for name, value in body.items():
        head += (b"," if len(head) > 1 or out else b"") + encode(name) + b":"
        written = encode(value)
        if name != holds:
            head += written
            continue
        out += [head, b"[", *closed.chunks(count), b"," if count and value else b""]
        head = written[1:]
    return [*out, head + b"}"]
