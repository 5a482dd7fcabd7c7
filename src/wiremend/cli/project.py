"""``wiremend project``: histories in, what a provider would be sent out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import click
import msgspec

import wiremend
from wiremend.cli.base import FINE, UNUSABLE, Command, about, complain, label, stdout, usable
from wiremend.cli.writing import compact, encoded
from wiremend.dialects import sanitise
from wiremend.inputs import STDIN, Document, Unusable, open_source
from wiremend.model import ContextMessage, Message
from wiremend.projection import Anomaly, OnAnomaly, ProjectionPolicy

_EPILOG = """\b
Examples:
  wiremend project history.json
  wiremend project --strict --media degraded < history.json
  wiremend project histories.jsonl > requests.jsonl

Exit status: 0 fine, 2 unusable input or usage.
"""

Media: TypeAlias = Literal["degraded", "strip"] | None
Project: TypeAlias = Callable[[Sequence[ContextMessage], OnAnomaly], list[Message]]


@click.command(
    "project", cls=Command, epilog=_EPILOG, short_help="Project a history into messages."
)
@click.argument("path", metavar="[PATH]", default=STDIN)
@click.option("--strict", is_flag=True, help="For a provider that refused the plain projection.")
@click.option(
    "--media",
    type=click.Choice(["degraded", "strip"]),
    help="Replace older pictures, sounds and videos (degraded) or all (strip) by a line of text.",
)
@click.pass_context
def command(ctx: click.Context, path: str, strict: bool, media: Media) -> None:
    """Project a history: an array of ContextMessage in, messages and anomalies out.

    PATH (standard input by default) is a JSON array, or JSONL with one array a line. For each
    there is one line out: {"messages": [...], "anomalies": [...]}; for a line that cannot be
    used it is {"error": ..., "line": ...}.
    """
    project = _projection(strict=strict, media=media)
    out = stdout()
    status = FINE
    with about(label(path)), open_source(path) as source:
        for document in source:
            if document.is_blank:
                continue
            try:
                with usable():
                    written = _projected(document, project)
            except Unusable as error:
                if document.line is None:
                    raise
                status = UNUSABLE
                complain(label(path, document.line), str(error))
                written = encoded(compact({"error": str(error), "line": document.line}))
            out.write(written + b"\n")
    ctx.exit(status)


def _projection(*, strict: bool, media: Media) -> Project:
    structure: Literal["strict"] | None = "strict" if strict else None

    def project(history: Sequence[ContextMessage], report: OnAnomaly) -> list[Message]:
        if media == "strip":
            snapshot = wiremend.take_snapshot(wiremend.project(history))
            policy = ProjectionPolicy(structure=structure, media=wiremend.Strip(snapshot))
        else:
            policy = ProjectionPolicy(structure=structure, media=media)
        return wiremend.project(history, report, policy)

    return project


def _projected(document: Document, project: Project) -> bytes:
    anomalies: list[Anomaly] = []
    history = _history(document, anomalies.append)
    messages = wiremend.to_json(project(history, anomalies.append))
    return b'{"messages":%b,"anomalies":%b}' % (messages, msgspec.json.encode(anomalies))


def _history(document: Document, report: OnAnomaly) -> tuple[ContextMessage, ...]:
    try:
        return wiremend.history_from_json(document.data)
    except (wiremend.WiremendError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Either it is no history, or no JSON that the fast reader takes.
        return wiremend.history_from_builtins(sanitise(document.value(), report))
