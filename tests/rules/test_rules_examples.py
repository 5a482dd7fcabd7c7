"""Each rule against its own examples, which are also its documentation."""

from __future__ import annotations

import copy
import json
import re

import pytest

from wiremend.dialects import DIALECTS
from wiremend.errors import WiremendError
from wiremend.rules import RULES, Rule, check, find_rule
from wiremend.rules.base import EVERY

EACH = [pytest.param(one, d, id=f"{one.code}-{d}") for one in RULES for d in one.dialects]
ONCE = [pytest.param(one, id=one.code) for one in RULES]


@pytest.mark.parametrize(("one", "dialect"), EACH)
def test_the_before_example_breaks_exactly_its_rule(one: Rule, dialect: str) -> None:
    before, _ = one.examples(dialect)
    assert {found.code for found in check(before, dialect)} == {one.code}


@pytest.mark.parametrize(("one", "dialect"), EACH)
def test_the_after_example_breaks_no_rule(one: Rule, dialect: str) -> None:
    _, after = one.examples(dialect)
    assert check(after, dialect) == []


@pytest.mark.parametrize(("one", "dialect"), EACH)
def test_a_violation_points_at_something_and_its_texts_are_filled_in(
    one: Rule, dialect: str
) -> None:
    before, _ = one.examples(dialect)
    for found in check(before, dialect):
        value: object = before
        steps = [s.replace("~1", "/").replace("~0", "~") for s in found.pointer.split("/")[1:]]
        for step in steps[:-1]:
            value = value[int(step)] if isinstance(value, list) else value[step]  # type: ignore[index]
        assert isinstance(value, (dict, list))
        assert (found.rule, found.fixable) == (one.name, one.fixable)
        assert found.message.endswith(".")
        assert not re.search(r"\{[a-z_]+\}", found.provider_error)


@pytest.mark.parametrize(("one", "dialect"), EACH)
def test_checking_changes_nothing(one: Rule, dialect: str) -> None:
    before, _ = one.examples(dialect)
    body = copy.deepcopy(before)
    check(body, dialect)
    assert json.dumps(body) == json.dumps(before)


@pytest.mark.parametrize("one", ONCE)
def test_a_rule_is_described_in_full(one: Rule) -> None:
    assert re.fullmatch(r"WM\d{3}", one.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", one.name)
    assert one.summary.endswith(".")
    assert "\n" not in one.summary + one.doc
    assert len(one.doc) > 100
    assert one.source
    assert one.provider_error
    for dialect in one.dialects:
        for body in one.examples(dialect):
            assert DIALECTS[dialect].holds in body
            assert {"model", "modelId"} & body.keys()


def test_codes_are_unique_and_names_are_unique_within_a_dialect() -> None:
    codes = [one.code for one in RULES]
    assert codes == sorted(set(codes))
    names = [(d, one.name) for one in RULES for d in one.dialects]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("one", ONCE)
def test_a_rule_is_found_by_its_code_in_any_case_and_by_its_name(one: Rule) -> None:
    assert find_rule(one.code.lower()) is one
    named = find_rule(one.name)
    assert named is not None
    assert named.name == one.name


def test_what_is_no_rule_is_not_found() -> None:
    assert find_rule("WM999") is None
    assert find_rule("") is None


def test_an_unknown_dialect_is_refused_with_the_known_ones() -> None:
    with pytest.raises(WiremendError, match=", ".join(EVERY)):
        check({}, "telegraph")
