"""A conversation that is damaged in one way at a time, and the rules that object."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any

from scripts.dialect_forms import Body, at, of_step, place, written

import wiremend as wm
from wiremend.dialects import DIALECTS
from wiremend.providers import simulated

Cell = tuple[str, Sequence[str]]
"""What is said in words, and the rules that say it."""

Change = Callable[[Body, list[Any]], None]


def index_of(items: list[Any], word: str) -> int:
    """The number of the first message with a text."""
    return next(n for n, item in enumerate(items) if word in json.dumps(item))


def _drop(word: str) -> Change:
    return lambda _, items: items.pop(index_of(items, word))


def _twice(word: str) -> Change:
    return lambda _, items: items.insert(
        index_of(items, word), deepcopy(items[index_of(items, word)])
    )


def _say(word: str, instead: str) -> Change:
    def change(body: Body, _: list[Any]) -> None:
        *path, last = place(body, word) or ()
        at(body, path)[last] = instead

    return change


def _take(body: Body, word: str, other: str) -> Any:
    *path, last = of_step(body, word, other)
    return at(body, path).pop(last)


def _swapped(body: Body, _: list[Any]) -> None:
    *path, last = of_step(body, "RESULT 2", "RESULT 1")
    siblings = at(body, path)
    siblings[last], siblings[last - 1] = siblings[last - 1], siblings[last]


def _late(body: Body, items: list[Any]) -> None:
    turn = deepcopy(items[index_of(items, "RESULT 2")])
    result = _take(body, "RESULT 2", "RESULT 1")
    if result != turn:
        name = next(name for name in turn if isinstance(turn[name], list))
        turn[name] = [result]
    items.insert(index_of(items, "END") + 1, turn)


def _again(_: Body, items: list[Any]) -> None:
    start, end = index_of(items, "QUESTION"), index_of(items, "END")
    items[end + 1 : end + 1] = deepcopy(items[start : end + 1])


def _system_later(_: Body, items: list[Any]) -> None:
    items.append({**deepcopy(items[-1]), "role": "system"})
    items.append(deepcopy(items[-2]))


def _bad_arguments(body: Body, _: list[Any]) -> None:
    *path, last = place(body, "PLACE 2") or ()
    if last == "arguments":
        at(body, path)[last] = '{"place": '
    else:
        at(body, path[:-1])[path[-1]] = "PLACE 2"


def _no_tools(body: Body, _: list[Any]) -> None:
    for name in ("tools", "toolConfig"):
        body.pop(name, None)


CHANGES: tuple[tuple[str, Change], ...] = (
    ("a call without its result", lambda body, _: _take(body, "RESULT 2", "RESULT 1")),
    ("a result without its call", lambda body, _: _take(body, "PLACE 2", "PLACE 1")),
    ("a result behind another message", _late),
    ("results in another order than the calls", _swapped),
    ("call ids used again in a later step", _again),
    ("the assistant speaks first", _drop("QUESTION")),
    ("the assistant speaks last", _drop("LAST")),
    ("two user messages in a row", _twice("LAST")),
    ("two assistant messages in a row", _twice("END")),
    ("the user right behind results", _drop("END")),
    ("a system message later on", _system_later),
    ("a user's text is empty", _say("LAST", "")),
    ("… is blank", _say("LAST", " ")),
    ("an assistant's text is empty", _say("END", "")),
    ("… is blank", _say("END", " ")),
    ("a result's text is empty", _say("RESULT 2", "")),
    ("… is blank", _say("RESULT 2", " ")),
    ("arguments that are no JSON object", _bad_arguments),
    ("calls, and no tools defined", _no_tools),
    ("an unknown field in a message", lambda _, items: items[-1].update(made_up=1)),
)


def refusals() -> Iterator[tuple[str, list[Cell]]]:
    """Each change, with what every dialect's rules say of it."""
    for name, change in CHANGES:
        yield name, [_refused(dialect, change) for dialect in DIALECTS]


def changed(dialect: str, change: Change) -> Body:
    """The conversation of a dialect after a change."""
    body = deepcopy(written(dialect))
    change(body, body[DIALECTS[dialect].holds])
    return body


def _refused(dialect: str, change: Change) -> Cell:
    body = changed(dialect, change)
    codes = codes_of(body, dialect)
    if codes and simulated(dialect).post(body).accepted:
        return "some servers:", codes
    return ("" if codes else "taken"), codes


def codes_of(body: Body, dialect: str) -> list[str]:
    """The rules that a body breaks."""
    return sorted({one.code for one in wm.check(body, dialect)})
