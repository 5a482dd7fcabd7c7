"""Gemini generateContent: projected messages to contents.

The results of a step go into one user content, where they stood in it; what came in the same
content goes with them. Leading system messages go to the system instruction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiremend.dialects.arguments import parse_arguments
from wiremend.dialects.base import SPLIT, Json, extras_of, wire_fields
from wiremend.dialects.gemini.fields import (
    AT,
    CALLED,
    CONTENT,
    NAME,
    NAMES,
    PART,
    PLACE,
    RESPONSE,
    ROLE,
    SHAPE,
    write_names,
)
from wiremend.dialects.gemini.parts import write_part
from wiremend.dialects.gemini.responses import write_response
from wiremend.dialects.gemini.tools import FUNCTION_NAMES
from wiremend.model import ContextMessage, Message, TextPart, ToolCall, said_and_called
from wiremend.projection.anomalies import (
    OnAnomaly,
    SystemMessageMoved,
    ToolNameMapped,
    ToolResultsGrouped,
    ToolResultsSorted,
)

REMINDER = "<system-reminder>\n{}\n</system-reminder>"


def encode_contents(
    messages: Sequence[Message], renamed: Mapping[str, str], report: OnAnomaly
) -> list[Json]:
    """The contents of a request body; ``renamed`` are the tool names that were mapped."""
    writer = _Writer(renamed, report)
    for message in messages:
        writer.write(message)
    writer.end_of_results()
    return writer.out


def encode_system(messages: Sequence[Message], report: OnAnomaly) -> tuple[str, Json] | None:
    """The field for the system instruction and its content; None where nothing was said."""
    if not messages:
        return None
    kept = extras_of(messages[0], NAME)
    for message in messages:
        if PLACE not in extras_of(message, NAME) and NAME in (message.extras or {}):
            report(SystemMessageMoved("the system instruction"))
    parts = [write_part(part) for message in messages for part in message.content]
    return kept.get(PLACE, "systemInstruction"), {**_parts(parts, kept), **wire_fields(kept)}


class _Writer:
    """Writes contents one by one; ``_results`` are those of the step that was written last."""

    def __init__(self, renamed: Mapping[str, str], report: OnAnomaly) -> None:
        self.out: list[Json] = []
        self._renamed = renamed
        self._report = report
        self._calls: dict[str, ToolCall] = {}
        self._results: list[Message] = []

    def write(self, message: Message) -> None:
        if message.role == "tool":
            self._results.append(message)
            return
        if message.role == "user" and self._goes_with_results(message):
            self._end_with(message)
            return
        self.end_of_results()
        if message.role == "system":
            self._write_system(message)
        elif message.role == "assistant":
            self._calls = {call.id: call for call in message.tool_calls}
            self.out.append(
                _content("model", _said(message, self._report), extras_of(message, NAME))
            )
        else:
            parts = [write_part(part) for part in message.content]
            self.out.append(_content("user", parts, extras_of(message, NAME)))

    def end_of_results(self) -> None:
        """Write the results that wait as one user content."""
        if self._results:
            self._end_with(None)

    def _goes_with_results(self, message: Message) -> bool:
        split = extras_of(message, NAME).get(SPLIT)
        return split is not None and any(
            extras_of(result, NAME).get(SPLIT) == split for result in self._results
        )

    def _end_with(self, beside: Message | None) -> None:
        results, self._results = self._sorted(self._results), []
        splits = {s for s in (extras_of(m, NAME).get(SPLIT) for m in results) if s is not None}
        if len(splits) > 1:
            self._report(ToolResultsGrouped(results[0].tool_call_id or ""))
        placed: list[tuple[Any, Json]] = [
            (extras_of(m, NAME).get(AT), self._result(m)) for m in results
        ]
        first = next((m for m in results if SPLIT in extras_of(m, NAME)), results[0])
        if beside is not None:
            places = extras_of(beside, NAME).get(AT) or ()
            placed.extend(
                zip(places, (write_part(part) for part in beside.content), strict=False)
                if len(places) == len(beside.content)
                else ((None, write_part(part)) for part in beside.content)
            )
        # Only what came together, and whole, has an order of its own.
        if len(splits) == 1 and all(isinstance(place, int) for place, _ in placed):
            placed.sort(key=lambda pair: pair[0])
        fields = extras_of(first, NAME).get(CONTENT, {})
        self.out.append(_content("user", [part for _, part in placed], fields))

    def _sorted(self, results: list[Message]) -> list[Message]:
        """Results in the order of their calls, where nothing else could tell them apart."""
        if any(NAME in (call.extras or {}) for call in self._calls.values()):
            return results
        order = {call_id: n for n, call_id in enumerate(self._calls)}
        ordered = sorted(results, key=lambda m: order.get(m.tool_call_id or "", len(order)))
        if any(new is not old for new, old in zip(ordered, results, strict=True)):
            self._report(ToolResultsSorted(ordered[0].tool_call_id or ""))
        return ordered

    def _write_system(self, message: Message) -> None:
        text = "\n\n".join(part.text for part in message.content if type(part) is TextPart)
        self._report(SystemMessageMoved("a reminder in a user message"))
        self.out.append({"role": "user", "parts": [{"text": REMINDER.format(text)}]})

    def _result(self, message: Message) -> Json:
        kept = extras_of(message, NAME)
        call = self._calls.get(message.tool_call_id or "")
        out: Json = {}
        if not kept and call is not None and extras_of(call, NAME).get("id"):
            out["id"] = extras_of(call, NAME)["id"]
        out["name"] = self._name(kept, call)
        texts = [part.text for part in message.content if type(part) is TextPart]
        text = "\n".join(texts) if texts else None
        failed = isinstance(message, ContextMessage) and message.is_error is True
        if text is not None or RESPONSE in kept or not kept:
            original = kept.get(RESPONSE)
            out["response"] = write_response(text, failed=failed, original=original)
        media = [write_part(part) for part in message.content if type(part) is not TextPart]
        if media:
            out["parts"] = media
        part = {"functionResponse": {**out, **wire_fields(kept)}, **kept.get(PART, {})}
        return write_names(part, kept.get(NAMES, {}))

    def _name(self, kept: Json, call: ToolCall | None) -> str:
        """The function's name as the result gave it, where that can be sent; else the call's."""
        own = call.name if call is not None else "unnamed_tool"
        called = str(kept.get(CALLED, "" if kept else own))
        called = self._renamed.get(called, called)
        if FUNCTION_NAMES.takes(called):
            return called
        self._report(ToolNameMapped(called, own))
        return own


def _content(role: str, parts: list[Json], kept: Json) -> Json:
    out: Json = {}
    own = kept.get(ROLE, role)
    if own is not False:
        out["role"] = own
    return {**out, **_parts(parts, kept), **wire_fields(kept)}


def _parts(parts: list[Json], kept: Json) -> Json:
    whole = kept.get(SHAPE) == "object" and len(parts) == 1
    return {"parts": parts[0] if whole else parts}


def _said(message: Message, report: OnAnomaly) -> list[Json]:
    """The parts of a message, its calls where they stood between them."""
    return [
        _call(item, report) if isinstance(item, ToolCall) else write_part(item)
        for item in said_and_called(message)
    ]


def _call(call: ToolCall, report: OnAnomaly) -> Json:
    kept = extras_of(call, NAME)
    out: Json = {"name": call.name}
    if call.arguments is not None:
        out["args"] = parse_arguments(call, report)
    part = {"functionCall": {**out, **wire_fields(kept)}, **kept.get(PART, {})}
    return write_names(part, kept.get(NAMES, {}))
