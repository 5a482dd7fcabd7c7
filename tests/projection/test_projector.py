"""The reporting projector: one line a combination of repairs, and the counts for telemetry."""

from __future__ import annotations

import logging

import pytest

from tests.projection.notation import A, N, R, U, image
from wiremend import ContextMessage, Projector
from wiremend.projection import STRICT
from wiremend.projection.projector import COUNTERS, EVENT, WARNING

BROKEN = [U("x"), A(calls="c1 c2"), N("note"), R("c1"), R("c2"), U("y")]
HEALTHY = [U("x"), A("y")]


class Heard:
    """A projector with everything that it said."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog
        self.events: list[tuple[str, dict[str, int]]] = []
        self.projector = Projector(on_event=lambda name, counts: self.events.append((name, counts)))

    def project(self, history: list[ContextMessage]) -> None:
        self.projector.project(history)

    @property
    def warnings(self) -> list[str]:
        return [record.getMessage() for record in self._caplog.records]


@pytest.fixture
def heard(caplog: pytest.LogCaptureFixture) -> Heard:
    caplog.set_level(logging.WARNING, "wiremend")
    return Heard(caplog)


def test_a_healthy_history_says_nothing(heard: Heard) -> None:
    heard.project(HEALTHY)
    assert (heard.warnings, heard.events) == ([], [])


def test_repairs_are_one_warning_with_counts_and_ids(heard: Heard) -> None:
    heard.project(BROKEN)
    assert heard.warnings == [f"{WARNING}: reordered=2; calls c1, c2"]


def test_telemetry_is_one_event_with_all_nine_counters(heard: Heard) -> None:
    heard.project(BROKEN)
    zeros = dict.fromkeys(COUNTERS.values(), 0)
    assert len(zeros) == 9
    assert heard.events == [(EVENT, {**zeros, "reordered": 2})]


def test_the_same_repairs_in_a_row_are_reported_once(heard: Heard) -> None:
    heard.project(BROKEN)
    heard.project(BROKEN)
    assert len(heard.warnings) == 1


def test_a_clean_projection_lets_the_same_repairs_be_reported_again(heard: Heard) -> None:
    for history in (BROKEN, HEALTHY, BROKEN):
        heard.project(history)
    assert len(heard.warnings) == len(heard.events) == 2


def test_a_call_that_may_be_in_flight_is_no_fault(heard: Heard) -> None:
    heard.project([U("x"), A(calls="c1")])
    assert (heard.warnings, heard.events) == ([], [])


def test_at_most_five_ids_are_named(heard: Heard) -> None:
    heard.project([A("a"), *(R(f"c{n}") for n in range(8))])
    assert heard.warnings == [f"{WARNING}: dropped_orphan=8; calls c0, c1, c2, c3, c4"]


def test_no_message_content_is_ever_logged(heard: Heard) -> None:
    heard.project([U("secret"), A("secret", calls="c1"), R("ghost", "secret"), U("secret")])
    assert "secret" not in "".join(heard.warnings)


def test_strict_counts_what_it_drops(heard: Heard) -> None:
    heard.projector.project([A("stale"), R("ghost"), U("hi")], STRICT)
    counts = heard.events[0][1]
    assert (counts["leading_dropped"], counts["dropped_orphan"]) == (1, 1)


def test_a_snapshot_can_be_taken_from_the_same_object(heard: Heard) -> None:
    assert len(heard.projector.snapshot([U(image("1"), image("1"), image("2"))])) == 2
