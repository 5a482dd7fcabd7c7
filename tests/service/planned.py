"""Loops of an agent, planned ahead: what it says, what its provider does, what has to come of it.

The expectations are made of the specification's table, and of nothing in ``wiremend``.
"""

from __future__ import annotations

import base64
import random
import struct
import zlib
from dataclasses import dataclass, field

from tests.service.asking import BAD_IMAGE, OVERFLOW, REFUSED, TOO_LARGE

from wiremend.model import ContextMessage, ToolCall, assistant, tool_result, user
from wiremend.simulator import Answer, Call, Failure, Fault, says

_IDS = ("call_a", "call_b", "call_a__2")
_FATAL = (
    OVERFLOW,
    Failure(401),
    Failure(429),
    Failure(500),
    Failure(402, message="insufficient balance"),
)


@dataclass
class Ask:
    """One request of an agent: its prompt, and what is to be seen of it."""

    prompt: ContextMessage
    new_turn: bool
    streamed: bool
    policies: list[str] = field(default_factory=list)
    words: str | None = None
    """The text of the answer; None where the request fails."""


def plan(seed: int) -> tuple[list[Ask], list[Answer | Failure]]:
    """Asks, and the steps of a provider's script that they meet."""
    rng = random.Random(seed)
    asks: list[Ask] = []
    steps: list[Answer | Failure] = []
    shown: set[int] = set()
    media, stripped = "", set[int]()
    for number in range(6):
        new_turn = number == 0 or rng.random() < 0.4
        if new_turn:
            media, stripped = "", set()
        pictures = [number] if rng.random() < 0.6 else []
        shown.update(pictures)
        prompt = user(f"prompt {number}", *map(picture, pictures))
        ask = Ask(prompt, new_turn, streamed=rng.random() < 0.5)
        asks.append(ask)
        tried, gone, strict = media, set(stripped), False
        for refusal in rng.choices((REFUSED, TOO_LARGE, BAD_IMAGE), k=rng.choice((0, 0, 1, 2, 5))):
            ask.policies.append("+".join(w for w in ("strict" * strict, tried) if w) or "plain")
            steps.append(refusal)
            if refusal is REFUSED and not strict:
                strict = True
            elif refusal is REFUSED or shown <= gone:
                break
            elif refusal is TOO_LARGE and not tried:
                tried = "degraded"
            else:
                tried, gone = "strip", gone | shown
        else:
            ask.policies.append("+".join(w for w in ("strict" * strict, tried) if w) or "plain")
            ending = _ending(rng, streamed=ask.streamed)
            steps.append(ending)
            if isinstance(ending, Answer) and ending.fault is None:
                ask.words = "".join(getattr(part, "text", "") for part in ending.parts)
                media, stripped = tried or media, gone
    return asks, steps


def _ending(rng: random.Random, *, streamed: bool) -> Answer | Failure:
    if rng.random() < 0.25:
        return rng.choice(_FATAL)
    calls = [Call("look", {"n": n}, id=rng.choice(_IDS)) for n in range(rng.randrange(3))]
    words = [f"words {rng.randrange(99)}"] if (calls and rng.random() < 0.5) or not calls else []
    if streamed and rng.random() < 0.2:
        return says("a b c d e f g h", fault=Fault(rng.choice(("end", "reset")), after=4))
    return says(*words, *calls)


def picture(number: int) -> str:
    """A picture of one pixel, of a colour of its own, as a data URI."""
    pixel = zlib.compress(b"\0" + bytes((number, 0, 0)))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", pixel), (b"IEND", b""))
    data = b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + data).decode()


def damaged(history: list[ContextMessage], rng: random.Random) -> list[ContextMessage]:
    """The history as a crash, a bug or an impatient user may leave it; no prompt is lost."""
    out = list(history)
    for _ in range(rng.randrange(3)):
        results = [n for n, message in enumerate(out) if message.role == "tool"]
        place = rng.randrange(len(out) + 1)
        match rng.randrange(9):
            case 0 if results:
                out.pop(rng.choice(results))
            case 1 if results:
                out.insert(place, out[rng.choice(results)])
            case 2 if results:
                out.insert(place, out.pop(rng.choice(results)))
            case 3:
                out.insert(place, tool_result("nobody", "asked for this"))
            case 4:
                out.insert(place, assistant(" \n"))
            case 5:
                out.insert(place, assistant("", ToolCall("", "look", "{")))
            case 6:
                out.insert(0, assistant("I spoke first"))
            case 7:
                out.insert(place, user("half a \ud83d pair"))
            case 8:
                out.insert(place, assistant("", ToolCall("call_a", "no such name!", "[1]")))
    return out
