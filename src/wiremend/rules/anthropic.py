"""How rules read a Messages request of Anthropic, and the pieces of their examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.rules.base import Body, messages, objects, once
from wiremend.rules.pairing import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

TOOLS = [{"name": "weather", "input_schema": {"type": "object"}}]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="


def request(*said: Body, **more: Any) -> Body:
    """A complete request with these messages, for the examples of the rules."""
    whole = {"model": "claude-sonnet-4-5", "max_tokens": 4096, "messages": list(said)}
    return {**whole, **more}


def with_tools(*said: Body, **more: Any) -> Body:
    """The same with the tool of the examples."""
    return request(*said, tools=TOOLS, **more)


def user(*content: Any) -> Body:
    """A user message: one text, or blocks."""
    return _message("user", content)


def assistant(*content: Any) -> Body:
    """An assistant message: one text, or blocks."""
    return _message("assistant", content)


def _message(role: str, content: tuple[Any, ...]) -> Body:
    plain = len(content) == 1 and isinstance(content[0], str)
    return {"role": role, "content": content[0] if plain else list(content)}


ASKED = user("What is the weather in Oslo?")


def text(words: str, **more: Any) -> Body:
    """A text block."""
    return {"type": "text", "text": words, **more}


def image(media_type: str, data: str) -> Body:
    """An image block with base64 data."""
    source = {"type": "base64", "media_type": media_type, "data": data}
    return {"type": "image", "source": source}


def use(use_id: Any = "toolu_1", name: str = "weather", given: Any = None) -> Body:
    """A tool_use block."""
    return {"type": "tool_use", "id": use_id, "name": name, "input": {} if given is None else given}


def result(use_id: Any = "toolu_1", content: Any = "rain", **more: Any) -> Body:
    """A tool_result block."""
    return {"type": "tool_result", "tool_use_id": use_id, "content": content, **more}


def thinking(signature: str = "c2lnbmVk") -> Body:
    """A thinking block."""
    return {"type": "thinking", "thinking": "Let me see.", "signature": signature}


@once
def _blocks(body: Body) -> Iterator[tuple[Path, Body, Body]]:
    for index, message in messages(body):
        for place, block in objects(message.get("content")):
            yield ("messages", index, "content", place), message, block


def blocks_of(body: Body, *kinds: str) -> Iterator[tuple[Path, Body, Body]]:
    """The blocks of the messages themselves, of these types: path, message, block."""
    return (found for found in _blocks(body) if found[2].get("type") in kinds)


_DEEPEST = 3
"""Blocks in blocks: a text in a document in a tool result."""


@once
def all_blocks(body: Body) -> Iterator[tuple[Path, Body]]:
    """Every block of the messages, and those inside of results and documents behind it."""
    for path, _, block in _blocks(body):
        yield from _with_inner(path, block, 1)


def _with_inner(path: Path, block: Body, depth: int) -> Iterator[tuple[Path, Body]]:
    yield path, block
    kind, source = block.get("type"), block.get("source")
    at: Path = (*path, "content")
    held: Any = None
    if kind in ("tool_result", "search_result"):
        held = block.get("content")
    elif kind == "document" and isinstance(source, dict):
        at, held = (*path, "source", "content"), source.get("content")
    if depth < _DEEPEST:
        for place, inner in objects(held):
            yield from _with_inner((*at, place), inner, depth + 1)


@once
def markable(body: Body) -> Iterator[tuple[Path, Body]]:
    """Everything that may carry a cache mark, in the order in which the provider reads it."""
    for key in ("tools", "system"):
        for place, item in objects(body.get(key)):
            yield (key, place), item
    yield from all_blocks(body)


@once
def turns(body: Body) -> Iterator[tuple[int, Body, str]]:
    """User and assistant messages with index and role; other roles have a rule of their own."""
    for index, message in messages(body):
        role = message.get("role")
        if role in ("user", "assistant"):
            yield index, message, role


def carries_results(message: Body) -> bool:
    """Whether a message goes on with the assistant's turn instead of starting a new one."""
    content = message.get("content")
    return any(block.get("type") == "tool_result" for _, block in objects(content))


@once
def runs(body: Body) -> Iterator[Run]:
    """Each assistant turn's calls with the results of the one message directly behind it.

    Neighbouring assistant messages are one turn. Results anywhere else come as runs without
    calls.
    """
    run = Run()
    after_assistant = False
    for index, message, role in turns(body):
        path = ("messages", index, "content")
        results = _found(message, path, "tool_result", "tool_use_id")
        if role == "assistant":
            if not after_assistant:
                yield run
                run = Run()
            run.calls.extend(_found(message, path, "tool_use", "id"))
        elif after_assistant:
            run.results.extend(results)
            results = []
        after_assistant = role == "assistant"
        if results:
            yield Run([], results)
    yield run


@once
def unpaired(body: Body) -> Iterator[Run]:
    """The runs in which something may be missing or left over."""
    return (run for run in runs(body) if not run.is_plain)


def _found(message: Body, path: Path, kind: str, key: str) -> list[tuple[Path, Any]]:
    content = objects(message.get("content"))
    return [
        ((*path, place), block.get(key)) for place, block in content if block.get("type") == kind
    ]
