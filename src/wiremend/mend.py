"""``fix`` and ``request``: a broken body, or a history, in; a valid body and every repair out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from wiremend.dialects import Dialect, find_dialect, sanitise
from wiremend.dialects.base import Json
from wiremend.errors import WiremendError
from wiremend.model import Message
from wiremend.projection import (
    Anomaly,
    OnAnomaly,
    ProjectionPolicy,
    Strip,
    project,
    take_snapshot,
)
from wiremend.projection.anomalies import ToolsDeclared, ignore
from wiremend.projection.policy import MediaPolicy

Refit: TypeAlias = Callable[[Sequence[Message], OnAnomaly], Sequence[Message]]
"""What gives a history with its media made to fit, such as ``wiremend.imaging.fitter`` makes."""
Media: TypeAlias = Literal["degraded", "strip"] | Strip | Refit | None


class Fixed(msgspec.Struct, frozen=True):
    """A mended request body, and every repair that was made."""

    body: Json
    anomalies: tuple[Anomaly, ...]


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What a caller may ask for.

    ``strict`` is for a provider that refused the request all the same; ``media`` makes older
    pictures (``"degraded"``), all (``"strip"``) or those of a snapshot (``Strip``) lines of text,
    or is called with the history before anything in it is mended; ``duplicates`` says what becomes
    of a repeated call id; ``frontier="keep"`` leaves the calls of the last step open.
    """

    strict: bool = False
    media: Media = None
    duplicates: Literal["rename", "drop"] | None = None
    frontier: Literal["close", "keep"] = "close"


def fix(
    body: Json,
    dialect: str,
    *,
    strict: bool = False,
    media: Media = None,
    duplicates: Literal["rename", "drop"] | None = None,
    frontier: Literal["close", "keep"] = "close",
) -> Fixed:
    """Mend a request body for the provider whose dialect it is in. The input is not changed.

    For the options see ``Wishes``. Raises ``WiremendError`` where the body is no request of this
    dialect.
    """
    target = find_dialect(dialect)
    if not isinstance(body, dict):
        raise WiremendError("expected a request body: an object")
    wishes = Wishes(strict=strict, media=media, duplicates=duplicates, frontier=frontier)
    anomalies: list[Anomaly] = []
    report = anomalies.append
    try:
        conversation = target.decode(sanitise(body, report), report)
        mended = written(target, conversation.history, conversation.envelope, wishes, report)
    except RecursionError:
        raise WiremendError("nested too deeply to be a request") from None
    return Fixed(in_original_order(mended, body, target.holds), tuple(anomalies))


def request(
    history: Sequence[Message],
    dialect: str,
    settings: Mapping[str, Any] | None = None,
    *,
    strict: bool = False,
    media: Media = None,
    duplicates: Literal["rename", "drop"] | None = None,
    frontier: Literal["close", "keep"] = "close",
) -> Fixed:
    """The request body that sends a history, and every repair that it took.

    ``settings`` are the other fields of the body: model, tools, and what else the provider takes.
    For the options see ``Wishes``.
    """
    target = find_dialect(dialect)
    wishes = Wishes(strict=strict, media=media, duplicates=duplicates, frontier=frontier)
    anomalies: list[Anomaly] = []
    report = anomalies.append
    body = written(target, history, dict(settings or {}), wishes, report)
    return Fixed(sanitise(body, report), tuple(anomalies))


def written(
    target: Dialect,
    history: Sequence[Message],
    envelope: Json,
    wishes: Wishes,
    report: OnAnomaly,
) -> Json:
    """The stages of sending: prepare, project, encode."""
    if callable(wishes.media):
        history = wishes.media(history, report)
    prepared = target.prepare(history, report)
    policy = ProjectionPolicy(
        structure="strict" if wishes.strict else None,
        sending=True,
        duplicates=wishes.duplicates,
        frontier=wishes.frontier,
        takes=target.takes,
        continues=target.continues(envelope),
    )
    media: MediaPolicy = None
    if wishes.media == "strip":
        media = Strip(take_snapshot(project(prepared, None, policy)))
    elif wishes.media == "degraded" or isinstance(wishes.media, Strip):
        media = wishes.media
    messages = project(prepared, report, msgspec.structs.replace(policy, media=media))
    return target.encode(messages, envelope, report, strict=wishes.strict)


def snapshot_of_history(history: Sequence[Message], dialect: str) -> frozenset[str]:
    """The keys of the media that ``request`` sends for a history, for ``Strip``."""
    target = find_dialect(dialect)
    policy = ProjectionPolicy(sending=True, takes=target.takes)
    return take_snapshot(project(target.prepare(history, ignore), None, policy))


def snapshot_of_body(body: Json, dialect: str) -> frozenset[str]:
    """The same for a request body, as ``fix`` sends it.

    Raises ``WiremendError`` where the body is no request of this dialect.
    """
    target = find_dialect(dialect)
    return snapshot_of_history(target.decode(sanitise(body, ignore), ignore).history, dialect)


_LOOKAHEAD = 8


def in_original_order(mended: Json, original: Json, holds: str) -> Json:
    """The mended body with its keys, and its messages' keys, in the order of the original.

    ``holds`` is the field with the messages.

    Messages that did not change are the original's own objects.
    """
    out = _ordered(mended, original)
    before = original.get(holds)
    if not isinstance(before, list):
        return out
    messages: list[Any] = []
    at = 0
    for message in out[holds]:
        window = range(at, min(at + _LOOKAHEAD, len(before)))
        same = next((n for n in window if before[n] == message), None)
        if same is not None:
            messages.append(before[same])
            at = same + 1
        else:
            alike = before[at] if at < len(before) else None
            messages.append(_ordered(message, alike))
            at += isinstance(alike, dict) and alike.get("role") == message.get("role")
    out[holds] = messages
    return out


def _ordered(value: Json, like: Any) -> Json:
    if not isinstance(like, dict):
        return value
    # What is equal is the original itself, so that the order of keys deep inside stays.
    same = {name: like[name] for name in like if name in value and value[name] == like[name]}
    first = {name: value[name] for name in like if name in value}
    return {**first, **value, **same}


def without_tool_table(fixed: Fixed) -> Fixed:
    """The mended body of an array of messages, whose tools are defined somewhere else."""
    tables = ("tools", "toolConfig")
    body = {name: value for name, value in fixed.body.items() if name not in tables}
    kept = tuple(one for one in fixed.anomalies if not isinstance(one, ToolsDeclared))
    return Fixed(body, kept)
