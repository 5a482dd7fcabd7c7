"""What most messages are: nothing to clean, and each call answered in order right behind.

Whole stretches of such messages go through in one small loop, and nearly all time of a projection
of a healthy history is spent there. ``_ordinary.c`` says the same in C; where it was not compiled,
``in_python`` does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from wiremend.context.tool_results import EMPTY_OUTPUT
from wiremend.model import (
    BLANK_CHARACTERS,
    ContextMessage,
    Message,
    TextPart,
    ToolCall,
    UserOrigin,
)
from wiremend.projection.wire import wire_message

Places: TypeAlias = "list[Message | None]"

# A text that starts otherwise is neither blank nor a tool's word that its output is empty.
BLANKS = frozenset(BLANK_CHARACTERS)
SPOKEN_START = BLANKS | {EMPTY_OUTPUT[0]}


class Ordinary(Protocol):
    """What ``in_python`` is, whichever way."""

    def __call__(  # noqa: PLR0917 (C takes no keywords)
        self,
        history: Sequence[Message],
        start: int,
        stop: int,
        places: Places,
        open_calls: dict[str, int],
        seen: set[str],
        arrivals: list[int] | None,
        merges: bool,
        /,
    ) -> int:
        """See ``in_python``."""


def in_python(  # noqa: C901, PLR0915, PLR0917 (one loop, written out for speed)
    history: Sequence[Message],
    start: int,
    stop: int,
    places: Places,
    open_calls: dict[str, int],
    seen: set[str],
    arrivals: list[int] | None,
    merges: bool,
) -> int:
    """Put the wire messages of ``history[start:stop]`` behind ``places`` while all is ordinary.

    Returns the index of the first message that was not taken: an exchange is taken whole or not at
    all, and so is a prompt that another may have to be merged with (``merges``). No call may have
    an id that is ``seen`` or that waits for a late result (``open_calls``). The ids of the calls
    are added to ``seen``, the places of the results to ``arrivals``.
    """
    done, kept = start, len(places)  # how far whole exchanges reach, here and there
    calls: tuple[ToolCall, ...] = ()
    answered = new = 0  # how many of these calls are answered, how many ids are ``seen`` for them
    prompted = False  # whether the message kept last is a prompt that may have to be merged
    for index in range(start, stop):
        source = history[index]
        if source.partial:
            break
        content = source.content
        bare = type(source) is Message
        if not bare:
            if type(source) is not ContextMessage:
                break
            # Whether the message has nothing that only the engine may see.
            bare = (
                source.origin is None
                and source.id is None
                and source.provider_message_id is None
                and source.is_error is None
                and source.note is None
                and source.tool_call_displays is None
            )
        if source.role == "tool":
            if (
                answered == len(calls)
                or source.tool_call_id != calls[answered].id
                or len(content) != 1
                or type(part := content[0]) is not TextPart
                or not (text := part.text)
                or (text[0] in SPOKEN_START and text.strip(BLANK_CHARACTERS) in ("", EMPTY_OUTPUT))
                or not (bare or _is_bare_result(source))
            ):
                break
            places.append(source if bare else wire_message(source, content))
            answered += 1
            if answered == len(calls):
                if arrivals is not None:
                    arrivals.extend(range(len(places) - answered, len(places)))
                done, kept, new = index + 1, len(places), 0
            continue

        if answered < len(calls):
            break
        calls, answered = source.tool_calls, 0
        says_something = bool(calls)
        for part in content:
            if type(part) is TextPart:
                text = part.text
                if not text or (text[0] in BLANKS and not text.strip(BLANK_CHARACTERS)):
                    says_something = False
                    break
                says_something = True
        if not says_something:
            break
        for call in calls:
            call_id = call.id
            if call_id in seen or call_id in open_calls:
                break
            seen.add(call_id)
            new += 1
        if new < len(calls):
            break
        if (
            not bare
            and merges
            and not calls
            and source.role == "user"
            and isinstance(source, ContextMessage)
            and type(source.origin) is UserOrigin
        ):
            if prompted:
                break
            prompted = True
            places.append(wire_message(source, content))
            continue
        prompted = False
        places.append(source if bare else wire_message(source, content))
        if not calls:
            done, kept = index + 1, len(places)
    if new:
        seen.difference_update([call.id for call in calls[:new]])
    del places[kept:]
    return done


def _is_bare_result(source: Message) -> bool:
    """Whether what only the engine may see would not show in the text of a result."""
    return isinstance(source, ContextMessage) and not source.is_error and not source.note


def in_c() -> Ordinary | None:
    """The same in C, or None where it was not compiled or msgspec's objects look otherwise."""
    try:
        from wiremend.projection import _ordinary

        return _ordinary.Ordinary(
            Message, ContextMessage, TextPart, ToolCall, UserOrigin, BLANK_CHARACTERS, EMPTY_OUTPUT
        )
    except ImportError:
        return None


ordinary: Ordinary = in_c() or in_python
