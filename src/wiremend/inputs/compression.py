"""Files that are compressed as a whole, with gzip or zstd: read, and written by their names.

What is read is told by its first bytes, whatever it is called: downloads are unpacked on the way
and keep their names, or the reverse.
"""

from __future__ import annotations

import gzip
import importlib
import io
import os
import zlib
from collections.abc import Iterable
from typing import IO, Any, NamedTuple, cast

from wiremend.inputs.encodings import Prefixed, Stream
from wiremend.inputs.files import compression_of
from wiremend.inputs.parsing import Unusable

GZIP, ZSTD = "gzip", "zstd"
_BLOCK = 1 << 17


class Packed(NamedTuple):
    """A stream with its content unpacked, and how it was packed: None where it was not.

    ``file`` counts the bytes of it that were read.
    """

    content: Stream
    compression: str | None
    file: Counted


class Counted:
    """A stream that counts what was read of it."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.count = 0

    def read1(self, size: int, /) -> bytes:
        """The next bytes."""
        data = self._stream.read1(size)
        self.count += len(data)
        return data


def unpacked(stream: Stream) -> Packed:
    """The content of a stream. Raises ``Unusable`` where it is packed in another way."""
    counted = Counted(stream)
    head = b""
    while len(head) < 4 and (more := counted.read1(4096)):
        head += more
    whole = Prefixed(head, counted)
    compression = compression_of_bytes(head)
    if compression is None:
        return Packed(whole, None, counted)
    packed = io.BufferedReader(whole, _BLOCK)
    return Packed(io.BufferedReader(_Unpacking(packed, compression), _BLOCK), compression, counted)


_ARCHIVES = (
    (b"BZh", "bzip2"),
    (b"\xfd7zX", "xz"),
    (b"PK\x03\x04", "a zip archive"),
)


def compression_of_bytes(head: bytes) -> str | None:
    """How a file that begins so is packed. Raises ``Unusable`` for what is not unpacked here."""
    if head.startswith(b"\x1f\x8b"):
        return GZIP
    # A frame that is to be skipped may come first.
    if head.startswith(b"\x28\xb5\x2f\xfd") or (
        head[1:4] == b"\x2a\x4d\x18" and head[0] & 0xF0 == 0x50
    ):
        return ZSTD
    for mark, name in _ARCHIVES:
        if head.startswith(mark):
            raise Unusable(f"is packed ({name}): unpack it first, or pack it with gzip or zstd")
    return None


def _zstd() -> Any:
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    raise Unusable("zstd needs an extra: pip install 'wiremend[cli,zstd]'")


class _Unpacking(io.RawIOBase):
    """The content of a packed file; what is wrong with it is ``Unusable``."""

    def __init__(self, stream: io.BufferedReader[Any], compression: str) -> None:
        self._name = compression
        self._errors: tuple[type[Exception], ...] = (gzip.BadGzipFile, zlib.error)
        if compression == GZIP:
            self._file: Any = gzip.GzipFile(fileobj=stream, mode="rb")
        else:
            zstd = _zstd()
            self._file = zstd.ZstdFile(stream, "r")
            self._errors = (zstd.ZstdError,)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        try:
            data: bytes = self._file.read1(len(buffer))
        except EOFError:
            raise Unusable(f"truncated: {self._name} has packed more than is there") from None
        except self._errors:
            raise Unusable(f"damaged: {self._name} cannot unpack it any further") from None
        buffer[: len(data)] = data
        return len(data)


class Output:
    """A file that is written, packed as was said, or as it comes (None)."""

    def __init__(self, file: IO[bytes], compression: str | None = None) -> None:
        self._file = file
        self._compression = compression
        self._packing: Any = None
        self._is_begun = False

    @property
    def is_packed(self) -> bool:
        """Whether other bytes are in the file than were written."""
        return self._compression is not None

    def __enter__(self) -> Output:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            if self._compression is not None and not self._is_begun:
                self.write(b"")
            self._end()

    def write(self, data: bytes) -> None:
        """Write some bytes."""
        if self._compression is not None and self._packing is None:
            self._packing = _packing(self._file, self._compression)
            self._is_begun = True
        (self._packing or self._file).write(data)

    def writelines(self, lines: Iterable[bytes]) -> None:
        """Write all of these."""
        for line in lines:
            self.write(line)

    def settle(self) -> int:
        """Bring all that was written to the disk, so that it can be read; the size of the file."""
        self._end()
        self._is_begun = True
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def _end(self) -> None:
        # What follows goes into a member, or frame, of its own, as both formats allow.
        if self._packing is not None:
            self._packing.close()
            self._packing = None


def _packing(file: IO[bytes], compression: str) -> Any:
    if compression == GZIP:
        # Without the time, so that the same content gives the same bytes.
        return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
    return _zstd().ZstdFile(cast(Any, file), "w")


def check_packable(path: str) -> str | None:
    """How a file of this name is packed. Raises ``Unusable`` where it cannot be here."""
    compression = compression_of(path)
    if compression == ZSTD:
        _zstd()
    return compression
