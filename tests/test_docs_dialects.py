"""The tables of dialects: what they are made with is sound, and a second judge agrees with them."""

from __future__ import annotations

import pytest
from scripts.dialect_changes import CHANGES, Change, changed, codes_of
from scripts.dialect_forms import PATHS, written

from wiremend.dialects import DIALECTS
from wiremend.providers import simulated
from wiremend.transit.endpoints import find_endpoint


def test_each_path_is_one_that_the_format_is_known_by() -> None:
    for family, path in PATHS.items():
        endpoint = find_endpoint("POST", path)
        assert endpoint is not None
        assert endpoint.family == family


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_conversation_breaks_no_rule_before_it_is_changed(dialect: str) -> None:
    assert codes_of(written(dialect), dialect) == []
    assert simulated(dialect).post(written(dialect)).accepted


# What the rules' own pages say of them: servers of the format refuse it, and the provider may not.
CAUTIOUS = {
    ("call ids used again in a later step", "openai-responses"),
    ("arguments that are no JSON object", "openai-chat"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("name", "change"), CHANGES, ids=[name for name, _ in CHANGES])
def test_a_simulated_provider_refuses_and_takes_the_same(
    dialect: str, name: str, change: Change
) -> None:
    body = changed(dialect, change)
    is_taken = simulated(dialect).post(body).accepted
    assert is_taken == (not codes_of(body, dialect) or (name, dialect) in CAUTIOUS)
