"""``wiremend convert``: a request of one provider in the format of another."""

from __future__ import annotations

from typing import IO, Any, Literal

import click
import msgspec

import wiremend
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
from wiremend.cli.dialects import AUTO, dialect_type
from wiremend.cli.mending import Media, check_media, media_for, repair_options
from wiremend.cli.progress import Taken
from wiremend.cli.replacing import check_target, replacing
from wiremend.cli.showing import said_of
from wiremend.cli.writing import compact, encoded, layout_of
from wiremend.conversion import Converted, convert
from wiremend.inputs import STDIN, Chosen, Document, Source, Unusable, Wanted, choose, open_source
from wiremend.projection import anomaly_to_builtins
from wiremend.rules import Violation

REQUEST, JSON = "request", "json"

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
    type=dialect_type(AUTO),
    default=AUTO,
    show_default=True,
    help="The wire format of the input; auto looks at the input itself.",
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
    verbose: bool,
) -> None:
    """Write a request as another provider takes it, mended where it was broken.

    PATH is a request, an array of its messages, a JSONL file of either, or - for standard input.
    Everything that the other format has no place for is said on standard error.
    """
    check_media(media)
    if target is not None and target != STDIN:
        check_target(path, target)
    options = Options(
        asked=Wanted(None if wire_format == AUTO else wire_format, goal),
        model=model,
        thinking=thinking,
        home=_read_home(home_path),
        strict=strict,
        media=media,
        duplicates=duplicates,
    )
    work = _Conversions(path, options, Taken(verbose=verbose), form)
    with about(label(path)):
        if target is None or target == STDIN:
            with open_source(path) as source:
                work.write(source, stdout())
        else:
            with replacing(target) as out, open_source(path) as source:
                work.write(source, out.file)
    work.summarise()
    ctx.exit(work.status())


class _Conversions:
    """Converts the documents of one input and counts what came of it."""

    def __init__(self, path: str, options: Options, taken: Taken, form: str) -> None:
        self._path = path
        self._options = options
        self._taken = taken
        self._form = form
        self._repairs = self._lost = self._left = self._unusable = 0

    def write(self, source: Source, out: IO[bytes]) -> None:
        """Write each document, converted."""
        for document in source:
            if not document.is_blank:
                out.write(self._written(document))

    def summarise(self) -> None:
        """Say on standard error what it took."""
        said = f"{count(self._repairs, 'repair')}, {self._lost or 'nothing'} left behind"
        if self._left:
            said += f", {count(self._left, 'violation')} left"
        if self._unusable:
            said += f", {count(self._unusable, 'unusable line')}"
        complain(label(self._path), said)

    def status(self) -> int:
        """The exit status."""
        if self._unusable:
            return UNUSABLE
        return FOUND if self._left else FINE

    def _written(self, document: Document) -> bytes:
        place = label(self._path, document.line)
        try:
            with usable():
                chosen = choose(document.value(), _from(self._options.asked))
                made = _converted(chosen, self._options)
        except Unusable as error:
            if document.line is None:
                raise
            self._unusable += 1
            complain(place, str(error))
            # A line that is missing would shift all that follow.
            return encoded(compact({"error": str(error), "line": document.line}) + "\n")
        goal = str(self._options.asked.provider)
        remaining = wiremend.check(made.body, goal)
        self._taken.tell(place, chosen)
        self._tell(place, made, remaining, goal)
        if self._form == JSON:
            return encoded(compact(_report(made, remaining)) + "\n")
        return layout_of(document.data).write(made.body)

    def _tell(self, place: str, made: Converted, left: list[Violation], goal: str) -> None:
        self._repairs += len(made.anomalies)
        self._lost += sum(lost.count for lost in made.lost)
        self._left += len(left)
        for anomaly in made.anomalies:
            complain(place, anomaly.describe())
        for lost in made.lost:
            complain(place, said_of(lost, goal))
        for found in left:
            complain(
                f"{place}:{found.pointer}", f"left: {found.code} {found.rule}: {found.message}"
            )


def _from(asked: Wanted) -> Wanted:
    """The input is read in the format that was named or that it shows, whatever the goal is."""
    return Wanted(asked.format, asked.format)


def _converted(chosen: Chosen, options: Options) -> Converted:
    goal = str(options.asked.provider)
    model = options.model or chosen.body.get("model") or chosen.body.get("modelId")
    return convert(
        chosen.body,
        chosen.source,
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
