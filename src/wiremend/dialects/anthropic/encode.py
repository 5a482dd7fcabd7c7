"""Anthropic Messages: projected messages to request body.

The results of a step go into one user message, first in it; what came in the same wire message
follows them there. Leading system messages go to the top-level field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiremend.dialects.anthropic.blocks import write_block
from wiremend.dialects.anthropic.decode import RUN
from wiremend.dialects.anthropic.fields import BLANK, NAME, PLACE
from wiremend.dialects.arguments import parse_arguments
from wiremend.dialects.base import CONTENT, FIELDS, SPLIT, Json, extras_of, own_fields, wire_fields
from wiremend.model import ContextMessage, Message, TextPart, ToolCall, said_and_called
from wiremend.projection.anomalies import (
    EmptyContentReshaped,
    NeighboursMerged,
    OnAnomaly,
    SystemMessageMoved,
    ToolResultsGrouped,
)
from wiremend.projection.wire import reads_like_synthetic

REMINDER = "<system-reminder>\n{}\n</system-reminder>"


def encode_messages(
    messages: Sequence[Message],
    report: OnAnomaly,
    *,
    system_inside: bool,
    alternate: bool,
) -> tuple[Any, list[Json]]:
    """The top-level system prompt (None: there is none) and the messages of a request body."""
    start = 0
    while start < len(messages) and messages[start].role == "system":
        start += 1
    writer = _Writer(report, alternate=alternate)
    fitting = _before_assistant(messages) if system_inside else set()
    for index in range(start, len(messages)):
        writer.system_fits = index in fitting
        writer.write(messages[index])
    writer.end_of_results()
    return _system(messages[:start], report), writer.out


def _before_assistant(messages: Sequence[Message]) -> set[int]:
    """The places of the system messages that an assistant message follows, or nothing."""
    found: set[int] = set()
    fits = True
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role != "system":
            fits = messages[index].role == "assistant"
        elif fits:
            found.add(index)
    return found


class _Writer:
    """Writes wire messages one by one; ``_results`` are those of the step that was written last."""

    def __init__(self, report: OnAnomaly, *, alternate: bool) -> None:
        self.out: list[Json] = []
        self.system_fits = False
        """Whether what follows lets a system message stand where the writer is."""
        self._report = report
        self._alternate = alternate
        self._results: list[Message] = []
        self._open_split: set[int] = set()
        self._joins_next = False

    def write(self, message: Message) -> None:
        if message.role == "tool":
            self._results.append(message)
            return
        self.end_of_results()
        if message.role == "system":
            self._write_system(message)
        elif message.role == "assistant":
            for wire in _assistant(message, self._report):
                self._append(wire)
        else:
            self._write_user(message)

    def end_of_results(self) -> None:
        """Write the results that wait, as the first blocks of one user message."""
        if not self._results:
            return
        results, self._results = self._results, []
        blocks = [_result(message) for message in results]
        splits = {s for s in (extras_of(m, NAME).get(SPLIT) for m in results) if s is not None}
        if len(splits) > 1:
            self._report(ToolResultsGrouped(results[0].tool_call_id or ""))
        fields: Json = next((f for m in results if (f := extras_of(m, NAME).get(FIELDS))), {})
        self._append({"role": "user", "content": blocks, **fields})
        self._open_split = splits
        # Gateways that want alternating roles get it wherever a message is invented anyway.
        self._joins_next = any(reads_like_synthetic(m) and m.extras is None for m in results)

    def _write_user(self, message: Message) -> None:
        split = extras_of(message, NAME).get(SPLIT)
        if self.out and (self._joins_next or (split is not None and split in self._open_split)):
            before = self.out[-1]
            before["content"].extend(_blocks(message, self._report))
            for name, value in own_fields(extras_of(message, NAME)).items():
                before.setdefault(name, value)
            self._joins_next = False
            return
        self._append(_plain("user", message, self._report))
        self._open_split = {split} if split is not None else set()

    def _write_system(self, message: Message) -> None:
        if self.system_fits and self.out and _may_precede_system(self.out[-1]):
            self._append(_plain("system", message, self._report))
            return
        text = "\n\n".join(part.text for part in message.content if type(part) is TextPart)
        self._report(SystemMessageMoved("a reminder in a user message"))
        reminder = Message("user", (TextPart(REMINDER.format(text)),))
        self._append(_plain("user", reminder, self._report))

    def _append(self, wire: Json) -> None:
        self._open_split = set()
        self._joins_next = False
        before = self.out[-1] if self.out else None
        if self._alternate and before is not None and before["role"] == wire["role"] != "system":
            self._report(NeighboursMerged(wire["role"]))
            # Into the list that is there: a long run costs what it holds.
            before["content"] = _as_list(before["content"])
            before["content"].extend(_as_list(wire["content"]))
            return
        self.out.append(wire)


def _may_precede_system(wire: Json) -> bool:
    """Whether this is a user's turn, a system message, or one that a server tool goes on with."""
    if wire["role"] != "assistant":
        return True
    content = wire["content"]
    last = content[-1].get("type") if isinstance(content, list) and content else None
    return isinstance(last, str) and (last == "server_tool_use" or last.endswith("_tool_result"))


def _as_list(content: Any) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


def _plain(role: str, message: Message, report: OnAnomaly) -> Json:
    kept = extras_of(message, NAME)
    return {"role": role, "content": _content(message, kept, report), **own_fields(kept)}


def _content(message: Message, kept: Json, report: OnAnomaly) -> Any:
    if not message.content and not message.tool_calls and BLANK in kept:
        if kept[BLANK] != "":
            report(EmptyContentReshaped(message.role))
        return ""
    if kept.get(CONTENT) == "text" and len(message.content) == 1 and not message.tool_calls:
        only = message.content[0]
        if type(only) is TextPart and not extras_of(only, NAME):
            return only.text
    return _blocks(message, report)


def _blocks(message: Message, report: OnAnomaly) -> list[Json]:
    """The blocks of a message, its calls where they stood between the parts."""
    return [
        _use(item, report) if isinstance(item, ToolCall) else write_block(item)
        for item in said_and_called(message)
    ]


def _use(call: ToolCall, report: OnAnomaly) -> Json:
    arguments = parse_arguments(call, report)
    use = {"type": "tool_use", "id": call.id, "name": call.name, "input": arguments}
    return {**use, **wire_fields(extras_of(call, NAME))}


def _assistant(message: Message, report: OnAnomaly) -> list[Json]:
    """One wire message, or several where a run of them was read as one and is still whole."""
    run = extras_of(message, NAME).get(RUN)
    if not run:
        return [_plain("assistant", message, report)]
    blocks = _blocks(message, report)
    if sum(size for size, _ in run) != len(blocks):
        return [{"role": "assistant", "content": blocks}]
    out: list[Json] = []
    for size, kept in run:
        own, blocks = blocks[:size], blocks[size:]
        short = kept.get(CONTENT) == "text" and len(own) == 1
        content = kept[BLANK] if BLANK in kept else own[0]["text"] if short else own
        out.append({"role": "assistant", "content": content, **wire_fields(kept)})
    return out


def _result(message: Message) -> Json:
    kept = extras_of(message, NAME)
    out: Json = {"type": "tool_result", "tool_use_id": message.tool_call_id}
    content = message.content
    shape = kept.get(CONTENT)
    if not content and BLANK in kept:
        out["content"] = kept[BLANK]
    elif shape != "list" and len(content) == 1 and type(content[0]) is TextPart:
        bare = not extras_of(content[0], NAME)
        out["content"] = content[0].text if bare else [write_block(content[0])]
    elif content or shape == "list":
        out["content"] = [write_block(part) for part in content]
    if isinstance(message, ContextMessage) and message.is_error:
        out["is_error"] = True
    return {**out, **wire_fields(kept)}


def _system(messages: Sequence[Message], report: OnAnomaly) -> Any:
    blocks: list[Json] = []
    for message in messages:
        kept = extras_of(message, NAME)
        if kept.get(PLACE) != "system" and NAME in (message.extras or {}):
            report(SystemMessageMoved("the top-level system field"))
        if kept.get(CONTENT) == "text" and len(messages) == 1:
            return _content(message, kept, report)
        blocks.extend(write_block(part) for part in message.content)
    return blocks or None
