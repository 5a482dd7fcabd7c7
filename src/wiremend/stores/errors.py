"""What can go wrong with a store. No message holds the content of a record."""

from __future__ import annotations

from wiremend.errors import WiremendError


class StoreError(WiremendError):
    """What was asked of a store cannot be done; the message says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        # There is no place in a document to point at, so the reason stands alone.
        self.args = (reason,)


class MissingError(StoreError):
    """There is no such session, or no such blob."""


class ConflictError(StoreError):
    """Another writer was faster: the session has ``found`` records, not ``expected``."""

    def __init__(self, expected: int, found: int) -> None:
        self.expected = expected
        self.found = found
        super().__init__(
            f"the session has {found} records, not {expected}: another writer was here; "
            "reload the session and append again"
        )


class CorruptError(StoreError):
    """What is stored is damaged: ``number`` is the record's, or 0 if it is not about a record."""

    def __init__(self, number: int, reason: str) -> None:
        self.number = number
        super().__init__(f"record {number}: {reason}" if number else reason)


class UnavailableError(StoreError):
    """The store cannot be used just now: locked, disk full, connection lost. Nothing was written,
    unless the message says that it may have been."""
