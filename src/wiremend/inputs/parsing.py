"""Bytes as a JSON value, or one line that says where they are none."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec


class Unusable(Exception):  # noqa: N818  (it names the input, not a fault of the program)
    """Input that cannot be used; the text is one line for a person, without contents."""


class NoConversation(Unusable):
    """JSON that is none of the things that can be checked; among others it is passed over."""


TOO_DEEP = "nested too deeply to work with"

_WORDS = (
    ("Expecting value", "expected a value"),
    ("Expecting ',' delimiter", "expected a comma or the closing bracket"),
    ("Expecting ':' delimiter", "expected a colon"),
    ("Expecting property name", "expected a key in double quotes"),
    ("Illegal trailing comma", "a comma before the closing bracket"),
    ("Invalid control character", "a bare control character inside a text"),
    ("Invalid \\escape", "an escape that JSON does not have"),
    ("Invalid \\uXXXX", "a broken \\u escape"),
    ("Extra data", "something follows the JSON value"),
)
_CUT_LITERAL = re.compile(
    r"(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|N|Na|-?I(?:n(?:f(?:i(?:n(?:it?)?)?)?)?)?)"
)


def parse(data: bytes, *, one_line: bool = False) -> Any:
    """The JSON value in UTF-8 ``data``; ``one_line``: positions are told as columns alone.

    Takes what Python's own writer makes and no server reads (NaN, halves of surrogate pairs), so
    that it can be mended. Raises ``Unusable``.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Its messages do not tell a lone surrogate from a truncated file; a slower look does.
        return _parse_slowly(data, one_line=one_line)


def _parse_slowly(data: bytes, *, one_line: bool) -> Any:
    text = decode(data)
    if not text.strip():
        raise Unusable("empty")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Unusable(_syntax(error, one_line=one_line)) from None
    except RecursionError:
        raise Unusable(TOO_DEEP) from None
    except ValueError:
        raise Unusable("holds a number with more digits than can be read") from None


def decode(data: bytes) -> str:
    """UTF-8 bytes as text; halves of surrogate pairs are let through."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        byte, place = data[error.start], error.start
        raise Unusable(
            f"not UTF-8: byte 0x{byte:02x} at offset {place} (another encoding, or no text)"
        ) from None


def _syntax(error: json.JSONDecodeError, *, one_line: bool) -> str:
    end = len(error.doc.rstrip())
    if _is_cut(error, end):
        return f"truncated JSON: it ends at {_position(error.doc, end, one_line=one_line)}"
    said = next((ours for theirs, ours in _WORDS if error.msg.startswith(theirs)), error.msg)
    return f"not JSON: {said} at {_position(error.doc, error.pos, one_line=one_line)}"


def _is_cut(error: json.JSONDecodeError, end: int) -> bool:
    if error.pos >= end or error.msg.startswith("Unterminated string"):
        return True
    if error.msg.startswith("Invalid \\uXXXX"):
        return end - error.pos < 6
    # Longer than any literal is no cut one, and is not worth a copy.
    return end - error.pos < 10 and bool(_CUT_LITERAL.fullmatch(error.doc[error.pos : end]))


def _position(text: str, offset: int, *, one_line: bool) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f"column {column}" if one_line else f"line {line}, column {column}"
