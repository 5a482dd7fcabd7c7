"""JSON Schemas of what wiremend reads and writes, made from the types themselves.

``schema("history")`` is the schema of a history; ``NAMES`` says which there are. The model's
schemas let unknown fields, parts and origins through, as the readers do; those of outputs are
exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import Any, NamedTuple, Union, get_args

import msgspec

from wiremend.caching import Prefix
from wiremend.conversion import Lost
from wiremend.errors import WiremendError
from wiremend.history import ContentPart, StepBegin, StepEnd
from wiremend.history.records import AppendMessage, ApplyCompaction, Clear, UndoPrompts
from wiremend.model import ContextMessage, Message
from wiremend.model.origins import Origin
from wiremend.model.parts import Part
from wiremend.projection import KINDS
from wiremend.rules import Violation

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_Anomaly: Any = Union[tuple(KINDS.values())]  # noqa: UP007  (a union of a list)


class _Exact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An output: it has these fields and no others."""


class CheckEntry(_Exact, frozen=True, kw_only=True):
    """A conversation, or of a log a record in which something was found."""

    path: str
    line: int | msgspec.UnsetType = msgspec.UNSET
    format: str
    dialect: str
    violations: list[Violation]


class CheckReport(_Exact, frozen=True):
    """What ``check --output json`` prints."""

    files: list[CheckEntry]


class FixReport(_Exact, frozen=True):
    """What ``fix --output json`` prints for a request."""

    request: Any
    anomalies: list[_Anomaly]
    remaining: list[Violation]


class LineViolation(Violation, frozen=True, kw_only=True):
    """A violation at a line of a log; its pointer leads into that line."""

    line: int | None


class LogFixReport(_Exact, frozen=True):
    """What ``fix --output json`` prints for a session's log."""

    format: str
    faults: list[LineViolation]
    anomalies: list[_Anomaly]
    remaining: list[LineViolation]


class ConvertReport(_Exact, frozen=True):
    """What ``convert --output json`` prints."""

    request: dict[str, Any]
    anomalies: list[_Anomaly]
    lost: list[Lost]
    remaining: list[Violation]


class RefusedLine(_Exact, frozen=True):
    """What stands for a line that could not be used, in the outputs that have a line for each."""

    error: str
    line: int


class ProjectResult(_Exact, frozen=True):
    """What ``project`` prints for each history."""

    messages: list[Message]
    anomalies: list[_Anomaly]


class TranscriptEntry(_Exact, frozen=True):
    """A message of ``replay --transcript``, and when it came (milliseconds since the epoch)."""

    time: float | None
    message: ContextMessage


class Explanation(_Exact, frozen=True, rename={"error_class": "class"}):
    """What ``explain --output json`` prints."""

    error_class: str
    rules: list[str]
    pointer: str
    next_policy: dict[str, Any] | None


class ToolCallWritten(
    msgspec.Struct, frozen=True, rename="camel", tag="tool.call", tag_field="type", kw_only=True
):
    """The model called a tool: ``args`` as JSON, their text where that would not come back."""

    step_uuid: str | msgspec.UnsetType = msgspec.UNSET
    tool_call_id: str
    name: str
    args: Any = None
    arguments_text: str | msgspec.UnsetType = msgspec.UNSET
    extras: dict[str, Any] | None = None


class ResultWritten(msgspec.Struct, frozen=True, rename="camel"):
    """What a tool answered."""

    output: str | list[Part]
    is_error: bool | None = None
    note: str | None = None


class ToolResultWritten(
    msgspec.Struct, frozen=True, rename="camel", tag="tool.result", tag_field="type"
):
    """A tool answered."""

    tool_call_id: str
    result: ResultWritten


class LoopEventWritten(
    msgspec.Struct, frozen=True, tag="context.append_loop_event", tag_field="type"
):
    """The agent's loop said something."""

    event: StepBegin | ContentPart | ToolCallWritten | ToolResultWritten | StepEnd
    time: float | None = None


class CompactionWritten(
    msgspec.Struct,
    frozen=True,
    rename="camel",
    tag="context.apply_compaction",
    tag_field="type",
    kw_only=True,
):
    """The context was compacted."""

    __doc__ = ApplyCompaction.__doc__
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


class _Shape(NamedTuple):
    """A type, and what it is the schema of."""

    type: Any
    title: str
    is_open: bool = False


_Record = AppendMessage | LoopEventWritten | Clear | UndoPrompts | CompactionWritten
_SHAPES = {
    "history": _Shape(list[ContextMessage], "A history, as `project` reads it", True),
    "message": _Shape(ContextMessage, "A history message", True),
    "record": _Shape(_Record, "A record of a session's log (a line of wire.jsonl)", True),
    "transcript": _Shape(list[TranscriptEntry], "Output of `replay --transcript`", True),
    "anomaly": _Shape(_Anomaly, "A repair"),
    "violation": _Shape(Violation, "Something that a provider would refuse"),
    "check": _Shape(CheckReport, "Output of `check --output json`"),
    "fix": _Shape(FixReport | RefusedLine, "Output of `fix --output json`, a line a request"),
    "fix-log": _Shape(LogFixReport, "Output of `fix --output json` for a session's log"),
    "convert": _Shape(
        ConvertReport | RefusedLine, "Output of `convert --output json`, a line a request"
    ),
    "project": _Shape(ProjectResult | RefusedLine, "Output of `project`, a line a history"),
    "prefix": _Shape(Prefix, "Output of `prefix --output json`"),
    "explain": _Shape(Explanation, "Output of `explain --output json`"),
}
NAMES: dict[str, str] = {name: shape.title for name, shape in _SHAPES.items()}
"""What each schema is of, by its name."""


def schema(name: str) -> dict[str, Any]:
    """The schema of this name, in the dialect of 2020-12. Raises ``WiremendError``."""
    if name not in _SHAPES:
        raise WiremendError(f"no schema {name!r}; there are: {', '.join(_SHAPES)}")
    shape = _SHAPES[name]
    members = _members(shape.type)
    bodies, parts = msgspec.json.schema_components(members, ref_template="#/$defs/{name}")
    body = bodies[0] if len(bodies) == 1 else {"anyOf": list(bodies)}
    made = {"$schema": _DIALECT, "title": shape.title, **body}
    if parts:
        made["$defs"] = dict(sorted(parts.items()))
    _loosen(made, is_open=shape.is_open)
    return made


def _members(kind: Any) -> list[Any]:
    """The members of a union of outputs, which msgspec itself could not tell apart."""
    found = get_args(kind) if isinstance(kind, UnionType) else ()
    is_outputs = found and all(issubclass(one, _Exact) for one in found)
    return list(found) if is_outputs else [kind]


def _loosen(made: dict[str, Any], *, is_open: bool) -> None:
    """Let through what the readers let through: kinds that are not known, and looser spellings."""
    for one in _objects(made):
        one.pop("discriminator", None)
        if is_open:
            one.pop("additionalProperties", None)
    parts = made.get("$defs", {})
    if "UnknownOrigin" in parts:
        known = _tags(Origin)
        parts["UnknownOrigin"] = _unknown("kind", known, "An origin of a later version.")
    if is_open and "OpaquePart" in parts:
        unknown = _unknown("type", _tags(Part), "A part of a later version.")
        parts["UnknownPart"] = unknown
        for one in _objects(made):
            found = one.get("anyOf", ())
            if {"$ref": "#/$defs/OpaquePart"} in found:
                one["anyOf"] = [*found, {"$ref": "#/$defs/UnknownPart"}]
    message = parts.get("ContextMessage", {}).get("properties")
    if is_open and message:
        message["content"] = {"anyOf": [message["content"], {"type": ["string", "null"]}]}
        message["toolCalls"] = {"anyOf": [message["toolCalls"], {"type": "null"}]}


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for one in list(value.values()):
            yield from _objects(one)
    elif isinstance(value, list):
        for one in value:
            yield from _objects(one)


def _tags(union: Any) -> list[str]:
    tags = (str(member.__struct_config__.tag) for member in get_args(union))
    return sorted(tag for tag in tags if tag != "unknown")


def _unknown(name: str, known: list[str], doc: str) -> dict[str, Any]:
    kind = {"type": "string", "not": {"enum": known}}
    return {"description": doc, "type": "object", "properties": {name: kind}, "required": [name]}
