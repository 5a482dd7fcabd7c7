"""The benchmark script itself, on tiny histories."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from benchmarks.bodies import BODIES
from benchmarks.histories import DAMAGED, HEALTHY, KINDS, healthy
from benchmarks.run import main

import wiremend

TINY = ["--sizes", "20", "40", "--seconds", "0", "--imports", "1"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_history_has_the_asked_size_and_is_the_same_every_time(kind: str) -> None:
    made = [wiremend.to_json(tuple(KINDS[kind](60))) for _ in range(2)]
    assert made[0] == made[1]
    assert len(wiremend.history_from_json(made[0])) == 60


def test_a_message_of_the_healthy_history_has_about_500_bytes() -> None:
    assert 450 < len(wiremend.to_json(tuple(healthy(2000)))) / 2000 < 550


@pytest.mark.parametrize("dialect", BODIES)
@pytest.mark.parametrize("kind", HEALTHY)
def test_a_healthy_history_makes_a_body_without_violations(kind: str, dialect: str) -> None:
    assert wiremend.check(BODIES[dialect](HEALTHY[kind](200)), dialect) == []


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_history_needs_work(kind: str) -> None:
    history = DAMAGED[kind](200)
    reported = wiremend.Projector().project(history)
    assert reported != history


def test_the_script_prints_ratios_growth_memory_and_import_times(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    figures, page = tmp_path / "figures.json", tmp_path / "page.md"
    page.write_text("before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n")
    kinds = ["healthy", "one exchange in ten broken", "twins in each step"]
    files = ["--json", str(figures), "--markdown", str(page)]
    main([*TINY, "--peer", "none", "--kinds", *kinds, *files])
    out = capsys.readouterr().out
    for words in ("msgspec decode", "growth", "×", "bytes a message", "wiremend, over that"):
        assert words in out
    records = json.loads(figures.read_text())["records"]
    assert {record["size"] for record in records} == {20, 40}
    assert {record["form"] for record in records} == {"history", *BODIES}
    text = page.read_text()
    assert text.startswith("before\n<!-- figures -->\nMeasured on ")
    assert text.endswith("<!-- end of figures -->\nafter\n")
    assert "old" not in text


@pytest.mark.skipif(
    importlib.util.find_spec("pydantic_ai") is None, reason="pydantic-ai is not installed"
)
def test_the_script_runs_the_peer_on_the_same_conversation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main([*TINY, "--imports", "0", "--kinds", "healthy"])
    assert "repair_messages" in capsys.readouterr().out
