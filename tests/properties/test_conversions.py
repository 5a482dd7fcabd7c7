"""Conversion, from every dialect to every other: taken there, and back again what it was."""

from __future__ import annotations

import copy
import json
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiremend
from tests.judges import sdk_objections
from tests.properties.bodies import BODIES, DAMAGED, MODELS
from tests.properties.conversations import Body
from tests.properties.test_invariants import HOLDS, texts_of
from wiremend.cli.foreign import check_converted
from wiremend.conversion import transcribe
from wiremend.model import Message, TextPart
from wiremend.providers import simulated

every_source = pytest.mark.parametrize("source", list(BODIES))
targets = st.sampled_from(list(BODIES))


@every_source
@given(data=st.data())
def test_what_is_converted_is_taken_by_the_other_provider(source: str, data: st.DataObject) -> None:
    body, target = data.draw(DAMAGED[source]), data.draw(targets)
    before = copy.deepcopy(body)
    thinking: Any = data.draw(st.sampled_from([None, "drop", "text"]))
    made = wiremend.convert(body, source, target, model=MODELS[target], thinking=thinking)
    assert body == before
    if not made.body[HOLDS[target]]:
        return  # nothing was left that could be sent
    assert wiremend.check(made.body, target) == []
    assert simulated(target).post(made.body).error == ""
    assert sdk_objections(made.body, target) == []


@every_source
@given(data=st.data())
def test_there_and_back_again_every_text_call_and_result_is_what_it_was(
    source: str, data: st.DataObject
) -> None:
    body, target = data.draw(BODIES[source]), data.draw(targets)
    there = wiremend.convert(body, source, target, model=MODELS[target])
    assert texts_of(body[HOLDS[source]]) <= texts_of(there.body) | _dropped(there)
    back = wiremend.convert(there.body, target, source, model=_model(body))
    if there.anomalies or there.lost or back.anomalies or back.lost:
        return
    # Gemini's ids are none: decoding makes some up, out of where calls stand.
    named = "gemini" not in (source, target)
    assert outline(back.body, source, named=named) == outline(body, source, named=named)


@every_source
@given(data=st.data())
def test_with_the_request_from_home_it_comes_back_to_the_byte(
    source: str, data: st.DataObject
) -> None:
    body, target = data.draw(BODIES[source]), data.draw(targets)
    thinking: Any = data.draw(st.sampled_from([None, "drop", "text"]))
    there = wiremend.convert(body, source, target, model=MODELS[target], thinking=thinking)
    back = wiremend.convert(there.body, target, source, home=body)
    assert json.dumps(back.body) == json.dumps(body)
    assert back.lost == ()


@every_source
@given(data=st.data())
def test_what_was_added_away_from_home_comes_home_behind_what_was_there(
    source: str, data: st.DataObject
) -> None:
    body, target = data.draw(BODIES[source]), data.draw(targets)
    there = wiremend.convert(body, source, target, model=MODELS[target])
    held = there.body[HOLDS[target]]
    if isinstance(held, str):  # an input of one text, which its own dialect leaves as it is
        held = [{"role": "user", "content": held}]
    longer = {**there.body, HOLDS[target]: [*held, *_more(target)]}
    back = wiremend.convert(longer, target, source, home=body)
    before, after = body[HOLDS[source]], back.body[HOLDS[source]]
    if isinstance(before, list) and wiremend.check(body, source) == []:
        assert texts_of(back.body) >= {"user-98-words", "answer-99-words"}
        assert json.dumps(after[: len(before) - 1]) == json.dumps(before[: len(before) - 1])
        assert wiremend.check(back.body, source) == []


def _more(dialect: str) -> list[Body]:
    """What a model says, and a user behind it."""
    said = [("assistant", "answer-99-words"), ("user", "user-98-words")]
    if dialect == "gemini":
        return [
            {"role": role.replace("assistant", "model"), "parts": [{"text": words}]}
            for role, words in said
        ]
    if dialect == "bedrock":
        return [{"role": role, "content": [{"text": words}]} for role, words in said]
    return [{"role": role, "content": words} for role, words in said]


@every_source
@given(data=st.data())
def test_what_is_damaged_is_judged_for_any_other_provider(source: str, data: st.DataObject) -> None:
    body, target = data.draw(DAMAGED[source]), data.draw(targets)
    before = copy.deepcopy(body)
    assert HOLDS[target] in transcribe(body, source, target).body
    check_converted(body, source, target)
    assert body == before


@every_source
@given(data=st.data())
def test_the_same_dialect_is_fix(source: str, data: st.DataObject) -> None:
    body = data.draw(DAMAGED[source])
    made = wiremend.convert(body, source, source)
    fixed = wiremend.fix(body, source)
    assert made.body == fixed.body
    assert made.anomalies == fixed.anomalies
    assert made.lost == ()


def outline(body: Body, dialect: str, *, named: bool) -> list[Any]:
    """What was said, called and answered, in order; who said how much of it at a time is form."""
    history = wiremend.DIALECTS[dialect].decode(body, lambda _: None).history
    said = [event for message in history for event in _events(message)]
    if not named:
        said = [event[:1] + event[2:] if event[0] in _IDENTIFIED else event for event in said]
    runs = groupby(said, key=lambda event: event[0])
    return [(kind, [event[1:] for event in run]) for kind, run in runs]


def _events(message: Message) -> list[tuple[Any, ...]]:
    if message.role == "tool":
        return [("result", message.tool_call_id, _text(message))]
    said = [(message.role, p.text) for p in message.content if type(p) is TextPart and p.text]
    calls = [("call", c.id, c.name, _read(c.arguments)) for c in message.tool_calls]
    return [*said, *calls]


_IDENTIFIED = ("call", "result")


def _read(arguments: str | None) -> Any:
    try:
        return json.loads(arguments or "{}")
    except ValueError:
        return arguments  # of a custom tool


def _text(message: Message) -> str:
    return "".join(part.text for part in message.content if type(part) is TextPart)


def _dropped(made: wiremend.Converted) -> set[str]:
    """Nothing may be missing unless something says so; what it is only the source knows."""
    says = made.lost or made.anomalies
    return texts_of([f"{kind}-{n}-words" for kind in _KINDS for n in range(99)]) if says else set()


_KINDS = ("user", "assistant", "answer", "result")


def _model(body: Body) -> str | None:
    return body.get("model") or body.get("modelId")
