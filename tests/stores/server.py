"""A PostgreSQL server of the tests' own, from Debian's binaries."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PORT = 5432  # of a socket in a folder of its own, so never somebody else's


def binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


class Server:
    """Started, stopped and killed by the tests; reached through a socket in its folder."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        # PostgreSQL refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        self._process: subprocess.Popen[bytes] | None = None
        data = str(folder / "data")
        self._run("initdb", "-D", data, "-U", "test", "--auth=trust", "-N", "-E", "UTF8")

    @property
    def url(self) -> str:
        return f"postgresql://test@/postgres?host={self._folder}&port={PORT}"

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            user=self._user,
            cwd=self._folder,
            check=True,
            capture_output=True,
        )

    def start(self) -> None:
        data = str(self._folder / "data")
        place = ["-k", str(self._folder), "-h", "", "-p", str(PORT)]
        self._process = subprocess.Popen(
            [str(self._programs / "postgres"), "-D", data, *place],
            user=self._user,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(600):
            ready = subprocess.run(
                [self._programs / "pg_isready", "-q", "-h", self._folder, "-p", str(PORT)],
                check=False,
            )
            if ready.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL does not start")

    def stop(self) -> None:
        if self._process is not None:
            # Immediate: clients are cut off, as in a crash.
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None


@contextmanager
def running() -> Iterator[Server]:
    programs = binaries()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="wm-pg-", dir="/tmp"))
    server = Server(programs, folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
