"""The six promises, over random conversations and random damage, for every dialect."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wiremend
from tests.judges import sdk_objections
from tests.properties.bodies import BODIES, DAMAGED
from tests.properties.conversations import Body
from tests.ways import projecting_both_ways  # noqa: F401 (a fixture for all)
from wiremend.providers import simulated

HOLDS = {name: dialect.holds for name, dialect in wiremend.DIALECTS.items()}
OPTIONS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "strict": st.booleans(),
        "media": st.sampled_from([None, "degraded", "strip"]),
        "duplicates": st.sampled_from([None, "rename", "drop"]),
    }
)
TEXTS_IN_A_MESSAGE = {"openai-responses": 5}
"""How many texts one drop may take along, where that is more than one: a step of the model."""
DROPS = re.compile(r"dropped|replaced|mended")

every_dialect = pytest.mark.parametrize("dialect", list(BODIES))


def any_of(dialect: str) -> st.SearchStrategy[Body]:
    return DAMAGED[dialect]


@every_dialect
@given(data=st.data())
def test_what_is_mended_breaks_no_rule_and_no_judge_objects(
    dialect: str, data: st.DataObject
) -> None:
    body = data.draw(any_of(dialect))
    options = data.draw(OPTIONS)
    fixed = wiremend.fix(body, dialect, **options)
    if not fixed.body[HOLDS[dialect]]:
        return  # nothing was left that could be sent
    assert wiremend.check(fixed.body, dialect) == []
    assert simulated(dialect).post(fixed.body).error == ""
    assert sdk_objections(fixed.body, dialect) == []


@every_dialect
@given(data=st.data())
def test_a_request_that_breaks_no_rule_comes_out_unchanged(
    dialect: str, data: st.DataObject
) -> None:
    body = data.draw(st.one_of(BODIES[dialect], any_of(dialect)))
    if wiremend.check(body, dialect):
        return
    before = copy.deepcopy(body)
    fixed = wiremend.fix(body, dialect)
    assert fixed.body == before
    assert fixed.anomalies == ()
    assert body == before


@every_dialect
@given(data=st.data())
def test_a_valid_request_is_refused_by_nobody(dialect: str, data: st.DataObject) -> None:
    body = data.draw(BODIES[dialect])
    assert wiremend.check(body, dialect) == []
    assert simulated(dialect).post(body).error == ""
    assert sdk_objections(body, dialect) == []


@every_dialect
@given(data=st.data())
def test_no_text_is_lost_unless_an_anomaly_says_so(dialect: str, data: st.DataObject) -> None:
    body = data.draw(any_of(dialect))
    fixed = wiremend.fix(body, dialect, **data.draw(OPTIONS))
    lost = texts_of(body[HOLDS[dialect]]) - texts_of(fixed.body)
    drops = [anomaly for anomaly in fixed.anomalies if DROPS.search(anomaly.kind)]
    most = TEXTS_IN_A_MESSAGE.get(dialect, 1) * len(drops)
    assert len(lost) <= most, (lost, fixed.anomalies)
    if any(anomaly.kind == "leading_non_user_dropped" for anomaly in drops):
        # What was merged goes as one.
        drops += [a for a in fixed.anomalies if a.kind == "consecutive_assistants_merged"]
    assert len(lost) <= len(drops), (lost, fixed.anomalies)


@every_dialect
@given(data=st.data())
def test_mending_what_was_mended_changes_nothing(dialect: str, data: st.DataObject) -> None:
    body = data.draw(any_of(dialect))
    options = data.draw(OPTIONS) | {"frontier": data.draw(st.sampled_from(["close", "keep"]))}
    before = copy.deepcopy(body)
    once = wiremend.fix(body, dialect, **options)
    assert body == before
    twice = wiremend.fix(once.body, dialect, **options)
    assert twice.body == once.body
    assert twice.anomalies == ()


@every_dialect
@given(data=st.data())
def test_the_same_request_gives_the_same_bytes(dialect: str, data: st.DataObject) -> None:
    body = data.draw(any_of(dialect))
    first = wiremend.fix(body, dialect)
    second = wiremend.fix(copy.deepcopy(body), dialect)
    assert json.dumps(first.body) == json.dumps(second.body)
    assert first.anomalies == second.anomalies


@every_dialect
@given(data=st.data())
def test_appending_leaves_what_was_sent_before_as_it_was(dialect: str, data: st.DataObject) -> None:
    body = data.draw(BODIES[dialect])
    holds = HOLDS[dialect]
    messages = body[holds]
    if isinstance(messages, str):
        return  # one text is all that there is
    end = data.draw(st.integers(0, len(messages)))
    while 0 < end < len(messages) and _mid_exchange(messages[end - 1 : end + 1]):
        end -= 1
    shorter = wiremend.fix({**body, holds: messages[:end]}, dialect).body[holds]
    longer = wiremend.fix(body, dialect).body[holds]
    if end and not wiremend.check({**body, holds: messages[:end]}, dialect):
        assert json.dumps(longer[:end]) == json.dumps(shorter)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["user", "assistant", "tool", "text", "tool_use", "tool_result", "\ud83d"])
    | st.sampled_from(["reasoning", "function_call", "function_call_output", "shell_call"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("role", "content", "type", "text", "id", "tool_calls", "tool_use_id", "x"),
                    *("input", "call_id", "output", "summary", "tools"),
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@every_dialect
@given(data=st.data())
def test_any_json_gives_a_result_or_an_error_that_says_where(
    dialect: str, data: st.DataObject
) -> None:
    value = data.draw(json_values)
    holds = HOLDS[dialect]
    body: Any = data.draw(st.sampled_from([value, {holds: value}, {holds: [value]}]))
    gives_a_result_or_an_error(body, dialect)


@every_dialect
@given(data=st.data())
@settings(max_examples=50)
def test_plausible_nonsense_in_a_message_gives_a_result_or_an_error(
    dialect: str, data: st.DataObject
) -> None:
    body = copy.deepcopy(data.draw(BODIES[dialect]))
    if isinstance(body[HOLDS[dialect]], str):
        return  # no message to put nonsense into
    place = data.draw(st.sampled_from(body[HOLDS[dialect]]))
    key = data.draw(st.sampled_from([*place, "extra"]))
    place[key] = data.draw(json_values)
    gives_a_result_or_an_error(body, dialect, f"/{HOLDS[dialect]}/")


@every_dialect
@given(data=st.data())
@settings(max_examples=50)
def test_nonsense_beside_the_messages_gives_a_result_or_an_error(
    dialect: str, data: st.DataObject
) -> None:
    body = copy.deepcopy(data.draw(any_of(dialect)))
    beside = ["tools", "system", "thinking", "model", "tool_choice"]
    beside += ["systemInstruction", "toolConfig"]
    key = data.draw(st.sampled_from(beside))
    inner = st.lists(st.dictionaries(st.sampled_from(["name", "function"]), json_values))
    body[key] = data.draw(st.one_of(json_values, inner))
    gives_a_result_or_an_error(body, dialect)


@every_dialect
def test_a_body_that_is_nested_too_deeply_is_an_error(dialect: str) -> None:
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(wiremend.WiremendError, match="nested too deeply"):
        wiremend.fix({HOLDS[dialect]: [], "metadata": deep}, dialect)


def gives_a_result_or_an_error(body: Any, dialect: str, place: str = "") -> None:
    try:
        fixed = wiremend.fix(body, dialect).body
    except wiremend.WiremendError as error:
        said = error
    else:
        json.dumps(fixed, allow_nan=False).encode()
        return
    assert said.reason
    assert said.pointer.startswith(place)


def texts_of(value: Any) -> set[str]:
    """The unique texts (see ``conversations``) anywhere in a value."""
    found = re.findall(r"(?:user|assistant|answer|result)-\d+-words", json.dumps(value))
    return set(found)


def _mid_exchange(pair: list[Body]) -> bool:
    before, after = pair
    if "role" not in before or "role" not in after:
        return True  # items of a step, or an output
    if "parts" in before:
        parts = before["parts"]
        return any(k in part for part in parts for k in ("functionCall", "function_call"))
    if after["role"] == "tool":
        return True
    content = before.get("content")
    calls = isinstance(content, list) and any(
        b.get("type") == "tool_use" or "toolUse" in b for b in content
    )
    return calls or bool(before.get("tool_calls")) or before["role"] == after["role"] == "assistant"
