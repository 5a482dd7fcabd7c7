"""The journal: one line of JSON a request, for people and for the inspector."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from wiremend.errors import WiremendError
from wiremend.projection import Anomaly


class Tried(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One attempt at a request. ``seconds`` is the time until the answer began."""

    policy: str
    sent_bytes: int
    seconds: float
    status: int | None = None
    error_class: str | None = None
    rules: tuple[str, ...] = ()
    fault: str | None = None


class Entry(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What happened to one request.

    ``time`` is when it came, in seconds since 1970; ``policy`` what the answer that went down was
    an answer to; ``ended`` is complete, client-gone, upstream-died or refused (by the proxy
    itself, which ``fault`` is about); ``judging_seconds`` went into checking and mending.
    ``request`` and ``sent`` are there only where contents were asked for.
    """

    number: int
    time: float
    method: str
    path: str
    upstream: str | None = None
    dialect: str | None = None
    model: str | None = None
    stream: bool = False
    policy: str = "plain"
    status: int | None = None
    ended: str = "client-gone"
    received_bytes: int = 0
    answered_bytes: int = 0
    seconds: float = 0.0
    judging_seconds: float = 0.0
    anomalies: tuple[Anomaly, ...] = ()
    attempts: list[Tried] = []
    fault: str | None = None
    request: msgspec.Raw | None = None
    sent: msgspec.Raw | None = None


class Journal:
    """Appends entries to a file, in order, away from the event loop.

    A line is written in one piece, so that who reads the file as it grows sees whole lines. What
    cannot be written is told once to ``complain`` and never stops a request.
    """

    def __init__(self, path: Path, complain: Callable[[str], None], *, contents: bool) -> None:
        self.contents = contents
        self._complain = complain
        self._said = False
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError as error:
            raise WiremendError(f"cannot write the journal {path}: {error.strerror}") from None
        self._writer = ThreadPoolExecutor(1, "wiremend-journal")

    def write(self, entry: Entry) -> None:
        """Put an entry behind those that were written before."""
        line = msgspec.json.encode(entry) + b"\n"
        self._writer.submit(self._append, line)

    def close(self) -> None:
        """Write what is waiting, and close the file."""
        self._writer.shutdown()
        os.close(self._file)

    def _append(self, line: bytes) -> None:
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            if not self._said:
                self._said = True
                self._complain(f"the journal cannot be written any more: {error.strerror}")
