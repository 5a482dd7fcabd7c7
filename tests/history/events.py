"""Short names for loop events."""

from __future__ import annotations

from typing import Any

from wiremend.history import (
    LoopEvent,
    event_from_builtins,
)


def event(kind: str, **fields: Any) -> LoopEvent:
    read = event_from_builtins({"type": kind, **fields})
    assert read is not None
    return read


def begin(step: str) -> LoopEvent:
    return event("step.begin", uuid=step)


def end(step: str, reason: str | None = None) -> LoopEvent:
    return event("step.end", uuid=step, **({"finishReason": reason} if reason else {}))


def said(step: str, text: str) -> LoopEvent:
    return event("content.part", stepUuid=step, part={"type": "text", "text": text})


def thought(step: str, text: str, signature: str | None = None) -> LoopEvent:
    part = {"type": "think", "think": text, **({"encrypted": signature} if signature else {})}
    return event("content.part", stepUuid=step, part=part)


def called(step: str, call_id: str, **args: Any) -> LoopEvent:
    return event("tool.call", stepUuid=step, toolCallId=call_id, name="tool", **args)


def answered(call_id: str, output: Any = "out", **more: Any) -> LoopEvent:
    return event("tool.result", toolCallId=call_id, result={"output": output, **more})
