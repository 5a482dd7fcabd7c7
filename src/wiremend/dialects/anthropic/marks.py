"""Anthropic Messages: cache marks, judged over the whole request as the API does.

The definitions of tools come first, then the system prompt, then the messages with what is inside
of results and documents; a mark at the top of the request stands for the last block. Source:
platform.claude.com, "Prompt caching"; ``anthropic`` SDK, ``CacheControlEphemeralParam``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from wiremend.dialects.anthropic.places import (
    Place,
    blocks_in_messages,
    replaced,
    tools_and_system,
)
from wiremend.dialects.base import Json
from wiremend.projection.anomalies import CacheMarkDropped, OnAnomaly

MARK = "cache_control"
MOST_MARKS = 4

_FIELDS = ("type", "ttl")
_SHORT, _LONG = "5m", "1h"
_THINKING = ("thinking", "redacted_thinking")

_Marks: TypeAlias = "dict[Place, Any]"


def mend_marks(body: Json, report: OnAnomaly) -> Json:
    """The body with cache marks that the API takes: where, of what form, how many, how long."""
    before = {(*place, MARK): holder[MARK] for place, holder in _marked(body)}
    if not before:
        return body
    marks = _well_formed(before, body, report)
    marks = _at_most_four(marks, report)
    marks = _long_before_short(marks, report)
    changes = {place: marks.get(place) for place in before if marks.get(place) is not before[place]}
    return replaced(body, changes) if changes else body


def _marked(body: Json) -> Iterator[tuple[Place, Json]]:
    """Each object with a mark, in the order in which the API reads them."""
    for found in (tools_and_system(body), blocks_in_messages(body, MARK), iter([((), body)])):
        yield from ((place, holder) for place, holder in found if holder.get(MARK) is not None)


def _well_formed(marks: _Marks, body: Json, report: OnAnomaly) -> _Marks:
    """The marks of the known form, without those on thinking, which takes none."""
    out: _Marks = {}
    for place, mark in marks.items():
        if place[0] == "messages" and _kind(body, place[:-1]) in _THINKING:
            report(CacheMarkDropped("on thinking"))
            continue
        mended = _mended(mark)
        if mended is not mark:
            report(CacheMarkDropped("fields"))
        if mended is not None:
            out[place] = mended
    return out


def _kind(body: Json, place: Place) -> Any:
    holder: Any = body
    for step in place:
        holder = holder[step]
    return holder.get("type")


def _mended(mark: Any) -> Json | None:
    """The mark as the API knows it; whatever says yes is taken for one, what says no for none."""
    if not mark:
        return None
    known = {name: mark[name] for name in _FIELDS if name in mark} if isinstance(mark, dict) else {}
    if known.get("ttl", _SHORT) not in (_SHORT, _LONG):
        del known["ttl"]
    if known.get("type") != "ephemeral":
        known["type"] = "ephemeral"
    return mark if known == mark else known


def _at_most_four(marks: _Marks, report: OnAnomaly) -> _Marks:
    """The last marks, which cover the most; those of the messages go before the others.

    The marks of tools and system prompt serve every turn, and so does the one at the top.
    """
    surplus = len(marks) - MOST_MARKS
    if surplus <= 0:
        return marks
    gone = set(sorted(marks, key=lambda place: place[0] != "messages")[:surplus])
    for _ in gone:
        report(CacheMarkDropped("surplus"))
    return {place: mark for place, mark in marks.items() if place not in gone}


def _long_before_short(marks: _Marks, report: OnAnomaly) -> _Marks:
    """No mark of an hour behind one of five minutes: it lasts five minutes, too."""
    out: _Marks = {}
    short = False
    for place, mark in marks.items():
        long = mark.get("ttl", _SHORT) == _LONG
        if long and short:
            report(CacheMarkDropped("ttl"))
            out[place] = {name: value for name, value in mark.items() if name != "ttl"}
        else:
            out[place] = mark
        short = short or not long
    return out
