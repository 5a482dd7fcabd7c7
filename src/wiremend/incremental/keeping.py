"""What is kept of the pieces of a request: as values, or as the bytes of their JSON."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import msgspec

encode = msgspec.json.Encoder().encode


class KeptBytes:
    """Pieces as JSON, separated by commas. ``data`` is never changed before its end."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._ends = array("Q")

    def extend(self, pieces: Sequence[Any]) -> None:
        """See ``Kept``."""
        for piece in pieces:
            if self._ends:
                self.data += b","
            self.data += encode(piece)
            self._ends.append(len(self.data))

    def mark(self) -> int:
        """See ``Kept``."""
        return len(self._ends)

    def cut(self, mark: int) -> None:
        """See ``Kept``."""
        del self._ends[mark:]
        del self.data[self.size(mark) :]

    def size(self, count: int) -> int:
        """How many bytes the first ``count`` pieces take."""
        return self._ends[count - 1] if count else 0

    def piece(self, index: int) -> Any:
        """A piece as a value."""
        start = self.size(index) + 1 if index else 0
        return msgspec.json.decode(memoryview(self.data)[start : self.size(index + 1)])


def body_bytes(body: dict[str, Any], holds: str, closed: KeptBytes, count: int) -> bytes:
    """A body as JSON: its messages are the first ``count`` of ``closed`` and those in ``holds``."""
    out: list[bytes | memoryview] = [b"{"]
    for name, value in body.items():
        out += [b"," if len(out) > 1 else b"", encode(name), b":"]
        if name != holds:
            out.append(encode(value))
            continue
        own = encode(value)
        kept = memoryview(closed.data)[: closed.size(count)]
        out += [b"[", kept, b"," if kept and value else b"", memoryview(own)[1:]]
    out.append(b"}")
    return b"".join(out)
