"""Spans of instrumentations that write each field of a message as an attribute of its own.

``gen_ai.prompt.0.role`` is how OpenLLMetry has it, ``llm.input_messages.0.message.role`` how
OpenInference has it. The Vercel AI SDK writes its own messages into one attribute as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from wiremend.logs.base import Home, Json, objects
from wiremend.logs.data_sets.rows import parsed, tools_of
from wiremend.logs.data_sets.turns import Said, read_turns

_PROMPT, _FUNCTIONS = "gen_ai.prompt", "llm.request.functions"
_MESSAGES, _TOOLS = "llm.input_messages", "llm.tools"
_VERCEL = "ai.prompt.messages"
_MOST_DIGITS = 6


class Flat(NamedTuple):
    """What the attributes say, and for each message the name of the first one that is of it."""

    messages: list[Any]
    names: list[str]
    tools: list[Json] | None


def is_flat(attributes: Mapping[str, Any]) -> bool:
    """Whether attributes hold the fields of messages."""
    starts = (f"{_PROMPT}.", f"{_MESSAGES}.")
    return any(name.startswith(starts) for name in attributes) or _VERCEL in attributes


def read_flat(attributes: Mapping[str, Any]) -> Flat | None:
    """The messages of attributes, as Chat Completions has them; None where there are none."""
    found: list[tuple[Any, str]] = []
    for name, value in _nested(attributes, _PROMPT):
        found.append((_of_openllmetry(value), name))
    for name, value in _nested(attributes, _MESSAGES):
        found.append((_of_openinference(value), name))
    if not found:
        vercel = parsed(attributes.get(_VERCEL))
        found = [(one, _VERCEL) for message in objects(vercel) for one in _of_vercel(message)]
    if not found:
        return None
    said = Said([], {})
    read_turns([message for message, _ in found], Home(0, ""), said)
    # A turn of results may be several messages: each is where its turn is.
    turns = (said.places[f"/messages/{number}"].pointer for number in range(len(said.messages)))
    names = [found[int(pointer[1:])][1] for pointer in turns]
    return Flat(said.messages, names, _tools(attributes))


def _nested(attributes: Mapping[str, Any], prefix: str) -> list[tuple[str, Any]]:
    """The values of ``prefix.N.…`` put together, in order, each with its first name."""
    trees: dict[int, Json] = {}
    names: dict[int, str] = {}
    for name, value in attributes.items():
        number, *steps = name.removeprefix(f"{prefix}.").split(".")
        if name.startswith(f"{prefix}.") and _is_number(number) and steps:
            _put(trees.setdefault(int(number), {}), steps, value)
            names.setdefault(int(number), name)
    return [(names[number], _listed(trees[number])) for number in sorted(trees)]


def _is_number(step: str) -> bool:
    return step.isascii() and step.isdigit() and len(step) <= _MOST_DIGITS


def _put(tree: Json, steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        inner = tree.setdefault(step, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree.setdefault(steps[-1], value)


def _listed(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    made = {name: _listed(value) for name, value in tree.items()}
    if made and all(map(_is_number, made)):
        return [made[name] for name in sorted(made, key=int)]
    return made


def _of_openllmetry(value: Any) -> Json:
    fields = value if isinstance(value, dict) else {}
    calls = [
        {"name": call.get("name"), "arguments": call.get("arguments", "{}"), "id": call.get("id")}
        for call in objects(fields.get("tool_calls"))
    ]
    return _message(fields, _content(fields.get("content")), calls)


def _of_openinference(value: Any) -> Json:
    fields = _object(value, "message")
    content = fields.get("content")
    parts = [_object(one, "message_content") for one in objects(fields.get("contents"))]
    if content is None and parts:
        content = [_part(part) for part in parts]
    calls = []
    for one in objects(fields.get("tool_calls")):
        call = _object(one, "tool_call")
        function = _object(call, "function")
        calls.append(
            {
                "name": function.get("name"),
                "arguments": function.get("arguments", "{}"),
                "id": call.get("id"),
            }
        )
    return _message(fields, content, calls)


def _object(value: Any, name: str) -> Json:
    held = value.get(name) if isinstance(value, dict) else None
    return held if isinstance(held, dict) else {}


def _part(part: Json) -> Json:
    image = _object(part, "image")
    url = _object(image, "image").get("url", image.get("url"))
    if isinstance(url, str):
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "text", "text": part.get("text")}


def _content(value: Any) -> Any:
    """A text, or the parts that a text is written of."""
    made = parsed(value) if isinstance(value, str) and value.startswith("[{") else None
    is_list = isinstance(made, list) and all(isinstance(p, dict) and "type" in p for p in made)
    return made if is_list else value


def _message(fields: Json, content: Any, calls: list[Json]) -> Json:
    """A message, whose calls have no id where none was written."""
    out: Json = {"role": fields.get("role"), "content": content}
    if isinstance(fields.get("tool_call_id"), str):
        out["tool_call_id"] = fields["tool_call_id"]
    if calls:
        out["tool_calls"] = [_call(call) for call in calls]
    return out


def _call(call: Json) -> Json:
    given = call["arguments"]
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    named = {"id": call["id"]} if isinstance(call["id"], str) else {}
    return {
        **named,
        "type": "function",
        "function": {"name": call["name"], "arguments": arguments},
    }


def _of_vercel(message: Json) -> Iterator[Json]:
    """A message of the AI SDK: a result is a message of its own."""
    content = message.get("content")
    if not isinstance(content, list):
        yield {"role": message.get("role"), "content": content}
        return
    parts, calls = [], []
    for part in objects(content):
        kind = part.get("type")
        if kind == "tool-result":
            told = part.get("output", part.get("result"))
            said = told.get("value", told) if isinstance(told, dict) else told
            text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
            yield {"role": "tool", "tool_call_id": part.get("toolCallId"), "content": text}
        elif kind == "tool-call":
            given = part.get("input", part.get("args", {}))
            about = {"name": part.get("toolName"), "id": part.get("toolCallId")}
            calls.append({**about, "arguments": given})
        elif kind == "text":
            parts.append({"type": "text", "text": part.get("text")})
    if parts or calls:
        yield _message({"role": message.get("role")}, parts or None, calls)


def _tools(attributes: Mapping[str, Any]) -> list[Json] | None:
    functions = [value for _, value in _nested(attributes, _FUNCTIONS)]
    schemas = (_object(value, "tool") for _, value in _nested(attributes, _TOOLS))
    return tools_of([*functions, *(parsed(one.get("json_schema")) for one in schemas)])
