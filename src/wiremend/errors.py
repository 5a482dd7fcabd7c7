"""The one exception that wiremend raises, and the helpers that say where the trouble is."""

from __future__ import annotations

from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]


def pointer(path: Path) -> str:
    """Render a path as an RFC 6901 JSON pointer: ``("messages", 0)`` gives ``/messages/0``."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


class WiremendError(Exception):
    """Input that cannot be used: ``pointer`` says where, ``reason`` says what and what to do.

    The message never holds the content of a conversation.
    """

    def __init__(self, reason: str, path: Path = ()) -> None:
        self.reason = reason
        self.pointer = pointer(path)
        super().__init__(f"{self.pointer or '(root)'}: {reason}")
