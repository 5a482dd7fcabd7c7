"""The quick answer never says that a request is sound in which a rule finds something."""

from __future__ import annotations

import json
from typing import Any

import pytest
from benchmarks.histories import KINDS as HISTORIES
from hypothesis import given
from hypothesis import strategies as st

import wiremend
from benchmarks import bodies
from tests.properties.bodies import BODIES, DAMAGED
from wiremend.inputs import Wanted, choose
from wiremend.rules import RULES
from wiremend.rules.base import Reading
from wiremend.rules.sound import KINDS, is_sound, read_sound

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
FIELDS = (
    *("role", "content", "type", "text", "id", "name", "tool_calls", "tool_call_id", "function"),
    *("arguments", "input", "tool_use_id", "is_error", "cache_control", "thinking", "signature"),
    *("system", "tools", "model", "n", "top_k", "image_url", "source", "extra", "parameters"),
)
VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [
        *("", " ", "\ufeff", "\x1c", "a\ud83d", "x" * 41, "a.b", "a\n", "user", "tool", "system"),
        *("tool_use", "tool_result", "text", "ephemeral", "claude-opus-4-8", "data:image/heic,"),
        *([], {}, [{}], None, True, 0, float("nan"), {"a": [float("inf")]}, "{}", '{"a": NaN}'),
        {"type": "ephemeral"},
        {"type": "enabled"},
    ]
)
every_kind = pytest.mark.parametrize("dialect", list(KINDS))


def found(body: Any, dialect: str) -> list[str]:
    """What the rules themselves find."""
    reading = Reading(body, dialect)
    return [one.code for one in RULES if dialect in one.dialects for _ in one.violations(reading)]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys."""
    out = []
    stack = [value]
    while stack:
        one = stack.pop()
        for key, inner in one.items() if isinstance(one, dict) else enumerate(one):
            out.append((one, key))
            if isinstance(inner, dict | list):
                stack.append(inner)
    return out


@st.composite
def meddled(draw: st.DrawFn, dialect: str) -> Any:
    """A body in which something is set, taken away or doubled."""
    body = draw(st.one_of(BODIES[dialect], DAMAGED[dialect]))
    for _ in range(draw(st.integers(0, 2))):
        holder, key = draw(st.sampled_from(places(body)))
        act = draw(st.sampled_from(["set", "drop", "add"]))
        if act == "drop":
            del holder[key]
        elif act == "set":
            holder[key] = draw(VALUES | JSON)
        elif isinstance(holder, dict):
            holder[draw(st.sampled_from(FIELDS))] = draw(VALUES | JSON)
        else:
            holder.append(draw(VALUES | JSON))
        if not body:
            break
    return body


@every_kind
@given(data=st.data())
def test_where_it_says_sound_no_rule_finds_anything(dialect: str, data: st.DataObject) -> None:
    body = data.draw(meddled(dialect))
    if is_sound(body, dialect):
        assert found(body, dialect) == []
    try:
        raw = json.dumps(body, allow_nan=False).encode()
    except ValueError:
        return
    if read_sound(raw, dialect) is not None:
        assert is_sound(body, dialect)
        chosen = choose(body, Wanted())
        assert DIALECT_FAMILY[chosen.dialect] == dialect


DIALECT_FAMILY = {name: one.family for name, one in wiremend.DIALECTS.items()}


@every_kind
def test_what_agents_usually_send_is_sound(dialect: str) -> None:
    history = HISTORIES["healthy"](400)
    while history[-1].role != "user":
        history.pop()
    body = getattr(bodies, dialect.replace("-", "_"))(history)
    assert is_sound(body, dialect)
    assert read_sound(json.dumps(body).encode(), dialect) is not None


@every_kind
@pytest.mark.parametrize("kind", [name for name in HISTORIES if name != "healthy"])
def test_damage_of_every_kind_is_left_to_the_rules(dialect: str, kind: str) -> None:
    body = getattr(bodies, dialect.replace("-", "_"))(HISTORIES[kind](60))
    if is_sound(body, dialect):
        assert found(body, dialect) == []


@every_kind
def test_every_example_of_a_rule_is_left_to_it(dialect: str) -> None:
    for rule in RULES:
        if dialect in rule.dialects:
            broken, mended = rule.examples(dialect)
            assert not is_sound(broken, dialect), rule.code
            assert read_sound(json.dumps(broken).encode(), dialect) is None, rule.code
            if is_sound(mended, dialect):
                assert found(mended, dialect) == []


def test_dialects_without_a_quick_answer_go_to_their_rules() -> None:
    assert not is_sound({"contents": []}, "gemini")
    assert wiremend.check({"contents": []}, "gemini") != []
