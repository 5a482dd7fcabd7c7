"""The documented JSON, one entry a line so that it can be written as it comes."""

from __future__ import annotations

from typing import Any

import msgspec

from wiremend.cli.base import put
from wiremend.cli.reports.base import Checked
from wiremend.cli.writing import compact


class JsonReport:
    """``{"files": [{"path", "format", "dialect", "violations": […]}]}``.

    A conversation of a JSONL file has ``path`` as ``FILE:LINE`` and the number as ``line``.
    """

    def __init__(self) -> None:
        self._before = '{"files": ['

    def add(self, checked: Checked) -> None:
        """Report a conversation."""
        put(f"{self._before}\n{compact(_entry(checked))}")
        self._before = ","

    def add_unusable(self, path: str, line: int | None, said: str) -> None:
        """Standard error says it."""

    def end(self) -> None:
        """Close the JSON."""
        put("\n]}\n" if self._before == "," else f"{self._before}]}}\n")


def _entry(checked: Checked) -> dict[str, Any]:
    path, line = checked.path, checked.line
    entry: dict[str, Any] = {"path": path if line is None else f"{path}:{line}"}
    if line is not None:
        entry["line"] = line
    entry["format"], entry["dialect"] = checked.format, checked.dialect
    entry["violations"] = msgspec.to_builtins(list(checked.violations))
    return entry
