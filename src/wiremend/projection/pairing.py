"""Stage 2: one walk over the history that puts each tool result behind its call.

Spec 3.1, 3.2 and 3.4. The walk is the hot path of the library: what most messages need is
written out in ``pair``, the rest is in functions. Behind each message that makes calls the walk
leaves one open place a call (``None``), and a result that comes, however late, is put there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from wiremend.model import (
    BLANK_CHARACTERS,
    ContextMessage,
    Message,
    Part,
    TextPart,
    UserOrigin,
)
from wiremend.projection.anomalies import (
    DuplicateToolResultDropped,
    OnAnomaly,
    OrphanToolResultDropped,
    ToolResultReordered,
    ToolResultSynthesized,
    ToolResultWithoutIdDropped,
)
from wiremend.projection.content import Cleaner
from wiremend.projection.policy import ProjectionPolicy
from wiremend.projection.wire import synthetic_result, wire_message

# A text that starts otherwise is neither blank nor a tool's word that its output is empty.
_PLAIN_START = frozenset(BLANK_CHARACTERS)
_SPOKEN_START = _PLAIN_START | {"T"}


Slot: TypeAlias = int
"""An open call: its place in the output."""

Places: TypeAlias = "list[Message | None]"


class Paired(NamedTuple):
    """The output of the walk. ``None`` is the place of a result that never came."""

    places: Places
    open_calls: dict[str, Slot]
    """The calls that no result came for, in the order of their places. Without those that lost
    their id to a later call, which ``pair`` closed itself, or left to ``settle``."""
    trailing: int | None
    """The place of the message that makes the last calls, where only results follow it."""
    owners: dict[int, int]
    """The places of the messages that make calls, and where each stood in the history. This and
    what follows is filled in only for ``settle``."""
    last: int
    """Where the last message of the history that is no tool result stood, or -1."""
    repeated: bool
    """Whether a call id occurs more than once."""
    arrivals: list[int]
    """The places of the results in the order in which they came."""


def pair(  # noqa: C901, PLR0915 (one walk, written out for speed)
    history: Sequence[Message], policy: ProjectionPolicy, report: OnAnomaly
) -> Paired:
    """Pair calls with results, clean each message, merge prompts; see the module."""
    sending = policy.sending
    settles = sending or policy.renames
    sizing, last = _survey(history)
    sizing = sizing and not sending
    plain_text = not (sending and policy.takes.blank_text)
    together = not (sending and policy.takes.results_apart)
    cleaner = Cleaner(policy, report)
    places: Places = []
    open_calls: dict[str, Slot] = {}
    twins: dict[str, deque[Slot]] = {}
    seen: set[str] = set()
    arrivals: list[int] = []
    repeated = False
    latest = -1  # the place of the message kept last: a result for an earlier one stood apart
    trailing: int | None = None
    prompts = -1  # where the run of prompts at the end of the output starts
    owners: dict[int, int] = {}

    for index, source in enumerate(history):
        if source.partial:
            continue
        content = source.content
        # Whether the message has nothing that only the engine may see.
        bare = type(source) is Message or (
            type(source) is ContextMessage
            and source.origin is None
            and source.id is None
            and source.provider_message_id is None
            and source.is_error is None
            and source.note is None
            and source.tool_call_displays is None
        )

        if source.role == "tool" and not sizing:
            call_id = source.tool_call_id
            if call_id is None:
                if sending:
                    report(ToolResultWithoutIdDropped())
                continue
            place = open_calls.pop(call_id, -1)
            if place < 0:
                latest = len(places)
                # Spec 3.1 calls both an orphan; a person wants to know which it was.
                known = sending and call_id in seen
                report(
                    DuplicateToolResultDropped(call_id)
                    if known
                    else OrphanToolResultDropped(call_id)
                )
                continue
            if (
                len(content) == 1
                and type(part := content[0]) is TextPart
                and (text := part.text)
                and text[0] not in _SPOKEN_START
                and (
                    bare
                    or (type(source) is ContextMessage and not source.is_error and not source.note)
                )
            ):
                places[place] = source if bare else wire_message(source, content)
            else:
                places[place] = cleaner.result(source)
            if place <= latest and together:
                report(ToolResultReordered(call_id))
            if settles:
                arrivals.append(place)
                if call_id in twins:
                    _hand_on(call_id, twins, open_calls)
            continue

        calls = source.tool_calls
        plain = plain_text and source.role != "tool"
        says_something = bool(calls)
        for part in content:
            if type(part) is TextPart:
                text = part.text
                if not text or (text[0] in _PLAIN_START and not text.strip(BLANK_CHARACTERS)):
                    plain = False
                    break
                says_something = True
        prompt = (
            not bare
            and not sending
            and not calls
            and source.role == "user"
            and isinstance(source, ContextMessage)
            and type(source.origin) is UserOrigin
        )
        message: Message | None
        if not plain or not says_something:
            message = cleaner.message(source, last=index == last)
            if message is None:
                continue
        elif bare or prompt:
            message = source  # a prompt is made a wire message once its run has ended
        else:
            message = wire_message(source, content)
        if prompt:
            if prompts < 0:
                prompts = len(places)
            latest = len(places)
            places.append(message)
            continue
        if prompts >= 0:
            _merge_prompts(places, prompts)
            prompts = -1
        latest = len(places)
        places.append(message)
        if not calls:
            continue

        if settles:
            owners[latest] = index
        if index >= last and trailing is None:
            trailing = latest
        place = latest
        for call in calls:
            call_id = call.id
            place += 1
            places.append(None)
            if settles:
                repeated = repeated or call_id in seen
                seen.add(call_id)
                if open_calls.get(call_id, -1) > latest:
                    twins.setdefault(call_id, deque()).append(place)
                    continue
                twins.pop(call_id, None)
            elif call_id in open_calls:
                # Out and in again, so that open calls stay in the order of their places.
                lost = open_calls.pop(call_id)
                places[lost] = synthetic_result(call_id)
                report(ToolResultSynthesized(call_id, trailing is not None and lost > trailing))
            open_calls[call_id] = place

    if prompts >= 0:
        _merge_prompts(places, prompts)
    return Paired(places, open_calls, trailing, owners, last, repeated, arrivals)


def _survey(history: Sequence[Message]) -> tuple[bool, int]:
    """Whether no message of the slice is an assistant's, and where its last non-tool message is."""
    sizing = not any(m.role == "assistant" and not m.partial for m in history)
    for index in range(len(history) - 1, -1, -1):
        if history[index].role != "tool" and not history[index].partial:
            return sizing, index
    return sizing, -1


def _merge_prompts(places: Places, start: int) -> None:
    """Make one message of the prompts from ``start`` on: texts first, then the other parts."""
    if len(places) - start < 2:
        only = places[start]
        assert only is not None, "prompts make no calls"
        places[start] = wire_message(only, only.content)
        return
    texts: list[str] = []
    others: list[Part] = []
    for message in places[start:]:
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
    places[start:] = [Message("user", (*parts, *others))]


def _hand_on(call_id: str, twins: dict[str, deque[Slot]], open_calls: dict[str, Slot]) -> None:
    """Let the next call of this message with the same id wait for the next result."""
    waiting = twins[call_id]
    open_calls[call_id] = waiting.popleft()
    if not waiting:
        del twins[call_id]
