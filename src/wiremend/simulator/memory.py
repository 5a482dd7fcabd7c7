"""What a provider keeps of conversations that a client goes on with by name."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

_MOST = 1000


class Memory:
    """Conversations by the name of their last answer; the oldest are forgotten."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Any] = OrderedDict()

    def keep(self, name: str, state: Any) -> None:
        """Keep a conversation under the name of its last answer."""
        self._kept[name] = state
        self._kept.move_to_end(name)
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)

    def get(self, name: Any) -> Any:
        """Return what was kept under a name; None: nothing."""
        return self._kept.get(name) if isinstance(name, str) else None
