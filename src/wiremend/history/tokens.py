"""Token estimates where no tokenizer is given: four ASCII characters or one other are a token."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from wiremend.model import ContextMessage, Message, TextPart, ThinkPart, media_source

MEDIA_TOKENS = 2000
"""What a picture, a sound or a film is taken for."""

CountTokens = Callable[[str], int]
"""A tokenizer: how many tokens a text is."""


def estimate_tokens(text: str) -> int:
    """One token per four ASCII characters, rounded up, and one per other character."""
    if text.isascii():
        return -(-len(text) // 4)
    ascii_count = sum(1 for character in text if character < "\x80")
    return -(-ascii_count // 4) + len(text) - ascii_count


def message_tokens(message: Message, count: CountTokens = estimate_tokens) -> int:
    """The tokens of a message: its role, its parts, and the names and arguments of its calls."""
    total = count(message.role)
    for part in message.content:
        if isinstance(part, TextPart):
            total += count(part.text)
        elif isinstance(part, ThinkPart):
            total += count(part.think)
        elif media_source(part) is not None:
            total += MEDIA_TOKENS
    for call in message.tool_calls:
        total += count(call.name) + count(json.dumps(call.arguments, ensure_ascii=False))
    return total


def history_tokens(messages: Iterable[ContextMessage], count: CountTokens = estimate_tokens) -> int:
    """The tokens of all messages."""
    return sum(message_tokens(message, count) for message in messages)


def first_tokens(text: str, most: int, count: CountTokens = estimate_tokens) -> str:
    """The longest beginning of a text that is at most so many tokens."""
    return text[: _longest(len(text), lambda n: count(text[:n]) <= most)]


def last_tokens(text: str, most: int, count: CountTokens = estimate_tokens) -> str:
    """The longest end of a text that is at most so many tokens."""
    size = len(text)
    return text[size - _longest(size, lambda n: count(text[size - n :]) <= most) :]


def _longest(size: int, fits: Callable[[int], bool]) -> int:
    """The most characters that fit, where fewer always fit too."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low
