"""A call's arguments as a JSON object, whatever the model wrote.

Arguments that do not parse are carried whole in one field, so that the model can still read what
it wrote; nothing is guessed. Sources: cases 023 and 040, reports 091, 093 and 095.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from wiremend.model import ToolCall
from wiremend.projection.anomalies import ArgumentsMended, OnAnomaly

UNPARSED = "_unparsed_arguments"


def parse_arguments(call: ToolCall, report: OnAnomaly) -> dict[str, Any]:
    """The arguments as an object. No arguments are ``{}``, and only that is not reported."""
    if call.arguments is None:
        return {}
    value = _loads(call.arguments)
    if isinstance(value, dict):
        return value
    mended, how = _mended(call.arguments, value)
    report(ArgumentsMended(call.id, how))
    return mended


def arguments_text(call: ToolCall, report: OnAnomaly) -> str:
    """The arguments as text of a JSON object; the model's own text where it is one."""
    text = call.arguments
    if text is None:
        report(ArgumentsMended(call.id, "emptied"))
        return "{}"
    value = _loads(text)
    if isinstance(value, dict):
        return text
    mended, how = _mended(text, value)
    report(ArgumentsMended(call.id, how))
    return dump_arguments(mended)


def is_object(text: str) -> bool:
    """Whether the text is JSON of an object."""
    return isinstance(_loads(text), dict)


def is_json(text: str) -> bool:
    """Whether the text is JSON of any kind, numbers of any length included."""
    if _loads(text) is not _NOT_JSON:
        return True
    try:
        json.loads(text, parse_constant=_refuse, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def dump_arguments(value: Any) -> str:
    """A JSON value as the text of arguments."""
    return json.dumps(value, ensure_ascii=False)


def _mended(text: str, value: Any) -> tuple[dict[str, Any], str]:
    if not text.strip():
        return {}, "emptied"
    if isinstance(value, str):
        inner = _loads(value)
        if isinstance(inner, dict):
            return inner, "parsed"
    return {UNPARSED: text if value is _NOT_JSON else value}, "wrapped"


class _NotJson:
    """Stands for text that is no JSON, since None is."""


_NOT_JSON = _NotJson()


def _loads(text: str) -> Any:
    # What msgspec reads is what ``json`` reads, but it does not read all: halves of characters.
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        pass
    try:
        return _decoder.decode(text)
    except (ValueError, RecursionError):
        return _NOT_JSON


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_refuse)
