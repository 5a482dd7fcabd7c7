"""``wiremend convert``: a request of one provider in the format of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import click

from wiremend.cli.base import (
    FINE,
    FOUND,
    UNUSABLE,
    Command,
    about,
    count,
    label,
    stdout,
    usable,
)
from wiremend.cli.bulk import Bulk, bulk_options
from wiremend.cli.converting import ConvertJob, Options
from wiremend.cli.dialects import AUTO, dialect_type, format_type
from wiremend.cli.fixing import JSON, REQUEST
from wiremend.cli.folders import Folder, folder_options, write_folder
from wiremend.cli.logs import read_log
from wiremend.cli.mending import Media, check_media, repair_options
from wiremend.cli.outputs import Outputs
from wiremend.cli.progress import Taken
from wiremend.cli.replacing import check_target, replacing
from wiremend.cli.works import ConvertWork
from wiremend.inputs import (
    STDIN,
    Output,
    Unusable,
    Wanted,
    check_packable,
    field_of_request,
    open_source,
    opened,
    record_of,
    stored_sessions,
)
from wiremend.logs import LOGS, Log, Record

_EPILOG = """\b
Examples:
  wiremend convert request.json --to anthropic --model claude-sonnet-4-5
  wiremend convert --format openai-chat --to bedrock conversations.jsonl -o converse.jsonl
  wiremend convert kimi.json --to anthropic -o there.json
  wiremend convert there.json --to kimi --home kimi.json

Exit status: 0 fine, 1 the provider would refuse something that is left, 2 unusable input or usage.
"""


@click.command(
    "convert", cls=Command, epilog=_EPILOG, short_help="Convert a request for another provider."
)
@click.argument("path", metavar="PATH")
@click.option(
    "--to", "goal", type=dialect_type(), required=True, help="The provider that it shall go to."
)
@click.option(
    "--format",
    "wire_format",
    type=format_type(),
    default=AUTO,
    show_default=True,
    help="The format of the input; auto looks at the input itself.",
)
@click.option("--model", help="The model of the new request; the default keeps the name as it is.")
@click.option(
    "--thinking",
    type=click.Choice(["drop", "text"]),
    help="Make nothing or plain text of another provider's thinking. The default keeps what the "
    "new one takes without a signature, and drops the rest.",
)
@click.option(
    "--home",
    "home_path",
    metavar="FILE",
    help="The request that this one was once converted from: what only that one had comes back.",
)
@repair_options
@click.option("-o", "target", metavar="OUT", help="Write to this file.")
@click.option(
    "--output",
    "form",
    type=click.Choice([REQUEST, JSON]),
    default=REQUEST,
    show_default=True,
    help="json: the request with its repairs, and what was left behind.",
)
@folder_options
@bulk_options
@click.option("-v", "--verbose", is_flag=True, help="Say what the input was taken for.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    path: str,
    goal: str,
    wire_format: str,
    model: str | None,
    thinking: Literal["drop", "text"] | None,
    home_path: str | None,
    strict: bool,
    media: Media,
    duplicates: Literal["rename", "drop"] | None,
    target: str | None,
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
    """Write a request as another provider takes it, mended where it was broken.

    PATH is a request, an array of its messages, a JSONL file of either, a session's log, a data
    set, or - for standard input. Of a log, what comes out is a request a line.
    Everything that the other format has no place for is said on standard error.
    """
    check_media(media)
    folder = Folder(engine, column, as_text, partition_size, target)
    if not folder.is_meant(path):
        if target is not None and target != STDIN:
            check_target(path, target)
        elif resume is not None:
            raise click.UsageError("--resume needs -o")
    options = Options(
        asked=Wanted(None if wire_format == AUTO else wire_format, goal),
        model=model,
        thinking=thinking,
        home=_read_home(home_path),
        strict=strict,
        media=media,
        duplicates=duplicates,
    )
    bulk = Bulk(jobs, resume, strict_input)
    job = ConvertJob(options, form)
    if folder.is_meant(path):
        ctx.exit(write_folder(ConvertWork(job), options.asked, folder, bulk, [path]))
    with about(label(path)):
        resumed = bulk.resumed("convert", job, path)
        outputs = Outputs(path, bulk, Taken(verbose=verbose), resumed)
        if target is None or target == STDIN:
            _Conversion(job, outputs, Output(stdout())).write(path)
        else:
            begun = None if resumed is None else outputs.counts.size
            with (
                replacing(target, begun) as out,
                Output(out.file, check_packable(target)) as output,
            ):
                _Conversion(job, outputs, output).write(path)
            outputs.finish()
    counts = outputs.counts
    outputs.summarise(f"{count(counts.repairs, 'repair')}, {counts.lost or 'nothing'} left behind")
    if counts.unusable:
        ctx.exit(UNUSABLE)
    ctx.exit(FOUND if counts.left else FINE)


class _Conversion(NamedTuple):
    """Of what a path names, and where it goes."""

    job: ConvertJob
    outputs: Outputs
    out: Output

    def write(self, path: str) -> None:
        """Convert everything."""
        stored = stored_sessions(path)
        if stored is not None:
            for title, document in stored:
                self._write_one_of_many(LOGS["opencode"], record_of(document), title)
            return
        asked = self.job.options.asked
        with open_source(path) as source:
            log, documents = opened(source, asked)
            if log is None:
                self.outputs.write(self.job, source, documents, self.out, asked)
            elif log.by_line:
                for document in documents:
                    if not document.is_blank:
                        place = label(path, document.line)
                        self._write_one_of_many(log, record_of(document), place)
            else:
                self._write_log(log, [record_of(one) for one in documents], label(path))

    def _write_one_of_many(self, log: Log, record: Record, place: str) -> None:
        try:
            self._write_log(log, [record], place)
        except Unusable as error:
            if record.line is None and log.by_line:
                raise
            self.outputs.refuse(place, str(error))

    def _write_log(self, log: Log, records: Sequence[Record], place: str) -> None:
        conversations = read_log(log, records).conversations
        self.outputs.taken.tell_log(place, log.what)
        for conversation in conversations:
            self.outputs.put(place, self.job.converted(conversation), self.out)


def _read_home(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    with usable(), open_source(path) as source:
        for document in source:
            value = None if document.is_blank else document.value()
            if isinstance(value, dict):
                field = field_of_request(value)
                home: dict[str, Any] = value if field is None else value[field]
                return home
    raise Unusable(f"{path}: holds no request")
