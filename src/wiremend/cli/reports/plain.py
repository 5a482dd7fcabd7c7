"""One line a violation, for pipes and files."""

from __future__ import annotations

from wiremend.cli.base import label, printable, put
from wiremend.cli.reports.base import Checked


class PlainReport:
    """``path:pointer: CODE name: message``."""

    def add(self, checked: Checked) -> None:
        """Report a conversation."""
        place = label(checked.path, checked.line)
        for found in checked.violations:
            pointer = printable(found.pointer)
            put(f"{place}:{pointer}: {found.code} {found.rule}: {printable(found.message)}\n")

    def add_unusable(self, path: str, line: int | None, said: str) -> None:
        """Standard error says it."""

    def end(self) -> None:
        """Nothing is open."""
