"""``wiremend replay``: an event log in, the history that an agent would go on with out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import click

from wiremend.cli.base import FINE, UNUSABLE, Command, about, complain, count, label, usable
from wiremend.cli.messages import write_entries
from wiremend.history import ContextMemory, Record, record_from_builtins
from wiremend.inputs import STDIN, Document, Unusable, open_source
from wiremend.stores.jsonl_snapshots import Blobs
from wiremend.stores.media import restore_value

_EPILOG = """\b
Examples:
  wiremend replay wire.jsonl
  wiremend replay --transcript --output text wire.jsonl
  wiremend replay wire.jsonl | wiremend project

Exit status: 0 fine, 2 unusable input or usage, or lines that had to be left out.
"""


@click.command("replay", cls=Command, epilog=_EPILOG, short_help="Fold an event log.")
@click.argument("path", metavar="[PATH]", default=STDIN)
@click.option("--transcript", is_flag=True, help="Everything ever, across compactions, with times.")
@click.option(
    "--output",
    type=click.Choice(["text", "json"]),
    default="json",
    show_default=True,
    help="json: an array of messages; text: a line for each, to read.",
)
@click.pass_context
def command(
    ctx: click.Context, path: str, transcript: bool, output: Literal["text", "json"]
) -> None:
    """Replay a session's records (wire.jsonl): the history as it is after the last of them.

    As JSON it is an array of ContextMessage, with --transcript of {"time", "message"}. Records
    that say nothing about the context are passed over; media that the log keeps in a folder
    "blobs" beside it is put in its place. A line that cannot be read is reported
    and left out; the last line may be torn, as after a crash.
    """
    log = _Log(path)
    memory = ContextMemory.replay(log)
    entries = memory.transcript() if transcript else memory.entries()
    write_entries(entries, timed=transcript, output=output)
    complain(label(path), f"{count(log.used, 'record')}, {count(log.passed, 'other line')}")
    ctx.exit(UNUSABLE if log.broken else FINE)


class _Log:
    """The records of a file, with what became of its lines."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._media = _media_beside(path)
        self.used = self.passed = self.broken = 0

    def __iter__(self) -> Iterator[Record]:
        torn: tuple[int | None, str] | None = None
        with about(label(self._path)), open_source(self._path) as source:
            for document in source:
                if document.is_blank:
                    continue
                if torn is not None:
                    self._leave_out(*torn)
                    torn = None
                try:
                    record = _record(document, self._media)
                except Unusable as error:
                    torn = (document.line, str(error))
                    continue
                if record is None:
                    self.passed += 1
                else:
                    self.used += 1
                    yield record
        if torn is not None and self.used + self.passed == 0:
            raise Unusable(f"{label(self._path)}: no log of records: {torn[1]}")
        if torn is not None:
            line, reason = torn
            complain(label(self._path, line), f"the last line is torn and was left out: {reason}")

    def _leave_out(self, line: int | None, reason: str) -> None:
        self.broken += 1
        complain(label(self._path, line), f"left out: {reason}")


def _media_beside(path: str) -> Blobs | None:
    """The media that a log keeps beside it, if it does."""
    folder = Path(path).parent / "blobs"
    return Blobs(folder, folder.parent) if path != STDIN and folder.is_dir() else None


def _record(document: Document, media: Blobs | None) -> Record | None:
    with usable():
        value = document.value()
        if not isinstance(value, dict):
            raise Unusable("no record: expected an object with a 'type'")
        return record_from_builtins(restore_value(value, media.get) if media else value)
