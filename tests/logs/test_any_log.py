"""Whatever is damaged in a log of any format, reading, judging and mending it end in words."""

from __future__ import annotations

import copy
import cProfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.logs import (
    claude_sessions,
    test_claude_stream,
    test_codex,
    test_gemini_cli,
    test_kimi_cli,
    test_kimi_code,
    test_kimi_wire,
    test_opencode,
    test_otel,
)
from tests.logs.mending import WISHES, problems_of, records_of
from tests.logs.test_data_sets import CALL, turns
from wiremend.cli.log_mending import mend_log, written_records
from wiremend.cli.logs import read_log
from wiremend.inputs import Unusable
from wiremend.logs import LOGS, recognise_log

_KIMI_CODE = [
    test_kimi_code.said("user", "look"),
    *test_kimi_code.step("s1", "Shell:0"),
    test_kimi_code.result("Shell:0"),
]
_PREFERENCE = {
    "input": {"messages": [{"role": "user", "content": "Hi"}]},
    "preferred_output": [{"role": "assistant", "content": "Hello."}],
}
SAMPLES: dict[str, list[Any]] = {
    "claude-code": claude_sessions.whole().records,
    "claude-stream": test_claude_stream.WHOLE,
    "codex": test_codex.WHOLE,
    "kimi-cli": test_kimi_cli.WHOLE,
    "kimi-code": _KIMI_CODE,
    "kimi-wire": test_kimi_wire.WHOLE,
    "gemini-cli": test_gemini_cli.lines(*test_gemini_cli.MESSAGES),
    "opencode": [test_opencode.broken()],
    "otel": [
        test_otel.export(test_otel.span(test_otel.WHOLE, structured=True)),
        {"attributes": test_otel.openllmetry(answered=True)},
        {"attributes": test_otel.openinference(answered=True)},
        {"attributes": test_otel.vercel(answered=True)},
    ],
    "preferences": [_PREFERENCE],
    "messages": [{"messages": [{"role": "user", "content": "Hi"}], "tools": "[]"}],
    "xlam": [{"query": "Where?", "answers": f"[{CALL}]", "tools": []}],
    "sharegpt": [turns(("human", "Look"), ("function_call", CALL), ("observation", "dry"))],
    "chatml": [{"text": "<|im_start|>user\nHi<|im_end|>"}],
}
_JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1, 1.5, "", "x", "\ud800", [], {}, [[]], [None], [1], {"id": 1}, {"type": []}]
)


def test_there_is_a_sample_of_every_format() -> None:
    assert set(SAMPLES) == set(LOGS)
    for name, values in SAMPLES.items():
        assert LOGS[name] in [recognise_log(value) for value in values]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value: what holds it, and its key or index."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    out: list[tuple[Any, Any]] = []
    for step, inner in items if isinstance(value, dict | list) else ():
        out.append((value, step))
        if isinstance(inner, dict | list):
            out.extend(_places(inner))
    return out


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_a_log_with_junk_in_it_ends_in_words(name: str, data: st.DataObject) -> None:
    values = copy.deepcopy(SAMPLES[name])
    for _ in range(data.draw(st.integers(1, 3))):
        holder, step = data.draw(st.sampled_from(_places(values)))
        if isinstance(holder, dict) and data.draw(st.booleans()):
            holder.pop(step, None)
        else:
            holder[step] = copy.deepcopy(data.draw(_JUNK))
    log = LOGS[name]
    try:
        read_log(log, records_of(values))
        problems_of(log, records_of(values))
        done = mend_log(log, records_of(values), WISHES)
    except Unusable:
        return
    assert b"".join(written_records(done))
    assert len(done.after) <= len(values) * 4


def _long_turn(steps: int) -> list[Any]:
    """A turn of so many steps, of which every tenth lost its result."""
    session = claude_sessions.Session()
    session.user("Look.")
    for step in range(steps):
        session.answer(f"msg_{step}", claude_sessions.call(f"toolu_{step}"))
        if step % 10:
            session.result(f"toolu_{step}", "dry")
    session.user("Well?")
    return session.records


def test_what_a_long_turn_costs_grows_with_its_length() -> None:
    def calls_for(steps: int) -> int:
        profile = cProfile.Profile()
        log = LOGS["claude-code"]
        profile.runcall(mend_log, log, records_of(_long_turn(steps)), WISHES)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls_for(400) < calls_for(100) * 5
