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
    ToolCall,
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

_BLANK_START = frozenset(BLANK_CHARACTERS)


Slot: TypeAlias = tuple[int, int, int]
"""An open call: its place in the output, how many messages had been kept when it was made, and
the place in the history of the message that made it. A bare tuple: there is one for each call."""

Places: TypeAlias = "list[Message | None]"


class Paired(NamedTuple):
    """The output of the walk. ``None`` is the place of a result that never came."""

    places: Places
    open: dict[str, Slot]
    """The calls that no result came for, in the order of their places."""
    last: int
    """Where the last message of the history that is no tool result stood, or -1."""
    owners: dict[int, int]
    """The places of the messages that make calls, and where each stood in the history (only for
    ``settle``)."""
    repeated: bool
    """Whether a call id occurs more than once (looked at only for ``settle``)."""
    arrivals: list[int]
    """The places of the results in the order in which they came (only for ``settle``)."""


def pair(  # noqa: C901, PLR0915 (one walk, written out for speed)
    history: Sequence[Message], policy: ProjectionPolicy, report: OnAnomaly
) -> Paired:
    """Pair calls with results, clean each message, merge prompts; see the module."""
    sending = policy.sending
    settles = sending or policy.renames
    sizing, last = _survey(history)
    sizing = sizing and not sending
    plain_text = not (sending and policy.takes.blank_text)
    cleaner = Cleaner(policy, report)
    places: Places = []
    open_calls: dict[str, Slot] = {}
    twins: dict[str, deque[Slot]] = {}
    seen: set[str] = set()
    arrivals: list[int] = []
    repeated = False
    epoch = 0
    prompts = -1  # where the run of prompts at the end of the output starts
    owners: dict[int, int] = {}

    for index, source in enumerate(history):
        if source.partial:
            continue
        content = source.content

        if source.role == "tool" and not sizing:
            call_id = source.tool_call_id
            if call_id is None:
                if sending:
                    report(ToolResultWithoutIdDropped())
                continue
            slot = open_calls.pop(call_id, None)
            if slot is None:
                epoch += 1
                # Spec 3.1 calls both an orphan; a person wants to know which it was.
                known = call_id in seen
                report(
                    DuplicateToolResultDropped(call_id)
                    if known
                    else OrphanToolResultDropped(call_id)
                )
                continue
            place, kept_before, _ = slot
            if _is_plain_result(source, content):
                places[place] = wire_message(source, content)
            else:
                places[place] = cleaner.result(source)
            if kept_before != epoch:
                report(ToolResultReordered(call_id))
            if settles:
                arrivals.append(place)
                if call_id in twins:
                    _hand_on(call_id, twins, open_calls)
            continue

        calls = source.tool_calls
        if plain_text and _is_plain(source, content, calls):
            message: Message | None = wire_message(source, content)
        else:
            message = cleaner.message(source, last=index == last)
        if message is None:
            continue
        epoch += 1

        if not sending and not calls and _is_prompt(source):
            if prompts < 0:
                prompts = len(places)
            places.append(message)
            continue
        if prompts >= 0:
            _merge_prompts(places, prompts)
            prompts = -1
        places.append(message)
        if not calls:
            continue

        place = len(places)
        if settles:
            owners[place - 1] = index
        for call in calls:
            call_id = call.id
            slot = (place, epoch, index)
            place += 1
            places.append(None)
            if settles:
                repeated = repeated or call_id in seen
                seen.add(call_id)
                if call_id in open_calls and open_calls[call_id][2] == index:
                    twins.setdefault(call_id, deque()).append(slot)
                    continue
                twins.pop(call_id, None)
            elif call_id in open_calls:
                # Taken out before it is put in again, so that open calls stay in order.
                lost, _, owner = open_calls.pop(call_id)
                places[lost] = synthetic_result(call_id)
                report(ToolResultSynthesized(call_id, owner >= last))
            open_calls[call_id] = slot

    if prompts >= 0:
        _merge_prompts(places, prompts)
    return Paired(places, open_calls, last, owners, repeated, arrivals)


def _survey(history: Sequence[Message]) -> tuple[bool, int]:
    """Whether no message of the slice is an assistant's, and where its last non-tool message is."""
    sizing = not any(m.role == "assistant" and not m.partial for m in history)
    for index in range(len(history) - 1, -1, -1):
        if history[index].role != "tool" and not history[index].partial:
            return sizing, index
    return sizing, -1


def _is_plain_result(source: Message, content: tuple[Part, ...]) -> bool:
    """Whether a result is one text that is plainly shown as it is."""
    if len(content) != 1:
        return False
    part = content[0]
    if type(part) is not TextPart or not _starts_plainly(part.text) or part.text[0] == "T":
        # "Tool output is empty." is a tool's word for no output.
        return False
    return type(source) is Message or (
        type(source) is ContextMessage and not source.is_error and not source.note
    )


def _is_plain(source: Message, content: tuple[Part, ...], calls: tuple[ToolCall, ...]) -> bool:
    """Whether nothing of a message is plainly to be left out."""
    says_something = bool(calls)
    for part in content:
        if type(part) is TextPart:
            if not "!" <= part.text < "\x7f" and not _starts_plainly(part.text):
                return False
            says_something = True
    return says_something and source.role != "tool"


def _starts_plainly(text: str) -> bool:
    """Whether the first character settles that a text is not blank."""
    return "!" <= text < "\x7f" or (text != "" and text[0] not in _BLANK_START)


def _is_prompt(source: Message) -> bool:
    return (
        source.role == "user"
        and isinstance(source, ContextMessage)
        and type(source.origin) is UserOrigin
    )


def _merge_prompts(places: Places, start: int) -> None:
    """Make one message of the prompts from ``start`` on: texts first, then the other parts."""
    if len(places) - start < 2:
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
