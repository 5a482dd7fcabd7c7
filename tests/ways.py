"""The two ways of the projection's inner loop, in Python and in C, for tests that hold both."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from wiremend.projection import ordinary
from wiremend.projection.ordinary import Ordinary, in_c, in_python


def compiled() -> Ordinary:
    """The loop in C; the test is skipped where it was not compiled, and fails in CI."""
    way = in_c()
    if way is None:
        reason = "wiremend was installed without a C compiler"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return way


@pytest.fixture(params=["in Python", "in C"], scope="module", autouse=True)
def projecting_both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    """All tests of the module that imports this once with each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordinary, "ordinary", compiled() if request.param == "in C" else in_python)
        yield
