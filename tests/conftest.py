"""What all tests share: how hard Hypothesis tries, and that none leaves logging changed.

Frameworks of others run in some of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("hard", settings.get_profile("quick"), max_examples=3000)
# A landing is judged by the same examples each time; what is new is looked for at the desk.
settings.register_profile("ci", settings.get_profile("quick"), derandomize=True)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") == "true" else "quick")
)


# Before it is imported, or it looks for a list of prices on the network.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
# A framework that asks for the main thread's event loop gets none: it would leave a new one open.
asyncio.set_event_loop(None)


@pytest.fixture(autouse=True)
def _no_event_loop_stays_open() -> Iterator[None]:
    """A framework's calls for programs that wait may set one, and leave it to nobody."""
    yield
    with contextlib.suppress(RuntimeError):
        asyncio.get_event_loop().close()
        asyncio.set_event_loop(None)


def _logging_as_it_is() -> dict[str, Any]:
    names = ("root", "wiremend")
    loggers = {name: logging.getLogger(None if name == "root" else name) for name in names}
    return {
        "disabled up to": logging.root.manager.disable,
        **{name: (one.level, one.disabled, one.propagate) for name, one in loggers.items()},
    }


@pytest.fixture(autouse=True)
def _logging_stays_as_it_was() -> Iterator[None]:
    """What a test does to the process's logging would hide what a later one looks for."""
    before = _logging_as_it_is()
    yield
    assert _logging_as_it_is() == before, "the test leaves logging changed"
