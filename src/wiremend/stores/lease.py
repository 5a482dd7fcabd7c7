"""A store in the hands of several sessions."""

from __future__ import annotations

from wiremend.stores.base import Store


class Lease:
    """A store that a session and its forks use: the last one to close closes it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._users = 0

    def take(self) -> None:
        """One more uses it."""
        self._users += 1

    def let_go(self) -> None:
        """One less uses it."""
        self._users -= 1
        if self._users == 0:
            self.store.close()
