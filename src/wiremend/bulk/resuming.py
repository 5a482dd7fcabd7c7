"""How far a run got, kept in a file, so that the next one goes on from there."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

import msgspec

from wiremend.bulk.files import replace_safely
from wiremend.errors import WiremendError

_EVERY = 1.0
"""Seconds between two times that the file is written."""


class Place(msgspec.Struct, frozen=True):
    """A place in the inputs: so many files, and lines of the next one, are behind it."""

    file: int = 0
    line: int = 0


class _Kept(msgspec.Struct):
    version: int
    run: str
    files: list[tuple[str, int]]
    place: Place
    counts: Any


class Resumed:
    """The place that a run begins at, and where it keeps how far it got.

    ``run`` says what is done, in words that are the same for the same work; ``counts`` is what
    was counted so far, None at the beginning.
    """

    def __init__(self, path: str, run: str) -> None:
        self._path = Path(path)
        self._run = run
        self._files: list[tuple[str, int]] = []
        self._written = time.monotonic()
        self.place = Place()
        self.counts: Any = None
        kept = self._read()
        if kept is not None:
            self._files, self.place, self.counts = kept.files, kept.place, kept.counts

    def begin(self, file: int, path: str, size: int) -> int:
        """How many lines of a file are behind; -1 for all of them.

        Raises ``WiremendError`` where the file is another one than it was.
        """
        if file < len(self._files) and self._files[file] != (path, size):
            raise self._other(f"{path} is another file, or was changed, since")
        if file == len(self._files):
            self._files.append((path, size))
        if file < self.place.file:
            return -1
        return self.place.line if file == self.place.file else 0

    def reach(self, place: Place, counts: Any) -> None:
        """Note a place; what is before it is done."""
        self.place, self.counts = place, counts

    @property
    def is_due(self) -> bool:
        """Whether it is long ago that the file was written."""
        return time.monotonic() - self._written > _EVERY

    def keep(self) -> None:
        """Write the file now. Raises ``WiremendError``."""
        kept = _Kept(1, self._run, self._files, self.place, self.counts)
        try:
            replace_safely(self._path, msgspec.json.encode(kept))
        except OSError as error:
            raise WiremendError(f"{self._path} cannot be written: {error.strerror}") from None
        self._written = time.monotonic()

    def finish(self) -> None:
        """Take the file away: the work is done."""
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()

    def _read(self) -> _Kept | None:
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WiremendError(f"{self._path} cannot be read: {error.strerror}") from None
        try:
            kept = msgspec.json.decode(data, type=_Kept)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise WiremendError(f"{self._path} does not say how far a run got") from None
        if kept.run != self._run:
            raise self._other("other files or options were given")
        return kept

    def _other(self, why: str) -> WiremendError:
        return WiremendError(
            f"{self._path} is about another run: {why}; name another file, or remove it"
        )
