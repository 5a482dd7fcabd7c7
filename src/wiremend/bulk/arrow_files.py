"""Files behind URLs: what pyarrow reaches itself, and through fsspec everything that it knows."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, cast

from wiremend.bulk.extras import arrow
from wiremend.bulk.files import Entry
from wiremend.errors import WiremendError
from wiremend.inputs import is_conversation_file

_READ_AHEAD = 8 << 20
"""Bytes of one request to an object store."""
_WRITES_WHOLE = ("s3", "gcs", "abfs")
"""Stores where nobody sees an object before all of it is there."""


class ArrowFiles:
    """The files of one store. Paths are URLs without a query: it is about the connection."""

    def __init__(self, root: str) -> None:
        self._scheme = root.partition("://")[0]
        self._system, self._root = _system_at(root)

    def entries(self, path: str) -> Iterator[Entry]:
        """The object itself, or the conversations below the prefix."""
        from pyarrow import fs

        inner = self._inner(path)
        with _said(path):
            about = self._system.get_file_info(inner)
            if about.type == fs.FileType.NotFound:
                raise WiremendError(f"{path}: no such file")
            if about.type == fs.FileType.File:
                yield self._entry(about)
                return
            found = self._system.get_file_info(fs.FileSelector(inner, recursive=True))
        start = len(inner.rstrip("/")) + 1
        kept = {
            about.path: about
            for about in found
            if about.type == fs.FileType.File and is_conversation_file(about.path[start:])
        }
        if not kept:
            raise WiremendError(f"{path}: a folder without files of conversations")
        for name in sorted(kept, key=_as_a_walk_goes):
            yield self._entry(kept[name])

    def _entry(self, about: Any) -> Entry:
        changed = about.mtime_ns or 0
        return Entry(f"{self._scheme}://{about.path}", about.size, changed // 10**9)

    def open(self, path: str) -> IO[bytes]:
        """An object to read, in large requests."""
        with _said(path):
            file = self._system.open_input_file(self._inner(path))
            # Typed for raw files, and content with what reads like one.
            return cast(IO[bytes], io.BufferedReader(file, _READ_AHEAD))

    def read(self, path: str) -> bytes | None:
        """All of an object; None where there is none."""
        with _said(path):
            try:
                with self._system.open_input_stream(self._inner(path)) as file:
                    data: bytes = file.read()
                    return data
            except FileNotFoundError:
                return None

    def write(self, path: str, data: bytes) -> None:
        """Write an object in one piece; where it would be seen before, beside its name first."""
        inner = self._inner(path)
        with _said(path, "written"):
            if self._system.type_name in _WRITES_WHOLE:
                self._put(inner, data)
                return
            folder, _, name = inner.rpartition("/")
            if folder:
                self._system.create_dir(folder, recursive=True)
            beside = f"{folder}/.wiremend-{name}"
            self._put(beside, data)
            self._system.move(beside, inner)

    def _put(self, inner: str, data: bytes) -> None:
        with self._system.open_output_stream(inner) as file:
            file.write(data)

    def names(self, path: str) -> Sequence[str]:
        """The names below a prefix."""
        from pyarrow import fs

        with _said(path):
            there = fs.FileSelector(self._inner(path), allow_not_found=True)
            return sorted(about.base_name for about in self._system.get_file_info(there))

    def inner(self, path: str) -> str:
        """The path in the store."""
        return f"{self._scheme}://{self._inner(path).rstrip('/')}"

    def _inner(self, path: str) -> str:
        # The root has the query with it, and is known in the words of the store.
        if "?" in path:
            return self._root
        return path.partition("://")[2]


def _as_a_walk_goes(path: str) -> list[tuple[bool, str]]:
    """Sorts the files of a folder before what is in the folders below it."""
    *folders, name = path.split("/")
    return [*((True, folder) for folder in folders), (False, name)]


def _system_at(root: str) -> tuple[Any, str]:
    arrow()
    import pyarrow as pa
    from pyarrow import fs

    try:
        return cast(tuple[Any, str], fs.FileSystem.from_uri(root))
    except pa.ArrowInvalid as error:
        if "nrecognized filesystem" not in str(error):
            raise WiremendError(f"{root.partition('?')[0]}: {error}") from None
    except (OSError, NotImplementedError) as error:
        raise WiremendError(f"{root.partition('?')[0]}: {error}") from None
    try:
        import fsspec

        system, inner = fsspec.core.url_to_fs(root)
    except (ImportError, ValueError) as error:
        raise WiremendError(f"{root.partition('?')[0]}: {error}") from None
    return fs.PyFileSystem(fs.FSSpecHandler(system)), inner


@contextmanager
def _said(path: str, what: str = "read") -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        where = path.partition("?")[0]
        raise WiremendError(f"{where} cannot be {what}: {error}") from None
