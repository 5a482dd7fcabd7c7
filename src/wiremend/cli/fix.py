"""``wiremend fix``: the repaired request, and what was repaired."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Literal

import click

from wiremend.cli.base import (
    FINE,
    FOUND,
    UNUSABLE,
    Command,
    about,
    complain,
    count,
    label,
    stdout,
    usable,
)
from wiremend.cli.dialects import dialect_options, wanted
from wiremend.cli.log_mending import (
    log_difference,
    log_report,
    mend_log,
    say_log_repairs,
    written_records,
)
from wiremend.cli.logs import opened
from wiremend.cli.mending import Media, Mended, Wishes, check_media, mend, repair_options
from wiremend.cli.progress import Taken
from wiremend.cli.replacing import check_replaceable, check_target, replacing
from wiremend.cli.showing import as_difference, as_report, say_repairs
from wiremend.cli.writing import compact, encoded, layout_of
from wiremend.inputs import STDIN, Document, Source, Unusable, open_source, record_of
from wiremend.logs import Log, Record

REQUEST, JSON, DIFF = "request", "json", "diff"

_EPILOG = """\b
Examples:
  wiremend fix request.json -o mended.json
  wiremend fix --in-place conversations.jsonl
  wiremend fix --diff --for anthropic request.json
  wiremend fix --in-place ~/.claude/projects/…/session.jsonl     the log as it was becomes .bak
  cat request.json | wiremend fix - | curl -d @- …

Exit status: 0 nothing is left to refuse, 1 something is, 2 unusable input or usage.
"""


@click.command("fix", cls=Command, epilog=_EPILOG)
@click.argument("path", metavar="PATH")
@dialect_options
@repair_options
@click.option("-o", "target", metavar="OUT", help="Write to this file.")
@click.option("--in-place", is_flag=True, help="Replace PATH once all of it is safely written.")
@click.option("--diff", "as_diff", is_flag=True, help="Show what would change, write nothing.")
@click.option(
    "--output",
    "form",
    type=click.Choice([REQUEST, JSON]),
    default=REQUEST,
    show_default=True,
    help="json: the request with its anomalies and the remaining violations.",
)
@click.option("-v", "--verbose", is_flag=True, help="Say what the input was taken for.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    path: str,
    wire_format: str,
    provider: str | None,
    strict: bool,
    media: Media,
    duplicates: Literal["rename", "drop"] | None,
    target: str | None,
    in_place: bool,
    as_diff: bool,
    form: str,
    verbose: bool,
) -> None:
    """Repair a conversation so that the provider takes it.

    PATH is a request, an array of its messages, a JSONL file of either, a session's log, or - for
    standard input. What comes out has the same form and layout; each repair is said on standard
    error. A line of a JSONL file that cannot be used is written as it was.
    """
    _check_usage(path, target, in_place=in_place, as_diff=as_diff, form=form)
    check_media(media)
    wishes = Wishes(wanted(wire_format, provider), strict, media, duplicates)
    fixes = _Fixes(path, wishes, Taken(verbose=verbose), DIFF if as_diff else form)
    goal = path if in_place else target
    with about(label(path)):
        if goal is None or goal == STDIN:
            with open_source(path) as source:
                fixes.write(source, stdout())
        else:
            # The source is closed before the target is replaced: they may be the same file.
            with replacing(goal) as out, open_source(path) as source:
                fixes.write(source, out.file)
                out.is_wanted = fixes.changed or not in_place
                out.keeps_old = fixes.is_log and in_place
            if out.backup is not None:
                complain(label(path), f"the log as it was is kept as {out.backup}")
    fixes.summarise()
    ctx.exit(fixes.status())


def _check_usage(
    path: str, target: str | None, *, in_place: bool, as_diff: bool, form: str
) -> None:
    if in_place + as_diff + (target is not None) > 1:
        raise click.UsageError("-o, --in-place and --diff exclude each other")
    if form == JSON and (in_place or as_diff):
        raise click.UsageError("--output json goes with neither --in-place nor --diff")
    if in_place:
        if path == STDIN:
            raise click.UsageError("--in-place needs a file, not standard input")
        check_replaceable(path)
    elif target is not None:
        check_target(path, target)


class _Fixes:
    """Mends the documents of one input and counts what came of it."""

    def __init__(self, path: str, wishes: Wishes, taken: Taken, form: str) -> None:
        self._path = path
        self._wishes = wishes
        self._taken = taken
        self._form = form
        self.changed = False
        self.is_log = False
        self._recoded: str | None = None
        self._repairs = self._left = self._unusable = 0

    def write(self, source: Source, out: IO[bytes]) -> None:
        """Write each document, mended, in the form that was asked for."""
        self._recoded = source.recoded
        log, documents = opened(source, self._wishes.asked)
        if log is not None:
            self._write_log(log, [record_of(document) for document in documents], out)
            return
        for document in documents:
            if not document.is_blank:
                out.write(self._written(document))
            elif self._form == REQUEST:
                out.write(document.data)

    def _write_log(self, log: Log, records: Sequence[Record], out: IO[bytes]) -> None:
        self.is_log = True
        place = label(self._path)
        mended = mend_log(log, records, self._wishes)
        self._taken.tell_log(place, log.what)
        say_log_repairs(place, mended)
        self._repairs = len(mended.problems) + len(mended.anomalies)
        self._left = len(mended.remaining)
        self.changed = mended.is_changed
        if self._form == JSON:
            out.write(log_report(mended))
        elif self._form == DIFF:
            out.writelines(log_difference(place, mended))
        else:
            out.writelines(written_records(mended))

    def summarise(self) -> None:
        """Say how much was repaired on standard error."""
        if self._repairs:
            said = count(self._repairs, "repair")
        else:
            said = "nothing repaired" if self._left else "nothing to repair"
        if self._left:
            said += f", {count(self._left, 'violation')} left"
        if self._unusable:
            said += f", {count(self._unusable, 'unusable line')}"
        complain(label(self._path), said)
        if self._recoded is not None and self.changed:
            complain(label(self._path), f"was in {self._recoded}; what is written is in UTF-8")

    def status(self) -> int:
        """The exit status."""
        if self._unusable:
            return UNUSABLE
        return FOUND if self._left else FINE

    def _written(self, document: Document) -> bytes:
        place = label(self._path, document.line)
        try:
            with usable():
                mended = mend(document, self._wishes)
                written = self._in_form(place, document, mended)
        except Unusable as error:
            if document.line is None:
                raise
            self._unusable += 1
            complain(place, str(error))
            return self._as_it_was(document, str(error))
        self._taken.tell(place, mended.chosen)
        say_repairs(place, mended)
        self._repairs += len(mended.anomalies)
        self._left += len(mended.remaining)
        self.changed = self.changed or mended.is_changed
        return written

    def _in_form(self, place: str, document: Document, mended: Mended) -> bytes:
        if self._form == JSON:
            return as_report(mended)
        if self._form == DIFF:
            return as_difference(place, mended)
        if not mended.is_changed:
            return document.data
        return layout_of(document.data).write(mended.after)

    def _as_it_was(self, document: Document, error: str) -> bytes:
        if self._form == JSON:
            return encoded(compact({"error": error, "line": document.line}) + "\n")
        return document.data if self._form == REQUEST else b""
