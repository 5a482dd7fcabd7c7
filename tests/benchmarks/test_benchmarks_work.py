"""How much work is done, counted and never timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product
from types import FrameType
from typing import Any

import pytest
from benchmarks.bodies import BODIES
from benchmarks.histories import DAMAGED, HEALTHY, History, healthy

import wiremend
from tests.ways import compiled
from wiremend import Message, ProjectionPolicy
from wiremend.projection import ordinary

SENDING = ProjectionPolicy(sending=True)
STRICTLY_SENDING = ProjectionPolicy(sending=True, structure="strict")


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs in C has no lines to count; it takes the same messages in the same turns."""
    monkeypatch.setattr(ordinary, "ordinary", ordinary.in_python)


def _plain(history: History) -> list[Message]:
    return [Message(m.role, m.content, m.tool_calls, None, m.tool_call_id) for m in history]


def _lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python run, each turn of a loop counted, and each function entered."""
    count = 0

    def trace(_frame: FrameType, _event: str, _value: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def test_a_healthy_history_of_plain_messages_comes_out_as_the_very_same_objects() -> None:
    messages = _plain(healthy(300))
    for policy in (ProjectionPolicy(), SENDING):
        projected = wiremend.project(messages, None, policy)
        assert len(projected) == len(messages)
        assert all(new is old for new, old in zip(projected, messages, strict=True))


@pytest.mark.parametrize("kind", HEALTHY)
def test_a_healthy_history_of_an_engine_shares_its_content_and_calls(kind: str) -> None:
    history = HEALTHY[kind](300)
    for policy in (ProjectionPolicy(), SENDING):
        projected = wiremend.project(history, None, policy)
        assert len(projected) == len(history)
        for new, old in zip(projected, history, strict=True):
            assert new.content is old.content
            assert new.tool_calls is old.tool_calls


def test_a_message_without_engine_only_fields_comes_out_as_the_same_object() -> None:
    history = healthy(300)
    projected = wiremend.project(history)
    bare = [(new, old) for new, old in zip(projected, history, strict=True) if old.origin is None]
    assert len(bare) > 200
    assert all(new is old for new, old in bare)


PROJECTIONS: dict[str, Callable[[History], object]] = {
    "project": lambda history: wiremend.project(history, id),
    "project_strict": lambda history: wiremend.project_strict(history, id),
    "project, sending": lambda history: wiremend.project(history, id, SENDING),
    "project, strictly sending": lambda history: wiremend.project(history, id, STRICTLY_SENDING),
}


@pytest.mark.parametrize(("kind", "name"), list(product(DAMAGED, PROJECTIONS)))
def test_four_times_the_messages_are_about_four_times_the_work_to_project(
    kind: str, name: str
) -> None:
    work, make = PROJECTIONS[name], DAMAGED[kind]
    short, long = make(150), make(600)
    assert _lines_run(lambda: work(long)) < 5 * _lines_run(lambda: work(short))


def test_a_healthy_history_is_a_few_lines_of_python_however_long_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ordinary, "ordinary", compiled())
    histories = [healthy(150), healthy(600)]
    short, long = (_lines_run(lambda h=h: PROJECTIONS["project"](h)) for h in histories)  # type: ignore[misc]
    assert long - short < 60


@pytest.mark.parametrize("dialect", BODIES)
@pytest.mark.parametrize("kind", DAMAGED)
def test_four_times_the_messages_are_about_four_times_the_work_to_fix(
    kind: str, dialect: str
) -> None:
    short, long = (BODIES[dialect](DAMAGED[kind](size)) for size in (80, 320))
    assert _lines_run(lambda: wiremend.fix(long, dialect)) < 5 * _lines_run(
        lambda: wiremend.fix(short, dialect)
    )


@pytest.mark.parametrize("dialect", BODIES)
@pytest.mark.parametrize("kind", DAMAGED)
def test_four_times_the_messages_are_about_four_times_the_work_to_check(
    kind: str, dialect: str
) -> None:
    short, long = (BODIES[dialect](DAMAGED[kind](size)) for size in (60, 240))
    assert _lines_run(lambda: wiremend.check(long, dialect)) < 5 * _lines_run(
        lambda: wiremend.check(short, dialect)
    )
