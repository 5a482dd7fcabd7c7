"""For somebody at a terminal: where, what, the provider's words, and what repairs it."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from wiremend.cli.base import label, printable
from wiremend.cli.excerpt import excerpt
from wiremend.cli.reports.base import Checked
from wiremend.rules import Violation

_LABEL = 10


class TerminalReport:
    """Colours, an excerpt with its place marked, and a hint."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, soft_wrap=True)

    def add(self, checked: Checked) -> None:
        """Report a conversation."""
        place = label(checked.path, checked.line)
        if checked.violations:
            value = checked.document.value()
            for found in checked.violations:
                self._say(place, found, value)

    def add_unusable(self, path: str, line: int | None, said: str) -> None:
        """Standard error says it."""

    def end(self) -> None:
        """Nothing is open."""

    def _say(self, place: str, found: Violation, value: Any) -> None:
        out = Text()
        out.append(place, "bold").append(":").append(printable(found.pointer) or "(root)", "cyan")
        out.append("\n  ").append(found.code, "bold red").append(f" {found.rule}", "red")
        out.append(f": {printable(found.message)}\n")
        shown = excerpt(value, found.pointer)
        out.append("\n    ").append(shown.line, "dim")
        out.append("\n    " + " " * shown.start).append("^" * max(1, shown.length), "bold red")
        out.append("\n\n")
        out.append("  provider".ljust(_LABEL), "bold").append(
            f"  {printable(found.provider_error)}\n", "yellow"
        )
        repaired = "repaired by `wiremend fix`" if found.fixable else "not repaired by `fix`"
        out.append("  fix".ljust(_LABEL), "bold")
        out.append(f"  {repaired}\n", "green" if found.fixable else "magenta")
        self.console.print(out)
