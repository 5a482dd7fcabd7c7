"""How each dialect writes a small conversation: it is written, and its parts are looked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import wiremend as wm
from wiremend.caching import cache_key_fields, mark_cache
from wiremend.dialects import DIALECTS
from wiremend.dialects.settings import Settings, Tool
from wiremend.model import (
    ContextMessage,
    ImagePart,
    MediaSource,
    Message,
    TextPart,
    ThinkPart,
    ToolCall,
    assistant,
    tool_result,
    user,
)

Body = dict[str, Any]

PATHS = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/MODEL:generateContent",
    "bedrock": "/model/MODEL/converse",
}
FIRST, SECOND, TOOL = "callAAAA1", "callAAAA2", "look_here"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="


def step_calls() -> tuple[ToolCall, ...]:
    """The two calls of the conversation's step."""
    return tuple(
        ToolCall(id=name, name=TOOL, arguments=f'{{"place": "{place}"}}')
        for name, place in ((FIRST, "PLACE 1"), (SECOND, "PLACE 2"))
    )


def conversation(*, failed: bool = False, image: bool = False) -> list[Message]:
    """An instruction, a question, a step with two calls, their results; the second as asked."""
    second = tool_result(SECOND, "RESULT 2", is_error=failed or None)
    if image:
        shown = ImagePart(MediaSource(f"data:image/png;base64,{PNG}"))
        second = ContextMessage("tool", (TextPart("RESULT 2"), shown), tool_call_id=SECOND)
    return [
        Message(role="system", content=(TextPart("SYSTEM"),)),
        user("QUESTION"),
        assistant("ANSWER", *step_calls()),
        tool_result(FIRST, "RESULT 1"),
        second,
    ]


def written(dialect: str, history: Sequence[Message] | None = None) -> Body:
    """The request of a conversation, which goes on behind the results; nothing has to be mended."""
    schema = {"type": "object", "properties": {"place": {"type": "string"}}}
    tool = Tool(name=TOOL, description="Looks.", parameters=schema)
    settings = Settings(model="MODEL", tools=(tool,), max_output_tokens=1024)
    fields = DIALECTS[dialect].write_settings(settings).fields
    history = [*(history or conversation()), assistant("END"), user("LAST")]
    return wm.request(history, dialect, fields).body


def places(value: Any, wanted: str, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a text stands in a body: fields of objects and numbers in lists, from outside."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            yield from places(inner, wanted, (*path, key))
        elif isinstance(inner, str) and wanted in inner:
            yield (*path, key)


def place(body: Body, wanted: str) -> tuple[Any, ...] | None:
    """The first place of a text; None where there is none."""
    return next(places(body, wanted), None)


def at(body: Body, path: Sequence[Any]) -> Any:
    """What stands at a place."""
    for key in path:
        body = body[key]
    return body


def of_step(body: Body, wanted: str, other: str) -> tuple[Any, ...]:
    """Where the call or result with a text is: a message of its own, or a block beside another."""
    path = place(body, wanted) or ()
    return path[:4] if other in json.dumps(at(body, path[:2])) else path[:2]


def _endpoint(dialect: str) -> str:
    return f"`{PATHS[DIALECTS[dialect].family]}`"


def _system(dialect: str) -> str:
    path = place(written(dialect), "SYSTEM") or ()
    if path[0] != DIALECTS[dialect].holds:
        return f"field `{path[0]}`"
    return f"first message, role `{at(written(dialect), path[:2])['role']}`"


def _speakers(dialect: str) -> str:
    items = written(dialect)[DIALECTS[dialect].holds]
    return ", ".join(dict.fromkeys(f"`{one.get('role') or one['type']}`" for one in items))


def _call(dialect: str) -> str:
    body = written(dialect)
    path = of_step(body, "PLACE 2", "PLACE 1")
    where = f"in `{path[2]}` of the turn" if len(path) > 2 else "an item of its own"
    leaf = (place(body, "PLACE 2") or ())[len(path) :]
    name = next(step for step in leaf if step in ("arguments", "input", "args"))
    form = "JSON text" if leaf[-1] == name else "object"
    return f"{where}; `{name}`: {form}"


def _results(dialect: str) -> str:
    path = of_step(written(dialect), "RESULT 2", "RESULT 1")
    return "together, in one turn" if len(path) > 2 else "one message each"


def _failed(dialect: str) -> str:
    body, plain = written(dialect, conversation(failed=True)), written(dialect)
    if place(body, "Tool execution failed"):
        return "a line of text"
    path = of_step(body, "RESULT 2", "RESULT 1")
    result, before = (next(iter(_fields(at(one, path)))) for one in (body, plain))
    marks = [name for name in result if result[name] != before.get(name)]
    return ", ".join(
        f"`{name}.{next(iter(result[name]))}`" if isinstance(result[name], dict) else f"`{name}`"
        for name in marks
    )


def _fields(result: Body) -> Iterator[Body]:
    """The object that has the fields of a result, within those that only name its kind."""
    inner = next(iter(result.values()))
    yield from _fields(inner) if isinstance(inner, dict) else [result]


def _image(dialect: str) -> str:
    body = written(dialect, conversation(image=True))
    path = place(body, PNG[:40])
    if path is None:
        return "left out, with a line that says so"
    within = of_step(body, "RESULT 2", "RESULT 1")
    return "in the result" if path[: len(within)] == within else "in a user message behind it"


def _thinking(dialect: str) -> str:
    history = conversation()
    said = (ThinkPart("THOUGHT", encrypted="SIGNATURE"), TextPart("ANSWER"))
    history[2] = ContextMessage("assistant", said, tool_calls=step_calls())
    body = written(dialect, history)
    names = [path[-1] for word in ("THOUGHT", "SIGNATURE") if (path := place(body, word))]
    return ", ".join(f"`{name}`" for name in names) or "only its own, as it came"


def _cache(dialect: str) -> str:
    body = written(dialect)
    fields = [f"`{name}`" for name, _ in _leaves(cache_key_fields(dialect, "KEY"))]
    if mark_cache(body, dialect) != body:
        marked = json.dumps(mark_cache(body, dialect))
        fields += [f"marks: `{name}`" for name in ("cache_control", "cachePoint") if name in marked]
    return ", ".join(fields) or "by itself"


def _leaves(value: Body, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, inner in value.items():
        if isinstance(inner, dict):
            yield from _leaves(inner, f"{path}{name}.")
        else:
            yield f"{path}{name}", inner


WRITTEN: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("sent to", _endpoint),
    ("messages", lambda dialect: f"`{DIALECTS[dialect].holds}`"),
    ("who speaks", _speakers),
    ("system prompt", _system),
    ("a call", _call),
    ("the results of a step", _results),
    ("a failed result", _failed),
    ("an image in a result", _image),
    ("thinking goes back as", _thinking),
    ("prompt cache", _cache),
)
