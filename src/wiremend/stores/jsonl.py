"""Sessions as files that people can read: Kimi Code's ``wire.jsonl`` shape."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from wiremend.stores import jsonl_snapshots as snapshots
from wiremend.stores.base import (
    Clock,
    Damage,
    SessionInfo,
    bounds,
    check_fork,
    check_id,
    check_records,
    fork_point,
    now,
)
from wiremend.stores.errors import CorruptError, MissingError, StoreError
from wiremend.stores.files import clear_folder, explained, locked, write_whole
from wiremend.stores.jsonl_log import FORK, Log

_WIRE = "wire.jsonl"


class Part(NamedTuple):
    """Records ``after`` + 1 to ``until`` are in this file."""

    log: Log
    after: int
    until: int


class JsonlStore:
    """A folder with one ``<id>/wire.jsonl`` (made so) or ``<id>.jsonl`` (also read) a session.

    Every line with an object is a record, whatever its type; a fork's first line says what it
    inherits and is none. Times are those of the first record and of the file. A file has no
    checksums: damage that leaves a line valid JSON is not found. ``only``: a single file of it.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        only: Path | None = None,
        lock_seconds: float = 10.0,
        clock: Clock = now,
    ) -> None:
        self._folder = Path(folder)
        self._only = only
        self._lock_seconds = lock_seconds
        self._clock = clock
        self._lock = threading.RLock()
        self._logs: dict[str, Log] = {}
        # Kimi Code keeps a log's blobs beside it.
        own = only.parent / "blobs" if only is not None else self._folder / "blobs"
        self._blobs = snapshots.Blobs(own, self._folder)

    @classmethod
    def of_file(cls, file: str | Path) -> JsonlStore:
        """The store of exactly one file, whose id is its name (or its folder's: ``wire.jsonl``)."""
        path = Path(file)
        return cls(path.parent.parent if path.name == _WIRE else path.parent, only=path)

    def create(self, session_id: str, *, parent: str | None = None, at: int | None = None) -> None:
        """Make a session: empty, or a fork whose first line says what it inherits."""
        check_id(session_id)
        check_fork(parent, at)
        path = self._new_path(session_id)
        with self._lock:
            if parent is None:
                self._make(session_id, path, b"")
                return
            source = self._log(parent)
            # Nobody deletes the parent while a fork of it is being made.
            with (
                explained(source.path),
                locked(source.path, writing=False, seconds=self._lock_seconds),
            ):
                at = fork_point(parent, source.refresh(), at)
                head = {"type": FORK, "parent": parent, "at": at, "created": self._clock()}
                self._make(session_id, path, msgspec.json.encode(head) + b"\n")

    def _make(self, session_id: str, path: Path, content: bytes) -> None:
        with explained(path):
            try:
                if self._path(session_id):
                    raise FileExistsError
                write_whole(path, content, exclusive=True)
            except FileExistsError:
                raise StoreError(f"there is already a session {session_id!r}") from None

    def sessions(self) -> list[SessionInfo]:
        """Every session, in the order of their ids."""
        with self._lock:
            return [self._info(session_id) for session_id in self._ids()]

    def _info(self, session_id: str) -> SessionInfo:
        log = self._log(session_id)
        records = log.refresh()
        with explained(log.path):
            changed = log.path.stat().st_mtime_ns // 1_000_000
        created = log.created or changed
        at = log.base if log.parent is not None else None
        return SessionInfo(session_id, records, created, max(created, changed), log.parent, at)

    def append(self, session_id: str, records: Sequence[bytes], *, expected: int) -> int:
        """Append all of the records or none, durably; the new length."""
        check_records(records)
        with self._lock:
            return self._log(session_id).append(records, expected)

    def read(
        self,
        session_id: str,
        *,
        after: int = 0,
        until: int | None = None,
        skip_corrupt: bool = False,
    ) -> Iterator[tuple[int, bytes]]:
        """Records ``after`` + 1 to ``until`` with their numbers, streamed."""
        with self._lock:
            after, until = bounds(self._log(session_id).refresh(), after, until)
            parts = self._parts(session_id, after, until)
        return (
            record
            for part in parts
            for record in part.log.read(part.after, part.until, skip_corrupt)
        )

    def length(self, session_id: str) -> int:
        """How many records the session has, inherited ones included."""
        with self._lock:
            return self._log(session_id).refresh()

    def save_snapshot(self, session_id: str, at: int, data: bytes) -> None:
        """Keep what records 1 to ``at`` amount to. The last two are kept."""
        with self._lock:
            log = self._log(session_id)
            fork_point(session_id, log.refresh(), at)
            snapshots.save(log, at, data)

    def load_snapshot(
        self, session_id: str, *, until: int | None = None
    ) -> tuple[int, bytes] | None:
        """The last whole snapshot at or before ``until``, of the session or of what it inherits."""
        with self._lock:
            _, limit = bounds(self._log(session_id).refresh(), 0, until)
            for log in self._ancestry(session_id):
                with explained(log.path):
                    if found := snapshots.load(log.path, limit):
                        return found
                limit = min(limit, log.base)
        return None

    def put_blob(self, data: bytes) -> str:
        """Keep bytes once; their name (see ``blob_name``)."""
        return self._blobs.put(data)

    def get_blob(self, digest: str) -> bytes:
        """The bytes of that name; ``CorruptError`` if they are no longer what they were."""
        return self._blobs.get(digest)

    def verify(self, session_id: str) -> list[Damage]:
        """Read everything that the session depends on, and every blob; what is damaged."""
        from wiremend.stores.jsonl_verify import verify_files

        with self._lock:
            log = self._log(session_id)
            known = log.refresh()
            fresh = Log(log.path, lock_seconds=self._lock_seconds)
            fresh.refresh()
            try:
                logs = [fresh, *list(self._ancestry(session_id))[1:]]
            except StoreError as error:
                logs = [fresh]
                return [
                    Damage(1, str(error), f"records 1 to {fresh.base}, which it inherits"),
                    *verify_files(logs, known, self._blobs),
                ]
            return list(verify_files(logs, known, self._blobs))

    def delete(self, session_id: str) -> None:
        """Remove a session and what was set aside of it. Refused while forks of it exist."""
        with self._lock:
            path = self._log(session_id).path
            with explained(path), locked(path, writing=True, seconds=self._lock_seconds):
                for other in self._ids():
                    if self._log(other).parent == session_id:
                        raise StoreError(
                            f"session {session_id!r} has a fork, {other!r}: delete that first"
                        )
                path.unlink()
                shutil.rmtree(snapshots.folder_of(path), ignore_errors=True)
                for torn in path.parent.glob(f"{path.name}.torn-*"):
                    torn.unlink()
                if path.name == _WIRE:
                    clear_folder(path.parent)
            del self._logs[session_id]

    def close(self) -> None:
        """Forget what was learned of the files; none is kept open."""
        with self._lock:
            self._logs.clear()

    def _ids(self) -> list[str]:
        if self._only is not None:
            return [self._only_id()] if self._only.exists() else []
        if not self._folder.is_dir():
            return []
        with explained(self._folder):
            found = {
                path.name if path.is_dir() else path.stem
                for path in self._folder.iterdir()
                if (path / _WIRE).is_file() or (path.suffix == ".jsonl" and path.is_file())
            }
        return sorted(found)

    def _only_id(self) -> str:
        assert self._only is not None
        return self._only.resolve().parent.name if self._only.name == _WIRE else self._only.stem

    def _new_path(self, session_id: str) -> Path:
        if self._only is None:
            return self._folder / session_id / _WIRE
        if session_id != self._only_id():
            raise StoreError(
                f"{self._only} is one session, {self._only_id()!r}: open its folder for another"
            )
        return self._only

    def _path(self, session_id: str) -> Path | None:
        if self._only is not None and session_id == self._only_id():
            return self._only if self._only.exists() else None
        inside = session_id.strip(".") and Path(session_id).name == session_id
        if not inside or "\0" in session_id:
            return None
        places = (self._folder / session_id / _WIRE, self._folder / f"{session_id}.jsonl")
        return next((place for place in places if place.is_file()), None)

    def _log(self, session_id: str) -> Log:
        path = self._path(session_id)
        if path is None:
            raise MissingError(f"there is no session {session_id!r}")
        log = self._logs.get(session_id)
        if log is None or log.path != path:
            log = Log(path, lock_seconds=self._lock_seconds)
            with explained(path):
                snapshots.skip_ahead(log)
            self._logs[session_id] = log
        return log

    def _ancestry(self, session_id: str) -> Iterator[Log]:
        seen: set[str] = set()
        name: str | None = session_id
        while name is not None:
            if name in seen:
                raise CorruptError(0, f"session {session_id!r} is its own ancestor")
            seen.add(name)
            log = self._log(name)
            yield log
            name = log.parent

    def _parts(self, session_id: str, after: int, until: int) -> list[Part]:
        found: list[Part] = []
        for log in self._ancestry(session_id):
            log.refresh()
            if log.base < until:
                found.append(Part(log, max(after, log.base), until))
            until = min(until, log.base)
            if until <= after:
                break
        return found[::-1]
