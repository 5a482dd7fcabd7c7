"""Files that are whole or not there, locks between processes, and errors that say what to do."""

from __future__ import annotations

import errno
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from wiremend.stores.errors import UnavailableError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS}
_FIRST_WAIT = 0.0005
_LONGEST_WAIT = 0.02
_UNFINISHED = ".new"


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the operating system says into an ``UnavailableError`` that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            reason = "the disk is full (or a limit reached), nothing was written: free some space"
        elif error.errno in _REFUSED:
            reason = f"no permission ({error.strerror}): check who owns it"
        else:
            reason = f"cannot be used: {error.strerror or type(error).__name__}"
        raise UnavailableError(f"{path}: {reason}") from error


@contextmanager
def locked(path: Path, *, writing: bool, seconds: float) -> Iterator[BinaryIO]:
    """The file, opened and locked: alone for writing, beside other readers for reading.

    The lock belongs to this opening of the file, so it also holds between threads.
    """
    import fcntl

    kind = fcntl.LOCK_EX if writing else fcntl.LOCK_SH
    deadline = time.monotonic() + seconds
    wait = _FIRST_WAIT
    with path.open("r+b" if writing else "rb", buffering=0 if writing else -1) as file:
        while True:
            try:
                fcntl.flock(file, kind | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise UnavailableError(
                        f"{path} is locked by another program: try again, or close that program"
                    ) from None
            time.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT)
        yield file


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; the system may take fewer at once, before it says that the disk is full."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def write_whole(path: Path, data: bytes, *, exclusive: bool = False) -> None:
    """Write a file so that it is there with all of its bytes or not at all, even after a crash.

    ``exclusive``: ``FileExistsError`` if there already is one; otherwise it is replaced.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{secrets.token_hex(8)}{_UNFINISHED}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if exclusive:
            os.link(beside, path)
        else:
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    sync_folder(path.parent)
    # A folder that was just made is itself an entry of its parent.
    sync_folder(path.parent.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def clear_folder(folder: Path) -> None:
    """Remove a folder in which there is nothing but what killed writers did not finish."""
    if all(path.name.endswith(_UNFINISHED) for path in folder.iterdir()):
        for path in folder.iterdir():
            path.unlink(missing_ok=True)
        folder.rmdir()
