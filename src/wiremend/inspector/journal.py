"""The proxy's journal as a source: one request a line, read again as the file grows."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from wiremend.errors import WiremendError
from wiremend.inspector.sources import Item, SourceKind, Timeline
from wiremend.inspector.view import Body, Conversation
from wiremend.projection import Anomaly
from wiremend.projection.anomalies import KINDS

Json = dict[str, Any]
_SIGNS = frozenset(("number", "time", "method", "path"))


def is_journal_entry(value: Any) -> bool:
    """Whether a JSON value is a line of a journal."""
    return isinstance(value, dict) and value.keys() >= _SIGNS


class JournalSource:
    """The requests of a journal, those that come in while somebody looks included."""

    kind: SourceKind = "journal"

    def __init__(self, path: Path) -> None:
        self.title = path.name
        self._path = path
        self._lock = threading.Lock()
        self._offset = 0
        self._items: list[Item] = []
        self._places: list[tuple[int, int]] = []

    def items(self) -> Sequence[Item]:
        """What there is now: whole lines that were written since are read."""
        with self._lock:
            try:
                self._read()
            except OSError as error:
                raise WiremendError(f"the journal cannot be read: {error.strerror}") from None
            return list(self._items)

    def open(self, item: int, moment: int | None = None) -> Conversation:  # noqa: ARG002
        """The request as it came, and as it was sent. ``WiremendError`` where it was not kept."""
        start, length = self._places[item]
        with self._path.open("rb") as file:
            file.seek(start)
            entry = _entry(file.read(length))
        if entry is None or not isinstance(entry.get("request"), dict):
            raise WiremendError(
                "the journal holds no contents of this request: "
                "start the proxy with --journal-content to see them"
            )
        sent = entry.get("sent")
        return Body(
            value=entry["request"],
            source=str(entry.get("dialect") or "openai-chat"),
            sent=sent if isinstance(sent, dict) else entry["request"],
            anomalies=tuple(_anomalies(entry.get("anomalies"))),
        )

    def timeline(self, item: int, moment: int | None = None) -> Timeline | None:  # noqa: ARG002
        """None: a request has no past."""
        return None

    def _read(self) -> None:
        if self._path.stat().st_size < self._offset:
            # It was begun anew.
            self._offset, self._items, self._places = 0, [], []
        with self._path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                entry = _entry(line)
                if entry is not None:
                    self._items.append(journal_item(entry))
                    self._places.append((self._offset, len(line)))
                self._offset += len(line)


def _entry(line: bytes) -> Json | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if is_journal_entry(value) else None


def _anomalies(written: Any) -> list[Anomaly]:
    """The repairs of an entry; those of a kind that this version does not know are left out."""
    out = []
    for one in written if isinstance(written, list) else ():
        kind = KINDS.get(str(one.get("kind"))) if isinstance(one, dict) else None
        if kind is not None:
            try:
                out.append(msgspec.convert(one, kind))
            except msgspec.ValidationError:
                continue
    return out


def journal_item(entry: dict[str, object]) -> Item:
    """A line of the proxy's journal as an item. Unknown and missing fields do no harm."""
    repairs = entry.get("anomalies")
    attempts = entry.get("attempts")
    tried = [one for one in attempts if isinstance(one, dict)] if isinstance(attempts, list) else []
    count = len(repairs) if isinstance(repairs, list) else 0
    status = entry.get("status")
    ok = isinstance(status, int) and status < 400
    mark = ("repaired" if count or len(tried) > 1 else "ok") if ok else "refused"
    parts = [str(status)] if status is not None else []
    if count:
        parts.append(f"{count} repair{'' if count == 1 else 's'}")
    parts += [str(said) for said in (_clock(entry.get("time")), entry.get("model")) if said]
    dialect = entry.get("dialect")
    return Item(
        title=f"{entry.get('number', '?')}  {entry.get('method', '')} {entry.get('path', '')}",
        dialect=dialect if isinstance(dialect, str) else "",
        subtitle=" · ".join(parts),
        mark=mark,
        detail=_told(entry, tried),
        has_content="request" in entry,
    )


def _clock(seconds: object) -> str:
    """The time of day where this is read; "" for what is no time."""
    if not isinstance(seconds, int | float):
        return ""
    try:
        return time.strftime("%H:%M:%S", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return ""


def _told(entry: dict[str, object], tried: Sequence[dict[str, object]]) -> list[str]:
    lines = [
        f"attempt {number} ({one.get('policy', '?')}): "
        f"{one.get('status') or one.get('fault') or 'no answer'}"
        + (f", {one['error_class']}" if one.get("error_class") else "")
        for number, one in enumerate(tried, 1)
    ]
    facts = [f"{name}: {entry[name]}" for name in ("ended", "fault") if entry.get(name)]
    seconds = entry.get("seconds")
    took = [f"{seconds:.3g} s"] if isinstance(seconds, int | float) else []
    sizes = [
        f"{size:,} bytes {way}"
        for name, way in (("received_bytes", "asked"), ("answered_bytes", "answered"))
        if isinstance(size := entry.get(name), int)
    ]
    return [*lines, *(one for one in facts if one != "ended: complete"), *took, *sizes]
