"""What a proxy is told when it starts."""

from __future__ import annotations

from pathlib import Path

import msgspec

from wiremend.proxy.upstreams import Upstream


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a proxy behaves.

    ``dry_run`` reports what would be done and sends everything as it came. ``max_body`` is the
    largest conversation that is taken, in bytes; other requests are not read here and have no
    limit. Times are in seconds: ``read_timeout`` is the longest silence of an upstream, ``grace``
    what answers in flight get to finish at the end. ``journal`` is a file that entries are
    appended to, ``journal_contents`` whether conversations go into it.
    """

    upstreams: tuple[Upstream, ...]
    host: str = "127.0.0.1"
    port: int = 8400
    dry_run: bool = False
    max_body: int = 64 << 20
    connect_timeout: float = 10.0
    read_timeout: float = 600.0
    grace: float = 30.0
    journal: Path | None = None
    journal_contents: bool = False
