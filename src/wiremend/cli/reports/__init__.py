"""The forms that ``check`` reports in. Each writes as it goes, so that no report is held."""

from __future__ import annotations

from wiremend.cli.base import is_terminal
from wiremend.cli.reports.base import Checked, Report

__all__ = ["FORMS", "LISTED", "Checked", "Report", "report_in"]

FORMS = ("text", "json", "github", "sarif")
LISTED = ("text", "github")
"""Those that are lines with nothing around them: one report can go on where another ended."""


def report_in(form: str) -> Report:
    """The report of this form, written to standard output."""
    if form == "json":
        from wiremend.cli.reports.as_json import JsonReport

        return JsonReport()
    if form == "sarif":
        from wiremend.cli.reports.sarif import SarifReport

        return SarifReport()
    if form == "github":
        from wiremend.cli.reports.github import GithubReport

        return GithubReport()
    return _for_people()


def _for_people() -> Report:
    if is_terminal():
        try:
            from wiremend.cli.reports.terminal import TerminalReport
        except ModuleNotFoundError:
            pass
        else:
            return TerminalReport()
    from wiremend.cli.reports.plain import PlainReport

    return PlainReport()
