"""The inner loop: what it takes in Python it takes in C, and nothing else."""

from __future__ import annotations

import gc
import sys
from collections import UserList
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.incremental.histories import added
from tests.projection.notation import A, N, R, U, think
from tests.properties.histories import IDS
from tests.ways import compiled
from wiremend import ContextMessage, Message
from wiremend.model import TextPart, ToolCall, UserOrigin
from wiremend.projection.ordinary import Ordinary, in_python

histories = st.lists(added, max_size=8).map(lambda several: [m for each in several for m in each])
states = st.tuples(
    st.sets(st.sampled_from(IDS), max_size=2),
    st.dictionaries(st.sampled_from(IDS), st.just(0), max_size=1),
    st.sampled_from([None, [7]]),
    st.booleans(),
)


def taken(
    way: Ordinary,
    history: Sequence[Message],
    state: tuple[set[str], dict[str, int], list[int] | None, bool] = (set(), {}, [], True),
    start: int = 0,
    stop: int | None = None,
) -> dict[str, Any]:
    """What a way takes of a history, and all that it changes."""
    seen, open_calls, arrivals, merges = state
    seen, open_calls = set(seen), dict(open_calls)
    arrivals = None if arrivals is None else list(arrivals)
    places: list[Message | None] = [None, Message("user", (TextPart("before"),))]
    stop = len(history) if stop is None else stop
    reached = way(history, start, stop, places, open_calls, seen, arrivals, merges)
    return {
        "reached": reached,
        "seen": seen,
        "open calls": open_calls,
        "arrivals": arrivals,
        "places": places,
        "types": [type(place) for place in places],
        "shared": [any(place is source for source in history) for place in places],
    }


@given(history=histories, state=states, data=st.data())
def test_c_takes_what_python_takes(
    history: list[ContextMessage],
    state: tuple[set[str], dict[str, int], list[int] | None, bool],
    data: st.DataObject,
) -> None:
    start = data.draw(st.integers(0, len(history)))
    stop = data.draw(st.integers(start, len(history)))
    in_c = taken(compiled(), history, state, start, stop)
    assert in_c == taken(in_python, history, state, start, stop)


@pytest.fixture(params=["in Python", "in C"])
def way(request: pytest.FixtureRequest) -> Ordinary:
    return in_python if request.param == "in Python" else compiled()


HEALTHY = [U("a"), A(calls="c1 c2"), R("c1"), R("c2"), A("done"), N("b"), A("yes")]


def test_a_healthy_stretch_is_taken_whole_and_shared(way: Ordinary) -> None:
    whole = taken(way, HEALTHY)
    assert whole["reached"] == len(HEALTHY)
    assert whole["seen"] == {"c1", "c2"}
    assert whole["arrivals"] == [4, 5]
    # All but those with an origin, which no provider sees, are the same objects.
    assert whole["shared"][2:] == [False, True, True, True, True, False, True]
    assert whole["types"][2] is whole["types"][7] is Message


STOPS: list[tuple[str, list[ContextMessage], int]] = [
    ("a call without its result", [A("hi"), A(calls="c1"), U("b"), A("c")], 1),
    ("results in another order", [A("hi"), A(calls="c1 c2"), R("c2"), R("c1")], 1),
    ("a result of nothing", [A("hi"), R("c1")], 1),
    ("one id twice in a step", [A("hi"), A(calls="c1 c1"), R("c1"), R("c1")], 1),
    ("an id from before", [A(calls="c1"), R("c1"), A(calls="c1"), R("c1")], 2),
    ("a prompt behind a prompt", [A("hi"), U("a"), U("b"), A("c")], 1),
    ("a prompt at the end", [A("hi"), U("a")], 1),
    ("an assistant that only thinks", [A("hi"), A(think("hm"))], 1),
    ("a blank text", [A("hi"), A("there", " \u3000\ufeff")], 1),
    ("a failed result", [A("hi"), A(calls="c1"), R("c1", failed=True)], 1),
    ("a result with a note", [A("hi"), A(calls="c1"), R("c1", note="slow")], 1),
    ("a result that is blank", [A("hi"), A(calls="c1"), R("c1", "\n")], 1),
    ("a tool's own word of no output", [A(calls="c1"), R("c1", " Tool output is empty.\n")], 0),
    ("a message that is being written", [A("hi"), A("the", partial=True)], 1),
]


@pytest.mark.parametrize(("history", "reached"), [pytest.param(*it[1:], id=it[0]) for it in STOPS])
def test_a_stretch_ends_before_what_is_not_ordinary(
    way: Ordinary, history: list[ContextMessage], reached: int
) -> None:
    found = taken(way, history)
    assert found["reached"] == reached
    assert len(found["places"]) == 2 + reached
    assert found["seen"] == {
        call.id for message in history[:reached] for call in message.tool_calls
    }


@pytest.mark.parametrize("text", ["Tool output is empty. Or not.", "The", " \u2028x", "\u00a0日本"])
def test_what_only_starts_like_nothing_is_ordinary(way: Ordinary, text: str) -> None:
    assert taken(way, [A(calls="c1"), R("c1", text)])["reached"] == 2


class OtherText(str):
    __slots__ = ()


class OtherMessage(ContextMessage, frozen=True):
    """Somebody's own."""


@pytest.mark.parametrize(
    "strange",
    [
        OtherMessage("assistant", (TextPart("hi"),)),
        replace(A("hi"), content=[TextPart("hi")]),
        replace(A("hi"), content=(None,)),
        replace(A("hi"), tool_calls=None),
        replace(A("hi"), content=(TextPart(None),)),  # type: ignore[arg-type]
        replace(A("hi"), tool_calls=("c1",)),
        replace(A("hi"), role=7),
        A(OtherText("hi")),
        None,
        "hi",
    ],
)
def test_c_takes_nothing_for_what_it_is_not(strange: Any) -> None:
    history: list[Any] = [A("a"), strange, A("b")]
    assert taken(compiled(), history)["reached"] in {1, 3}


def test_a_history_may_be_any_sequence(way: Ordinary) -> None:
    for of in (tuple, UserList):
        assert taken(way, of(HEALTHY))["reached"] == len(HEALTHY)


def test_a_history_that_is_shorter_than_said_is_an_error(way: Ordinary) -> None:
    with pytest.raises(IndexError):
        taken(way, HEALTHY, stop=len(HEALTHY) + 1)


def test_c_keeps_no_reference_and_loses_none() -> None:
    way, broken = compiled(), [*HEALTHY, *[m for it in STOPS for m in it[1]]]
    contents = [m.content for m in broken if m.content]
    held = [*broken, *contents, *[part for content in contents for part in content]]
    before = [sys.getrefcount(each) for each in held]
    for start in range(len(broken)):
        for _ in range(50):
            taken(way, broken, start=start)
    gc.collect()
    assert [sys.getrefcount(each) for each in held] == before


def test_c_says_what_it_cannot_work_with() -> None:
    from wiremend.projection import _ordinary

    texts = ("\n ", "nothing")
    model = (Message, ContextMessage, TextPart, ToolCall, UserOrigin)
    with pytest.raises(ImportError, match="no slot"):
        _ordinary.Ordinary(*model[:3], type("Call", (), {"id": ""}), UserOrigin, *texts)
    with pytest.raises(ValueError, match="types of the model"):
        _ordinary.Ordinary(*model, "\n", "")
    with pytest.raises(TypeError):
        _ordinary.Ordinary(*model)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        _ordinary.Ordinary(*model, *texts)(HEALTHY, 0, 1, (), {}, set(), None, True)  # type: ignore[arg-type]
