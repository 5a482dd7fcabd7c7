"""The bodies that a service sends: written once where a history goes on."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from wiremend.incremental import Followers
from wiremend.incremental.followers import Options
from wiremend.mend import Fixed
from wiremend.model import Message


class Bodies:
    """Writes requests, and keeps what was written for those of the same history that follow.

    Safe to use from several threads. Histories that have nothing in common are written anew.
    """

    def __init__(self) -> None:
        self._followers = Followers()
        self._lock = threading.Lock()

    def made(
        self,
        history: Sequence[Message],
        dialect: str,
        settings: Mapping[str, Any],
        **options: Unpack[Options],
    ) -> Fixed:
        """A body and its repairs; see ``RequestBuilder``. Its messages must not be changed."""
        with self._lock:
            self._followers.follow(history)
            return self._followers.builder(dialect, settings, **options).request()
