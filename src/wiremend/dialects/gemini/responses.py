"""What a function response says, and how it is written as an object.

Source: ``google.genai.types.FunctionResponse``: the keys ``output`` and ``error`` have a meaning,
else the whole object is the output; the SDK itself writes ``result``.
"""

from __future__ import annotations

from typing import Any

from wiremend.dialects.arguments import dump_arguments
from wiremend.dialects.base import Json

_PLAIN = ("result", "output", "error")


def read_response(response: Json) -> tuple[str | None, bool]:
    """The text of a response, None where it is empty, and whether it tells of a failure."""
    if not response:
        return None, False
    if len(response) == 1:
        ((key, value),) = response.items()
        if key in _PLAIN and isinstance(value, str):
            return value, key == "error"
    failed = "error" in response and "output" not in response and "result" not in response
    return dump_arguments(response), failed


def write_response(text: str | None, *, failed: bool, original: Any) -> Json:
    """The object for a text: the original one where that says exactly this."""
    if isinstance(original, dict) and read_response(original) == (text, failed):
        return original
    return {"error" if failed else "result": text or ""}
