"""Files where they are: on this machine, or behind a URL of an object store."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from wiremend.errors import WiremendError
from wiremend.inputs import Unusable, find_files


class Entry(NamedTuple):
    """A file that is there. ``changed`` is the time of its last change in whole seconds."""

    path: str
    size: int
    changed: int


class Files(Protocol):
    """What a run needs of a place that holds files. Everything raises ``WiremendError``."""

    def entries(self, path: str) -> Iterator[Entry]:
        """The file itself, or the conversations below the folder, in the order of their names."""
        ...

    def open(self, path: str) -> IO[bytes]:
        """A file to read, which can seek."""
        ...

    def read(self, path: str) -> bytes | None:
        """All of a file; None where there is none."""
        ...

    def write(self, path: str, data: bytes) -> None:
        """Write a file: all of it or none, the folders above it included."""
        ...

    def names(self, path: str) -> Sequence[str]:
        """The names in a folder, sorted; nothing where there is no folder."""
        ...

    def inner(self, path: str) -> str:
        """The path as this place itself says it, without links and endings of folders."""
        ...


def is_url(path: str) -> bool:
    """Whether a path is a URL: its scheme has two letters at least, as a drive has one."""
    scheme, colons, _ = path.partition("://")
    return bool(colons) and len(scheme) > 1 and scheme.replace("+", "").isalnum()


@lru_cache(maxsize=8)
def files_at(root: str) -> Files:
    """What reads and writes below a path or URL. Raises ``WiremendError``."""
    if not is_url(root):
        return LocalFiles()
    from wiremend.bulk.arrow_files import ArrowFiles

    return ArrowFiles(root)


class LocalFiles:
    """The files of this machine, and of what is mounted on it."""

    def entries(self, path: str) -> Iterator[Entry]:
        """The file itself, or the conversations below the folder."""
        try:
            for file in find_files(path):
                with _said(file):
                    about = Path(file).stat()
                yield Entry(file, about.st_size, int(about.st_mtime))
        except Unusable as error:
            raise WiremendError(f"{path}: {error}") from None

    def open(self, path: str) -> IO[bytes]:
        """A file to read."""
        with _said(path):
            return Path(path).open("rb")

    def read(self, path: str) -> bytes | None:
        """All of a file; None where there is none."""
        with _said(path):
            try:
                return Path(path).read_bytes()
            except FileNotFoundError:
                return None

    def write(self, path: str, data: bytes) -> None:
        """Write a file beside its name, and give it the name."""
        with _said(path, "written"):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            replace_safely(Path(path), data)

    def names(self, path: str) -> Sequence[str]:
        """The names in a folder."""
        with _said(path):
            folder = Path(path)
            return sorted(one.name for one in folder.iterdir()) if folder.is_dir() else ()

    def inner(self, path: str) -> str:
        """The path without links."""
        return str(Path(path).resolve())


@contextmanager
def _said(path: str, what: str = "read") -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise WiremendError(f"{path} cannot be {what}: {why}") from None


def replace_safely(path: Path, data: bytes) -> None:
    """Write a file so that its name holds the old bytes or all of the new. Raises ``OSError``."""
    descriptor, name = tempfile.mkstemp(prefix=".wiremend-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
