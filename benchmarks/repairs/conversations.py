"""Short sound conversations, seeded: each text, path and result in one occurs once.

What may live here: what is said in a conversation before anything happens to it.
"""

from __future__ import annotations

import base64
import random
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.histories import TOOLS, History
from wiremend.model import (
    ContextMessage,
    ImagePart,
    MediaSource,
    Part,
    TextPart,
    ThinkPart,
    ToolCall,
)

_WORDS = (
    *("soil", "lamp", "pump", "valve", "north", "south", "bed", "pot"),
    *("seed", "leaf", "root", "water", "dry", "wet", "warm", "cold"),
)


@dataclass
class Speaker:
    """Says what was not said before; the same seed says the same."""

    seed: int
    thinks: bool
    """Whether the model's turns start with signed thinking."""
    chance: random.Random = field(init=False)
    _count: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def text(self, what: str) -> str:
        """A sentence that occurs once."""
        self._count += 1
        return f"{what} {self._count}: {' '.join(self.chance.choices(_WORDS, k=5))}."

    def call(self) -> ToolCall:
        """A call with an id and a path of its own."""
        self._count += 1
        call_id = f"call_{self.chance.getrandbits(64):016x}"
        arguments = f'{{"path": "bed-{self._count}.txt", "limit": {self.chance.randrange(99)}}}'
        return ToolCall(call_id, self.chance.choice(TOOLS), arguments)

    def prompt(self) -> ContextMessage:
        """Something that the user types."""
        return ContextMessage("user", (TextPart(self.text("Prompt")),))

    def picture(self, media_type: str = "image/png") -> ImagePart:
        """A tiny PNG that is like no other, whatever its label says."""
        self._count += 1
        data = base64.b64encode(_png(self._count)).decode()
        return ImagePart(MediaSource(f"data:{media_type};base64,{data}"))

    def step(self, *calls: ToolCall, spoken: bool) -> ContextMessage:
        """A message of the model that calls these tools."""
        parts: list[Part] = []
        if self.thinks:
            signature = base64.b64encode(self.chance.randbytes(24)).decode()
            parts.append(ThinkPart(self.text("Thought"), encrypted=signature))
        if spoken:
            parts.append(TextPart(self.text("Answer")))
        return ContextMessage("assistant", tuple(parts), calls)

    def result(self, call: ToolCall) -> ContextMessage:
        """What a tool gave."""
        text = TextPart(self.text("Result"))
        return ContextMessage("tool", (text,), tool_call_id=call.id)

    def exchange(self, width: int) -> Iterator[ContextMessage]:
        """A step with so many calls, and their results."""
        calls = [self.call() for _ in range(width)]
        yield self.step(*calls, spoken=self.chance.random() < 0.5)
        yield from map(self.result, calls)


def sound(speaker: Speaker) -> History:
    """Two or three turns with one to three exchanges each, then a prompt.

    The first exchange of the second turn has two or three calls, so that there is one to break.
    """
    chance = speaker.chance
    history: History = []
    for turn in range(chance.randint(2, 3)):
        history.append(speaker.prompt())
        for number in range(chance.randint(1, 3)):
            wide = turn == 1 and number == 0
            history.extend(speaker.exchange(chance.randint(2, 3) if wide else chance.randint(1, 2)))
        history.append(speaker.step(spoken=True))
    history.append(speaker.prompt())
    return history


def _png(number: int) -> bytes:
    """A picture of one grey dot, with a comment that tells it from the others."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = [
        (b"IHDR", header),
        (b"tEXt", f"Comment\0dot {number}".encode()),
        (b"IDAT", zlib.compress(b"\0" + bytes([number % 256]))),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    checked = kind + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))
