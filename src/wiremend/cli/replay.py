"""``wiremend replay``: an event log in, the history that an agent would go on with out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import click

import wiremend
from wiremend.cli.base import (
    FINE,
    UNUSABLE,
    Command,
    about,
    bold,
    complain,
    count,
    label,
    printable,
    put,
    stdout,
    usable,
)
from wiremend.history import ContextMemory, Entry, Record, record_from_builtins
from wiremend.inputs import STDIN, Document, Unusable, open_source
from wiremend.model import ContextMessage, TextPart, ThinkPart, media_source

_EPILOG = """\b
Examples:
  wiremend replay wire.jsonl
  wiremend replay --transcript --output text wire.jsonl
  wiremend replay wire.jsonl | wiremend project

Exit status: 0 fine, 2 unusable input or usage, or lines that had to be left out.
"""
_EXCERPT = 60


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
    that say nothing about the context are passed over. A line that cannot be read is reported
    and left out; the last line may be torn, as after a crash.
    """
    log = _Log(path)
    memory = ContextMemory.replay(log)
    entries = memory.transcript() if transcript else [Entry(m, None) for m in memory.messages()]
    if output == "text":
        _write_text(entries, timed=transcript)
    elif transcript:
        _write_json([_timed(entry) for entry in entries])
    else:
        _write_json([wiremend.to_json(entry.message) for entry in entries])
    complain(label(path), f"{count(log.used, 'record')}, {count(log.passed, 'other line')}")
    ctx.exit(UNUSABLE if log.broken else FINE)


class _Log:
    """The records of a file, with what became of its lines."""

    def __init__(self, path: str) -> None:
        self._path = path
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
                    record = _record(document)
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


def _record(document: Document) -> Record | None:
    with usable():
        value = document.value()
        if not isinstance(value, dict):
            raise Unusable("no record: expected an object with a 'type'")
        return record_from_builtins(value)


def _write_json(items: Sequence[bytes]) -> None:
    stdout().write(b"[" + b",\n ".join(items) + b"]\n")


def _timed(entry: Entry) -> bytes:
    time = json.dumps(entry.time).encode()
    return b'{"time":%b,"message":%b}' % (time, wiremend.to_json(entry.message))


def _write_text(entries: Sequence[Entry], *, timed: bool) -> None:
    for number, (message, time) in enumerate(entries, start=1):
        when = f"{_clock(time)}  " if timed else ""
        who = f"{message.role} ({_origin(message)})" if _origin(message) else message.role
        put(f"{number:>4}  {when}{bold(f'{who:<26}')} {_said(message)}\n")


def _clock(time: float | None) -> str:
    if time is None:
        return " " * 19
    try:
        return datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return f"{time:>19}"[:19]


def _origin(message: ContextMessage) -> str:
    origin = message.origin
    if origin is None:
        return message.tool_call_id or ""
    variant: Any = getattr(origin, "variant", None)
    kind = getattr(origin, "data", {}).get("kind", origin.kind)
    return f"{kind}: {variant}" if variant else str(kind)


def _shortened(text: str) -> str:
    line = " ".join(text[: _EXCERPT * 2].split())
    return printable(line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…")


def _said(message: ContextMessage) -> str:
    words: list[str] = []
    for part in message.content:
        found = media_source(part)
        if isinstance(part, TextPart):
            words.append(_shortened(part.text))
        elif isinstance(part, ThinkPart):
            words.append(f"(thinks: {_shortened(part.think)})")
        else:
            words.append(f"[{found[0] if found else type(part).__name__}]")
    words.extend(f"→ {call.name} ({call.id})" for call in message.tool_calls)
    marks = [name for name in ("partial", "is_error") if getattr(message, name)]
    words.extend(f"[{mark.removeprefix('is_')}]" for mark in marks)
    return "  ".join(words)
