"""The view tells the truth: what stands beside what, and where each repair was made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import wiremend
from tests.inspector.views import answers, calls, chat, says, told, view_of, view_of_history
from tests.properties.bodies import DAMAGED
from tests.properties.histories import histories
from tests.rules.test_rules_any_json import VALUES
from wiremend import ContextMessage
from wiremend.inspector import View
from wiremend.model import InjectionOrigin, ToolCall, assistant, tool_result, user

EXAMPLES = Path(__file__).parents[2] / "examples"
every_dialect = pytest.mark.parametrize("dialect", list(DAMAGED))


def assert_sound(view: View) -> None:
    """Every entry stands in one row, in its order; links and repairs lead to entries."""
    rows = view.linked.rows
    assert [n for row in rows for n in row.left] == list(range(len(view.left)))
    assert [n for row in rows for n in row.right] == list(range(len(view.right)))
    assert all(n in rows[view.linked.row_of_left[n]].left for n in range(len(view.left)))
    assert all(n in rows[view.linked.row_of_right[n]].right for n in range(len(view.right)))
    linked_left = {link.left for link in view.linked.links}
    linked_right = {link.right for link in view.linked.links}
    for number, entry in enumerate(view.left):
        assert (entry.state == "dropped") == (number not in linked_left)
    for number, entry in enumerate(view.right):
        assert (entry.state == "added") == (number not in linked_right)
    for repair in view.repairs:
        assert all(0 <= n < len(view.left) for n in repair.left)
        assert all(0 <= n < len(view.right) for n in repair.right)
        assert repair.said
        assert repair.doc


@every_dialect
@given(data=st.data())
def test_any_damaged_request_is_shown_whole_and_linked_soundly(
    dialect: str, data: st.DataObject
) -> None:
    view = view_of(data.draw(DAMAGED[dialect]), dialect, strict=data.draw(st.booleans()))
    assert_sound(view)
    is_empty = not view.body[wiremend.DIALECTS[dialect].holds]
    assert view.verdict in ("fine", "repaired") or is_empty


@every_dialect
@given(history=histories)
def test_any_history_is_shown_whole_and_linked_soundly(
    dialect: str, history: list[ContextMessage]
) -> None:
    view = view_of_history(history, dialect)
    assert_sound(view)
    assert len(view.left) == len(history)


@given(value=st.dictionaries(st.sampled_from(["messages", "system", "tools", "x"]), VALUES))
def test_whatever_json_calls_itself_a_request_is_shown(value: dict[str, Any]) -> None:
    for dialect in ("anthropic", "openai-chat"):
        assert_sound(view_of(value, dialect))


@every_dialect
@given(data=st.data())
def test_what_needs_no_repair_stands_beside_itself(dialect: str, data: st.DataObject) -> None:
    body = data.draw(DAMAGED[dialect])
    whole = wiremend.fix(body, dialect).body
    assume(whole[wiremend.DIALECTS[dialect].holds])
    view = view_of(whole, dialect)
    assert view.verdict == "fine"
    assert {entry.state for entry in view.left + view.right} <= {"same"}
    assert all(len(row.left) == len(row.right) == 1 for row in view.linked.rows)


def test_a_result_that_was_moved_leads_from_where_it_stood_to_where_it_went() -> None:
    view = view_of(
        chat(says("user", "go"), calls("c1"), says("user", "well?"), answers("c1")), "openai-chat"
    )
    assert told(view) == [
        "user same | user same",
        "assistant same | assistant same",
        " | tool moved",
        "user same | user same",
        "tool moved | ",
    ]
    assert [(r.kind, list(r.left), list(r.right)) for r in view.repairs] == [
        ("tool_result_reordered", [3], [2])
    ]
    assert [(p.code, p.entry) for p in view.problems] == [("WM101", 1), ("WM102", 3)]


def test_a_result_that_was_put_in_is_told_at_its_call() -> None:
    view = view_of(chat(says("user", "go"), calls("c1"), says("user", "stop")), "openai-chat")
    assert told(view)[2] == " | tool added"
    repair = view.repairs[0]
    assert (list(repair.left), list(repair.right), list(repair.rules)) == ([1], [2], ["WM101"])


def test_of_a_repeated_id_each_repair_is_told_at_its_own_message() -> None:
    view = view_of(
        chat(says("user", "a"), calls("x"), says("user", "b"), calls("x"), says("user", "c")),
        "openai-chat",
    )
    places = [(repair.kind, list(repair.left)) for repair in view.repairs]
    assert places == [("tool_result_synthesized", [1]), ("tool_result_synthesized", [3])]


def test_messages_that_were_merged_stand_beside_the_one_that_they_became() -> None:
    body = {
        "modelId": "anthropic.claude",
        "messages": [
            {"role": "user", "content": [{"text": "one"}]},
            {"role": "user", "content": [{"text": "two"}]},
            {"role": "assistant", "content": [{"text": "three"}]},
            {"role": "user", "content": [{"text": "four"}]},
        ],
    }
    view = view_of(body, "bedrock")
    assert list(view.linked.rows[0].left) == [0, 1]
    assert list(view.linked.rows[0].right) == [0]
    assert [list(repair.left) for repair in view.repairs] == [[0, 1]]


def test_a_history_says_what_would_be_refused_if_it_was_sent_as_it_is() -> None:
    first = ToolCall(id="call_1", name="look", arguments="{}")
    second = ToolCall(id="call_2", name="look", arguments="{}")
    history = [
        user("go"),
        assistant("", first),
        user("are you there?"),
        tool_result("call_1", "late"),
        assistant("I am."),
        tool_result("call_0", "of nothing"),
        assistant("now the other", second),
    ]
    for dialect, codes in (
        ("openai-chat", {"WM101": 1, "WM102": 5}),
        ("anthropic", {"WM201": 1, "WM202": 5}),
    ):
        found = {one.code: one.entry for one in view_of_history(history, dialect).problems}
        assert found.items() >= codes.items()
        # The last step may be running: that is no fault.
        assert 6 not in found.values()


def test_a_history_that_needs_no_repair_is_not_said_to_be_refused() -> None:
    call = ToolCall(id="call_1", name="look", arguments="{}")
    history = [user("go"), assistant("I look.", call), tool_result("call_1", "dry")]
    for dialect in ("openai-chat", "openai-responses", "gemini"):
        view = view_of_history(history, dialect)
        assert (view.verdict, view.problems) == ("fine", [])


def test_a_history_shows_what_the_provider_never_sees() -> None:
    history = [
        user("go"),
        user("<system-reminder>mind</system-reminder>", origin=InjectionOrigin(variant="plan")),
        assistant("", ToolCall("toolu_1", "look", "{}")),
        tool_result("toolu_1", "no", is_error=True, note="ask first"),
    ]
    view = view_of_history(history, "anthropic")
    assert [entry.origin and entry.origin.kind for entry in view.left][1] == "injection"
    assert view.left[1].origin is not None
    assert view.left[1].origin.detail == {"variant": "plan"}
    assert (view.left[3].note, view.left[3].failed) == ("ask first", True)


def test_an_unfinished_step_says_why_it_is_not_sent() -> None:
    step = ContextMessage("assistant", assistant("half").content, partial=True)
    view = view_of_history([user("go"), step], "openai-chat")
    assert view.left[1].state == "dropped"
    assert "not finished" in view.left[1].why


def test_a_request_for_another_provider_is_shown_as_that_one_gets_it() -> None:
    view = view_of(chat(says("user", "go"), calls("c1"), answers("c1")), "openai-chat", "anthropic")
    assert [entry.role for entry in view.right] == ["user", "assistant", "user"]
    assert told(view)[1] == "assistant same | assistant same"


def test_what_really_went_out_is_shown_where_it_is_known() -> None:
    body = chat(says("user", "go"), calls("c1"))
    sent = wiremend.fix(body, "openai-chat")
    given_and_sent = wiremend.inspector.Body(
        value=body, source="openai-chat", sent=sent.body, anomalies=sent.anomalies
    )
    shown = wiremend.inspector.look(
        given_and_sent, wiremend.inspector.Options(dialect="openai-chat")
    )
    assert [repair.kind for repair in shown.repairs] == ["tool_result_synthesized"]
    assert shown.body is sent.body


@pytest.mark.parametrize(
    "dialect", ["anthropic", "openai-chat", "openai-responses", "gemini", "bedrock"]
)
def test_in_the_examples_every_repair_has_its_place_and_its_rule(dialect: str) -> None:
    body = json.loads((EXAMPLES / f"{dialect}-broken.json").read_text(encoding="utf-8"))
    view = view_of(body, dialect)
    assert view.verdict == "repaired"
    for repair in view.repairs:
        assert repair.left or repair.right, repair
        assert repair.rules, repair
