"""``wiremend convert``: a request of one provider in the format of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Any, Literal

import click
import msgspec

import wiremend
from wiremend.bulk import Part
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
from wiremend.cli.dialects import AUTO, dialect_type, format_type
from wiremend.cli.fixing import JSON, REQUEST, Written, refused_line
from wiremend.cli.logs import opened, read_log
from wiremend.cli.mending import Media, check_media, media_for, repair_options
from wiremend.cli.outputs import Outputs
from wiremend.cli.progress import Taken
from wiremend.cli.replacing import check_target, replacing
from wiremend.cli.showing import left_in_words, said_of
from wiremend.cli.writing import Layout, compact, encoded, layout_of
from wiremend.conversion import Converted, convert
from wiremend.inputs import (
    STDIN,
    Choice,
    Document,
    Source,
    Unusable,
    Wanted,
    choose,
    open_source,
    record_of,
)
from wiremend.logs import Conversation
from wiremend.projection import anomaly_to_builtins
from wiremend.rules import Violation

_EPILOG = """\b
Examples:
  wiremend convert request.json --to anthropic --model claude-sonnet-4-5
  wiremend convert --format openai-chat --to bedrock conversations.jsonl -o converse.jsonl
  wiremend convert kimi.json --to anthropic -o there.json
  wiremend convert there.json --to kimi --home kimi.json

Exit status: 0 fine, 1 the provider would refuse something that is left, 2 unusable input or usage.
"""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of ``convert``."""

    asked: Wanted
    model: str | None
    thinking: Literal["drop", "text"] | None
    home: dict[str, Any] | None
    strict: bool
    media: Media
    duplicates: Literal["rename", "drop"] | None


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
    with about(label(path)):
        resumed = bulk.resumed("convert", job, path)
        outputs = Outputs(path, bulk, Taken(verbose=verbose), resumed)
        if target is None or target == STDIN:
            with open_source(path) as source:
                _write(source, path, job, outputs, stdout())
        else:
            begun = None if resumed is None else outputs.counts.size
            with replacing(target, begun) as out, open_source(path) as source:
                _write(source, path, job, outputs, out.file)
            outputs.finish()
    counts = outputs.counts
    outputs.summarise(f"{count(counts.repairs, 'repair')}, {counts.lost or 'nothing'} left behind")
    if counts.unusable:
        ctx.exit(UNUSABLE)
    ctx.exit(FOUND if counts.left else FINE)


def _write(source: Source, path: str, job: ConvertJob, outputs: Outputs, out: IO[bytes]) -> None:
    log, documents = opened(source, job.options.asked)
    if log is None:
        outputs.write(job, source, documents, out, job.options.asked)
        return
    records = (record_of(document) for document in documents)
    logs = ([one] for one in records if one.data and one.data.strip())
    for held in logs if log.by_line else iter([list(records)]):
        place = label(path, held[0].line if log.by_line else None)
        outputs.taken.tell_log(place, log.what)
        for conversation in read_log(log, held).conversations:
            outputs.put(place, job.converted(conversation), out)


@dataclass(frozen=True)
class ConvertJob:
    """Converts each document of a part, in the form that was asked for."""

    options: Options
    form: str

    def __call__(self, part: Part) -> list[Written]:
        """Convert a part. A blank line is nothing."""
        return [
            Written(b"") if document.is_blank else self._written(document)
            for document in part.documents
        ]

    def _written(self, document: Document) -> Written:
        try:
            with usable():
                chosen = choose(document.value(), _from(self.options.asked))
                made = _converted(chosen.body, chosen.source, self.options)
        except Unusable as error:
            # A line that is missing would shift all that follow.
            return Written(refused_line(document, str(error)), refused=str(error))
        return self._said(made, layout_of(document.data), chosen.choice)

    def converted(self, conversation: Conversation) -> Written:
        """Convert a conversation of a log, as it was recorded. Raises ``Unusable``."""
        body = conversation.recorded or conversation.body
        with usable():
            made = _converted(body, conversation.dialect, self.options)
        return self._said(made, Layout(None, (", ", ": ")), None)

    def _said(self, made: Converted, layout: Layout, choice: Choice | None) -> Written:
        goal = str(self.options.asked.provider)
        remaining = wiremend.check(made.body, goal)
        if self.form == JSON:
            data = encoded(compact(_report(made, remaining)) + "\n")
        else:
            data = layout.write(made.body)
        said = [("", anomaly.describe()) for anomaly in made.anomalies]
        said += [("", said_of(lost, goal)) for lost in made.lost]
        return Written(
            data,
            choice,
            (*said, *left_in_words(remaining)),
            kinds=tuple(anomaly.kind for anomaly in made.anomalies),
            lost=sum(lost.count for lost in made.lost),
            left=len(remaining),
            is_changed=True,
        )


def _from(asked: Wanted) -> Wanted:
    """The input is read in the format that was named or that it shows, whatever the goal is."""
    return Wanted(asked.format, asked.format)


def _converted(body: dict[str, Any], source: str, options: Options) -> Converted:
    goal = str(options.asked.provider)
    model = options.model or body.get("model") or body.get("modelId")
    return convert(
        body,
        source,
        goal,
        model=options.model,
        thinking=options.thinking,
        home=options.home,
        strict=options.strict,
        media=media_for(options.media, goal, model),
        duplicates=options.duplicates,
    )


def _report(made: Converted, remaining: list[Violation]) -> dict[str, Any]:
    return {
        "request": made.body,
        "anomalies": [anomaly_to_builtins(anomaly) for anomaly in made.anomalies],
        "lost": msgspec.to_builtins(made.lost),
        "remaining": msgspec.to_builtins(remaining),
    }


def _read_home(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    with usable(), open_source(path) as source:
        for document in source:
            value = None if document.is_blank else document.value()
            if isinstance(value, dict):
                return value
    raise Unusable(f"{path}: holds no request")
