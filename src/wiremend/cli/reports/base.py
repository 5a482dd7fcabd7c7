"""What is reported, and what a report is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from wiremend.cli.locating import Position, locate
from wiremend.inputs import Document
from wiremend.rules import Violation


class Checked(NamedTuple):
    """A conversation that was checked; the pointers of the violations lead into its document."""

    path: str
    document: Document
    format: str
    dialect: str
    violations: Sequence[Violation]

    @property
    def line(self) -> int | None:
        """The line of a JSONL file that holds the conversation."""
        return self.document.line

    def positions(self) -> list[Position]:
        """Where in the file each violation is."""
        return locate(self.document, [found.pointer for found in self.violations])


class Report(Protocol):
    """Takes what was checked, one conversation after the other."""

    def add(self, checked: Checked) -> None:
        """Report a conversation, also one that is fine."""
        ...

    def add_unusable(self, path: str, line: int | None, said: str) -> None:
        """Report what could not be checked, beside the line on standard error."""
        ...

    def end(self) -> None:
        """Finish the report."""
        ...
