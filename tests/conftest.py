"""What all tests share: how hard Hypothesis tries."""

from __future__ import annotations

import os

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
