"""Calls that an engine still executes are left open, and nothing comes between them and what will.

In every dialect, for pictures too that may not stay in the message or the result that they came in.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import wiremend
from tests.projection.notation import A, N, R, U, image
from tests.properties.bodies import MODELS
from wiremend import ContextMessage
from wiremend.providers import simulated

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
PICTURE = image(f"data:image/png;base64,{PNG}")
BEFORE: list[list[ContextMessage]] = [
    [U("question")],
    [N("remember"), A("answer", PICTURE)],
    [U("question"), A(calls="callAbc01"), R("callAbc01", "seen", PICTURE)],
    [A("drawn", PICTURE)],
]
OPEN: list[list[ContextMessage]] = [
    [A("now", calls="callAbc02")],
    [A("now", PICTURE, calls="callAbc02")],
    [A(PICTURE, calls="callAbc02 callAbc03"), R("callAbc03", "half", PICTURE)],
    [A(calls="callAbc02 callAbc03"), R("callAbc02", PICTURE)],
]
HISTORIES = [[*before, *then] for before, then in product(BEFORE, OPEN)]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("dialect", list(MODELS))
def test_only_the_results_to_come_are_missing(dialect: str, strict: bool) -> None:
    settings: dict[str, Any] = {"modelId" if dialect == "bedrock" else "model": MODELS[dialect]}
    if dialect in ("kimi", "deepseek"):
        settings["thinking"] = {"type": "disabled"}
    for history in HISTORIES:
        wishes: dict[str, Any] = {"strict": strict, "frontier": "keep"}
        left = wiremend.request(history, dialect, settings, **wishes).body
        assert wiremend.fix(left, dialect, **wishes) == wiremend.Fixed(left, ()), history
        closed = wiremend.fix(left, dialect)
        assert {found.kind for found in closed.anomalies} == {"tool_result_synthesized"}, history
        assert wiremend.check(closed.body, dialect) == []
        assert simulated(dialect).post(closed.body).error == ""
