"""How to project: what the caller wants, and what the target takes."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec


class Strip(msgspec.Struct, frozen=True):
    """Replace exactly the media whose keys are in ``snapshot`` (see ``media.take_snapshot``)."""

    snapshot: frozenset[str]


MediaPolicy: TypeAlias = Literal["degraded"] | Strip | None


class Takes(msgspec.Struct, frozen=True, kw_only=True):
    """What the target of a projection takes as it is, so that it is left alone.

    The defaults are the contract of spec 3: what a provider with strict manners takes. A dialect
    describes itself with its own values; they only matter when ``sending``.
    """

    blank_text: bool = False
    """Text parts that are empty or blank."""
    blank_messages: frozenset[str] = frozenset({"system", "user", "assistant"})
    """Where blank text is taken: the roles whose message may have nothing else."""
    final_empty_assistant: bool = False
    """A last assistant message without any content."""
    thinking_alone: bool = True
    """An assistant message that has nothing but thinking."""
    empty_results: bool = False
    """Tool results without content."""
    failed_results: bool = False
    """A mark that a result is a failure; otherwise a line of text says so."""
    results_in_any_order: bool = False
    """The results of one step in another order than its calls."""
    results_apart: bool = False
    """A result that other messages separate from its call; the dialect puts it back there."""
    reused_ids: bool = False
    """A call id that an earlier message used too."""
    assistant_first: bool = False
    """A conversation that does not start with the user."""
    neighbours: bool = True
    """Two messages of one role in a row."""


class ProjectionPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """The caller's wishes. The defaults give exactly ``project`` of spec 3.

    ``structure="strict"`` adds the passes of spec 3.5, ``media`` those of 3.8. ``sending`` turns
    on what really goes to a provider: nothing is taken for a slice to be measured, only what the
    target refuses is repaired (``takes``), and each repair is reported. ``duplicates`` says what
    happens to a repeated call id; ``frontier="keep"`` leaves the calls of the last step open.
    ``guard_markers`` keeps the text of users and tools from passing for the engine's own words.
    ``continues``: the messages go on with a conversation that the provider keeps, so that whoever
    speaks first here does not speak first.
    """

    structure: Literal["strict"] | None = None
    media: MediaPolicy = None
    sending: bool = False
    duplicates: Literal["drop", "rename"] | None = None
    frontier: Literal["close", "keep"] = "close"
    guard_markers: bool = False
    continues: bool = False
    takes: Takes = Takes()

    @property
    def renames(self) -> bool:
        """Whether a repeated call id is replaced instead of dropping the call."""
        return self.duplicates == "rename" or (self.duplicates is None and self.sending)


PLAIN = ProjectionPolicy()
STRICT = ProjectionPolicy(structure="strict")
