"""``project`` and ``project_strict`` exactly as the contract has them, case by case."""

from __future__ import annotations

import pytest

from tests.projection.notation import (
    A,
    N,
    R,
    S,
    U,
    image,
    projected,
    shape,
    think,
    video,
)
from tests.ways import projecting_both_ways  # noqa: F401 (a fixture for all)
from wiremend import (
    Anomaly,
    ContextMessage,
    ProjectionPolicy,
    Strip,
    project,
    project_strict,
    take_snapshot,
)
from wiremend.model import Message, RetryOrigin, TextPart
from wiremend.projection.anomalies import (
    ConsecutiveAssistantsMerged,
    DuplicateToolCallDropped,
    DuplicateToolResultDropped,
    LeadingNonUserDropped,
    OrphanToolResultDropped,
    ToolResultReordered,
    ToolResultSynthesized,
    VacuousMessageDropped,
    WhitespaceTextDropped,
)
from wiremend.projection.media import DEGRADED, STRIPPED


def repairs(*history: ContextMessage, strict: bool = False) -> list[Anomaly]:
    seen: list[Anomaly] = []
    (project_strict if strict else project)(history, seen.append)
    return seen


def strictly(*history: ContextMessage) -> list[str]:
    return shape(project_strict(history))


PAIRING = {
    "a complete exchange comes out as it is": (
        [U("hi"), A("a", calls="c1"), R("c1"), U("more")],
        ["U hi", "A a; c1", "R c1", "U more"],
    ),
    "an open call of the last step is answered": (
        [U("hi"), A(calls="c1 c2"), R("c1")],
        ["U hi", "A ; c1 c2", "R c1", "SYN c2"],
    ),
    "three open calls are answered in the order of the calls": (
        [U("hi"), A(calls="c1 c2 c3")],
        ["U hi", "A ; c1 c2 c3", "SYN c1", "SYN c2", "SYN c3"],
    ),
    "results behind a reminder move in front of it": (
        [A(calls="c1 c2"), N("note"), R("c1"), R("c2")],
        ["A ; c1 c2", "R c1", "R c2", "U note"],
    ),
    "a real result keeps its place and a missing one follows": (
        [A(calls="done open"), R("done"), A("text")],
        ["A ; done open", "R done", "SYN open", "A text"],
    ),
    "steps in a row are closed each behind its own message": (
        [U("x"), A("a", calls="c1"), A("b", calls="c2")],
        ["U x", "A a; c1", "SYN c1", "A b; c2", "SYN c2"],
    ),
    "a late result goes to its call however far away": (
        [U("x"), A(calls="c1"), U("y"), A("z"), R("c1")],
        ["U x", "A ; c1", "R c1", "U y", "A z"],
    ),
    "an id that is used again after its exchange is closed keeps its own result": (
        [A("a", calls="c1"), R("c1", "one"), A("b", calls="c1"), R("c1", "two")],
        ["A a; c1", "R c1", "A b; c1", "R c1"],
    ),
    "an id that is used again while open closes the earlier call": (
        [U("x"), A("a", calls="c1"), A("b", calls="c1"), R("c1")],
        ["U x", "A a; c1", "SYN c1", "A b; c1", "R c1"],
    ),
    "an orphan is dropped wherever it stands": (
        [R("gone"), U("x"), A("y"), R("gone")],
        ["U x", "A y"],
    ),
    "a partial message goes, and its results with it": (
        [U("x"), A("half", calls="c1 c2", partial=True), R("c1"), A("whole")],
        ["U x", "A whole"],
    ),
    "a slice without an assistant is measured, not sent": ([R("c1")], ["R c1"]),
    "a result without an id is left out of a real request": (
        [U("x"), A("y"), R(None)],
        ["U x", "A y"],
    ),
    "results in another order than the calls are put into it": (
        [A(calls="c1 c2"), R("c2"), R("c1")],
        ["A ; c1 c2", "R c1", "R c2"],
    ),
}


@pytest.mark.parametrize("name", PAIRING)
def test_pairing(name: str) -> None:
    history, expected = PAIRING[name]
    assert projected(*history) == expected


def test_each_repair_is_reported_in_the_order_in_which_it_was_made() -> None:
    assert repairs(U("x"), A(calls="c1 c2"), N(" "), N("note"), R("c2"), R("ghost"), A("end")) == [
        WhitespaceTextDropped("user"),
        ToolResultReordered("c2"),
        OrphanToolResultDropped("ghost"),
        ToolResultSynthesized("c1", trailing=False),
    ]


def test_trailing_is_true_only_where_no_message_but_results_follows() -> None:
    assert repairs(A(calls="c1"), R("ghost"))[-1] == ToolResultSynthesized("c1", trailing=True)
    assert repairs(A(calls="c1"), N("note"))[-1] == ToolResultSynthesized("c1", trailing=False)


def test_what_was_itself_dropped_does_not_separate_a_result_from_its_call() -> None:
    assert projected(A(calls="c1"), N(""), A("half", partial=True), R("c1")) == ["A ; c1", "R c1"]
    assert repairs(A(calls="c1"), N(""), A("half", partial=True), R("c1")) == []
    assert ToolResultReordered("c1") in repairs(A(calls="c1"), R("ghost"), R("c1"))


def test_blank_texts_go_and_messages_left_without_content_go_too() -> None:
    assert projected(U("", "x", " \n"), A("\ufeff"), U("y")) == ["U x\n\ny"]
    assert repairs(U("", "x", " \n"), A("\ufeff")) == [
        WhitespaceTextDropped("user"),
        WhitespaceTextDropped("assistant"),
    ]


def test_blank_is_what_javascript_trims_and_not_what_python_strips() -> None:
    assert projected(A("\u0085"), A("\x1c"), A("\u00a0")) == ["A \u0085", "A \x1c"]


def test_a_message_of_nothing_but_empty_thinking_is_dropped_and_reported() -> None:
    assert repairs(U("x"), A(think("")), A(think(" "))) == [VacuousMessageDropped("assistant")] * 2


@pytest.mark.parametrize(
    "kept",
    [A(think(""), "text"), A(think("real")), A(think("", "signature")), A(think(""), calls="c1")],
)
def test_thinking_stays_whole_wherever_its_message_says_something(kept: ContextMessage) -> None:
    assert project([U("x"), kept])[1].content == kept.content


def test_a_message_that_only_declares_tools_is_kept() -> None:
    (message,) = project([S(tools=({"name": "t"},))])
    assert message.tools == ({"name": "t"},)


def test_neighbouring_prompts_become_one_and_reminders_never_do() -> None:
    history = [U("a", "b"), U(image("u1"), "c"), N("note"), N("note"), U("d")]
    messages = project(history)
    assert shape(messages) == ["U ab\n\nc", "U note", "U note", "U d"]
    assert messages[0].content == (TextPart("ab\n\nc"), image("u1"))


def test_prompts_merge_across_what_was_dropped_between_them() -> None:
    assert projected(U("a"), A(" "), U("b")) == ["U a\n\nb"]


def test_origins_other_than_user_do_not_merge() -> None:
    retry = ContextMessage("user", (TextPart("again"),), origin=RetryOrigin())
    bare = ContextMessage("user", (TextPart("bare"),))
    assert projected(retry, retry, bare, bare) == ["U again", "U again", "U bare", "U bare"]


RESULTS = {
    "fine output stays": (R("c", "out"), ["out"]),
    "an empty one says so": (R("c", ""), ["<system>Tool output is empty.</system>"]),
    "a blank one says so": (R("c", " \n"), ["<system>Tool output is empty.</system>"]),
    "no part at all says so": (
        ContextMessage("tool", (), tool_call_id="c"),
        ["<system>Tool output is empty.</system>"],
    ),
    "the words for empty become the mark": (
        R("c", " Tool output is empty.\n"),
        ["<system>Tool output is empty.</system>"],
    ),
    "a failure is led by its line": (
        R("c", "boom", failed=True),
        ["<system>ERROR: Tool execution failed.</system>\nboom"],
    ),
    "an empty failure is one line": (
        R("c", "", failed=True),
        ["<system>ERROR: Tool execution failed. Tool output is empty.</system>"],
    ),
    "a failure of several parts has its line as a part": (
        R("c", "a", "b", failed=True),
        ["<system>ERROR: Tool execution failed.</system>", "a", "b"],
    ),
    "a note follows the only text": (R("c", "out", note="n"), ["out\nn"]),
    "a note is a part behind several": (R("c", "a", "b", note="n"), ["a", "b", "n"]),
    "a note follows what says that there is nothing": (
        R("c", "", note="n"),
        ["<system>Tool output is empty.</system>\nn"],
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_as_the_model_sees_it(name: str) -> None:
    result, expected = RESULTS[name]
    stored = result.content
    shown = project([A(calls="c"), result])[1]
    assert [part.text for part in shown.content if isinstance(part, TextPart)] == expected
    assert result.content is stored


STRICT = {
    "of one id in two exchanges the later call and result go": (
        [U("x"), A("a", calls="c1"), R("c1", "one"), A("b", calls="c1"), R("c1", "two")],
        ["U x", "A a; c1", "R c1", "A b"],
    ),
    "a real late result takes the place of a synthetic one": (
        [U("x"), A("a", calls="c1"), A("b", calls="c1"), R("c1")],
        ["U x", "A a; c1", "R c1", "A b"],
    ),
    "what comes before the first prompt goes": ([A("stale"), R("ghost"), U("hi")], ["U hi"]),
    "neighbouring assistants become one": ([U("x"), A("a"), A("b")], ["U x", "A a|b"]),
    "a history without a prompt becomes nothing": ([S("s"), A("a")], []),
}


@pytest.mark.parametrize("name", STRICT)
def test_strict(name: str) -> None:
    history, expected = STRICT[name]
    assert strictly(*history) == expected


def test_strict_reports_what_it_drops_and_merges() -> None:
    assert repairs(
        A("stale"),
        U("x"),
        A("a", calls="c1"),
        R("c1"),
        A(think(""), calls="c1"),
        R("c1"),
        A("b"),
        A("c"),
        strict=True,
    ) == [
        DuplicateToolCallDropped("c1"),
        VacuousMessageDropped("assistant"),
        DuplicateToolResultDropped("c1"),
        ConsecutiveAssistantsMerged(),
        LeadingNonUserDropped("assistant"),
    ]


def test_degraded_keeps_the_two_newest_pictures() -> None:
    history = [U(image("1"), image("2")), A("a"), U(video("3"), image("4"), "text")]
    messages = project(history, policy=ProjectionPolicy(media="degraded"))
    assert messages[0].content == (TextPart(DEGRADED["image"]),) * 2
    assert messages[2].content == (video("3"), image("4"), TextPart("text"))


def test_strip_replaces_what_the_snapshot_holds_and_nothing_that_came_later() -> None:
    before = [U(image("1"), video("2")), A(calls="c"), R("c", image("3"))]
    snapshot = take_snapshot(project(before))
    after = [*before, U(image("4"), image("1"), image("1", "other id"))]
    messages = project(after, policy=ProjectionPolicy(media=Strip(snapshot)))
    assert messages[0].content == (TextPart(STRIPPED["image"]), TextPart(STRIPPED["video"]))
    assert messages[2].content == (TextPart(STRIPPED["image"]),)
    assert messages[3].content == (image("4"), TextPart(STRIPPED["image"]), image("1", "other id"))


def test_a_snapshot_holds_only_what_was_sent() -> None:
    assert take_snapshot(project([U("x"), A("a"), R("ghost", image("1"))])) == frozenset()


def test_nothing_that_only_the_engine_may_see_reaches_the_wire() -> None:
    message = ContextMessage(
        "user", (TextPart("x"),), origin=None, id="m1", provider_message_id="p1", note="n"
    )
    (sent,) = project([message])
    assert type(sent) is Message
    assert sent.content is message.content


def test_a_healthy_message_without_engine_fields_comes_out_as_the_same_object() -> None:
    history = [Message("user", (TextPart("x"),)), Message("assistant", (TextPart("y"),))]
    assert all(out is came for out, came in zip(project(history), history, strict=True))


def test_with_rename_strict_keeps_the_later_exchange_under_a_new_id() -> None:
    history = [U("x"), A("a", calls="c1"), R("c1", "one"), A("b", calls="c1"), R("c1", "two")]
    renaming = ProjectionPolicy(structure="strict", duplicates="rename")
    assert projected(*history, policy=renaming) == [
        "U x",
        "A a; c1",
        "R c1",
        "A b; c1__2",
        "R c1__2",
    ]
    history.insert(2, A("open", calls="c1 c9"))
    assert projected(*history, policy=renaming)[1:5] == [
        "A a; c1",
        "SYN c1",
        "A open; c1__2 c9",
        "R c1__2",
    ]
