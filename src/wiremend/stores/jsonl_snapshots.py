"""Snapshots and blobs as files beside a session's.

A snapshot is a line of JSON (which record, where in the session's file that record ends, hashes)
and then its data. Because it says where to read on, opening a session reads neither the file before
that place nor the snapshot's data.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from wiremend.stores.base import KEPT_SNAPSHOTS, blob_name
from wiremend.stores.errors import CorruptError, MissingError
from wiremend.stores.files import explained, write_whole
from wiremend.stores.jsonl_log import Log, Start

_TAIL = 1024
_NAME = re.compile(r"(\d+)\.snapshot")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Head(msgspec.Struct, frozen=True):
    """The first line of a snapshot's file; ``start`` and ``tail`` only if its record is not
    inherited: where the session's file goes on, and the CRC-32 of what is before that place."""

    at: int
    sha256: str
    start: Start | None = None
    tail: int | None = None


def folder_of(path: Path) -> Path:
    """Where a session's snapshots are."""
    return path.with_name(f"{path.name}.snapshots")


def save(log: Log, at: int, data: bytes) -> None:
    """Write a snapshot, and let go of those that are no longer kept."""
    start = log.offset_after(at)
    tail = _tail(log.path, start.offset) if start else None
    head = Head(at, hashlib.sha256(data).hexdigest(), start, tail)
    folder = folder_of(log.path)
    with explained(folder):
        write_whole(folder / f"{at}.snapshot", msgspec.json.encode(head) + b"\n" + data)
        for old in _places(log.path)[KEPT_SNAPSHOTS:]:
            (folder / f"{old}.snapshot").unlink(missing_ok=True)


def load(path: Path, until: int) -> tuple[int, bytes] | None:
    """The last whole snapshot at or before ``until``."""
    for at in _places(path):
        if at <= until and (data := _data(path, at)) is not None:
            return at, data
    return None


def damaged(path: Path) -> Iterator[int]:
    """Snapshots that cannot be used."""
    for at in _places(path):
        if _data(path, at) is None:
            yield at


def skip_ahead(log: Log) -> None:
    """Let the scan of a file begin where its last snapshot was taken."""
    for at in _places(log.path):
        head = _head(log.path, at)
        if head is None or head.start is None or head.start.records != at - log.base:
            continue
        if head.tail is not None and _tail(log.path, head.start.offset) == head.tail:
            log.start_from(head.start)
            return


def _places(path: Path) -> list[int]:
    folder = folder_of(path)
    if not folder.is_dir():
        return []
    names = (_NAME.fullmatch(name) for name in os.listdir(folder))  # noqa: PTH208
    return sorted((int(name[1]) for name in names if name), reverse=True)


def _head(path: Path, at: int) -> Head | None:
    try:
        with (folder_of(path) / f"{at}.snapshot").open("rb") as file:
            return msgspec.json.decode(file.readline(), type=Head)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _data(path: Path, at: int) -> bytes | None:
    head = _head(path, at)
    if head is None or head.at != at:
        return None
    try:
        _, _, data = (folder_of(path) / f"{at}.snapshot").read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    return data if hashlib.sha256(data).hexdigest() == head.sha256 else None


def _tail(path: Path, offset: int) -> int | None:
    """The checksum of what is before a place; None if the file does not reach it."""
    with path.open("rb") as file:
        size = min(offset, _TAIL)
        file.seek(offset - size)
        tail = file.read(size)
    return zlib.crc32(tail) if len(tail) == size else None


class Blobs:
    """A folder of files by the names of what they hold.

    Blobs are read from the folder of any session under ``root`` as well.
    """

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder = folder
        self._root = root

    def put(self, data: bytes) -> str:
        """Keep bytes once; their name. One that has lost bytes is written again."""
        name = blob_name(data)
        path = self._folder / name
        with explained(path):
            if not path.exists() or path.stat().st_size != len(data):
                write_whole(path, data)
        return name

    def get(self, name: str) -> bytes:
        """The bytes of that name, if they still are what they were."""
        path = self._find(name) if _DIGEST.fullmatch(name) else None
        if path is None:
            raise MissingError(f"there is no blob {name!r}")
        with explained(path):
            data = path.read_bytes()
        if blob_name(data) == name:
            return data
        if hashlib.sha256(data).hexdigest() == name:
            # The first logs of this shape kept the base64 text itself.
            return base64.b64decode(data)
        raise CorruptError(0, f"blob {name} is damaged: its hash does not match")

    def names(self) -> list[str]:
        """Every blob."""
        if not self._folder.is_dir():
            return []
        return sorted(path.name for path in self._folder.iterdir() if _DIGEST.fullmatch(path.name))

    def _find(self, name: str) -> Path | None:
        places = [self._folder / name, self._root / "blobs" / name]
        for path in places:
            if path.exists():
                return path
        return next(self._root.glob(f"*/blobs/{name}"), None)
