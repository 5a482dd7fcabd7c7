"""Data sets: preference pairs for fine-tuning, ShareGPT, and ChatML as text.

Lines with ``messages`` alone (fine-tuning) are requests like any other and need no reader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from wiremend.logs.base import Conversation, Home, Json, Reading, Record, objects
from wiremend.logs.faults import unreadable

_LISTS = ("conversations", "conversation", "dialog", "dialogue")
_ROLES = {
    **dict.fromkeys(("human", "user", "prompter"), "user"),
    **dict.fromkeys(("gpt", "assistant", "model", "chatgpt", "bard", "bing"), "assistant"),
    **dict.fromkeys(("function_call", "tool_call"), "call"),
    **dict.fromkeys(("observation", "tool", "function_response", "tool_response"), "tool"),
}
_CHATML = re.compile(
    r"<\|im_start\|>([^\n<]*)\n?(.*?)(?:<\|im_end\|>|(?=<\|im_start\|>)|\Z)", re.DOTALL
)
_CALL_IN_TEXT = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>\s*", re.DOTALL)


def is_preference(value: Any) -> bool:
    """Whether a value is a prompt with a preferred and another answer."""
    if not isinstance(value, dict) or not {"preferred_output", "input"} <= value.keys():
        return False
    return isinstance(value["input"], dict) and isinstance(value["input"].get("messages"), list)


def read_preference(records: Sequence[Record]) -> Reading:
    """The prompt with each of the answers: both are trained on."""
    found = []
    for index, record in enumerate(records):
        if not is_preference(record.value):
            continue
        given = record.value["input"]
        for name in ("preferred_output", "non_preferred_output"):
            answer = record.value.get(name)
            if isinstance(answer, list):
                places = _places(given["messages"], Home(index, "/input/messages"), 0)
                start = len(given["messages"])
                places |= _places(answer, Home(index, f"/{name}"), start)
                body = {**given, "messages": [*given["messages"], *answer]}
                found.append(_conversation(body, places, name, "openai-chat"))
    return Reading(found, list(unreadable(records)))


def _places(messages: Sequence[Any], home: Home, start: int) -> dict[str, Home]:
    return {
        f"/messages/{start + number}": home._replace(pointer=f"{home.pointer}/{number}")
        for number in range(len(messages))
    }


def _conversation(body: Json, places: dict[str, Home], title: str, dialect: str) -> Conversation:
    return Conversation(dialect=dialect, body=body, places=places, title=title)


def is_sharegpt(value: Any) -> bool:
    """Whether a value holds turns with who says them and what, or is an array of such values."""
    return _turns_of(value) is not None or _is_array(value)


def _turns_of(value: Any) -> tuple[str, list[Any]] | None:
    if isinstance(value, list):
        return ("", value) if value and all(_is_said(turn) for turn in value[:2]) else None
    if not isinstance(value, dict) or "messages" in value:
        return None
    for name in _LISTS:
        turns = value.get(name)
        if isinstance(turns, list) and turns and all(_is_turn(turn) for turn in turns[:2]):
            return f"/{name}", turns
    return None


def _is_turn(turn: Any) -> bool:
    return _is_said(turn) or (isinstance(turn, dict) and {"role", "content"} <= turn.keys())


def _is_said(turn: Any) -> bool:
    return isinstance(turn, dict) and {"from", "value"} <= turn.keys()


def _is_array(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) and _turns_of(one) is not None for one in value[:2])
    )


def read_sharegpt(records: Sequence[Record]) -> Reading:
    """The conversations of a line, or of a whole file."""
    found = []
    for index, record in enumerate(records):
        if _is_array(record.value):
            values = [(f"/{number}", one) for number, one in enumerate(record.value)]
        else:
            values = [("", record.value)]
        found += [c for at, value in values if (c := _of_turns(value, Home(index, at))) is not None]
    return Reading(found, list(unreadable(records)))


def _of_turns(value: Any, home: Home) -> Conversation | None:
    turns = _turns_of(value)
    if turns is None:
        return None
    at, said = turns
    messages: list[Json] = []
    places: dict[str, Home] = {}
    if isinstance(value, dict) and isinstance(value.get("system"), str) and value["system"]:
        places["/messages/0"] = home._replace(pointer=f"{home.pointer}/system")
        messages.append({"role": "system", "content": value["system"]})
    for number, turn in enumerate(said):
        following = said[number + 1] if number + 1 < len(said) else None
        for message in _messages(turn, messages, following):
            place = home._replace(pointer=f"{home.pointer}{at}/{number}")
            places[f"/messages/{len(messages)}"] = place
            messages.append(message)
    body: Json = {"messages": messages}
    tools = value.get("tools") if isinstance(value, dict) else None
    if tools:
        body["tools"] = _json(tools)
    return _conversation(body, places, "", "generic")


def _messages(turn: Any, before: Sequence[Json], following: Any) -> list[Any]:
    """A turn as messages; one that is none stays what it is, and is found."""
    if not _is_said(turn):
        return [turn]
    role = _role(turn)
    said = turn.get("value")
    if role == "call":
        return [{"role": "assistant", "content": None, "tool_calls": _calls(said, len(before))}]
    if role == "tool":
        return _results(said, before, is_last=_role(following) != "tool")
    written = _CALL_IN_TEXT.findall(said) if role == "assistant" and isinstance(said, str) else ()
    if written:
        calls = [call for one in written for call in _calls(one, len(before))]
        for number, call in enumerate(calls):
            call["id"] = f"call_{len(before)}_{number}"
        text = _CALL_IN_TEXT.sub("", said).strip()
        return [{"role": role, "content": text or None, "tool_calls": calls}]
    return [{"role": role, "content": said}]


def _role(turn: Any) -> str:
    said_by = str(turn["from"]) if _is_said(turn) else ""
    return _ROLES.get(said_by.lower(), said_by)


def _results(said: Any, before: Sequence[Json], *, is_last: bool) -> list[Json]:
    """Data sets have no ids: turns of results answer the calls before them in their order.

    One turn may hold the results of all of them.
    """
    answered = 0
    while answered < len(before) and before[-1 - answered].get("role") == "tool":
        answered += 1
    caller = before[-1 - answered] if answered < len(before) else {}
    open_calls = [str(call["id"]) for call in objects(caller.get("tool_calls"))][answered:]
    ids = open_calls[: None if is_last else 1] or [f"call_{len(before)}_0"]
    return [{"role": "tool", "tool_call_id": one, "content": said} for one in ids]


def _calls(said: Any, number: int) -> list[Json]:
    value = _json(said)
    calls = value if isinstance(value, list) else [value]
    return [
        {
            "id": f"call_{number}_{place}",
            "type": "function",
            "function": {
                "name": call.get("name"),
                "arguments": json.dumps(call.get("arguments", {}), ensure_ascii=False),
            },
        }
        for place, call in enumerate(calls)
        if isinstance(call, dict)
    ]


def _json(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


def is_chatml(value: Any) -> bool:
    """Whether a value holds a conversation as text with ``<|im_start|>``."""
    return _text_of(value) is not None


def _text_of(value: Any) -> tuple[str, str] | None:
    if isinstance(value, str):
        return ("", value) if "<|im_start|>" in value else None
    if isinstance(value, dict):
        for name, text in value.items():
            if isinstance(text, str) and text.lstrip().startswith("<|im_start|>"):
                return "/" + name.replace("~", "~0").replace("/", "~1"), text
    return None


def read_chatml(records: Sequence[Record]) -> Reading:
    """The conversation that each text is."""
    found = []
    for index, record in enumerate(records):
        text = _text_of(record.value)
        if text is None:
            continue
        turns = [(role.strip(), said) for role, said in _CHATML.findall(text[1])]
        if turns and turns[-1] == ("assistant", ""):
            # The open end where the model is to go on.
            turns.pop()
        messages = [{"role": role, "content": said.strip("\n")} for role, said in turns]
        places = {f"/messages/{n}": Home(index, text[0]) for n in range(len(messages))}
        found.append(_conversation({"messages": messages}, places, "", "generic"))
    return Reading(found, list(unreadable(records)))
