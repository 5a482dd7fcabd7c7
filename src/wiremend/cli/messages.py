"""How histories and transcripts are written: as JSON, and a line a message to read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import wiremend
from wiremend.cli.base import bold, printable, put, stdout
from wiremend.history import Entry
from wiremend.model import ContextMessage, TextPart, ThinkPart, media_source

_EXCERPT = 60


def write_entries(
    entries: Sequence[Entry], *, timed: bool, output: Literal["text", "json"]
) -> None:
    """Write messages to standard output; ``timed`` with when each came."""
    if output == "text":
        _write_text(entries, timed=timed)
        return
    written = [_timed(entry) if timed else wiremend.to_json(entry.message) for entry in entries]
    stdout().write(b"[" + b",\n ".join(written) + b"]\n")


def clock(milliseconds: float | None) -> str:
    """A time, in milliseconds since the epoch, as a person reads it (UTC)."""
    if milliseconds is None:
        return " " * 19
    try:
        moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds:>19}"[:19]
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def _timed(entry: Entry) -> bytes:
    time = json.dumps(entry.time).encode()
    return b'{"time":%b,"message":%b}' % (time, wiremend.to_json(entry.message))


def _write_text(entries: Sequence[Entry], *, timed: bool) -> None:
    for number, (message, time) in enumerate(entries, start=1):
        when = f"{clock(time)}  " if timed else ""
        who = f"{message.role} ({_origin(message)})" if _origin(message) else message.role
        put(f"{number:>4}  {when}{bold(f'{who:<26}')} {_said(message)}\n")


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
