"""What Bedrock refuses, and the rule that its words are about."""

from __future__ import annotations

import copy

import pytest

from wiremend.providers import simulated
from wiremend.recovery import classify
from wiremend.rules import RULES, Rule, check

# A picture that cannot be read is a fault of media, and its words are Anthropic's too.
OF_MEDIA = {"WM528"}
OURS = [pytest.param(one, id=one.code) for one in RULES if one.code.startswith("WM5")]
IN_OWN_WORDS = [
    pytest.param(one, id=one.code)
    for one in RULES
    if one.code.startswith("WM5") and one.code not in OF_MEDIA
]


@pytest.mark.parametrize("one", OURS)
def test_the_provider_refuses_what_a_rule_is_about_and_takes_what_is_mended(one: Rule) -> None:
    assert simulated("bedrock").post(copy.deepcopy(one.before)).status == 400
    assert simulated("bedrock").post(copy.deepcopy(one.after)).error == ""


@pytest.mark.parametrize("one", OURS)
def test_a_refusal_of_bedrock_is_about_its_rule(one: Rule) -> None:
    reply = simulated("bedrock").post(copy.deepcopy(one.before))
    found = classify(reply.status, reply.body, "bedrock")
    assert one.code in found.rules, reply.error
    assert found.error_class == ("media_format" if one.code in OF_MEDIA else "structure")
    assert found.next_policy is not None


@pytest.mark.parametrize("one", OURS)
def test_the_words_that_a_rule_quotes_are_about_it(one: Rule) -> None:
    for found in check(one.before, "bedrock"):
        assert one.code in classify(400, found.provider_error, "bedrock").rules


@pytest.mark.parametrize("one", IN_OWN_WORDS)
def test_the_words_tell_the_rule_without_the_dialect(one: Rule) -> None:
    reply = simulated("bedrock").post(copy.deepcopy(one.before))
    assert one.code in classify(reply.status, reply.error).rules, reply.error
