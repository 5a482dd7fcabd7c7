"""``convert``: a request of one dialect in, the request of another out, and what could not go.

A conversion reads what every provider has in no provider's words (history and settings), and
writes it as the other one wants it, mended where it was broken. What only the source provider
understands stays behind, is named, and comes back on the way home.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from wiremend.conversion.functions import as_tools
from wiremend.conversion.homecoming import come_home
from wiremend.conversion.translation import Lost, ThinkingWish, carried, translated
from wiremend.dialects import Dialect, find_dialect, sanitise
from wiremend.dialects.base import Json
from wiremend.errors import WiremendError
from wiremend.mend import Refit, Wishes, in_original_order, written
from wiremend.projection import Anomaly

__all__ = ["Converted", "Lost", "convert", "transcribe"]


class Converted(msgspec.Struct, frozen=True):
    """A request body in the target's dialect, what was repaired in it and what was left behind."""

    body: Json
    anomalies: tuple[Anomaly, ...]
    lost: tuple[Lost, ...]


def convert(
    body: Json,
    source: str,
    target: str,
    *,
    model: str | None = None,
    thinking: ThinkingWish = None,
    home: Json | None = None,
    strict: bool = False,
    media: Literal["degraded", "strip"] | Refit | None = None,
    duplicates: Literal["rename", "drop"] | None = None,
) -> Converted:
    """The request as another provider takes it. The input is not changed.

    ``model`` names the target's model. ``thinking`` of another provider's models is kept where
    the target takes it unsigned, and dropped where not; ``"drop"`` and ``"text"`` make nothing or
    plain text of all of it. ``home`` is the request of the target's that this one was converted
    from: what only that one had comes back (call ids, signatures, unknown fields, …), and only
    what was added since is converted. Raises ``WiremendError`` where a body is no request of its
    dialect.
    """
    origin, goal = find_dialect(source), find_dialect(target)
    if not isinstance(body, dict) or not isinstance(home, dict | None):
        raise WiremendError("expected a request body: an object")
    wishes = Wishes(strict=strict, media=media, duplicates=duplicates)
    anomalies: list[Anomaly] = []
    report = anomalies.append
    try:
        read = sanitise(body, report)
        conversation = origin.decode(_understood(read, origin, goal), report)
        back = come_home(conversation, home, origin, goal, model) if home is not None else None
        if back is not None and back.is_whole:
            history, lost = translated(back.added, origin, goal, thinking, back.ids)
            made = written(goal, [*back.history, *history], back.fields, wishes, report)
            made = in_original_order(made, home or {}, goal.holds)
            return Converted(made, tuple(anomalies), tuple(lost))
        carry, fields, left = carried(conversation, origin, goal, model)
        history, lost = translated(carry, origin, goal, thinking, back.ids if back else {})
        made = written(goal, history, fields, wishes, report)
    except RecursionError:
        raise WiremendError("nested too deeply to be a request") from None
    return Converted(made, tuple(anomalies), (*lost, *left))


def transcribe(body: Json, source: str, target: str) -> Converted:
    """The request in another provider's words with its faults left in: for judging, not sending.

    ``anomalies`` are those of the faults that cannot be said in the target's words.
    """
    origin, goal = find_dialect(source), find_dialect(target)
    anomalies: list[Anomaly] = []
    report = anomalies.append
    try:
        conversation = origin.decode(_understood(body, origin, goal), report)
        carry, fields, _ = carried(conversation, origin, goal, None)
        history, lost = translated(carry, origin, goal, None, {})
        made = goal.encode(goal.prepare(history, report), fields, report)
    except RecursionError:
        raise WiremendError("nested too deeply to be a request") from None
    return Converted(made, tuple(anomalies), tuple(lost))


def _understood(body: Json, origin: Dialect, goal: Dialect) -> Json:
    """The body without what only this source has words for, where there are others for it."""
    return as_tools(body) if origin.family == "openai-chat" and goal is not origin else body
