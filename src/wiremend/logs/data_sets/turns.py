"""Turns of a conversation as data sets write them, read as messages of Chat Completions.

A turn says who and what: ``from`` and ``value``, or ``role`` and ``content``. Calls and results are
turns of their own, or stand in a text between tags, and hardly ever have ids.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from wiremend.logs.base import Home, Json, objects
from wiremend.logs.data_sets.rows import inside, parsed, tools_of, written

_ROLES = {
    **dict.fromkeys(("human", "user", "prompter"), "user"),
    **dict.fromkeys(("gpt", "assistant", "model", "chatgpt", "bard", "bing"), "assistant"),
    **dict.fromkeys(("function_call", "tool_call"), "call"),
    **dict.fromkeys(("observation", "tool", "function_response", "tool_response"), "tool"),
}
_USUAL = ("system", "developer", "user", "assistant", "tool", "function")
_CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>\s*", re.DOTALL)
_RESULT = re.compile(r"<tool_response>\s*(.*?)\s*</tool_response>\s*", re.DOTALL)
_TOOLS = re.compile(r"<tools>\s*(.*?)\s*</tools>", re.DOTALL)


class Said(NamedTuple):
    """Messages, and where each of them is."""

    messages: list[Any]
    places: dict[str, Home]

    def add(self, message: Any, home: Home) -> None:
        """Put a message behind the others."""
        self.places[f"/messages/{len(self.messages)}"] = home
        self.messages.append(message)


def is_turn(turn: Any) -> bool:
    """Whether a value says who said what."""
    return _is_said(turn) or (
        isinstance(turn, dict) and "role" in turn and bool({"content", "tool_calls"} & turn.keys())
    )


def are_turns(turns: Any) -> bool:
    """Whether a value is a list of turns, by its first ones."""
    return isinstance(turns, list) and bool(turns) and all(is_turn(turn) for turn in turns[:2])


def _is_said(turn: Any) -> bool:
    return isinstance(turn, dict) and {"from", "value"} <= turn.keys()


def is_foreign(turn: Any) -> bool:
    """Whether a turn is none as a provider takes it: other roles, or calls without ids."""
    if _is_said(turn):
        return True
    role = turn.get("role") if isinstance(turn, dict) else None
    if not isinstance(role, str):
        return False
    calls = objects(turn.get("tool_calls"))
    return (role not in _USUAL and role.lower() in _ROLES) or any(
        "id" not in call and isinstance(_function(call).get("arguments"), dict) for call in calls
    )


def read_turns(turns: Sequence[Any], home: Home, said: Said) -> None:
    """Add the messages that turns are; one that is none stays what it is, and is found."""
    for number, turn in enumerate(turns):
        following = turns[number + 1] if number + 1 < len(turns) else None
        for message in _messages(turn, said.messages, following):
            said.add(message, inside(home, number))


def _messages(turn: Any, before: Sequence[Any], following: Any) -> list[Any]:
    role, content = _role(turn), _content(turn)
    number = len(before)
    if role == "tool" and not _has_id(turn):
        return _results(content, before, is_last=_role(following) != "tool")
    if role == "user" and (results := _tagged_results(content)) and _open_calls(before):
        return _results(results, before, is_last=True)
    if role == "call":
        calls = _calls(content, number)
        return [_called(None, calls) if calls else {"role": "assistant", "content": content}]
    if role == "assistant" and isinstance(content, str) and not turn.get("tool_calls"):
        found = [_calls(one, number) for one in _CALL.findall(content)]
        if found and all(found):
            text = _CALL.sub("", content).strip()
            return [_called(text or None, [call for calls in found for call in calls], turn)]
    if not _is_said(turn):
        return [_with_ids(turn, role, number)]
    return [{"role": role, "content": content}]


def _role(turn: Any) -> str:
    if not isinstance(turn, dict):
        return ""
    role = str(turn.get("from", "") if _is_said(turn) else turn.get("role", ""))
    return _ROLES.get(role.lower(), role)


def _content(turn: Any) -> Any:
    if not isinstance(turn, dict):
        return None
    return turn.get("value") if _is_said(turn) else turn.get("content")


def _has_id(turn: Any) -> bool:
    return isinstance(turn, dict) and isinstance(turn.get("tool_call_id"), str)


def _called(text: str | None, calls: list[Json], turn: Any = None) -> Json:
    kept = {} if turn is None or _is_said(turn) else turn
    numbered = [{**call, "id": _numbered(call["id"], at)} for at, call in enumerate(calls)]
    return {**kept, "role": "assistant", "content": text, "tool_calls": numbered}


def _numbered(call_id: str, at: int) -> str:
    return f"{call_id.rpartition('_')[0]}_{at}"


def _with_ids(turn: Any, role: str, number: int) -> Any:
    """A message of a provider's shape, whose calls get ids, and arguments that are text."""
    if not isinstance(turn, dict):
        return turn
    message = {**turn, "role": role} if role and role != turn.get("role") else turn
    calls = message.get("tool_calls")
    if not isinstance(calls, list) or not any(isinstance(c, dict) and "id" not in c for c in calls):
        return message
    return {
        **message,
        "tool_calls": [_with_id(c, f"call_{number}_{n}") for n, c in enumerate(calls)],
    }


def _with_id(call: Any, name: str) -> Any:
    if not isinstance(call, dict) or "id" in call:
        return call
    function = _function(call)
    if isinstance(function.get("arguments"), dict):
        function = {**function, "arguments": written(function["arguments"])}
    return {"id": name, "type": "function", **call, "function": function}


def _function(call: Json) -> Json:
    held = call.get("function")
    return held if isinstance(held, dict) else {}


def _open_calls(before: Sequence[Any]) -> list[str]:
    """The calls of the last step that are not answered, in their order."""
    answered = 0
    while answered < len(before) and _role(before[-1 - answered]) == "tool":
        answered += 1
    caller = before[-1 - answered] if answered < len(before) else None
    calls = objects(caller.get("tool_calls")) if isinstance(caller, dict) else []
    return [str(call.get("id")) for call in calls][answered:]


def _results(said: Any, before: Sequence[Any], *, is_last: bool) -> list[Json]:
    """Results answer the calls before them in their order.

    One turn may hold the results of all of them, apart or in one text.
    """
    texts = said if isinstance(said, list) and all(isinstance(s, str) for s in said) else None
    texts = texts or _tagged_results(said)
    ids = _open_calls(before)
    if texts is not None and len(texts) > 1:
        more = [f"call_{len(before)}_{number}" for number in range(len(ids), len(texts))]
        return [_result(one, text) for one, text in zip([*ids, *more], texts, strict=False)]
    content = texts[0] if texts else said
    ids = ids[: None if is_last else 1] or [f"call_{len(before)}_0"]
    return [_result(one, content) for one in ids]


def _result(call_id: str, content: Any) -> Json:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def _tagged_results(said: Any) -> list[str] | None:
    """The results between tags, where a text is nothing else."""
    if not isinstance(said, str) or _RESULT.sub("", said).strip():
        return None
    return _RESULT.findall(said) or None


def _calls(said: Any, number: int) -> list[Json]:
    """The calls that a text or a value says; none where it says no such thing."""
    value = parsed(said)
    calls = value if isinstance(value, list) else [value]
    made = [_call(call, f"call_{number}_{place}") for place, call in enumerate(calls)]
    found = [call for call in made if call is not None]
    return found if len(found) == len(made) else []


def _call(call: Any, call_id: str) -> Json | None:
    if not isinstance(call, dict):
        return None
    about = _function(call) or call
    name = about.get("name")
    if not isinstance(name, str):
        return None
    given = about.get("arguments", about.get("parameters", {}))
    arguments = given if isinstance(given, str) else written(given)
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def calls_of(said: Any, number: int) -> Json | None:
    """The message with the calls that a value says, None where it says no such thing."""
    calls = _calls(said, number)
    return _called(None, calls) if calls else None


def tools_said(messages: Sequence[Any]) -> list[Json] | None:
    """The tools that a system prompt defines between tags."""
    first = messages[0] if messages else None
    content = _content(first)
    if _role(first) != "system" or not isinstance(content, str):
        return None
    for text in _TOOLS.findall(content):
        value = parsed(text)
        lines = value if isinstance(value, list) else [parsed(one) for one in text.splitlines()]
        if tools := tools_of([one for one in lines if isinstance(one, dict)] or [value]):
            return tools
    return None
