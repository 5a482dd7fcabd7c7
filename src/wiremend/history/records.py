"""Records: what happened to a context memory, one JSON object each, as session logs have them.

``context.append_message``, ``context.append_loop_event``, ``context.clear``, ``context.undo`` and
``context.apply_compaction``, each with ``type`` and ``time`` (milliseconds since the epoch).
Records of other types are passed over; whoever stores records keeps them as they are.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from wiremend.errors import Path, WiremendError
from wiremend.history.events import LoopEvent, event_from_builtins, event_to_builtins
from wiremend.model import ContextMessage, message_from_builtins, to_builtins

Json: TypeAlias = dict[str, Any]


class AppendMessage(msgspec.Struct, frozen=True, tag="context.append_message"):
    """A message was put into the context."""

    message: ContextMessage
    time: float | None = None


class AppendLoopEvent(msgspec.Struct, frozen=True, tag="context.append_loop_event"):
    """The agent's loop said something. None: an event of a type that this version does not know."""

    event: LoopEvent | None
    time: float | None = None


class Clear(msgspec.Struct, frozen=True, tag="context.clear"):
    """The context was emptied."""

    time: float | None = None


class UndoPrompts(msgspec.Struct, frozen=True, tag="context.undo"):
    """So many prompts were taken back."""

    count: int
    time: float | None = None


class ApplyCompaction(msgspec.Struct, frozen=True, kw_only=True, tag="context.apply_compaction"):
    """The context was compacted.

    Without ``kept_user_message_count`` the record is of the older shape: the summary first, then
    everything after ``compacted_count``. ``summary`` may then be a whole message.
    ``has_continuation``: a reminder to go on with the work follows the summary (newer logs).
    """

    summary: str | ContextMessage
    compacted_count: int
    context_summary: str | None = None
    tokens_before: int = 0
    tokens_after: int | None = None
    kept_user_message_count: int | None = None
    kept_head_user_message_count: int | None = None
    dropped_count: int | None = None
    has_continuation: bool | None = None
    time: float | None = None

    @property
    def text(self) -> str | ContextMessage:
        """What goes into the context."""
        if isinstance(self.summary, str) and self.context_summary is not None:
            return self.context_summary
        return self.summary


Record: TypeAlias = AppendMessage | AppendLoopEvent | Clear | UndoPrompts | ApplyCompaction


def record_from_builtins(value: Any, path: Path = ()) -> Record | None:
    """Read a record; None for one of a type that says nothing about the context."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise WiremendError("expected a record: an object with a 'type'", path)
    time = value.get("time")
    time = time if isinstance(time, (int, float)) and not isinstance(time, bool) else None
    match value["type"]:
        case "context.append_message":
            return AppendMessage(
                message_from_builtins(value.get("message"), (*path, "message")), time
            )
        case "context.append_loop_event":
            return AppendLoopEvent(event_from_builtins(value.get("event"), (*path, "event")), time)
        case "context.clear":
            return Clear(time)
        case "context.undo":
            # A count that is no whole number undoes nothing.
            count = value.get("count")
            whole = isinstance(count, int) and not isinstance(count, bool)
            return UndoPrompts(int(count) if whole else 0, time)  # type: ignore[arg-type]
        case "context.apply_compaction":
            return _compaction(value, path, time)
    return None


def record_to_builtins(record: Record) -> Json:
    """A record as JSON has it."""
    out: Json = {"type": str(record.__struct_config__.tag)}
    if isinstance(record, AppendMessage):
        out["message"] = to_builtins(record.message)
    elif isinstance(record, AppendLoopEvent):
        out["event"] = event_to_builtins(record.event) if record.event else {}
    elif isinstance(record, UndoPrompts):
        out["count"] = record.count
    elif isinstance(record, ApplyCompaction):
        out.update(_compaction_fields(record))
    if record.time is not None:
        out["time"] = record.time
    return out


_NUMBERS = {
    "tokens_after": "tokensAfter",
    "kept_user_message_count": "keptUserMessageCount",
    "kept_head_user_message_count": "keptHeadUserMessageCount",
    "dropped_count": "droppedCount",
}


def _compaction(value: Json, path: Path, time: float | None) -> ApplyCompaction:
    count = _number(value, "compactedCount")
    if count is None:
        count = _number(value, "count")  # what the oldest logs call it
    if count is None:
        raise WiremendError("expected a number: compactedCount", (*path, "compactedCount"))
    context_summary = value.get("contextSummary")
    summary = value.get("summary", context_summary)
    if isinstance(summary, dict):
        summary = message_from_builtins(summary, (*path, "summary"))
    if not isinstance(summary, (str, ContextMessage)):
        raise WiremendError("expected a text: summary", (*path, "summary"))
    has_continuation = value.get("hasContinuation")
    return ApplyCompaction(
        summary=summary,
        compacted_count=count,
        context_summary=context_summary if isinstance(context_summary, str) else None,
        tokens_before=_number(value, "tokensBefore") or 0,
        has_continuation=has_continuation if isinstance(has_continuation, bool) else None,
        time=time,
        **{name: _number(value, written) for name, written in _NUMBERS.items()},
    )


def _compaction_fields(record: ApplyCompaction) -> Json:
    summary = record.summary
    out: Json = {
        "summary": summary if isinstance(summary, str) else to_builtins(summary),
        "compactedCount": record.compacted_count,
        "tokensBefore": record.tokens_before,
    }
    if record.context_summary is not None:
        out["contextSummary"] = record.context_summary
    if record.has_continuation is not None:
        out["hasContinuation"] = record.has_continuation
    for name, written in _NUMBERS.items():
        if getattr(record, name) is not None:
            out[written] = getattr(record, name)
    return out


def _number(value: Json, name: str) -> int | None:
    found = value.get(name)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    return int(found)
