"""Loop events: what an agent's loop says while a turn runs (spec 2).

In JSON an event is an object with a ``type`` and camelCase fields. Fields that the fold does not
need (usage, timings, turn numbers) are read past; the record that holds the event keeps them.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import msgspec

from wiremend.errors import Path, WiremendError
from wiremend.model import Part, part_from_builtins

TEXT = "argumentsText"
"""The field for arguments as the model wrote them: broken, or with white space of its own."""


class Event(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, tag_field="type"):
    """Base of all loop events."""


class StepBegin(Event, frozen=True, tag="step.begin"):
    """The model starts to answer."""

    uuid: str


class ContentPart(Event, frozen=True, tag="content.part"):
    """A part of the answer is complete."""

    step_uuid: str
    part: Part


class ToolCallMade(Event, frozen=True, tag="tool.call"):
    """The model called a tool. ``arguments`` is JSON text as it wrote it, or None."""

    step_uuid: str
    tool_call_id: str
    name: str
    arguments: str | None = None
    extras: dict[str, Any] | None = None


class ToolResultGiven(Event, frozen=True, tag="tool.result"):
    """A tool answered."""

    tool_call_id: str
    output: tuple[Part, ...]
    is_error: bool | None = None
    note: str | None = None


class StepEnd(Event, frozen=True, tag="step.end"):
    """The model's answer is over. ``interrupted`` and ``error`` leave the step open."""

    uuid: str
    finish_reason: str | None = None

    @property
    def settles(self) -> bool:
        """Whether the step is over, rather than broken off."""
        return self.finish_reason not in ("interrupted", "error")


LoopEvent: TypeAlias = StepBegin | ContentPart | ToolCallMade | ToolResultGiven | StepEnd


def event_from_builtins(value: Any, path: Path = ()) -> LoopEvent | None:
    """Read an event; None for one of a type that this version does not know."""
    if not isinstance(value, dict):
        raise WiremendError("expected an event: an object with a 'type'", path)
    match value.get("type"):
        case "step.begin":
            return StepBegin(_step(value, "uuid", path))
        case "step.end":
            reason = value.get("finishReason")
            finish = reason if isinstance(reason, str) else None
            return StepEnd(str(value.get("uuid", "")), finish)
        case "content.part":
            part = part_from_builtins(value.get("part"), (*path, "part"))
            return ContentPart(_step(value, "stepUuid", path), part)
        case "tool.call":
            return _call(value, path)
        case "tool.result":
            return _result(value, path)
    return None


def event_to_builtins(event: LoopEvent) -> dict[str, Any]:
    """An event as JSON has it, as ``event_from_builtins`` reads it."""
    written: dict[str, Any] = msgspec.to_builtins(event)
    if isinstance(event, ToolCallMade):
        arguments = written.pop("arguments", None)
        if arguments is not None:
            written.update(_written_arguments(arguments))
    if isinstance(event, ToolResultGiven):
        fields = ("output", "isError", "note")
        written["result"] = {name: written.pop(name) for name in fields if name in written}
    return written


def _written_arguments(text: str) -> dict[str, Any]:
    """Arguments as logs have them, and their text where that would not come back from them."""
    try:
        # As it will be stored: without NaN, for instance.
        value = msgspec.json.decode(msgspec.json.encode(json.loads(text)))
    except (ValueError, RecursionError, OverflowError):
        return {TEXT: text}
    return {"args": value} if compact_json(value) == text else {"args": value, TEXT: text}


def compact_json(value: Any) -> str:
    """JSON text as JavaScript writes it: no spaces, no ``.0`` behind whole numbers."""
    return json.dumps(_whole_numbers(value), separators=(",", ":"), ensure_ascii=False)


def _whole_numbers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return value


def _call(value: dict[str, Any], path: Path) -> ToolCallMade:
    extras = value.get("extras")
    return ToolCallMade(
        _step(value, "stepUuid", path),
        _text(value, "toolCallId", path),
        _text(value, "name", path),
        _read_arguments(value),
        extras if isinstance(extras, dict) else None,
    )


def _read_arguments(value: dict[str, Any]) -> str | None:
    text = value.get(TEXT)
    if isinstance(text, str):
        return text
    return compact_json(value["args"]) if "args" in value else None


def _result(value: dict[str, Any], path: Path) -> ToolResultGiven:
    result = value.get("result")
    if not isinstance(result, dict):
        raise WiremendError("expected a result: an object with an 'output'", (*path, "result"))
    output = result.get("output")
    at = (*path, "result", "output")
    if isinstance(output, str):
        parts: tuple[Part, ...] = (part_from_builtins({"type": "text", "text": output}, at),)
    elif isinstance(output, (list, tuple)):
        parts = tuple(part_from_builtins(part, (*at, n)) for n, part in enumerate(output))
    else:
        raise WiremendError("expected an output that is text or a list of parts", at)
    is_error, note = result.get("isError"), result.get("note")
    return ToolResultGiven(
        _text(value, "toolCallId", path),
        parts,
        is_error if isinstance(is_error, bool) else None,
        note if isinstance(note, str) else None,
    )


def _step(value: dict[str, Any], name: str, path: Path) -> str:
    """The step that an event names; empty where it names none, which is the open one."""
    return _text(value, name, path) if value.get(name) is not None else ""


def _text(value: dict[str, Any], name: str, path: Path) -> str:
    found = value.get(name)
    if not isinstance(found, str):
        raise WiremendError(f"expected a text: {name}", (*path, name))
    return found
