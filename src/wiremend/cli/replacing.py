"""Writing a file so that the old one stays until the new one is safely there."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

import click

from wiremend.cli.base import about, label
from wiremend.inputs import STDIN, Unusable, check_packable


class Replacement:
    """A file that is being written; ``is_wanted``: it shall take the old one's place.

    ``keeps_old``: the old one stays beside it, as ``backup``.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.is_wanted = True
        self.keeps_old = False
        self.backup: Path | None = None


def check_replaceable(path: str) -> None:
    """Refuse to replace what is no file. Raises ``Unusable``."""
    if Path(path).exists() and not Path(path).is_file():
        raise Unusable(f"{path}: only a file can be replaced")
    if not Path(path).exists():
        raise Unusable(f"{path}: no such file")


def check_target(path: str, target: str) -> None:
    """Refuse to overwrite the input, or a directory. Raises ``click.UsageError``."""
    with about(label(target)):
        check_packable(target)
    if Path(target).is_dir():
        raise click.UsageError(f"{target} is a directory")
    if path == STDIN or not Path(target).exists() or not Path(path).exists():
        return
    if Path(target).samefile(path):
        raise click.UsageError(f"{target} is the input itself; use --in-place to replace it")


@contextmanager
def replacing(path: str, begun: int | None = None) -> Iterator[Replacement]:
    """Write a file: all of it or none. Of a link, what it points to is replaced.

    ``begun``: what is written goes to ``PATH.part`` and stays there where this is interrupted; so
    many bytes of it are there already.

    Raises ``Unusable`` where it cannot be written; the old file is then untouched.
    """
    try:
        if Path(path).exists() and not Path(path).is_file():
            # A pipe or a device has no content that could be lost.
            with Path(path).open("wb") as pipe:
                yield Replacement(pipe)
            return
        target = Path(path).resolve()
        state = _state(target)
        beside, file = _open_beside(target, begun)
        try:
            with file:
                replacement = Replacement(file)
                yield replacement
                _settle(file, beside, target)
            if replacement.is_wanted:
                if _state(target) != state:
                    raise Unusable(f"{path} was written to in the meantime; it stays as it is")
                if replacement.keeps_old:
                    replacement.backup = _keep(target)
                beside.replace(target)
                _sync(target.parent)
        finally:
            if begun is None:
                beside.unlink(missing_ok=True)
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror or error}") from None


def _open_beside(target: Path, begun: int | None) -> tuple[Path, IO[bytes]]:
    if begun is None:
        descriptor, name = tempfile.mkstemp(prefix=".wiremend-", dir=target.parent)
        return Path(name), os.fdopen(descriptor, "wb")
    beside = target.with_name(f"{target.name}.part")
    file = os.fdopen(os.open(beside, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    if file.seek(0, os.SEEK_END) < begun:
        file.close()
        raise Unusable(f"{beside} has lost something that was written to it; begin anew")
    file.truncate(begun)
    file.seek(begun)
    return beside, file


def _state(target: Path) -> tuple[int, int, int] | None:
    try:
        now = target.stat()
    except FileNotFoundError:
        return None
    return now.st_ino, now.st_size, now.st_mtime_ns


def _keep(target: Path) -> Path:
    """Make a copy of the file under the first name that is free, and bring it to the disk."""
    for number in count(1):
        backup = target.with_name(f"{target.name}.bak{'' if number == 1 else number}")
        try:
            with backup.open("xb") as copy, target.open("rb") as old:
                shutil.copyfileobj(old, copy)
                shutil.copystat(target, backup)
                copy.flush()
                os.fsync(copy.fileno())
        except FileExistsError:
            continue
        return backup
    raise AssertionError


def _settle(file: IO[bytes], beside: Path, target: Path) -> None:
    """Bring the file to the disk, with the permissions of the one that it replaces."""
    file.flush()
    try:
        old = target.stat()
    except FileNotFoundError:
        # A temporary file is private; a new file is as open as the user's mask says.
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o666 & ~mask)
    else:
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(beside, old.st_uid, old.st_gid)
        # After the owner, whose change takes the set-id bits away.
        beside.chmod(stat.S_IMODE(old.st_mode))
    os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Make the new name last; not every system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
