"""Claude Code as a program hears it: ``claude -p --output-format stream-json``, and the Agent SDK.

A line is a message of the provider's format, or a part of one, with the session that it is of;
``parent_tool_use_id`` names the call whose subagent said it. Everything else is news about the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiremend.logs.base import Reading, Record
from wiremend.logs.claude_code import Turns
from wiremend.logs.faults import unreadable

_SAID = ("user", "assistant")
_NEWS = {"system": "subtype", "result": "subtype", "stream_event": "event"}


def recognise(value: Any) -> bool:
    """Whether a line is one that Claude Code writes to its caller."""
    if not isinstance(value, dict) or "session_id" not in value or "parentUuid" in value:
        return False
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind in _SAID:
        return isinstance(value.get("message"), dict)
    return kind in _NEWS and _NEWS[kind] in value


def read(records: Sequence[Record]) -> Reading:
    """What was said in the session, and in each of its subagents."""
    told: dict[str, Turns] = {"": Turns()}
    for index, record in enumerate(records):
        value = record.value
        if recognise(value) and value["type"] in _SAID:
            agent = value.get("parent_tool_use_id")
            name = agent if isinstance(agent, str) else ""
            told.setdefault(name, Turns()).add(index, value)
    found = [
        turns.finished(f"subagent of {agent}" if agent else "") for agent, turns in told.items()
    ]
    return Reading([one for one in found if one.pieces], list(unreadable(records)))
