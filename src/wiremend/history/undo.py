"""Undo: how far the history goes back for so many user prompts (spec 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from wiremend.history.compaction import is_user_input
from wiremend.model import CompactionSummaryOrigin, ContextMessage, InjectionOrigin

Reason: TypeAlias = Literal["empty", "compaction_boundary", "insufficient"]


class Undo(msgspec.Struct, frozen=True):
    """What an undo does. ``cut`` is the place where the history ends afterwards.

    Where it cannot be done ``reason`` says why, nothing changes, and ``undoable`` is how many
    prompts could be undone.
    """

    requested: int
    undoable: int
    cut: int
    reason: Reason | None = None

    @property
    def ok(self) -> bool:
        """Whether the prompts can be undone."""
        return self.reason is None


def plan_undo(history: Sequence[ContextMessage], count: int) -> Undo:
    """Look back over ``count`` prompts. A summary is a wall; injections are passed over."""
    found, cut, walled = 0, -1, False
    for index in range(len(history) - 1, -1, -1):
        if found >= count:
            break
        message = history[index]
        if isinstance(message.origin, InjectionOrigin):
            continue
        if isinstance(message.origin, CompactionSummaryOrigin):
            walled = True
            break
        if is_user_input(message):
            found += 1
            cut = _with_its_injections(history, index)
    if count > 0 and found >= count:
        return Undo(count, found, cut)
    reason: Reason = "insufficient"
    if walled:
        reason = "compaction_boundary"
    elif not found:
        reason = "empty"
    return Undo(count, found, len(history), reason)


def _with_its_injections(history: Sequence[ContextMessage], index: int) -> int:
    """The place of the first of the injections directly before a prompt that belong to it."""
    prompt = history[index]
    while index > 0:
        origin = history[index - 1].origin
        owned = isinstance(origin, InjectionOrigin) and origin.owner_prompt_id is not None
        if not owned or origin.owner_prompt_id != prompt.id:  # type: ignore[union-attr]
            break
        index -= 1
    return index
