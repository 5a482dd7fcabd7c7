"""``wiremend fix``: the repaired request, and what was repaired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

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
)
from wiremend.cli.bulk import Bulk, bulk_options
from wiremend.cli.dialects import dialect_options, wanted
from wiremend.cli.fixing import DIFF, JSON, REQUEST, FixJob, Written
from wiremend.cli.folders import Folder, folder_options, write_folder
from wiremend.cli.log_mending import (
    log_difference,
    log_report,
    mend_log,
    say_log_repairs,
    written_records,
)
from wiremend.cli.mending import Media, Wishes, check_media, repair_options
from wiremend.cli.outputs import Counts, Outputs
from wiremend.cli.progress import Taken
from wiremend.cli.replacing import Replacement, check_replaceable, check_target, replacing
from wiremend.cli.works import FixWork
from wiremend.inputs import (
    STDIN,
    Output,
    Source,
    Unusable,
    check_packable,
    open_source,
    opened,
    record_of,
    stored_sessions,
)
from wiremend.logs import Log, Record

_EPILOG = """\b
Examples:
  wiremend fix request.json -o mended.json
  wiremend fix --in-place conversations.jsonl
  wiremend fix --diff --for anthropic request.json
  wiremend fix --in-place ~/.claude/projects/…/session.jsonl     the log as it was becomes .bak
  wiremend fix large.jsonl -o mended.jsonl --resume state.json
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
@folder_options
@bulk_options
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
    engine: str | None,
    column: str | None,
    as_text: bool,
    partition_size: int,
    jobs: int | None,
    resume: str | None,
    strict_input: bool,
    verbose: bool,
) -> None:
    """Repair a conversation so that the provider takes it.

    PATH is a request, an array of its messages, a JSONL file of either, a session's log, or - for
    standard input. What comes out has the same form and layout; each repair is said on standard
    error. A line of a JSONL file that cannot be used is written as it was.
    """
    goal = path if in_place else target
    folder = Folder(engine, column, as_text, partition_size, target)
    is_folder = folder.is_meant(path) and not (in_place or as_diff)
    if not is_folder:
        _check_usage(path, target, in_place=in_place, as_diff=as_diff, form=form)
    check_media(media)
    wishes = Wishes(wanted(wire_format, provider), strict, media, duplicates)
    job = FixJob(wishes, DIFF if as_diff else form)
    bulk = Bulk(jobs, resume, strict_input)
    if is_folder:
        ctx.exit(write_folder(FixWork(job), wishes.asked, folder, bulk, [path]))
    if resume is not None and goal in (None, STDIN):
        raise click.UsageError("--resume needs -o or --in-place")
    with about(label(path)):
        if stored_sessions(path) is not None:
            raise Unusable(
                "is opencode's own storage, which is only read: "
                "`opencode export` a session, mend that, and `opencode import` it"
            )
        fixes = _Fixes(path, job, bulk, Taken(verbose=verbose))
        if goal is None or goal == STDIN:
            with open_source(path) as source:
                fixes.write(source, Output(stdout()))
        else:
            # The source is closed before the target is replaced: they may be the same file.
            with fixes.target(goal) as out, open_source(path) as source:
                packed = source.compression if in_place else check_packable(goal)
                with Output(out.file, packed) as output:
                    fixes.write(source, output)
                out.is_wanted = fixes.counts.changed or not in_place
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
    """Mends the documents of one input, or the log that it is, and counts what came of it."""

    def __init__(self, path: str, job: FixJob, bulk: Bulk, taken: Taken) -> None:
        self._path = path
        self._job = job
        self._taken = taken
        self._resumed = bulk.resumed("fix", job, path)
        self._outputs = Outputs(path, bulk, taken, self._resumed)
        self.is_log = False
        self._recoded: str | None = None

    @property
    def counts(self) -> Counts:
        """What came of the documents."""
        return self._outputs.counts

    @contextmanager
    def target(self, path: str) -> Iterator[Replacement]:
        """The file to write to, which gets its name once all of it is there."""
        with replacing(path, None if self._resumed is None else self.counts.size) as out:
            yield out
        self._outputs.finish()

    def write(self, source: Source, out: Output) -> None:
        """Write each document, mended, in the form that was asked for."""
        self._recoded = source.recoded
        log, documents = opened(source, self._job.wishes.asked)
        if log is not None:
            self._write_log(log, [record_of(document) for document in documents], out)
            return
        self._outputs.write(self._job, source, documents, out, self._job.wishes.asked)

    def _write_log(self, log: Log, records: Sequence[Record], out: Output) -> None:
        self.is_log = True
        place = label(self._path)
        mended = mend_log(log, records, self._job.wishes)
        self._taken.tell_log(place, log.what)
        say_log_repairs(place, mended)
        done = [
            *(one.violation.rule for one in mended.problems),
            *(a.kind for a in mended.anomalies),
        ]
        self.counts.add(
            Written(
                None, kinds=tuple(done), left=len(mended.remaining), is_changed=mended.is_changed
            )
        )
        if self._job.form == JSON:
            out.write(log_report(mended))
        elif self._job.form == DIFF:
            out.writelines(log_difference(place, mended))
        else:
            out.writelines(written_records(mended))

    def summarise(self) -> None:
        """Say how much was repaired on standard error."""
        counts = self.counts
        if counts.repairs:
            said = count(counts.repairs, "repair")
        else:
            said = "nothing repaired" if counts.left else "nothing to repair"
        self._outputs.summarise(said)
        if self._recoded is not None and counts.changed:
            complain(label(self._path), f"was in {self._recoded}; what is written is in UTF-8")

    def status(self) -> int:
        """The exit status."""
        if self.counts.unusable:
            return UNUSABLE
        return FOUND if self.counts.left else FINE
