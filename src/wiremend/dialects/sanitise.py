"""What no JSON can carry: lone halves of UTF-16 pairs, NaN and the infinities.

Providers refuse such bodies before they look at anything else (anthropics/claude-code#3277).
"""

from __future__ import annotations

import math
import re
from typing import Any

import msgspec

from wiremend.errors import Path, pointer
from wiremend.projection.anomalies import NumberReplaced, OnAnomaly, SurrogateReplaced

_LONE = re.compile(r"[\ud800-\udfff]")
_PAIR = re.compile(r"([\ud800-\udbff])([\udc00-\udfff])")


def sanitise(value: Any, report: OnAnomaly, path: Path = ()) -> Any:
    """The value as JSON can carry it; the same object where nothing has to change.

    ``path`` is where it stands in what is sent, for the reports.
    """
    # Nearly every body is fine. An encoder in C knows halves of characters much sooner than a walk
    # would; only numbers that are none become null to it.
    try:
        msgspec.json.encode(value)
    except (ValueError, TypeError, OverflowError, msgspec.MsgspecError):
        return _sanitised(value, report, path)
    return _sanitised(value, report, path) if _has_non_finite(value) else value


def _has_non_finite(root: Any) -> bool:
    stack: list[Any] = [[root]]
    while stack:
        value = stack.pop()
        for item in value.values() if isinstance(value, dict) else value:
            kind = type(item)
            if kind is str:
                continue
            if kind is dict or kind is list or isinstance(item, (dict, list, tuple)):
                stack.append(item)
            elif isinstance(item, float) and not math.isfinite(item):
                return True
    return False


def _sanitised(value: Any, report: OnAnomaly, path: Path) -> Any:
    if isinstance(value, str):
        return _sanitise_text(value, report, path)
    if isinstance(value, float) and not math.isfinite(value):
        report(NumberReplaced(pointer(path)))
        return None
    if isinstance(value, dict):
        pairs = [
            (
                _sanitise_text(key, report, path) if isinstance(key, str) else key,
                _sanitised(item, report, (*path, key)),
            )
            for key, item in value.items()
        ]
        old = value.items()
        same = all(n is k and i is v for (n, i), (k, v) in zip(pairs, old, strict=True))
        return value if same else dict(pairs)
    if isinstance(value, (list, tuple)):
        items = [_sanitised(item, report, (*path, n)) for n, item in enumerate(value)]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    return value


def _sanitise_text(text: str, report: OnAnomaly, path: Path) -> str:
    if text.isascii() or not _LONE.search(text):
        return text
    report(SurrogateReplaced(pointer(path)))
    whole = _PAIR.sub(_joined, text)
    return _LONE.sub("\ufffd", whole)


def _joined(match: re.Match[str]) -> str:
    # Two halves that were written one by one are one character after all.
    return match[0].encode("utf-16", "surrogatepass").decode("utf-16")
