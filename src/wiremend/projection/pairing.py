"""Stage 2: one walk over the history that puts each tool result behind its call.

Spec 3.1, 3.2 and 3.4. What is ``ordinary`` goes through in whole stretches; the walk here is for
the rest. Behind each message that makes calls it leaves one open place a call (``None``), and a
result that comes, however late, is put there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from wiremend.model import (
    ContextMessage,
    Message,
    Part,
    TextPart,
    UserOrigin,
)
from wiremend.projection import ordinary
from wiremend.projection.anomalies import (
    DuplicateToolResultDropped,
    OnAnomaly,
    OrphanToolResultDropped,
    ToolResultReordered,
    ToolResultSynthesized,
    ToolResultWithoutIdDropped,
)
from wiremend.projection.content import Cleaner, is_plain
from wiremend.projection.ordinary import Places
from wiremend.projection.policy import ProjectionPolicy
from wiremend.projection.wire import synthetic_result, wire_message

Slot: TypeAlias = int
"""An open call: its place in the output."""

_MOST_PATIENCE = 64


class Paired(NamedTuple):
    """The output of the walk. ``None`` is the place of a result that never came."""

    places: Places
    open_calls: dict[str, Slot]
    """The calls that no result came for, in the order of their places. Without those that lost
    their id to a later call, which ``pair`` closed itself, or left to ``settle``."""
    trailing: Slot | None
    """The place of the message that makes the last calls, where only results follow it."""
    repeated: bool
    """Whether a call id occurs more than once, or a result may (in a slice that is measured)."""
    strayed: bool
    """Whether a result may stand elsewhere than in order behind its calls."""
    arrivals: list[Slot]
    """The places of the results in the order in which they came; filled in only for ``settle``."""


def pair(history: Sequence[Message], policy: ProjectionPolicy, report: OnAnomaly) -> Paired:
    """Pair calls with results, clean each message, merge prompts; see the module."""
    walk = _Walk(history, policy, report)
    index = 0
    patience = 1  # how many messages to take one by one before the next try of a whole stretch
    while index < len(history):
        if walk.may_run(index):
            reached = walk.run(index)
            patience = 1 if reached > index else min(4 * patience, _MOST_PATIENCE)
            index = reached
        for each in range(index, min(index + patience, len(history))):
            walk.take(each)
        index += patience
    return walk.paired()


class _Walk:
    """What the walk knows at the place where it stands."""

    def __init__(
        self, history: Sequence[Message], policy: ProjectionPolicy, report: OnAnomaly
    ) -> None:
        self._history = history
        self._report = report
        self._sending = policy.sending
        self._settles = policy.sending or policy.renames
        self._together = not (policy.sending and policy.takes.results_apart)
        sizing, self._last = _survey(history)
        self._sizing = sizing and not policy.sending
        self._cleaner = Cleaner(policy, report)
        self._places: Places = []
        self._open_calls: dict[str, Slot] = {}
        self._twins: dict[str, deque[Slot]] = {}
        self._seen: set[str] = set()
        self._repeated = False
        self._strayed = False
        self._arrivals: list[Slot] = []
        # The place of the message kept last: a result for an earlier one stood apart.
        self._latest = -1
        self._trailing: Slot | None = None
        # Where the run of prompts at the end of the output starts.
        self._prompts = -1

    def may_run(self, index: int) -> bool:
        """Whether a whole stretch may start at ``index``."""
        return (
            index < self._last
            and self._prompts < 0
            and self._history[index].role != "tool"
            and not self._sizing
        )

    def run(self, index: int) -> int:
        """Take what is ordinary from ``index`` on; returns the index of the first that is not."""
        reached = ordinary.ordinary(
            self._history,
            index,
            self._last,
            self._places,
            self._open_calls,
            self._seen,
            self._arrivals if self._settles else None,
            not self._sending,
        )
        if reached > index:
            self._latest = len(self._places) - 1
        return reached

    def take(self, index: int) -> None:
        """Take one message, whatever it is."""
        source = self._history[index]
        if source.partial:
            return
        if source.role == "tool" and not self._sizing:
            self._take_result(source)
            return
        calls = source.tool_calls
        if not self._sending and not calls and _is_prompt(source):
            self._take_prompt(source, last=index == self._last)
            return
        message = self._cleaner.message(source, last=index == self._last)
        if message is None:
            return
        if self._prompts >= 0:
            self._end_prompts()
        self._latest = len(self._places)
        self._places.append(message)
        if calls:
            if index >= self._last and self._trailing is None:
                self._trailing = self._latest
            for call in calls:
                self._leave_open(call.id)

    def paired(self) -> Paired:
        """What came of it, at the end of the history."""
        self._end_prompts()
        return Paired(
            self._places,
            self._open_calls,
            self._trailing,
            self._repeated or self._sizing,
            self._strayed,
            self._arrivals,
        )

    def _take_result(self, source: Message) -> None:
        call_id = source.tool_call_id
        if call_id is None:
            if self._sending:
                self._report(ToolResultWithoutIdDropped())
            return
        place = self._open_calls.pop(call_id, -1)
        if place < 0:
            self._latest = len(self._places)
            # Spec 3.1 calls both an orphan; a person wants to know which it was.
            known = self._sending and call_id in self._seen
            self._report(
                DuplicateToolResultDropped(call_id) if known else OrphanToolResultDropped(call_id)
            )
            return
        self._places[place] = self._cleaner.result(source)
        if place <= self._latest and self._together:
            self._report(ToolResultReordered(call_id))
        if self._settles:
            self._strayed = self._strayed or (bool(self._arrivals) and place < self._arrivals[-1])
            self._arrivals.append(place)
        if call_id in self._twins:
            self._hand_on(call_id)

    def _take_prompt(self, source: Message, *, last: bool) -> None:
        # What may have to be merged is made a wire message once its run has ended.
        plain = is_plain(source.content, says_something=False)
        message = source if plain else self._cleaner.message(source, last=last)
        if message is None:
            return
        if self._prompts < 0:
            self._prompts = len(self._places)
        self._latest = len(self._places)
        self._places.append(message)

    def _leave_open(self, call_id: str) -> None:
        place = len(self._places)
        self._places.append(None)
        self._repeated = self._repeated or call_id in self._seen
        self._seen.add(call_id)
        before = self._open_calls.get(call_id, -1)
        if self._settles:
            if before > self._latest:
                self._twins.setdefault(call_id, deque()).append(place)
                return
            self._twins.pop(call_id, None)
        elif before >= 0:
            # Out and in again, so that open calls stay in the order of their places.
            del self._open_calls[call_id]
            self._places[before] = synthetic_result(call_id)
            trailing = self._trailing is not None and before > self._trailing
            self._report(ToolResultSynthesized(call_id, trailing))
        self._open_calls[call_id] = place

    def _hand_on(self, call_id: str) -> None:
        """Let the next call of this message with the same id wait for the next result."""
        waiting = self._twins[call_id]
        self._open_calls[call_id] = waiting.popleft()
        if not waiting:
            del self._twins[call_id]

    def _end_prompts(self) -> None:
        if self._prompts >= 0:
            self._places[self._prompts :] = [_merged(self._places[self._prompts :])]
            self._prompts = -1


def _survey(history: Sequence[Message]) -> tuple[bool, int]:
    """Whether no message of the slice is an assistant's, and where its last non-tool message is."""
    sizing = not any(m.role == "assistant" and not m.partial for m in history)
    for index in range(len(history) - 1, -1, -1):
        if history[index].role != "tool" and not history[index].partial:
            return sizing, index
    return sizing, -1


def _is_prompt(source: Message) -> bool:
    return (
        source.role == "user"
        and isinstance(source, ContextMessage)
        and type(source.origin) is UserOrigin
    )


def _merged(prompts: Places) -> Message:
    """One message of a run of prompts: texts first, then the other parts."""
    first = prompts[0]
    if len(prompts) == 1 and first is not None:
        return wire_message(first, first.content)
    texts: list[str] = []
    others: list[Part] = []
    for message in prompts:
        assert message is not None, "prompts make no calls"
        text = ""
        for part in message.content:
            if type(part) is TextPart:
                text += part.text
            else:
                others.append(part)
        if text:
            texts.append(text)
    parts: list[Part] = [TextPart("\n\n".join(texts))] if texts else []
    return Message("user", (*parts, *others))
