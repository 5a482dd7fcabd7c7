"""Amazon Bedrock Converse: projected messages to request body.

Users and the assistant take turns: the results of a step, and whatever users say until the
assistant speaks again, are one message, and so are assistant messages in a row. Leading system
messages go to the field of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from wiremend.dialects.arguments import parse_arguments
from wiremend.dialects.base import CONTENT, FIELDS, SPLIT, Json, extras_of, own_fields, wire_fields
from wiremend.dialects.bedrock.blocks import write_block
from wiremend.dialects.bedrock.fields import BESIDE, BLANK, JOINS, NAME, ORDER, PLACE
from wiremend.model import ContextMessage, Message, TextPart, ToolCall, said_and_called
from wiremend.projection.anomalies import (
    EmptyContentReshaped,
    ForeignPartDropped,
    NeighboursMerged,
    OnAnomaly,
    ResultsSeparated,
    SystemMessageMoved,
    ToolResultsGrouped,
    ToolResultsSorted,
)

ONLY_INSIDE = ("toolAddition", "toolRemoval")
"""Members that a system message among the messages may have, and the system prompt may not."""
REMINDER = "<system-reminder>\n{}\n</system-reminder>"
BRIDGE = "[Tool results received.]"
"""What the assistant says between results and words that may not stand beside them."""


def encode_messages(
    messages: Sequence[Message],
    report: OnAnomaly,
    *,
    keeps_system: bool,
    results_alone: bool,
) -> tuple[list[Json], list[Json]]:
    """The system blocks and the messages of a request body."""
    start = 0
    while start < len(messages) and messages[start].role == "system":
        start += 1
    writer = _Writer(report, keeps_system=keeps_system)
    for message in messages[start:]:
        writer.write(message)
    wire: list[Json] = []
    for turn in writer.turns:
        wire.extend(turn.written(report, results_alone=results_alone))
    return _system(messages[:start], report), wire


class _Piece(msgspec.Struct):
    """The blocks of one message of history; ``place`` is where they stood on the wire."""

    place: tuple[int, int] | None
    blocks: list[Json]
    call_id: str | None = None
    """Of a result."""


class _Turn:
    """What becomes one wire message. ``sources`` are the wire messages that it is made of."""

    def __init__(self, role: str, calls: Sequence[str] = ()) -> None:
        self.role = role
        self.pieces: list[_Piece] = []
        self.fields: Json = {}
        self.sources: set[Any] = set()
        self.calls = {call_id: n for n, call_id in enumerate(calls)}
        """The calls of the turn before, in their order."""

    def written(self, report: OnAnomaly, *, results_alone: bool) -> list[Json]:
        """The wire message; more where results may not stand beside anything else."""
        results = [piece for piece in self.pieces if piece.call_id is not None]
        places = {piece.place[0] for piece in results if piece.place is not None}
        if len(places) == 1 or not results:
            pieces = _as_they_stood(self.pieces)
        else:
            # Put together anyway, so in the order that is easiest to read (report 031).
            ordered = sorted(results, key=lambda piece: self.calls.get(piece.call_id or "", 0))
            if places:
                report(ToolResultsGrouped(results[0].call_id or ""))
            elif ordered != results:
                report(ToolResultsSorted(ordered[0].call_id or ""))
            pieces = [*ordered, *(piece for piece in self.pieces if piece.call_id is None)]
        blocks = [block for piece in pieces for block in piece.blocks]
        if results and results_alone:
            alone = [block for block in blocks if _may_join_results(block)]
            if len(alone) < len(blocks):
                said = [block for block in blocks if not _may_join_results(block)]
                report(ResultsSeparated(results[0].call_id or ""))
                bridge = {"role": "assistant", "content": [{"text": BRIDGE}]}
                return [self._message(alone), bridge, {"role": self.role, "content": said}]
        return [self._message(blocks)]

    def _message(self, blocks: list[Json]) -> Json:
        return {"role": self.role, "content": blocks, **self.fields}


def _may_join_results(block: Any) -> bool:
    return isinstance(block, dict) and ("toolResult" in block or "cachePoint" in block)


def _as_they_stood(pieces: list[_Piece]) -> list[_Piece]:
    """The pieces of wire messages in their order there; what was added stays where it is."""
    placed: list[tuple[tuple[int, int], _Piece]] = []
    place = (-1, -1)
    for piece in pieces:
        place = piece.place or place
        placed.append((place, piece))
    return [piece for _, piece in sorted(placed, key=lambda pair: pair[0])]


class _Writer:
    """Collects messages into turns."""

    def __init__(self, report: OnAnomaly, *, keeps_system: bool) -> None:
        self.turns: list[_Turn] = []
        self._keeps_system = keeps_system
        self._report = report
        self._calls: list[str] = []
        self._count = 0

    def write(self, message: Message) -> None:
        """Add one message to the turn that is open, or start a new one."""
        kept = extras_of(message, NAME)
        if message.role == "system" and not (self._keeps_system and kept.get(PLACE) == "messages"):
            self._remind(message)
            return
        role = "user" if message.role == "tool" else message.role
        turn = self._turn(role)
        if message.role == "tool":
            blocks = [_result(message, self._report)]
        else:
            blocks = _blocks(message, self._report)
            if JOINS not in kept:
                self._merging(turn, kept.get(SPLIT))
        turn.pieces.append(_Piece(_place(kept), blocks, message.tool_call_id))
        if SPLIT in kept:
            turn.sources.add(kept[SPLIT])
        own = kept.get(FIELDS, {}) if message.role == "tool" else own_fields(kept)
        for name, value in own.items():
            turn.fields.setdefault(name, value)
        self._calls = [call.id for call in message.tool_calls]

    def _turn(self, role: str) -> _Turn:
        if not self.turns or self.turns[-1].role != role or role == "system":
            self.turns.append(_Turn(role, self._calls))
        return self.turns[-1]

    def _merging(self, turn: _Turn, split: Any) -> None:
        """Note that a message joins a turn, and report it where that had other words already."""
        self._count -= 1
        source = self._count if split is None else split
        if turn.sources and source not in turn.sources:
            self._report(NeighboursMerged(turn.role))
        turn.sources.add(source)

    def _remind(self, message: Message) -> None:
        text = "\n\n".join(part.text for part in message.content if type(part) is TextPart)
        self._report(SystemMessageMoved("a reminder in a user message"))
        if text:
            self._turn("user").pieces.append(_Piece(None, [{"text": REMINDER.format(text)}]))


def _place(kept: Json) -> tuple[int, int] | None:
    return (kept[SPLIT], kept[ORDER]) if SPLIT in kept and ORDER in kept else None


def _blocks(message: Message, report: OnAnomaly) -> list[Json]:
    """The blocks of a message, its calls where they stood between the parts."""
    return [
        _use(item, report) if isinstance(item, ToolCall) else write_block(item)
        for item in said_and_called(message)
    ]


def _use(call: ToolCall, report: OnAnomaly) -> Json:
    kept = extras_of(call, NAME)
    arguments = parse_arguments(call, report)
    inner = {"toolUseId": call.id, "name": call.name, "input": arguments}
    return {"toolUse": {**inner, **wire_fields(kept)}, **kept.get(BESIDE, {})}


def _result(message: Message, report: OnAnomaly) -> Json:
    kept = extras_of(message, NAME)
    content = [write_block(part) for part in message.content]
    if not content and CONTENT in kept:
        content = list(kept.get(BLANK, ()))
    elif not content and NAME in (message.extras or {}):
        report(EmptyContentReshaped("tool"))
    out: Json = {"toolUseId": message.tool_call_id, "content": content}
    if isinstance(message, ContextMessage) and message.is_error:
        out["status"] = "error"
    return {"toolResult": {**out, **wire_fields(kept)}, **kept.get(BESIDE, {})}


def _system(messages: Sequence[Message], report: OnAnomaly) -> list[Json]:
    blocks: list[Json] = []
    for message in messages:
        if extras_of(message, NAME).get(PLACE) == "messages":
            report(SystemMessageMoved("the top-level system field"))
        for block in map(write_block, message.content):
            change = next((name for name in ONLY_INSIDE if name in block), None)
            if change is None:
                blocks.append(block)
            else:
                report(ForeignPartDropped(change))
    return blocks
