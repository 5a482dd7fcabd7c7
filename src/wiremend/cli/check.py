"""``wiremend check``: what the provider would refuse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

import wiremend
from wiremend.cli.base import FINE, FOUND, UNUSABLE, Command, complain, count, label, usable
from wiremend.cli.dialects import dialect_options, wanted
from wiremend.cli.foreign import check_converted
from wiremend.cli.logs import (
    by_record,
    check_conversation,
    opened,
    problem_found,
    read_log,
    target_of,
)
from wiremend.cli.progress import Taken
from wiremend.cli.reports import FORMS, Checked, Report, report_in
from wiremend.inputs import (
    Chosen,
    Document,
    NoConversation,
    Unusable,
    Wanted,
    choose,
    find_files,
    open_source,
    record_of,
)
from wiremend.logs import Log, Record
from wiremend.rules import Violation

_EPILOG = """\b
Examples:
  wiremend check request.json
  wiremend check --for anthropic --output json conversations.jsonl
  wiremend check --output sarif transcripts/ > wiremend.sarif
  curl -s localhost:8000/last-request | wiremend check -

Exit status: 0 nothing found, 1 violations found, 2 unusable input or usage.
"""


@click.command("check", cls=Command, epilog=_EPILOG)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@dialect_options
@click.option(
    "--output",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="The form of the report.",
)
@click.option("-v", "--verbose", is_flag=True, help="Say what each input was taken for.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    wire_format: str,
    provider: str | None,
    form: str,
    verbose: bool,
) -> None:
    """Say what the provider would refuse in a conversation.

    PATH is a request, an array of its messages, a JSONL file of either, a directory of such
    files, or - for standard input.
    """
    asked = wanted(wire_format, provider)
    checks = _Checks(report_in(form), asked, Taken(verbose=verbose))
    for path in paths:
        checks.take(path)
    checks.report.end()
    checks.summarise()
    ctx.exit(checks.status())


class _Checks:
    """The conversations of all paths, checked one after the other, and counted."""

    def __init__(self, report: Report, asked: Wanted, taken: Taken) -> None:
        self.report = report
        self._asked = asked
        self._taken = taken
        self._checked = self._broken = self._found = self._fixable = self._unusable = 0
        self._passed = 0

    def take(self, path: str) -> None:
        """Check all that a path stands for."""
        try:
            for file in find_files(path):
                self._take_file(file, among_others=file != path)
        except Unusable as error:
            self._refuse(path, None, error)

    def _take_file(self, path: str, *, among_others: bool) -> None:
        """``among_others``: the file was not named, so that it need not be a conversation."""
        before = self._checked
        try:
            with open_source(path) as source:
                log, documents = opened(source, self._asked)
                for part in _parts(log, documents):
                    try:
                        self._take_part(path, log, part)
                    except NoConversation as error:
                        if among_others and self._checked == before:
                            self._passed += 1
                            self._taken.pass_over(path, str(error))
                            return
                        self._refuse(path, part[0].line, error)
                    except Unusable as error:
                        self._refuse(path, part[0].line, error)
        except Unusable as error:
            self._refuse(path, None, error)

    def _take_part(self, path: str, log: Log | None, part: Sequence[Document]) -> None:
        """``part``: the lines of a session's log, or else one document."""
        if log is not None:
            self._take_log(path, log, [record_of(document) for document in part])
            return
        checked = self._check(path, part[0])
        self._count(checked.violations)
        self.report.add(checked)

    def _take_log(self, path: str, log: Log, records: Sequence[Record]) -> None:
        reading = read_log(log, records)
        line = records[0].line if log.by_line else None
        self._taken.tell_log(label(path, line), log.what)
        problems = [problem_found(problem) for problem in reading.problems]
        self._found += len(problems)
        self._fixable += len(problems)
        dialect = ""
        for conversation in reading.conversations:
            dialect = target_of(conversation, self._asked)
            found = check_conversation(conversation, records, self._asked)
            self._count([one.violation for one in found])
            problems.extend(found)
        for checked in by_record(path, log, dialect, records, problems):
            self.report.add(checked)
        if not problems:
            fine = Document(records[0].data or b"", line)
            self.report.add(Checked(path, fine, log.name, dialect, None, ()))

    def _count(self, violations: Sequence[Violation]) -> None:
        self._checked += 1
        self._broken += bool(violations)
        self._found += len(violations)
        self._fixable += sum(found.fixable for found in violations)

    def _check(self, path: str, document: Document) -> Checked:
        with usable():
            value = document.value()
            chosen = choose(value, self._asked)
            self._taken.tell(label(path, document.line), chosen)
            found = _violations(chosen)
        return Checked(path, document, chosen.format, chosen.dialect, value, found)

    def _refuse(self, path: str, line: int | None, error: Unusable) -> None:
        self._unusable += 1
        complain(label(path, line), str(error))
        self.report.add_unusable(path, line, str(error))

    def summarise(self) -> None:
        """Write the counts to standard error, where there is more to say than was said."""
        if not self._checked and self._unusable == 1 and not self._passed:
            return
        said = count(self._checked, "conversation")
        if self._found:
            said += f", {self._broken} with {count(self._found, 'violation')}"
            said += f" ({self._fixable} repaired by `wiremend fix`)"
        elif self._checked:
            said += ", no violations"
        if self._unusable:
            said += f", {count(self._unusable, 'unusable input')}"
        if self._passed:
            said += f", {count(self._passed, 'other file')} passed over"
        complain(None, said)

    def status(self) -> int:
        """The exit status."""
        if self._unusable:
            return UNUSABLE
        return FOUND if self._found else FINE


def _parts(log: Log | None, documents: Iterator[Document]) -> Iterator[Sequence[Document]]:
    """What belongs together: all lines of a session's log, or else each document."""
    if log is None or log.by_line:
        return ((document,) for document in documents if not document.is_blank)
    return iter((list(documents),))


def _violations(chosen: Chosen) -> list[Violation]:
    if chosen.is_foreign:
        return check_converted(chosen.body, chosen.source, chosen.dialect)
    return chosen.placed(wiremend.check(chosen.body, chosen.dialect))
