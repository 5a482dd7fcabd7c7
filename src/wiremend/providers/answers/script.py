"""A script: what the model behind a simulated provider does next, as values.

``Script`` holds steps; a step is an ``Answer`` (what the model says, and how its delivery may go
wrong) or a ``Failure`` (an HTTP error of the provider). Nothing here is of one dialect.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Seconds: TypeAlias = Annotated[float, Meta(ge=0)]
Header: TypeAlias = Annotated[str, Meta(pattern=r"^[!-~]([ -~]*[!-~])?$")]


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="text"):
    """Words of the answer."""

    text: str


class Thinking(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="thinking"):
    """Reasoning before an answer or a call.

    ``signature`` is made up where it is None and the dialect has one. ``hidden``: the provider
    shows no text of it (redacted thinking, an encrypted reasoning item).
    """

    text: str = ""
    signature: str | None = None
    hidden: bool = False


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="call"):
    """A tool call. ``arguments`` as text is sent as it is, where the dialect has arguments as text.

    ``id`` is made as the provider makes its own where it is None.
    """

    name: str
    arguments: dict[str, Any] | str = {}
    id: str | None = None


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="refusal"):
    """The model declines: a refusal part where the dialect has one, else text and a reason."""

    text: str


Piece: TypeAlias = Text | Thinking | Call | Refusal


class Usage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Token counts that are reported; None: estimated. ``cached`` is a part of ``input``."""

    input: Count | None = None
    output: Count | None = None
    cached: Count = 0


class Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An error in the provider's own shape: where message, kind or code is None, its usual one.

    ``retry_after`` (seconds) becomes the header of that name.
    """

    status: Annotated[int, Meta(ge=400, le=599)]
    message: str | None = None
    kind: str | None = None
    code: str | None = None
    param: str | None = None
    retry_after: Seconds | None = None
    headers: dict[Header, Header] = {}


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the delivery of an answer goes wrong, after so many events of its stream.

    ``reset``: the connection is reset; ``end``: it ends as if all were well, without the closing
    events; ``stall``: nothing more comes; ``error``: the provider reports ``failure`` within the
    stream.
    """

    kind: Literal["reset", "end", "stall", "error"]
    after: Count = 0
    failure: Failure = Failure(500)


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer of the model, in the order of its parts.

    ``finish`` is ``stop``, ``length``, ``tool_calls``, ``refusal`` or a word of the provider's own;
    None: what follows from the parts. ``pause`` is in seconds, before each event of a stream.
    """

    parts: tuple[Piece, ...] = ()
    finish: str | None = None
    usage: Usage = Usage()
    fault: Fault | None = None
    pause: Seconds = 0.0

    @property
    def calls(self) -> list[Call]:
        """The tool calls among the parts."""
        return [part for part in self.parts if isinstance(part, Call)]

    @property
    def ending(self) -> str:
        """Why the model stopped: what is given, or what follows from the parts."""
        if self.finish is not None:
            return self.finish
        if self.calls:
            return "tool_calls"
        return "refusal" if any(isinstance(part, Refusal) for part in self.parts) else "stop"


Step: TypeAlias = Answer | Failure


class Script(msgspec.Struct, frozen=True):
    """Steps in the order in which requests meet them.

    A request that the provider refuses takes no step. After the last step the answer is the plain
    one (``plain_answer``), or the first step again where ``repeat`` says so.
    """

    steps: tuple[Step, ...] = ()
    repeat: bool = False

    def step(self, number: int) -> Step | None:
        """The step that request ``number`` (from 0) meets; None: the script has nothing left."""
        if self.repeat and self.steps:
            number %= len(self.steps)
        return self.steps[number] if number < len(self.steps) else None


def says(*parts: Piece | str, finish: str | None = None, fault: Fault | None = None) -> Answer:
    """An answer of these parts; a bare text is a text part."""
    pieces = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Answer(pieces, finish=finish, fault=fault)
