"""How histories and transcripts are written: as JSON, and a line a message to read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import wiremend
from wiremend.cli.base import bold, emphasis, printable, put, stdout
from wiremend.history import Entry, message_tokens
from wiremend.model import ContextMessage, TextPart, ThinkPart, media_source
from wiremend.projection import Anomaly, ProjectionPolicy

_EXCERPT = 60
ELSEWHERE = -1
"""The place of a repair that names no call."""


def write_entries(
    entries: Sequence[Entry], *, timed: bool, output: Literal["text", "json"]
) -> None:
    """Write messages to standard output; ``timed``: a transcript, with when each came."""
    if output == "text":
        _write_text(entries, repairs=not timed)
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


def _write_text(entries: Sequence[Entry], *, repairs: bool) -> None:
    """A line a message; behind it, with ``repairs``, what sending would repair there."""
    timed = any(time is not None for _, time in entries)
    places = _repairs([message for message, _ in entries]) if repairs else {}
    for number, (message, time) in enumerate(entries):
        when = f"{clock(time)}  " if timed else ""
        who = f"{message.role} ({_origin(message)})" if _origin(message) else message.role
        size = f"{message_tokens(message):>6} tok"
        put(f"{number + 1:>4}  {when}{bold(f'{who:<26}')} {size}  {_said(message)}\n")
        for anomaly in places.pop(number, ()):
            put(f"      {'':{len(when)}}{emphasis('! ' + printable(anomaly.describe()))}\n")
    for anomaly in places.pop(ELSEWHERE, ()):
        put(f"      {emphasis('! ' + printable(anomaly.describe()))}\n")


def _repairs(history: Sequence[ContextMessage]) -> dict[int, list[Anomaly]]:
    """What sending this history would repair, by the place of the message that it is about."""
    homes: dict[str, int] = {}
    for number, message in enumerate(history):
        for call_id in (*(call.id for call in message.tool_calls), message.tool_call_id):
            if call_id is not None:
                homes.setdefault(call_id, number)
    found: dict[int, list[Anomaly]] = {}

    def note(anomaly: Anomaly) -> None:
        home = homes.get(getattr(anomaly, "tool_call_id", ""), ELSEWHERE)
        found.setdefault(home, []).append(anomaly)

    wiremend.project(history, note, ProjectionPolicy(sending=True))
    return found


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
