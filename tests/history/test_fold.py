"""Loop events become messages exactly as the contract has it."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from tests.history.events import answered, begin, called, end, said, thought
from tests.projection.notation import A, U, shape
from wiremend.history import INTERRUPTED_BEFORE_RESULT, Fold, LoopEvent, event_from_builtins
from wiremend.history.events import compact_json
from wiremend.model import ContextMessage, TextPart, UserOrigin


def folded(*events: LoopEvent | ContextMessage, fold: Fold[None] | None = None) -> Fold[None]:
    fold = fold or Fold()
    for item in events:
        if isinstance(item, ContextMessage):
            fold.append(item, None)
        else:
            fold.apply(item, None)
    return fold


def history(*events: LoopEvent | ContextMessage) -> list[str]:
    return [
        text.replace("R ", "INT ") if _is_interrupted(message) else text
        for text, message in zip(
            shape(list(folded(*events).messages())), folded(*events).messages(), strict=True
        )
    ]


def _is_interrupted(message: ContextMessage) -> bool:
    return message.content == (TextPart(INTERRUPTED_BEFORE_RESULT),) and message.is_error is True


STEPS: dict[str, tuple[list[LoopEvent | ContextMessage], list[str]]] = {
    "a whole step is its messages": (
        [U("x"), begin("s"), said("s", "a"), called("s", "c"), answered("c"), end("s")],
        ["U x", "A a; c", "R c"],
    ),
    "results come in the order in which they were given": (
        [begin("s"), called("s", "c1"), called("s", "c2"), answered("c2"), answered("c1")],
        ["A ; c1 c2", "R c2", "R c1"],
    ),
    "an end settles open calls": (
        [begin("s"), called("s", "c1"), called("s", "c2"), answered("c1"), end("s")],
        ["A ; c1 c2", "R c1", "INT c2"],
    ),
    "a begin settles the step that is open": (
        [begin("s"), called("s", "c1"), begin("t"), said("t", "b")],
        ["A ; c1", "INT c1", "A b"],
    ),
    "a step that says nothing is removed": (
        [begin("s"), said("s", " "), thought("s", ""), end("s"), U("x")],
        ["U x"],
    ),
    "signed thinking is something": (
        [begin("s"), thought("s", "", "sig"), end("s")],
        ["A"],
    ),
    "an interrupted end leaves the step open": (
        [begin("s"), called("s", "c1"), end("s", "interrupted"), answered("c1"), said("s", "late")],
        ["A late; c1", "R c1"],
    ),
    "a failed end leaves the step open until the next begins": (
        [begin("s"), said("s", "a"), called("s", "c1"), end("s", "error"), begin("t")],
        ["A a; c1", "INT c1", "A"],
    ),
    "an end settles whatever is open, whatever step it names": (
        [begin("s"), said("s", "a"), called("s", "c"), end("other")],
        ["A a; c", "INT c"],
    ),
    "parts and calls of another step are ignored": (
        [begin("s"), said("other", "x"), called("other", "c"), end("s")],
        [],
    ),
    "parts without an open step are ignored": ([said("s", "x"), called("s", "c")], []),
    "a result for a call that is not pending is ignored": (
        [begin("s"), called("s", "c"), answered("c"), answered("c"), answered("ghost"), end("s")],
        ["A ; c", "R c"],
    ),
    "a message waits for the last pending call": (
        [
            begin("s"),
            called("s", "c1"),
            called("s", "c2"),
            U("first"),
            answered("c1"),
            U("second"),
            answered("c2"),
        ],
        ["A ; c1 c2", "R c1", "R c2", "U first", "U second"],
    ),
    "a message that waits is in no history yet": (
        [begin("s"), called("s", "c1"), U("waits"), end("s", "error")],
        ["A ; c1"],
    ),
    "a message that waits follows the interrupted results": (
        [begin("s"), called("s", "c1"), U("waits"), end("s")],
        ["A ; c1", "INT c1", "U waits"],
    ),
    "a message without pending calls does not wait": (
        [begin("s"), said("s", "a"), U("x"), said("s", "b"), end("s")],
        ["A a|b", "U x"],
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_folding(name: str) -> None:
    events, expected = STEPS[name]
    assert history(*events) == expected


def test_the_message_of_an_open_step_is_marked_partial() -> None:
    fold = folded(begin("s"), said("s", "a"))
    assert [message.partial for message in fold.messages()] == [True]
    assert [message.partial for message in folded(end("s"), fold=fold).messages()] == [None]


def test_absent_arguments_stay_null_and_given_ones_are_compact_json() -> None:
    fold = folded(begin("s"), called("s", "c1"), called("s", "c2", args={"a": [1.0, "é", None]}))
    assert [c.arguments for c in fold.messages()[0].tool_calls] == [None, '{"a":[1,"é",null]}']


def test_a_result_keeps_its_failure_and_its_note() -> None:
    fold = folded(begin("s"), called("s", "c"), answered("c", "boom", isError=True, note="n"))
    assert (fold.messages()[1].is_error, fold.messages()[1].note) == (True, "n")


def test_a_history_that_was_stored_half_open_goes_on() -> None:
    stored = [U("x"), A("a", calls="c1 c2", partial=True), *folded().messages()]
    fold: Fold[None] = Fold([(message, None) for message in stored], resume=True)
    assert fold.pending == ("c1", "c2")
    folded(answered("c1"), said("any", "more"), end("any"), fold=fold)
    assert shape(list(fold.messages())) == ["U x", "A a|more; c1 c2", "R c1", "R c2"]
    assert _is_interrupted(fold.messages()[-1])


def test_unknown_events_are_none_and_broken_ones_say_where() -> None:
    assert event_from_builtins({"type": "step.retry", "anything": 1}) is None
    with pytest.raises(Exception, match="/part"):
        event_from_builtins({"type": "content.part", "stepUuid": "s", "part": {"type": "text"}})


@pytest.mark.parametrize(
    ("value", "text"),
    [({"a": 1.5}, '{"a":1.5}'), (2.0, "2"), (1e30, "1e+30"), ([True, None], "[true,null]")],
)
def test_arguments_are_written_as_javascript_writes_them(value: Any, text: str) -> None:
    assert compact_json(value) == text


def lines_run(steps: int) -> int:
    """How many lines of Python it takes to fold so many steps."""
    events = [
        item
        for n in range(steps)
        for item in (begin(f"s{n}"), called(f"s{n}", f"c{n}"), answered(f"c{n}"), end(f"s{n}"))
    ]
    fold: Fold[None] = Fold([(ContextMessage("user", origin=UserOrigin()), None)])
    count = 0

    def trace(frame: FrameType, kind: str, arg: Any) -> Any:
        nonlocal count
        count += kind == "line"
        return trace

    sys.settrace(trace)
    try:
        for item in events:
            fold.apply(item, None)
    finally:
        sys.settrace(None)
    return count


def test_an_event_costs_the_same_however_long_the_history_is() -> None:
    assert lines_run(800) < 4.2 * lines_run(200)
