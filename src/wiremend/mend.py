"""``fix``: a broken request body in, a valid one and every repair out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

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


class Fixed(msgspec.Struct, frozen=True):
    """A mended request body, and every repair that was made."""

    body: Json
    anomalies: tuple[Anomaly, ...]


def fix(
    body: Json,
    dialect: str,
    *,
    strict: bool = False,
    media: Literal["degraded", "strip"] | None = None,
    duplicates: Literal["rename", "drop"] | None = None,
    frontier: Literal["close", "keep"] = "close",
) -> Fixed:
    """Mend a request body for the provider whose dialect it is in. The input is not changed.

    ``strict`` is for a provider that refused the mended request all the same; ``media`` makes
    older pictures (``"degraded"``) or all (``"strip"``) lines of text; ``duplicates`` says what
    becomes of a repeated call id; ``frontier="keep"`` leaves the calls of the last step open.
    Raises ``WiremendError`` where the body is no request of this dialect.
    """
    target = find_dialect(dialect)
    if not isinstance(body, dict):
        raise WiremendError("expected a request body: an object")
    try:
        return _fixed(
            body, target, strict=strict, media=media, duplicates=duplicates, frontier=frontier
        )
    except RecursionError:
        raise WiremendError("nested too deeply to be a request") from None


def _fixed(
    body: Json,
    target: Dialect,
    *,
    strict: bool,
    media: Literal["degraded", "strip"] | None,
    duplicates: Literal["rename", "drop"] | None,
    frontier: Literal["close", "keep"],
) -> Fixed:
    anomalies: list[Anomaly] = []
    report = anomalies.append
    conversation = target.decode(sanitise(body, report), report)
    policy = ProjectionPolicy(
        structure="strict" if strict else None,
        sending=True,
        duplicates=duplicates,
        frontier=frontier,
        takes=target.takes,
    )
    history = target.prepare(conversation.history, report)
    if media is not None:
        policy = msgspec.structs.replace(policy, media=_media(media, history, policy))
    mended = _written(target, history, conversation.envelope, policy, report)
    return Fixed(in_original_order(mended, body), tuple(anomalies))


def _written(
    target: Dialect,
    history: Sequence[Message],
    envelope: Json,
    policy: ProjectionPolicy,
    report: OnAnomaly,
) -> Json:
    messages = project(history, report, policy)
    return target.encode(messages, envelope, report, strict=policy.structure == "strict")


def _media(
    wish: Literal["degraded", "strip"], history: Sequence[Message], policy: ProjectionPolicy
) -> Literal["degraded"] | Strip:
    if wish == "degraded":
        return "degraded"
    return Strip(take_snapshot(project(history, None, policy)))


_LOOKAHEAD = 8


def in_original_order(mended: Json, original: Json) -> Json:
    """The mended body with its keys, and its messages' keys, in the order of the original.

    Messages that did not change are the original's own objects.
    """
    out = _ordered(mended, original)
    before = original.get("messages")
    if not isinstance(before, list):
        return out
    messages: list[Any] = []
    at = 0
    for message in out["messages"]:
        window = range(at, min(at + _LOOKAHEAD, len(before)))
        same = next((n for n in window if before[n] == message), None)
        if same is not None:
            messages.append(before[same])
            at = same + 1
        else:
            alike = before[at] if at < len(before) else None
            messages.append(_ordered(message, alike))
            at += isinstance(alike, dict) and alike.get("role") == message["role"]
    out["messages"] = messages
    return out


def _ordered(value: Json, like: Any) -> Json:
    if not isinstance(like, dict):
        return value
    first = {name: value[name] for name in like if name in value}
    return {**first, **value}
