"""A file or standard input as JSON documents: one for the whole of it, or one a line.

Lines are read one by one, so that a JSONL file of any size takes the memory of its longest line.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

from wiremend.inputs.compression import compression_of_bytes, unpacked
from wiremend.inputs.encodings import Stream, as_utf8
from wiremend.inputs.files import is_by_line
from wiremend.inputs.parsing import Unusable, decode, parse

STDIN = "-"
MOST_BYTES = 2 << 30
"""The most that is read at once: a whole JSON file, or one line of a JSONL file."""
_CHUNK = 1 << 20
_CHATML = b"<|im_start|>"
_LOOSE = ("utf-8", "surrogatepass")


class Document(NamedTuple):
    """One JSON value in UTF-8; ``line`` counts from 1, and is None for a whole file."""

    data: bytes
    line: int | None

    @property
    def is_blank(self) -> bool:
        """Whether this is an empty line."""
        return not self.data.strip()

    def value(self) -> Any:
        """The JSON value. Raises ``Unusable``."""
        return parse(self.data, one_line=self.line is not None)


class Source:
    """An opened input: ``by_line`` says whether each line is a document of its own.

    ``compression`` names how it is packed, ``recoded`` the encoding where it was another than UTF-8
    without a mark.
    """

    def __init__(self, stream: Stream, *, named_by_line: bool, size: int | None) -> None:
        try:
            content, self.compression, self._file = unpacked(stream)
            # How much is packed in a file nobody knows before it was read.
            self._size = size if self.compression is None else None
            self._stream, self.recoded = as_utf8(content)
        except OSError as error:
            raise _unreadable(error) from None
        self._head = self._up_to_content()
        opening = self._head[-1].strip()
        if not opening:
            raise Unusable("empty")
        # A single bracket begins a pretty-printed value, whatever the name of the file says.
        self._is_text = opening.startswith(_CHATML)
        self.by_line = (
            not self._is_text
            and opening not in (b"{", b"[")
            and (named_by_line or self._is_first_of_several(opening))
        )

    def __iter__(self) -> Iterator[Document]:
        """The documents, once. Raises ``Unusable`` where the input cannot be read further."""
        if self._is_text:
            # A conversation written down, which is no JSON.
            text = decode(self._whole())
            yield Document(json.dumps(text, ensure_ascii=False).encode(*_LOOSE), None)
        elif self.by_line:
            for number, line in enumerate(chain(self._head, self._lines()), start=1):
                yield Document(line, number)
        else:
            yield Document(self._whole(), None)

    @property
    def can_be_read_again(self) -> bool:
        """Whether lines are found again in the file by their places in it."""
        return self.by_line and self._size is not None and self.recoded is None

    @property
    def taken(self) -> int | None:
        """The bytes of a packed file that were read so far; None where it is not packed."""
        return None if self.compression is None else self._file.count

    def _up_to_content(self) -> list[bytes]:
        """Lines up to the first that is not blank; the last is blank where there is none."""
        read = []
        for line in self._lines():
            read.append(line)
            if line.strip():
                break
        return read or [b""]

    def _is_first_of_several(self, line: bytes) -> bool:
        if not self._head[-1].endswith(b"\n"):
            return False
        following = self._up_to_content()
        self._head.extend(following)
        if not following[-1].strip() or line[:1] + line[-1:] not in (b"{}", b"[]"):
            return False
        try:
            parse(line)
        except Unusable:
            return False
        return True

    def _lines(self) -> Iterator[bytes]:
        while line := _read(self._stream.readline, MOST_BYTES + 1):
            if len(line) > MOST_BYTES:
                raise Unusable(_TOO_LARGE)
            yield line

    def _whole(self) -> bytes:
        if self._size is not None and self._size > MOST_BYTES:
            raise Unusable(_TOO_LARGE)
        chunks = self._head
        total = sum(map(len, chunks))
        while chunk := _read(self._stream.read, _CHUNK):
            chunks.append(chunk)
            total += len(chunk)
            if total > MOST_BYTES:
                raise Unusable(_TOO_LARGE)
        return b"".join(chunks)


_TOO_LARGE = "more than 2 GiB in one JSON value; write one conversation a line (JSONL) instead"


def _read(method: Any, size: int) -> bytes:
    try:
        data: bytes = method(size)
    except OSError as error:
        raise _unreadable(error) from None
    return data


def _unreadable(error: OSError) -> Unusable:
    return Unusable(f"cannot be read: {error.strerror or error}")


@contextmanager
def open_source(path: str) -> Iterator[Source]:
    """Open a file, or standard input for ``-``. Raises ``Unusable``."""
    if path == STDIN:
        if sys.stdin is None:
            raise Unusable("closed")
        yield Source(cast(BufferedReader, sys.stdin.buffer), named_by_line=False, size=None)
        return
    try:
        stream = Path(path).open("rb")  # noqa: SIM115  (closed below, where its errors are others)
    except FileNotFoundError:
        raise Unusable("no such file") from None
    except PermissionError:
        raise Unusable("permission denied") from None
    except IsADirectoryError:
        raise Unusable("a directory; give a file") from None
    except (OSError, ValueError) as error:
        raise Unusable(f"cannot be opened: {getattr(error, 'strerror', error)}") from None
    with stream:
        about = os.fstat(stream.fileno())
        size = about.st_size if stat.S_ISREG(about.st_mode) else None
        by_line = is_by_line(path)
        if size is not None and size > MOST_BYTES and not by_line and _begins_large(stream):
            raise Unusable(_TOO_LARGE)
        yield Source(stream, named_by_line=by_line, size=size)


def _begins_large(stream: BufferedReader) -> bool:
    """Whether the first line is so long that it must be the whole file."""
    if compression_of_bytes(stream.peek(4)[:4]) is not None:
        return False
    line = stream.readline(_CHUNK << 6)
    stream.seek(0)
    return not line.endswith(b"\n")
