"""A request body as the bytes that would arrive: the first thing that any server looks at."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from wiremend.providers.reply import RefusalError

_INVALID = "The request body is not valid JSON: "


def arrive(body: Any) -> bytes:
    """Return the body as UTF-8 JSON.

    Raises ``RefusalError`` for what no JSON parser of a server takes: half a surrogate pair, NaN
    and infinities, nesting without end.
    """
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        column = error.start + 1
        where = f"line 1 column {column} (char {error.start})"
        raise RefusalError(f"{_INVALID}no low surrogate in string: {where}") from None
    except RecursionError:
        raise RefusalError(f"{_INVALID}recursion limit exceeded") from None
    except (TypeError, ValueError):
        raise RefusalError(f"{_INVALID}unexpected character") from None


def fingerprint(arrived: bytes) -> str:
    """Return a stable name for a request, from which the ids of its answer are made."""
    return hashlib.sha256(arrived).hexdigest()


def roughly_tokens(arrived: bytes) -> int:
    """Return a plausible token count: about four bytes a token."""
    return math.ceil(len(arrived) / 4)
