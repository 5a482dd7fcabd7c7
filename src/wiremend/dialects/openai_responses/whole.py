"""OpenAI Responses: what shows only in the whole input, mended on the way out.

The ids of items and the reasoning that belongs to them. Sources: cases 052; reports 082 to 086.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from wiremend.dialects.base import Json
from wiremend.dialects.openai_responses.items import (
    CALLS,
    LONGEST_ITEM_ID,
    OUTPUTS,
    is_legal_id,
    is_model_item,
    kind_of,
)
from wiremend.projection.anomalies import (
    ItemDropped,
    ItemIdDropped,
    ItemIdReplaced,
    OnAnomaly,
    ReasoningSummaryAdded,
    ThinkingDropped,
)

_FREE_OF_ID = frozenset(("message", *CALLS, *OUTPUTS))
"""Items that go without an id. A result of the local shell is tied to its call by it."""
_IN_NEED = ("local_shell_call", "computer_call")
"""Calls that the SDK's types demand an id of; the client made what they led to, so they stay."""
_ROOM = LONGEST_ITEM_ID - 6
_BEREFT = "without reasoning"
_MADE = re.compile(r"__\d+$")
"""How an id ends that was made here."""


def mend_items(
    items: Sequence[Json], envelope: Mapping[str, Any], report: OnAnomaly, *, strict: bool
) -> list[Json]:
    """The items with ids and reasoning as the API takes them.

    ``strict`` is for an API that asked for the reasoning of an item: that nobody has any more, so
    every item without reasoning before it in its step loses its id, and is new to the API.
    """
    out = _with_reasoning_whole(items, stored=envelope.get("store") is not False, report=report)
    out = _without_lone_reasoning(_with_ids_mended(out, report), report)
    return _without_unreasoned_ids(out, report) if strict else out


def _with_reasoning_whole(items: Sequence[Json], *, stored: bool, report: OnAnomaly) -> list[Json]:
    """Reasoning that can be read: with a summary, and there or on the server.

    The items of a step whose reasoning is dropped lose their ids, by which the API knows them.
    """
    out: list[Json] = []
    used = _ids(items)
    bereft = False
    for item in items:
        if kind_of(item) == "reasoning":
            reason = _refused(item, stored=stored)
            bereft = reason is not None
            if reason is not None:
                report(ThinkingDropped(reason))
                continue
            if not isinstance(item.get("summary"), list):
                report(ReasoningSummaryAdded())
                out.append({**item, "summary": []})
                continue
        bereft = bereft and is_model_item(item)
        out.append(_without_id(item, _BEREFT, report, used=used) if bereft else item)
    return out


def _ids(items: Sequence[Json]) -> set[Any]:
    return {item["id"] for item in items if isinstance(item.get("id"), str)}


def _refused(item: Json, *, stored: bool) -> str | None:
    """Why reasoning cannot be sent; None where it can."""
    known = "id" in item and item["id"] is not None
    if known and not is_legal_id(item["id"], "reasoning"):
        return "another provider's"
    if item.get("encrypted_content"):
        return None
    if not known:
        return "without an id"
    return None if stored else "not stored"


def _with_ids_mended(items: Sequence[Json], report: OnAnomaly) -> list[Json]:
    """Items with ids that are legal and used once; an id is dropped rather than invented."""
    out: list[Json] = []
    first: dict[str, Json] = {}
    for item in items:
        kind, known = kind_of(item), item.get("id")
        if known is None or kind == "local_shell_call_output":
            out.append(item)
            continue
        if not is_legal_id(known, kind):
            long = isinstance(known, str) and len(known) > LONGEST_ITEM_ID
            reason = "too long" if long else "illegal"
        elif known not in first:
            first[known] = item
            out.append(item)
            continue
        else:
            reason = "repeated"
        copied = reason == "repeated" and kind == "message" and first[known] == item
        if kind == "reasoning":
            report(ThinkingDropped(reason))
        elif copied or kind not in _FREE_OF_ID:
            report(ItemDropped(kind, reason))
        else:
            mended = _without_id(item, reason, report, used=first)
            if mended.get("id") is not None:
                first[mended["id"]] = mended
            out.append(mended)
    return out


def _without_lone_reasoning(items: Sequence[Json], report: OnAnomaly) -> list[Json]:
    """Reasoning only where what it led to follows at once."""
    out: list[Json] = []
    followed = False
    for item in reversed(items):
        if kind_of(item) != "reasoning":
            followed = is_model_item(item)
        elif not followed:
            report(ThinkingDropped("alone"))
            continue
        out.append(item)
    out.reverse()
    return out


def _without_unreasoned_ids(items: Sequence[Json], report: OnAnomaly) -> list[Json]:
    out: list[Json] = []
    used = _ids(items)
    reasoned = False
    for item in items:
        reasoned = is_model_item(item) and (reasoned or kind_of(item) == "reasoning")
        bereft = is_model_item(item) and not reasoned
        mended = _without_id(item, _BEREFT, report, used=used) if bereft else item
        used.add(mended.get("id"))
        out.append(mended)
    return out


def _without_id(item: Json, reason: str, report: OnAnomaly, *, used: Container[str] = ()) -> Json:
    """The item as one that the API does not know: without its id, or with another one."""
    kind = kind_of(item)
    if item.get("id") is None or kind not in _FREE_OF_ID:
        return item
    if kind in _IN_NEED:
        if reason == _BEREFT and _MADE.search(item["id"]):
            return item
        new_id = _other_id(str(item["id"]), used)
        report(ItemIdReplaced(kind, reason, new_id))
        return {**item, "id": new_id}
    report(ItemIdDropped(kind, reason))
    return {name: value for name, value in item.items() if name != "id"}


def _other_id(item_id: str, used: Container[str]) -> str:
    """An id that is made from another, and is none of those that are used."""
    start = _MADE.sub("", item_id)
    if len(start) > _ROOM:
        digest = hashlib.sha256(start.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        start = f"{start[: _ROOM - 9]}_{digest}"
    number = 2
    while (made := f"{start}__{number}") in used:
        number += 1
    return made
