"""What the inspector shows of a message: entries and the blocks in them, whatever the format.

Plain values without behaviour. In JSON their names are camelCase, and defaults are left out.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal[
    "text",
    "thinking",
    "call",
    "result",
    "image",
    "audio",
    "video",
    "document",
    "tools",
    "other",
]
State: TypeAlias = Literal["same", "changed", "moved", "dropped", "added"]


class Shown(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """Base of what is written as JSON for the page."""


class Block(Shown):
    """One thing that a message says or does.

    ``text`` is its text, a call's arguments as JSON, or JSON that only the provider understands.
    ``call`` is the id that ties a result to its call, ``source`` the URL of media, ``pointer``
    its place in the request body ("" where there is none). ``parts`` are what a result holds.
    """

    kind: Kind
    text: str = ""
    name: str = ""
    call: str = ""
    source: str = ""
    pointer: str = ""
    failed: bool = False
    parts: list[Block] = []
    state: State = "same"


class Origin(Shown):
    """Who put a message into the history: the kind of the origin and what else it says."""

    kind: str
    detail: dict[str, str] = {}


class Entry(Shown):
    """A message, a Responses item or a system prompt, in the history or on the wire.

    ``speaker`` is the role in no provider's words, ``role`` what stands there. ``note`` is a word
    of the engine to the model, ``why`` says why an entry is left out where no repair does.
    """

    role: str
    speaker: str
    blocks: list[Block] = []
    pointer: str = ""
    id: str = ""
    origin: Origin | None = None
    note: str = ""
    partial: bool = False
    failed: bool = False
    time: float | None = None
    tokens: int = 0
    state: State = "same"
    why: str = ""
