"""What a view says without what anybody said: letters of the same number stand for texts.

Roles, kinds, codes, numbers and white space stay, and so do ids and names that look like ids and
names: without them nobody could tell what belongs to what. Sentences about what is there are told
without their particulars.
"""

from __future__ import annotations

import re
from typing import Any

from wiremend.projection.anomalies import KINDS
from wiremend.rules import find_rule

Json = dict[str, Any]

PLAIN = re.compile(r"[A-Za-z0-9_.:/|-]{1,64}")
"""An id or a name that can stay."""
_WORDS = frozenset(
    ("role", "speaker", "kind", "state", "why", "label", "picture", "dialect", "media", "verdict")
)
"""The fields of a view whose texts are wiremend's own, or the format's."""
_STRUCTURE = frozenset(
    (
        *("role", "type", "id", "tool_use_id", "tool_call_id", "call_id", "name", "model"),
        *("toolUseId", "media_type", "mimeType", "status", "format", "modelId", "finish_reason"),
    )
)
"""The fields of a request whose short texts are its structure."""
_HOLE = re.compile(r"\{[a-z_]+\}")


def masked(data: Json) -> Json:
    """The data of a page without texts; its lines of JSON are made of ``masked_body``.

    The input is not changed.
    """
    summary = data["summary"]
    for name in ("repairs", "problems", "remaining"):
        summary = {**summary, name: [_told(one) for one in summary[name]]}
    summary["failure"] = "nothing could be made of it" if summary["failure"] else ""
    return {**data, "summary": summary, "rows": [_row(row) for row in data["rows"]]}


def masked_body(value: Any, field: str = "") -> Any:
    """A part of a request with letters for its texts; keys stay as far as they are names."""
    if isinstance(value, dict):
        return {_key(name): masked_body(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [masked_body(item, field) for item in value]
    if not isinstance(value, str) or (field in _STRUCTURE and PLAIN.fullmatch(value)):
        return value
    return letters(value)


def letters(text: str) -> str:
    """As many letters as the text has characters; white space stays."""
    return re.sub(r"\S", "x", text)


def _row(row: Json) -> Json:
    out = dict(row)
    for side in ("left", "right"):
        out[side] = [_entry(entry) for entry in row[side]]
    for name in ("repairs", "problems", "remaining"):
        out[name] = [_told(one) for one in row[name]]
    return out


def _entry(entry: Json) -> Json:
    out: Json = {}
    for name, value in entry.items():
        if name == "blocks":
            out[name] = [_block(block) for block in value]
        elif name == "origin":
            detail = {key: letters(text) for key, text in value.get("detail", {}).items()}
            out[name] = {**value, "kind": _plain(value["kind"]), "detail": detail}
        else:
            out[name] = _field(name, value)
    # A role that is none may be anything.
    out["role"] = _plain(entry["role"])
    return out


def _block(block: Json) -> Json:
    out = {name: _field(name, value) for name, value in block.items() if name != "parts"}
    if "parts" in block:
        out["parts"] = [_block(part) for part in block["parts"]]
    if block["kind"] in ("call", "result", "other"):
        out["name"] = _plain(block.get("name", ""))
    out.pop("picture", None)
    return out


def _field(name: str, value: Any) -> Any:
    if not isinstance(value, str) or name in _WORDS:
        return value
    if name in ("call", "id"):
        return _plain(value)
    if name == "pointer":
        return "/".join(_plain(step) for step in value.split("/"))
    return letters(value)


def _told(one: Json) -> Json:
    """A repair or a problem in the words of its kind, without those of this case."""
    out = {name: _field(name, value) for name, value in one.items()}
    if "said" in one:
        said = KINDS[one["kind"]].said if one["kind"] in KINDS else one["kind"]
        return {**out, "said": _HOLE.sub("…", said), "doc": one["doc"]}
    rule = find_rule(one["code"])
    summary, says = (rule.summary, rule.provider_error) if rule else ("", "")
    return {
        **out,
        "code": one["code"],
        "rule": one["rule"],
        "message": summary,
        "providerError": _HOLE.sub("…", says),
    }


def _plain(text: str) -> str:
    return text if PLAIN.fullmatch(text) else letters(text)


def _key(name: object) -> str:
    return _plain(str(name))
