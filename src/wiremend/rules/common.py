"""The rules of every dialect: what no server can even read."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import msgspec

from wiremend.rules.base import EVERY, Body, Finding, Rule, dialect_of, has_non_finite, rule
from wiremend.rules.shape import MISSING, misshapen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wiremend.errors import Path

    Json = dict[str, Any]

_SURROGATE = re.compile("[\ud800-\udfff]")


def _body(text: str, **more: Any) -> Body:
    said = {"role": "user", "content": text}
    return {"model": "any-model", "max_tokens": 1024, "messages": [said], **more}


def _blocks(text: Any, **more: Any) -> Body:
    return {
        "modelId": "any-model",
        "messages": [{"role": "user", "content": [{"text": text}]}],
        **more,
    }


def _contents(text: Any, **more: Any) -> Body:
    return {
        "model": "any-model",
        "contents": [{"role": "user", "parts": [{"text": text}]}],
        **more,
    }


def _items(text: Any, **more: Any) -> Body:
    return {"model": "any-model", "input": [{"role": "user", "content": text}], **more}


_ELSEWHERE: dict[str, Callable[..., Body]] = {
    "openai-responses": _items,
    "gemini": _contents,
    "bedrock": _blocks,
}
"""How the dialects that have no messages of chat say a text."""


def _in_other_words(
    before: Any, after: Any, *, wrong: Json | None = None, right: Json | None = None
) -> dict[str, tuple[Body, Body]]:
    return {
        dialect: (made(before, **(wrong or {})), made(after, **(right or {})))
        for dialect, made in _ELSEWHERE.items()
    }


def _walk(root: Any) -> Iterator[tuple[list[str | int], Any]]:
    """Every value below ``root`` in document order, with its path.

    The path is one list that goes on changing: copy what is kept. No recursion, as JSON may be
    nested deeper than Python's stack.
    """
    path: list[str | int] = []
    stack = [_inside(root)]
    while stack:
        for step, value in stack[-1]:
            path.append(step)
            yield path, value
            if isinstance(value, (dict, list)):
                stack.append(_inside(value))
                break
            path.pop()
        else:
            stack.pop()
            if path:
                path.pop()


def _inside(value: Any) -> Iterator[tuple[Any, Any]]:
    return iter(value.items() if isinstance(value, dict) else enumerate(value))


def _encodes(body: Body) -> bool:
    """Whether the body can be written as it is: the quick answer for nearly every body."""
    try:
        msgspec.json.encode(body)
    except (UnicodeError, TypeError, OverflowError, RecursionError):
        return False
    return True


def _halved(text: Any) -> bool:
    return isinstance(text, str) and not text.isascii() and _SURROGATE.search(text) is not None


@rule(
    code="WM001",
    name="lone-surrogate",
    dialects=EVERY,
    summary="A text holds half of a UTF-16 pair.",
    doc="""
    Text that was cut in the middle of an emoji keeps one half of a UTF-16 surrogate pair. Such
    a half has no encoding in UTF-8, so the body is no valid JSON and is refused before anything
    in it is read. wiremend replaces each half by U+FFFD; whole characters stay.
    """,
    before=_body("party \ud83d"),
    after=_body("party \ufffd"),
    elsewhere=_in_other_words("party \ud83d", "party \ufffd"),
    provider_error="The request body is not valid JSON: no low surrogate in string",
    source="anthropics/claude-code#3277 (cases 027 and 120)",
)
def lone_surrogate(body: Body) -> Iterator[Finding]:
    """Texts and keys that cannot be encoded."""
    if _encodes(body):
        return
    told: Path | None = None
    for path, value in _walk(body):
        if _halved(value):
            yield Finding(tuple(path), "The text holds half of a surrogate pair.")
        if _halved(path[-1]) and tuple(path[:-1]) != told:
            # The key itself cannot be printed: point at the object that it is in.
            told = tuple(path[:-1])
            yield Finding(told, "A key of this object holds half of a surrogate pair.")


@rule(
    code="WM002",
    name="non-finite-number",
    dialects=EVERY,
    summary="A number is NaN or infinite.",
    doc="""
    JSON has no word for NaN and the infinities. Python's json module writes them all the same,
    and the server's parser refuses the whole body. wiremend puts null in their place.
    """,
    before=_body("hello", temperature=math.nan),
    after=_body("hello", temperature=None),
    elsewhere=_in_other_words("hello", "hello", wrong={"rate": math.nan}, right={"rate": None}),
    provider_error="The request body is not valid JSON: unexpected token {number}",
    source="RFC 8259, section 6: numeric values that cannot be represented are not permitted",
)
def non_finite_number(body: Body) -> Iterator[Finding]:
    """Floats that JSON cannot hold."""
    if not has_non_finite(body):
        return
    for path, value in _walk(body):
        if isinstance(value, float) and not math.isfinite(value):
            number = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
            yield Finding(tuple(path), f"{number} is no JSON number.", {"number": number})


@rule(
    code="WM003",
    name="malformed",
    dialects=EVERY,
    summary="A part of the request has the wrong type or lacks what it must have.",
    doc="""
    The server checks the body against its schema first: messages are a list of objects, each
    with a known role, content is text or a list of typed parts, tool calls are objects of their
    form. What breaks the schema is refused without a look at the rest. wiremend says where it
    is and leaves it: what was meant cannot be told from a wrong type.
    """,
    before={
        "model": "any-model",
        "max_tokens": 1024,
        "messages": [{"role": "user", "content": [{"text": "hello"}]}],
    },
    after={
        "model": "any-model",
        "max_tokens": 1024,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hello"}]}],
    },
    elsewhere=_in_other_words(7, "hello"),
    provider_error="{place}: Input should be {wanted}",
    source="the request types of the openai, anthropic and google-genai SDKs; botocore's model",
    fixable=False,
)
def malformed(body: Body) -> Iterator[Finding]:
    """Values whose type or form the schema does not have."""
    for path, wanted in misshapen(body):
        said = "" if path else MISSING.get(dialect_of(body), "messages: Field required")
        yield Finding(path, f"This should be {wanted}.", {"wanted": wanted}, said)


RULES: tuple[Rule, ...] = (lone_surrogate, non_finite_number, malformed)
