"""The first words of a stream: whether a provider objects under a status that says all is well."""

from __future__ import annotations

from typing import Any

import msgspec


def objection(head: bytes) -> bytes | None:
    """The error in the first event of an event stream, as JSON; None where there is none.

    ``head`` is how the stream begins, cut off anywhere. Written after Anthropic's ``event: error``
    and the ``data: {"error": …}`` of servers of Chat Completions.
    """
    lines = head.lstrip(b"\xef\xbb\xbf\r\n").splitlines()
    for line in lines:
        name, _, value = line.partition(b":")
        if name == b"data":
            return value.strip() if _is_error(value) else None
        if not line or (name == b"event" and value.strip() != b"error"):
            return None
    return None


def _is_error(data: bytes) -> bool:
    if b'"error"' not in data:
        return False
    try:
        value: Any = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return isinstance(value, dict) and (
        value.get("type") == "error" or isinstance(value.get("error"), dict | str)
    )
