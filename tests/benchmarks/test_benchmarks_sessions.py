"""The benchmark of sessions, on a tiny one."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.bodies import BODIES
from benchmarks.resending import PEERS, own
from benchmarks.sessions import main

from tests.benchmarks.test_benchmarks_work import _lines_run
from wiremend import ContextMessage, IncrementalProjection, RequestBuilder, ToolCall
from wiremend.model import assistant, tool_result, user


def test_the_script_prints_steps_memory_and_sessions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    main(["--sizes", "20", "40", "--steps", "20", "--peers", "--markdown", str(page)])
    out = capsys.readouterr().out
    for words in ("one more step", "bytes a message", "a session of 20 steps", "json.dumps"):
        assert words in out
    assert page.read_text().startswith("<!-- sessions -->\nMeasured on ")


def test_each_way_to_send_is_named_and_belongs_to_a_dialect() -> None:
    assert {peer.dialect for peer in PEERS} == set(BODIES)
    assert next(iter(own("anthropic"))).name() == "wiremend.request, msgspec"


def step(number: int) -> list[ContextMessage]:
    call = ToolCall(f"call_{number}", "run", "{}")
    return [assistant("", call), tool_result(call.id, "fine")]


@pytest.mark.parametrize("dialect", [None, *BODIES])
def test_a_step_behind_thirty_times_the_messages_is_the_same_work(dialect: str | None) -> None:
    lines: list[int] = []
    for size in (100, 3_000):
        subject = IncrementalProjection() if dialect is None else RequestBuilder(dialect)
        subject.append(user("Go."))
        for number in range(size):
            subject.extend(step(number))
        look = subject.chunks if isinstance(subject, RequestBuilder) else subject.messages
        look()
        subject.extend(step(size))
        lines.append(_lines_run(look))
    assert lines[1] < 1.2 * lines[0]
