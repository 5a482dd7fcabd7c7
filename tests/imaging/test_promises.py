"""The promises of ``fix`` hold with a fitter as well: random conversations, damage and limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiremend
from tests.properties.conversations import anthropic_bodies, damaged, openai_bodies
from wiremend.imaging import fitter
from wiremend.limits import Limits
from wiremend.providers import simulated

BODIES = {"openai-chat": openai_bodies(), "anthropic": anthropic_bodies()}
LIMITS = st.builds(
    Limits,
    images=st.sampled_from([None, 0, 1, 3]),
    image_data=st.sampled_from([None, 40, 2000]),
    image_edge=st.sampled_from([None, 1, 64]),
    image_types=st.sampled_from([None, (), ("image/png",), ("image/jpeg", "image/webp")]),
    request_bytes=st.sampled_from([None, 300, 100_000]),
)

every_dialect = pytest.mark.parametrize("dialect", list(BODIES))


@every_dialect
@given(data=st.data())
def test_what_is_made_to_fit_breaks_no_rule_and_is_left_alone_then(
    dialect: str, data: st.DataObject
) -> None:
    body = data.draw(damaged(BODIES[dialect]))
    fit = fitter(dialect, limits=data.draw(LIMITS))
    fixed = wiremend.fix(body, dialect, media=fit)
    assert wiremend.fix(body, dialect, media=fit) == fixed
    if not fixed.body[wiremend.DIALECTS[dialect].holds]:
        return  # nothing was left that could be sent
    assert wiremend.check(fixed.body, dialect) == []
    assert simulated(dialect).post(fixed.body).error == ""
    assert wiremend.fix(fixed.body, dialect, media=fit) == wiremend.Fixed(fixed.body, ())


@every_dialect
@given(data=st.data())
def test_a_valid_request_within_the_limits_comes_out_unchanged(
    dialect: str, data: st.DataObject
) -> None:
    body = data.draw(BODIES[dialect])
    fixed = wiremend.fix(body, dialect, media=fitter(dialect, body.get("model")))
    assert fixed == wiremend.Fixed(body, ())
