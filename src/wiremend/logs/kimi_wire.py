"""Kimi CLI: the ``wire.jsonl`` beside a session's context, what was shown of it as it happened.

A record is an event in an envelope, ``{"timestamp", "message": {"type", "payload"}}``. Kimi CLI
shows a session again from this file, and goes on from the ``context.jsonl`` beside it: into that, a
step goes once all of its calls are answered, so one that was interrupted is left out here as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from wiremend.logs.base import Conversation, Home, Json, Reading, Record
from wiremend.logs.closing import chat_closing
from wiremend.logs.faults import unreadable
from wiremend.logs.kimi_cli import place, sent

_PROMPTS = ("TurnBegin", "SteerInput")
_SAID = ("ContentPart", "ToolCall", "ToolCallPart", "ToolResult")
_ENDS = ("StepBegin", "TurnEnd", *_PROMPTS)
_SUBAGENT = "SubagentEvent"


def recognise(value: Any) -> bool:
    """Whether a record is an event in its envelope."""
    return "timestamp" in value and _event(value) is not None if isinstance(value, dict) else False


def _event(value: Any, name: str = "message") -> tuple[str, Json] | None:
    held = value.get(name) if isinstance(value, dict) else None
    if not isinstance(held, dict):
        return None
    kind, payload = held.get("type"), held.get("payload")
    return (kind, payload) if isinstance(kind, str) and isinstance(payload, dict) else None


def read(records: Sequence[Record]) -> Reading:
    """What was said in the session, and in each of its subagents."""
    told: dict[str, _Told] = {"": _Told()}
    for index, record in enumerate(records):
        event, pointer, agent = _event(record.value), "/message/payload", ""
        while event is not None and event[0] == _SUBAGENT:
            agent = _name(event[1]) or agent or "subagent"
            event, pointer = _event(event[1], "event"), f"{pointer}/event/payload"
        if event is not None:
            told.setdefault(agent, _Told()).take(*event, Home(index, pointer))
    found = [made for agent, one in told.items() if (made := one.conversation(agent)) is not None]
    return Reading(found, list(unreadable(records)))


def _name(payload: Json) -> str:
    names = (payload.get(name) for name in ("agent_id", "parent_tool_call_id", "task_tool_call_id"))
    return next((name for name in names if isinstance(name, str) and name), "")


@dataclass
class _Step:
    """What a model said at a time, its calls, and the results so far, each with its home."""

    home: Home
    is_told: bool
    parts: list[tuple[Json, Home]] = field(default_factory=list)
    calls: list[tuple[Json, Home]] = field(default_factory=list)
    results: list[tuple[Json, Home]] = field(default_factory=list)

    @property
    def is_answered(self) -> bool:
        ids = {result.get("tool_call_id") for result, _ in self.results}
        return all(call.get("id") in ids for call, _ in self.calls)


class _Told:
    """The messages of an agent, as its events tell them."""

    def __init__(self) -> None:
        self._messages: list[Json] = []
        self._places: dict[str, Home] = {}
        self._step: _Step | None = None

    def take(self, kind: str, payload: Json, home: Home) -> None:
        """The next event; what says nothing of the conversation is passed over."""
        if kind == "StepInterrupted":
            self._step = None
        elif kind in _SAID:
            self._said(kind, payload, home)
        elif kind in _ENDS:
            if kind == "TurnBegin" and self._step is not None and not self._step.is_answered:
                # The turn before was broken off, which not every version told.
                self._step = None
            self._end()
            if kind == "StepBegin":
                self._step = _Step(home, is_told=True)
            elif kind in _PROMPTS and payload.get("user_input"):
                said = payload["user_input"]
                self._add({"role": "user", "content": said}, home)
                inside = Home(home.record, f"{home.pointer}/user_input")
                self._places[f"/messages/{len(self._messages) - 1}/content"] = inside

    def _said(self, kind: str, payload: Json, home: Home) -> None:
        step = self._step
        if step is not None and not step.is_told and step.results and kind != "ToolResult":
            # Where nobody tells of steps, what follows results is another one.
            self._end()
            step = None
        if step is None:
            step = self._step = _Step(home, is_told=False)
        if kind == "ContentPart":
            step.parts.append((payload, home))
        elif kind == "ToolCall":
            step.calls.append((payload, home))
        elif kind == "ToolResult":
            step.results.append((_result(payload), home))
        elif step.calls:
            call, place_of_call = step.calls[-1]
            step.calls[-1] = (_longer(call, payload.get("arguments_part")), place_of_call)

    def _add(self, message: Json, home: Home) -> str:
        at = f"/messages/{len(self._messages)}"
        self._messages.append(message)
        self._places[at] = home
        return at

    def _end(self) -> None:
        step, self._step = self._step, None
        if step is None:
            return
        if step.parts or step.calls:
            held: Json = {"role": "assistant", "content": [part for part, _ in step.parts]}
            if step.calls:
                held["tool_calls"] = [_call(call) for call, _ in step.calls]
            at = self._add(sent(held), step.home)
            self._place(at, step, held)
        for result, home in step.results:
            self._add(result, home)

    def _place(self, at: str, step: _Step, held: Json) -> None:
        for number, (_, home) in enumerate(step.calls):
            self._places[f"{at}/tool_calls/{number}"] = home
        own: dict[str, Home] = {}
        place(own, at, step.home.record, held)
        for pointer, there in own.items():
            own_number = there.pointer.rpartition("/")[2]
            if own_number.isdecimal():
                self._places[pointer] = step.parts[int(own_number)][1]

    def conversation(self, agent: str) -> Conversation | None:
        """All of it, or None where nothing was said."""
        self._end()
        if not self._messages:
            return None
        closing = chat_closing(self._messages)
        return Conversation(
            dialect="kimi",
            body={"messages": [*self._messages, *closing]},
            recorded={"messages": self._messages},
            places=self._places,
            title=f"subagent {agent}" if agent else "",
        )


def _call(call: Json) -> Json:
    return {name: value for name, value in call.items() if name != "extras" or value is not None}


def _longer(call: Json, more: Any) -> Json:
    function = call.get("function")
    if not isinstance(more, str) or not isinstance(function, dict):
        return call
    text = function.get("arguments")
    arguments = (text if isinstance(text, str) else "") + more
    return {**call, "function": {**function, "arguments": arguments}}


def _result(payload: Json) -> Json:
    """The message that Kimi CLI makes of a result."""
    given = payload.get("return_value", payload.get("result"))
    content = list(_content(given if isinstance(given, dict) else {"output": given}))
    return {"role": "tool", "content": content, "tool_call_id": payload.get("tool_call_id")}


def _content(given: Json) -> Iterator[Any]:
    message, output = given.get("message"), given.get("output")
    about = [message] if isinstance(message, str) and message else []
    if given.get("is_error"):
        about = [": ".join(["ERROR", *about])]
    elif not about and not output:
        about = ["Tool output is empty."]
    yield from ({"type": "text", "text": f"<system>{said}</system>"} for said in about)
    if isinstance(output, str):
        if output:
            yield {"type": "text", "text": output}
    elif isinstance(output, list):
        yield from output
    elif isinstance(output, dict):
        yield output
