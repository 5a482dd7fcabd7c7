"""Text in the encodings that JSON files come in, as UTF-8 without a mark."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from typing import Protocol

from wiremend.inputs.parsing import Unusable

# UTF-32 first: its little-endian mark starts with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "UTF-8 with a mark"),
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_HEAD = 4096


class Bytes(Protocol):
    """What is given: UTF-8, by lines or in blocks."""

    def readline(self, size: int, /) -> bytes:
        """A line with its end, or its first ``size`` bytes."""
        ...

    def read(self, size: int, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""
        ...


class Stream(Protocol):
    """What is needed of an input: to read what has arrived without waiting for more."""

    def read1(self, size: int, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""
        ...


def as_utf8(stream: Stream) -> tuple[Bytes, str | None]:
    """The stream in UTF-8 without a mark, and the name of its encoding where it was another.

    Raises ``Unusable`` for what holds NUL bytes, and so is no text in UTF-8.
    """
    head = stream.read1(_HEAD)
    while len(head) < len(codecs.BOM_UTF32_LE) and (more := stream.read1(_HEAD)):
        head += more
    whole = io.BufferedReader(Prefixed(head, stream), 1 << 16)
    for mark, name in _MARKS:
        if head.startswith(mark):
            if mark == codecs.BOM_UTF8:
                whole.read(len(mark))
                return whole, name
            return _Recoded(whole, name), name
    if (place := head.find(b"\0")) >= 0:
        raise Unusable(
            f"not text: a NUL byte at offset {place} "
            "(a binary file, or UTF-16 without a byte order mark)"
        )
    return whole, None


class Prefixed(io.RawIOBase):
    """A stream whose first bytes were read already."""

    def __init__(self, head: bytes, stream: Stream) -> None:
        self._head = head
        self._stream = stream

    def readable(self) -> bool:
        """It is."""
        return True

    def read1(self, size: int, /) -> bytes:
        """The next bytes, at most ``size``."""
        data = self._head[:size]
        if data:
            self._head = self._head[size:]
            return data
        return self._stream.read1(size)

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill the buffer with the next bytes, as far as they go."""
        data = self.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Recoded:
    """Text of another encoding, read as UTF-8."""

    def __init__(self, stream: io.BufferedReader[Prefixed], name: str) -> None:
        self._name = name
        self._text = io.TextIOWrapper(stream, name, errors="surrogatepass", newline="\n")

    def readline(self, size: int, /) -> bytes:
        return self._encoded(self._text.readline, size)

    def read(self, size: int, /) -> bytes:
        return self._encoded(self._text.read, size)

    def _encoded(self, method: Callable[[int], str], size: int) -> bytes:
        try:
            return method(size).encode("utf-8", "surrogatepass")
        except UnicodeError:
            raise Unusable(f"starts as {self._name}, and is not: some bytes do not fit") from None
