"""``wiremend check``: what the provider would refuse."""

from __future__ import annotations

import click
import msgspec

from wiremend.bulk import Part, Place, Resumed, in_order
from wiremend.cli.base import FINE, FOUND, UNUSABLE, Command, complain, label, stdout, usable
from wiremend.cli.bulk import (
    Bulk,
    Reader,
    Stopped,
    bulk_options,
    bytes_below,
    place_behind,
    watching,
)
from wiremend.cli.checking import CheckJob, Outcome
from wiremend.cli.dialects import dialect_options, wanted
from wiremend.cli.folders import Folder, folder_options, write_folder
from wiremend.cli.progress import Taken
from wiremend.cli.reports import FORMS, LISTED, Checked, Report, report_in
from wiremend.cli.tally import Tally
from wiremend.cli.works import CheckWork
from wiremend.inputs import Document
from wiremend.logs import LOGS

_EPILOG = """\b
Examples:
  wiremend check request.json
  wiremend check --for anthropic --output json conversations.jsonl
  wiremend check ~/.claude/projects
  wiremend check --output sarif transcripts/ > wiremend.sarif
  wiremend check --resume state.json conversations.jsonl >> found.txt
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
@click.option(
    "--skip-others",
    is_flag=True,
    help="Pass over files that are no conversation, as in a directory.",
)
@click.option(
    "-o",
    "target",
    metavar="DIR",
    help="Write what was found as JSONL into this folder, in partitions, with a summary.",
)
@folder_options
@bulk_options
@click.option("-v", "--verbose", is_flag=True, help="Say what each input was taken for.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    wire_format: str,
    provider: str | None,
    form: str,
    skip_others: bool,
    target: str | None,
    engine: str | None,
    column: str | None,
    as_text: bool,
    partition_size: int,
    jobs: int | None,
    resume: str | None,
    strict_input: bool,
    verbose: bool,
) -> None:
    """Say what the provider would refuse in a conversation.

    PATH is a request, an array of its messages, a JSONL file of either, a session's log, a data
    set, a directory of such files, or - for standard input. Of a directory, files that are
    nothing of it are passed over.
    """
    if resume is not None and form not in LISTED:
        raise click.UsageError(f"--resume goes with --output {' or '.join(LISTED)}")
    bulk = Bulk(jobs, resume, strict_input)
    job = CheckJob(wanted(wire_format, provider))
    folder = Folder(engine, column, as_text, partition_size, target, skip_others)
    if target is not None or folder.is_needed(paths):
        if form not in ("text", "json"):
            raise click.UsageError(f"--output {form} does not go with a folder")
        ctx.exit(write_folder(CheckWork(job), job.asked, folder, bulk, paths))
    checks = _Checks(bulk, job, report_in(form), Taken(verbose=verbose), paths)
    checks.run(skips_others=skip_others, column=column)
    checks.report.end()
    checks.summarise()
    ctx.exit(checks.status())


class _Checks:
    """The conversations of all paths, checked, reported in order, and counted."""

    def __init__(
        self, bulk: Bulk, job: CheckJob, report: Report, taken: Taken, paths: tuple[str, ...]
    ) -> None:
        self.report = report
        self._bulk = bulk
        self._job = job
        self._taken = taken
        self._paths = paths
        self._resumed: Resumed | None = bulk.resumed("check", job.asked, paths)
        self._reader = Reader(job.asked, self._resumed)
        self._tally = Tally()
        if self._resumed is not None and self._resumed.counts is not None:
            self._tally = msgspec.convert(self._resumed.counts, Tally)
        self._begun: int | None = None
        self._conversations_before = 0

    def run(self, *, skips_others: bool, column: str | None) -> None:
        """Check everything. Raises ``Unusable``."""
        self._reader.skips_others = skips_others
        self._reader.column = column
        parts = self._reader.parts(self._paths)
        try:
            with (
                usable(),
                watching(
                    lambda: bytes_below(self._paths), getattr(self.report, "console", None)
                ) as watch,
            ):
                for part, outcomes in in_order(self._job, parts, self._bulk.processes):
                    before = self._tally.conversations, self._tally.violations
                    self._take(part, outcomes)
                    watch.advance(
                        part.size,
                        self._tally.conversations - before[0],
                        self._tally.violations - before[1],
                    )
        except Stopped:
            pass
        finally:
            if self._resumed is not None:
                with usable():
                    self._resumed.keep()
        if self._resumed is not None and not self._tally.stopped:
            self._resumed.finish()

    def _take(self, part: Part, outcomes: list[Outcome]) -> None:
        if part.file != self._begun:
            self._begun = part.file
            self._conversations_before = self._tally.conversations
        if part.log is not None:
            self._take_log(part, outcomes[0])
        else:
            for document, outcome in zip(part.documents, outcomes, strict=True):
                if not self._take_document(part, document, outcome):
                    return
        if part.trouble is not None:
            self._refuse(part.path, None, part.trouble)
            self._reach(place_behind(part))

    def _take_document(self, part: Part, document: Document, outcome: Outcome) -> bool:
        """Report a document; False where the rest of its file is not worth a look."""
        if outcome.refused is not None:
            if outcome.is_other and self._is_something_else(part, outcome.refused):
                return False
            self._refuse(part.path, document.line, outcome.refused)
        elif outcome.choice is not None:
            self._taken.tell(label(part.path, document.line), outcome.choice)
            self._tally.add(outcome.conversations, outcome.broken, outcome.violations)
            told = outcome.choice.format, outcome.choice.dialect
            self.report.add(Checked(part.path, document, *told, outcome.violations))
        self._reach(place_behind(part, document.line))
        return True

    def _take_log(self, part: Part, outcome: Outcome) -> None:
        log = LOGS[str(part.log)]
        line = part.documents[0].line if log.by_line else None
        if outcome.refused is not None:
            if not (outcome.is_other and self._is_something_else(part, outcome.refused)):
                self._refuse(part.path, line, outcome.refused)
        else:
            self._taken.tell_log(label(part.path, line), log.what)
            self._tally.add(outcome.conversations, outcome.broken, outcome.violations)
            for checked in outcome.checked:
                self.report.add(checked)
        self._reach(place_behind(part, line))

    def _is_something_else(self, part: Part, why: str) -> bool:
        """Pass over a file of a directory that is no conversation from its beginning."""
        if not part.among_others or self._tally.conversations != self._conversations_before:
            return False
        self._reader.pass_over(part.path)
        self._tally.passed += 1
        self._taken.pass_over(part.path, why)
        self._reach(place_behind(part))
        return True

    def _refuse(self, path: str, line: int | None, why: str) -> None:
        self._tally.unusable += 1
        complain(label(path, line), why)
        self.report.add_unusable(path, line, why)
        if self._bulk.strict_input:
            self._tally.stopped = True
            raise Stopped

    def _reach(self, place: Place) -> None:
        if self._resumed is not None:
            self._resumed.reach(place, msgspec.to_builtins(self._tally))
            if self._resumed.is_due:
                stdout().flush()
                self._resumed.keep()

    def summarise(self) -> None:
        """Write the counts to standard error, where there is more to say than was said."""
        tally = self._tally
        if not tally.conversations and tally.unusable == 1 and not tally.passed:
            return
        complain(None, tally.in_words())
        for line in tally.table():
            click.echo(line, err=True)

    def status(self) -> int:
        """The exit status."""
        if self._tally.unusable:
            return UNUSABLE
        return FOUND if self._tally.violations else FINE
