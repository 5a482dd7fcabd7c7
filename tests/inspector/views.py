"""Views of small conversations, told in a line or two a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiremend.inspector import Body, History, Options, View, look
from wiremend.inspector.entries import Entry
from wiremend.model import ContextMessage


def view_of(body: dict[str, Any], source: str, target: str | None = None, **wishes: Any) -> View:
    return look(Body(value=body, source=source), Options(dialect=target or source, **wishes))


def view_of_history(history: Sequence[ContextMessage], dialect: str, **wishes: Any) -> View:
    return look(History(messages=history), Options(dialect=dialect, **wishes))


def told(view: View) -> list[str]:
    """A line a row: ``role state`` of each entry, the history's and the wire's apart."""
    return [
        f"{_told(view.left, row.left)} | {_told(view.right, row.right)}" for row in view.linked.rows
    ]


def _told(entries: Sequence[Entry], numbers: Sequence[int]) -> str:
    return ", ".join(f"{entries[n].role} {entries[n].state}" for n in numbers)


def chat(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": "gpt-4o", "messages": list(messages)}


def says(role: str, text: Any) -> dict[str, Any]:
    return {"role": role, "content": text}


def calls(*ids: str, name: str = "look") -> dict[str, Any]:
    function = {"name": name, "arguments": "{}"}
    made = [{"id": one, "type": "function", "function": function} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def answers(call_id: str, text: str = "done") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}
