"""How far a message reaches: what of a request depends on it beyond the messages beside it.

Whoever keeps what was written of a history that grows asks this (``wiremend.incremental``). What
is said here may be too much, which costs time, but never too little.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeAlias

from wiremend.model import Message


class Reach(NamedTuple):
    """What one message has to do with others, however far away.

    ``ties`` are marks: messages with the same mark belong together, with all between them.
    ``firsts`` are marks of which only the first message counts, and that one for the whole request
    before it. ``holds``: what follows is open until the user speaks again. ``to_start``: the
    message belongs together with everything before it, ``everywhere``: with everything.
    """

    ties: tuple[Hashable, ...] = ()
    firsts: tuple[Hashable, ...] = ()
    holds: bool = False
    to_start: bool = False
    everywhere: bool = False


NEARBY = Reach()
TO_START = Reach(to_start=True)
EVERYWHERE = Reach(everywhere=True)

ReachOf: TypeAlias = Callable[[Message], Reach]
"""Says of a message how far it reaches. The ids of calls and results need not be told."""


def reach_when_sent(message: Message) -> Reach:
    """The reach of a message in the projection that is sent: lost ids are named by their place."""
    if message.role == "tool":
        return NEARBY if message.tool_call_id else TO_START
    for call in message.tool_calls:
        if not call.id:
            return TO_START
    return NEARBY


def reach_nearby(_: Message) -> Reach:
    """The reach of any message in the projection of spec 3."""
    return NEARBY
