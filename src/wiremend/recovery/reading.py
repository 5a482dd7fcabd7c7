"""An error body of any make, read into what the classes are told by: codes, text, a place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

# A provider says what is wrong at the beginning; what follows is somebody's HTML or an echo.
_ENOUGH = 64 * 1024

_ESCAPED_CHAR = re.compile(r"\\{1,8}u([0-9a-fA-F]{4})")
_LINE_ESCAPES = re.compile(r"\\{1,8}[nrt]")
# Quotes, backticks and backslashes come and go with each gateway that wraps the text again.
_QUOTING = str.maketrans("", "", "`'\"\\\u2018\u2019\u201c\u201d")
_CODE = re.compile(
    r"[\"'](?:code|type|error_code|status|reason|__type|error)\\{0,8}[\"'] ?: ?"
    r"\\{0,8}[\"']([\w.#-]{1,100})\\{0,8}[\"']"
)
_EXCEPTION = re.compile(r"\b([A-Za-z]{1,60}Exception)\b")
_OWN_STATUS = re.compile(
    r"[\"'](?:code|status|status_code)\\{0,8}[\"'] ?: ?\\{0,8}[\"']?([45]\d\d)\b"
)
_STATUS = re.compile(
    r"(?:[\w.]{1,60}:? )?(?:error code: |status code:? |http(?:/[\d.]{1,4})? |error:? )?"
    r"([1-5]\d\d)\b",
    re.IGNORECASE,
)

_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?")

_STEP = r"(?:\.?\[\d{1,9}\]|\.\d{1,9}|\.[A-Za-z_][A-Za-z0-9_]{0,60})"
_PATH = re.compile(
    r"\b(messages|input|contents|toolConfig\.tools|tools|system)((?:\.?\[\d{1,9}\]|\.\d{1,9})"
    + _STEP
    + "{0,12})"
)
_PATH_STEP = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+")
_LOCATION = re.compile(r"\bbody, ?(messages|input), ?(\d{1,9})")
_POSITION = re.compile(r"\b(?:message\[| at position | at index |message index )(\d{1,9})\b")

# Steps that name which kind of block it is; the request has no such level.
_TAGS = frozenset(
    {
        *("text", "image", "document", "thinking", "redacted_thinking", "tool_use", "tool_result"),
        *("server_tool_use", "search_result", "custom", "assistant", "user", "tool", "member"),
        *("mcp_tool_use", "mcp_tool_result", "web_search_tool_result", "web_fetch_tool_result"),
    }
)
_TAGS_AFTER = {
    "source": frozenset({"base64", "url", "file", "text", "content"}),
    "cache_control": frozenset({"ephemeral"}),
}


# Bedrock and Azure name the error in a header, and may say nothing about it in the body.
_CODE_HEADERS = ("x-amzn-errortype", "x-ms-error-code")


class Reading(msgspec.Struct, frozen=True):
    """What an error says: ``text`` in lower case without quotes and backticks, on one line."""

    codes: tuple[str, ...]
    text: str
    pointer: str
    status: int | None
    retry_after: float | None = None


def read(body: Any, headers: Mapping[str, str] | None = None) -> Reading:
    """Read an error body: JSON, a dict, HTML, bare text, or any of these wrapped by an SDK."""
    told = {name.lower(): value for name, value in (headers or {}).items()}
    raw = _ESCAPED_CHAR.sub(_unescape, _as_text(body)[:_ENOUGH])
    raw = " ".join(_LINE_ESCAPES.sub(" ", raw).split())
    plain = raw.translate(_QUOTING)
    status = _STATUS.match(plain) or _OWN_STATUS.search(raw)
    named = [told[name].partition(":")[0] for name in _CODE_HEADERS if name in told]
    codes = (*named, *_CODE.findall(raw), *_EXCEPTION.findall(plain))
    return Reading(
        codes=tuple(code.lower() for code in codes),
        text=plain.lower(),
        pointer=_pointer(plain),
        status=int(status[1]) if status else None,
        retry_after=_retry_after(told),
    )


def _retry_after(told: Mapping[str, str]) -> float | None:
    """The seconds to wait; a date would need a clock."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        if _SECONDS.fullmatch(told.get(name, "").strip()):
            return float(told[name]) / unit
    return None


def _as_text(body: Any) -> str:
    if body is None:
        return ""
    if isinstance(body, str):
        return body
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body[:_ENOUGH]).decode(errors="replace")
    try:
        return json.dumps(body, ensure_ascii=False, default=repr)
    except (TypeError, ValueError, RecursionError):
        return ""


def _unescape(found: re.Match[str]) -> str:
    return chr(int(found[1], 16))


def _pointer(text: str) -> str:
    path = _PATH.search(text)
    if path:
        return f"/{path[1].replace('.', '/')}" + "".join(
            f"/{step}" for step in _real_steps(path[2])
        )
    location = _LOCATION.search(text)
    if location:
        return f"/{location[1]}/{location[2]}"
    position = _POSITION.search(text)
    return f"/messages/{position[1]}" if position else ""


def _counted_from_zero(steps: list[str]) -> list[str]:
    """The steps with what AWS writes as ``1.member``, the first of a list, as ``0``."""
    behind = [*steps[1:], ""]
    return [
        str(int(step) - 1) if step.isdigit() and after == "member" and int(step) > 0 else step
        for step, after in zip(steps, behind, strict=True)
    ]


def _real_steps(path: str) -> list[str]:
    steps = _PATH_STEP.findall(path)
    # Servers that count in brackets write no tags.
    if "[" in path:
        return steps
    steps = _counted_from_zero(steps)
    pairs = zip(["", *steps], steps, strict=False)
    return [
        step
        for before, step in pairs
        if not (before.isdigit() and step in _TAGS) and step not in _TAGS_AFTER.get(before, ())
    ]
