"""How rules read a Chat Completions request, and the rules of that dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.rules.base import Body, is_blank, messages, objects, once
from wiremend.rules.pairing import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path


def request(*said: Body, **more: Any) -> Body:
    """A complete request with these messages, for the examples of the rules."""
    return {"model": "gpt-4o", "messages": list(said), **more}


def user(content: Any = "What is the weather in Oslo?") -> Body:
    """A user message."""
    return {"role": "user", "content": content}


def calls(*made: Body, content: Any = None) -> Body:
    """An assistant message with tool calls."""
    return {"role": "assistant", "content": content, "tool_calls": list(made)}


def call(
    call_id: Any = "callAbc01", name: str = "weather", arguments: Any = '{"in":"Oslo"}'
) -> Body:
    """One function call."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(call_id: Any = "callAbc01", content: Any = "rain") -> Body:
    """A tool message."""
    return {"role": "tool", "tool_call_id": call_id, "content": content}


@once
def calls_of(body: Body) -> Iterator[tuple[Path, Body]]:
    """Every tool call of an assistant message that is an object, with its path."""
    for index, message in messages(body):
        if message.get("role") == "assistant":
            for place, made in objects(message.get("tool_calls")):
                yield ("messages", index, "tool_calls", place), made


def called(made: Body) -> Body | None:
    """What a call calls, or a tool definition defines: its ``function`` or ``custom``."""
    inner = made.get("custom" if made.get("type") == "custom" else "function")
    return inner if isinstance(inner, dict) else None


@once
def parts_of(body: Body) -> Iterator[tuple[Path, Any, Body]]:
    """Every content part that is an object: its path, the role of its message, the part."""
    for index, message in messages(body):
        for place, part in objects(message.get("content")):
            yield ("messages", index, "content", place), message.get("role"), part


@once
def runs(body: Body) -> Iterator[Run]:
    """Each message's calls with the tool messages directly behind it."""
    run = Run()
    for index, message in messages(body):
        path = ("messages", index)
        if message.get("role") == "tool":
            run.results.append((path, message.get("tool_call_id")))
            continue
        yield run
        run = Run()
        if message.get("role") == "assistant":
            made = objects(message.get("tool_calls"))
            run.calls.extend(((*path, "tool_calls", place), one.get("id")) for place, one in made)
    yield run


@once
def unpaired(body: Body) -> Iterator[Run]:
    """The runs in which something may be missing or left over."""
    return (run for run in runs(body) if not run.is_plain)


_HELD = {"input_audio": "data", "video_url": "url", "audio_url": "url", "image_url": "url"}


def holds_its_kind(part: Body, kind: str) -> bool:
    """Whether the value of a part is an object with what it must have (of a film, a list)."""
    value = part.get(kind)
    if kind == "video":
        return isinstance(value, list)
    if kind in _HELD:
        return isinstance(value, dict) and isinstance(value.get(_HELD[kind]), str)
    return kind != "file" or isinstance(value, dict)


def says_nothing(message: Body) -> bool:
    """Whether a message has nothing but blank text, neither as content nor in another field."""
    if any(message.get(field) for field in ("tool_calls", "function_call", "refusal", "audio")):
        return False
    content = message.get("content")
    if isinstance(content, list):
        return bool(content) and all(
            isinstance(part, dict) and part.get("type") == "text" and is_blank(part.get("text"))
            for part in content
        )
    return is_blank(content)


def bracketed(path: Path) -> str:
    """A path in the notation of OpenAI's errors: ``messages[1].tool_calls[0].id``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")
