"""Histories of a coding agent, whole and damaged in each way: seeded, of any length.

A whole history has prompts (of the user), reminders (put in by the engine), steps with thinking,
text and one to three calls, their results, and an answer; about 500 bytes of JSON a message.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TypeAlias

from msgspec.structs import replace

from wiremend.model import (
    ContextMessage,
    ImagePart,
    InjectionOrigin,
    MediaSource,
    Part,
    TextPart,
    ThinkPart,
    ToolCall,
    UserOrigin,
)

History: TypeAlias = list[ContextMessage]
Turn: TypeAlias = list[ContextMessage]

SEED = 20_000
TOOLS = ("Bash", "Edit", "Glob", "Grep", "Read", "Write")
WORDS = (
    "the a of to in is that and file test run error line call value path name message result "
    "def return import class self None for if not with assert raise list dict str int build "
    "project decode encode history assistant user tool provider request session prompt check "
    "src/app.py tests/test_app.py README.md 127 0x3f {} [] () == != -> # // \n \n\n"
)


class Writer:
    """Writes turns, each unlike the others; the same seed writes the same."""

    def __init__(self, seed: int = SEED) -> None:
        self._random = random.Random(seed)
        self._text = " ".join(self._random.choices(WORDS.split(" "), k=40_000))

    def turns(self) -> Iterator[Turn]:
        """Turns without end."""
        while True:
            yield list(self._turn())

    def text(self, least: int, most: int) -> str:
        """Some text that is not blank, of about so many characters."""
        start = self._random.randrange(len(self._text) - most)
        return "> " + self._text[start : start + self._random.randint(least, most)]

    def call(self) -> ToolCall:
        """A call of a tool with an id of its own."""
        call_id = f"call_{self._random.getrandbits(96):024x}"
        path = f"src/module_{self._random.randrange(500)}.py"
        arguments = f'{{"path":"{path}","limit":{self._random.randrange(2000)}}}'
        return ToolCall(call_id, self._random.choice(TOOLS), arguments)

    def assistant(self, *calls: ToolCall) -> ContextMessage:
        """A message of the model: thinking, most of the time some text, and these calls."""
        signature = f"{self._random.getrandbits(512):0128x}"
        parts: list[Part] = [ThinkPart(self.text(100, 300), encrypted=signature)]
        if not calls or self._random.random() < 0.6:
            parts.append(TextPart(self.text(40, 200)))
        return ContextMessage("assistant", tuple(parts), calls)

    def result(self, call: ToolCall) -> ContextMessage:
        """What the tool gave for a call."""
        return ContextMessage("tool", (TextPart(self.text(50, 620)),), tool_call_id=call.id)

    def prompt(self) -> ContextMessage:
        """Something that the user typed."""
        return ContextMessage("user", (TextPart(self.text(40, 300)),), origin=UserOrigin())

    def _turn(self) -> Iterator[ContextMessage]:
        yield self.prompt()
        if self._random.random() < 0.3:
            reminder = TextPart(f"<system-reminder>{self.text(100, 300)}</system-reminder>")
            yield ContextMessage("user", (reminder,), origin=InjectionOrigin(variant="todo"))
        for _ in range(self._random.randint(2, 8)):
            calls = [self.call() for _ in range(self._random.choice((1, 1, 1, 2, 3)))]
            yield self.assistant(*calls)
            yield from map(self.result, calls)
        yield self.assistant()


def healthy(count: int) -> History:
    """A history that needs no repair, and does not end in the middle of an exchange."""
    writer = Writer()
    history: History = []
    for turn in writer.turns():
        if len(history) + len(turn) > count:
            break
        history.extend(turn)
    while len(history) < count:
        asked = bool(history) and history[-1].role == "user"
        history.append(writer.assistant() if asked else writer.prompt())
    return history


def with_ids(count: int) -> History:
    """A healthy history in which each message has fields that the provider must not see."""
    return [
        replace(message, id=f"m{n:08}", provider_message_id=f"msg_{n:016x}")
        for n, message in enumerate(healthy(count))
    ]


def damaged(count: int) -> History:
    """One exchange in ten broken: lost, late, doubled, cut off, blank, reversed or renamed."""
    writer = Writer()

    def turns() -> Iterator[Turn]:
        for number, turn in enumerate(writer.turns()):
            if number % 10:
                yield turn
            else:
                yield _MIXED[number // 10 % len(_MIXED)](turn)

    return _first(count, turns())


def lost_results(count: int) -> History:
    """Every fifth result is missing."""
    kept = (m for n, m in enumerate(_endless()) if n % 5 or m.role != "tool")
    return list(islice(kept, count))


def all_results_lost(count: int) -> History:
    """No result at all."""
    return list(islice((m for m in _endless() if m.role != "tool"), count))


def moved_far(count: int) -> History:
    """All results at the end, behind everything else."""
    return sorted(healthy(count), key=lambda message: message.role == "tool")


def doubled_results(count: int) -> History:
    """Each result twice."""
    return list(islice(chain.from_iterable(map(_doubled, _endless())), count))


def orphans(count: int) -> History:
    """All calls are gone, their results are not."""
    return [m if m.role == "tool" else replace(m, tool_calls=()) for m in healthy(count)]


def blank_texts(count: int) -> History:
    """A blank text among the parts of each message."""
    return [replace(m, content=(*m.content, TextPart(" \n"))) for m in healthy(count)]


def vacuous_messages(count: int) -> History:
    """A message that says nothing before each that says something."""
    nothing = ContextMessage("assistant", (ThinkPart(" "), TextPart("")))
    return list(islice(chain.from_iterable((nothing, m) for m in _endless()), count))


def one_id(count: int) -> History:
    """All calls and results have one and the same id, one call a step."""
    writer = Writer()
    call = replace(writer.call(), id="call_0")
    return [writer.prompt(), *_steps(writer, lambda: [call], count - 1)]


def unanswered_calls(count: int) -> History:
    """The first half makes calls that are never answered; what follows is whole."""
    writer = Writer()
    calls = [writer.assistant(writer.call()) for _ in range(count // 2)]
    return [*calls, *_first(count - len(calls), writer.turns())]


def many_assistants(count: int) -> History:
    """One long run of the assistant's messages."""
    writer = Writer()
    return [writer.prompt(), *(writer.assistant() for _ in range(count - 1))]


def many_prompts(count: int) -> History:
    """One long run of the user's messages, each with a picture."""
    writer = Writer()

    def shown(number: int) -> ContextMessage:
        prompt = writer.prompt()
        picture = ImagePart(MediaSource(f"https://example.com/{number}.png"))
        return replace(prompt, content=(*prompt.content, picture))

    return [shown(n) for n in range(count)]


def twins(count: int) -> History:
    """Each step makes the same call twice, with one id and two results."""
    writer = Writer()

    def pair() -> list[ToolCall]:
        call = writer.call()
        return [call, call]

    return [writer.prompt(), *_steps(writer, pair, count - 1)]


def reversed_results(count: int) -> History:
    """The results of each step, three at a time, in the reverse of its calls' order."""
    writer = Writer()

    def steps() -> Iterator[Turn]:
        while True:
            calls = [writer.call() for _ in range(3)]
            yield [writer.assistant(*calls), *map(writer.result, reversed(calls))]

    return [writer.prompt(), *_first(count - 1, steps())]


def one_wide_step(count: int) -> History:
    """All calls in a single message; every third result is lost, the rest reversed."""
    writer = Writer()
    calls = [writer.call() for _ in range(count * 3 // 2)]
    answered = [call for n, call in enumerate(calls) if n % 3]
    return [
        writer.prompt(),
        writer.assistant(*calls),
        *islice(map(writer.result, reversed(answered)), count - 2),
    ]


def without_ids(count: int) -> History:
    """Neither calls nor results have an id."""
    return [_nameless(message) for message in healthy(count)]


def one_wide_step_without_ids(count: int) -> History:
    """All calls in a single message, and neither they nor the results have an id."""
    writer = Writer()
    calls = [writer.call() for _ in range(count - 2)]
    whole = [writer.prompt(), writer.assistant(*calls), *map(writer.result, calls)]
    return [_nameless(message) for message in whole]


HEALTHY: dict[str, Callable[[int], History]] = {
    "healthy": healthy,
    "healthy, engine-only fields on each message": with_ids,
}
DAMAGED: dict[str, Callable[[int], History]] = {
    "one exchange in ten broken": damaged,
    "every fifth result lost": lost_results,
    "all results lost": all_results_lost,
    "all results at the end": moved_far,
    "every result twice": doubled_results,
    "every result an orphan": orphans,
    "a blank text in each message": blank_texts,
    "every other message says nothing": vacuous_messages,
    "one call id throughout": one_id,
    "unanswered calls pile up": unanswered_calls,
    "one run of assistants": many_assistants,
    "one run of prompts with media": many_prompts,
    "twins in each step": twins,
    "results in reverse order": reversed_results,
    "one wide step, reversed": one_wide_step,
    "calls and results without ids": without_ids,
    "one wide step without ids": one_wide_step_without_ids,
}
KINDS = HEALTHY | DAMAGED


def _endless() -> Iterator[ContextMessage]:
    return chain.from_iterable(Writer().turns())


def _first(count: int, turns: Iterable[Turn]) -> History:
    return list(islice(chain.from_iterable(turns), count))


def _steps(writer: Writer, calls: Callable[[], list[ToolCall]], count: int) -> History:
    def steps() -> Iterator[Turn]:
        while True:
            made = calls()
            yield [writer.assistant(*made), *map(writer.result, made)]

    return _first(count, steps())


def _doubled(message: ContextMessage) -> Turn:
    return [message, message] if message.role == "tool" else [message]


def _nameless(message: ContextMessage) -> ContextMessage:
    calls = tuple(replace(call, id="") for call in message.tool_calls)
    return replace(message, tool_calls=calls, tool_call_id=None)


def _without_last_result(turn: Turn) -> Turn:
    last = max(n for n, message in enumerate(turn) if message.role == "tool")
    return [*turn[:last], *turn[last + 1 :]]


def _late(turn: Turn) -> Turn:
    last = max(n for n, message in enumerate(turn) if message.role == "tool")
    return [*turn[:last], *turn[last + 1 :], turn[last]]


def _cut_off(turn: Turn) -> Turn:
    first = next(n for n, message in enumerate(turn) if message.tool_calls)
    return [*turn[:first], *turn[first + 1 :]]


def _with_blank(turn: Turn) -> Turn:
    return [replace(m, content=(*m.content, TextPart("\n"))) for m in turn]


def _with_twins(turn: Turn) -> Turn:
    return [replace(m, tool_calls=m.tool_calls * 2) for m in turn]


_MIXED: tuple[Callable[[Turn], Turn], ...] = (
    _without_last_result,
    _late,
    lambda turn: list(chain.from_iterable(map(_doubled, turn))),
    _cut_off,
    _with_blank,
    _with_twins,
)
