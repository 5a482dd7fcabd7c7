"""Workflow commands of GitHub Actions: each violation becomes a note at its line of the file."""

from __future__ import annotations

from wiremend.cli.base import printable, put
from wiremend.cli.reports.base import Checked

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


class GithubReport:
    """``::error file=…,line=…,col=…,title=…::message``."""

    def add(self, checked: Checked) -> None:
        """Report a conversation."""
        for found, place in zip(checked.violations, checked.positions(), strict=True):
            title = f"{found.code} {found.rule}"
            said = f"{found.message} ({found.pointer or '(root)'})"
            _error(checked.path, place.line, title, said, column=place.column)

    def add_unusable(self, path: str, line: int | None, said: str) -> None:
        """Report what could not be checked."""
        _error(path, line, "unusable input", said)

    def end(self) -> None:
        """Nothing is open."""


def _error(
    path: str, line: int | None, title: str, said: str, *, column: int | None = None
) -> None:
    fields: dict[str, str | int | None] = {
        "file": path,
        "line": line,
        "col": column,
        "title": title,
    }
    written = ",".join(
        f"{name}={str(value).translate(_PROPERTY)}"
        for name, value in fields.items()
        if value is not None
    )
    put(f"::error {written}::{printable(said).translate(_DATA)}\n")
