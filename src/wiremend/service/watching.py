"""Nobody watches."""

from __future__ import annotations

from typing import Any

from wiremend.service.trace import AttemptTrace, Requested, Told, Trace, Watch


class Unwatched:
    """The observer where none is given, and its watch."""

    def requested(self, _: Requested) -> Watch:
        """See ``Observer``."""
        return self

    def sending(self, number: int, policy: str, body: dict[str, Any]) -> None:
        """See ``Watch``."""

    def came(self, attempt: AttemptTrace, told: Told | None, error: BaseException | None) -> None:
        """See ``Watch``."""

    def ended(self, trace: Trace) -> None:
        """See ``Watch``."""
