"""Chat Completions: how far a message reaches in a request that grows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from wiremend.dialects.base import Growth
from wiremend.dialects.openai_chat.profile import Profile
from wiremend.dialects.reaches import NAMES, of_ids, of_names
from wiremend.model import Message
from wiremend.projection.reach import NEARBY, Reach, ReachOf

_READS = ("model", "thinking", "enable_thinking", "reasoning", "reasoning_effort")


def growth_of(profile: Profile) -> Growth | None:
    """How requests to the server grow that a profile describes; None: nobody knows."""
    if (profile.steps or profile.before) and profile.steps_look_around:
        return None

    def reach(_: Mapping[str, Any]) -> ReachOf:
        return lambda message: _reach(message, profile)

    return Growth(reach=reach, reads=_READS)


def _reach(message: Message, profile: Profile) -> Reach:
    if not message.tools and not message.tool_calls:
        return NEARBY
    ties: list[Hashable] = of_ids(message, profile.ids)
    # Tools that messages define keep their names from those that are made.
    ties += [NAMES] if message.tools else of_names(message, profile.names)
    # What goes into the table is part of the head.
    tabled = bool(message.tools) and not profile.tools_in_messages
    return Reach(ties=tuple(ties), to_start=tabled) if ties or tabled else NEARBY
