"""The incremental projection gives what the plain one gives, whatever happens to the history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tests.incremental.histories import added
from wiremend import ContextMessage, Message, ProjectionPolicy, Strip, ToolCall, project
from wiremend.dialects import DIALECTS
from wiremend.incremental import IncrementalProjection
from wiremend.model import DocumentPart, assistant, tool_result, user
from wiremend.projection import Anomaly, OnAnomaly, Takes
from wiremend.projection.media import take_snapshot

POLICIES = (
    ProjectionPolicy(),
    ProjectionPolicy(structure="strict"),
    ProjectionPolicy(structure="strict", duplicates="rename"),
    ProjectionPolicy(media="degraded"),
    ProjectionPolicy(sending=True),
    ProjectionPolicy(sending=True, duplicates="drop", structure="strict"),
    ProjectionPolicy(sending=True, frontier="keep", guard_markers=True),
    ProjectionPolicy(sending=True, takes=Takes(neighbours=False, reused_ids=True)),
    *(ProjectionPolicy(sending=True, takes=dialect.takes) for dialect in DIALECTS.values()),
    ProjectionPolicy(
        sending=True, duplicates="drop", takes=DIALECTS["kimi"].takes, structure="strict"
    ),
)


@contextmanager
def counted() -> Iterator[list[int]]:
    """How many messages each call of the plain projection got."""
    looked_at: list[int] = []

    def counting(
        history: Sequence[Message], on_anomaly: OnAnomaly, policy: ProjectionPolicy
    ) -> list[Message]:
        looked_at.append(len(history))
        return project(history, on_anomaly, policy)

    with patch("wiremend.incremental.projection.project", counting):
        yield looked_at


class GrowingHistory(RuleBasedStateMachine):
    """Everything that can happen to a history, and every policy."""

    def __init__(self) -> None:
        super().__init__()
        self.history: list[ContextMessage] = []
        self.incremental = IncrementalProjection()

    @initialize(policy=st.sampled_from(POLICIES), several=st.lists(added, max_size=9))
    def begin(self, policy: ProjectionPolicy, several: list[list[ContextMessage]]) -> None:
        self.incremental = IncrementalProjection(policy)
        self.append_much(several)

    @rule(messages=added)
    def append(self, messages: list[ContextMessage]) -> None:
        self.history += messages
        for message in messages:
            self.incremental.append(message)

    @rule(several=st.lists(added, max_size=9))
    def append_much(self, several: list[list[ContextMessage]]) -> None:
        messages = [message for some in several for message in some]
        self.history += messages
        self.incremental.extend(messages)

    @rule(back=st.integers(1, 4))
    def undo(self, back: int) -> None:
        end = max(0, len(self.history) - back)
        del self.history[end:]
        self.incremental.truncate(end)

    @precondition(lambda self: self.history)
    @rule(data=st.data())
    def cut_anywhere(self, data: st.DataObject) -> None:
        end = data.draw(st.integers(0, len(self.history)))
        del self.history[end:]
        self.incremental.truncate(end)

    @precondition(lambda self: self.history)
    @rule(data=st.data(), message=added)
    def edit(self, data: st.DataObject, message: list[ContextMessage]) -> None:
        at = data.draw(st.integers(0, len(self.history) - 1))
        self.history[at : at + 1] = message
        self.incremental.follow(self.history)

    @rule()
    def clear(self) -> None:
        self.history = []
        self.incremental.follow(self.history)

    @rule()
    def compact(self) -> None:
        kept = [message for message in self.history if message.role == "user"]
        self.history = [*kept, user("This is what happened so far.")]
        self.incremental.follow(self.history)

    @rule()
    def fork(self) -> None:
        self.history = list(self.history)
        other = IncrementalProjection(self.incremental.policy)
        other.follow(self.history)
        self.incremental = other

    @rule(policy=st.sampled_from(POLICIES), strips=st.booleans())
    def change_policy(self, policy: ProjectionPolicy, strips: bool) -> None:
        if strips:
            some = take_snapshot(self.history[: len(self.history) // 2])
            policy = ProjectionPolicy(sending=policy.sending, media=Strip(some), takes=policy.takes)
        self.incremental = IncrementalProjection(policy)
        self.incremental.extend(self.history)

    @invariant()
    def the_result_is_that_of_the_plain_function(self) -> None:
        seen: list[Anomaly] = []
        assert self.incremental.messages() == project(
            self.history, seen.append, self.incremental.policy
        )
        assert Counter(self.incremental.anomalies()) == Counter(seen)


TestGrowingHistory = GrowingHistory.TestCase
TestGrowingHistory.settings = settings(stateful_step_count=25)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_whole_session_is_projected_step_by_step(policy: ProjectionPolicy) -> None:
    incremental = IncrementalProjection(policy)
    history: list[ContextMessage] = []
    for number in range(40):
        step = [
            user(f"Question {number}"),
            assistant("", ToolCall(f"c{number}", "run", "{}")),
            tool_result(f"c{number}", "fine"),
            assistant("Done."),
        ]
        for message in step:
            history.append(message)
            incremental.append(message)
            assert incremental.messages() == project(history, None, policy)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_step_projects_what_was_added_however_long_the_history_is(
    policy: ProjectionPolicy,
) -> None:
    if policy.media == "degraded":
        return  # which looks at the whole request
    incremental = IncrementalProjection(policy)
    incremental.append(user("Find it."))
    for number in range(600):
        incremental.append(assistant("", ToolCall(f"c{number}", "run", "{}")))
        incremental.append(tool_result(f"c{number}", "not there"))
        with counted() as looked_at:
            assert len(incremental.messages()) == 2 * number + 3
        assert sum(looked_at) < 12


def test_an_undo_goes_back_no_further_than_it_has_to() -> None:
    incremental = IncrementalProjection()
    for number in range(1000):
        incremental.extend([user(f"Question {number}"), assistant("Answer")])
    incremental.messages()
    with counted() as looked_at:
        incremental.truncate(1500)
        incremental.append(user("Something else"))
        incremental.messages()
    assert sum(looked_at) < 200


def test_an_undo_of_a_late_result_leaves_what_it_reached_over_closed() -> None:
    incremental = IncrementalProjection()
    incremental.extend([user("Go."), *exchange("lost")])
    for number in range(500):
        incremental.extend([user(f"Question {number}"), assistant("Answer")])
    before = incremental.messages()
    incremental.append(tool_result("lost", "late"))
    assert len(incremental.messages()) == len(before)
    incremental.truncate(len(incremental) - 1)
    with counted() as looked_at:
        incremental.messages()
        incremental.extend([user("And?"), assistant("Done.")])
        incremental.messages()
    assert max(looked_at) < 200


def exchange(call_id: str, *results: str) -> list[ContextMessage]:
    call = ToolCall(call_id, "run", "{}")
    return [assistant("", call), *(tool_result(call_id, text) for text in results)]


PICTURE = "https://e.test/i.png"
PAPER = DocumentPart(url="data:application/pdf;base64,JVBERi0=", title="paper")
LONG_REACH = {
    "nobody spoke before": [
        *exchange("a", "1"),
        *exchange("b", "2"),
        assistant("Done."),
        user("And?"),
    ],
    "what was said before the user is dropped": [
        *[*exchange("a", "1"), user("Go."), *exchange("b", "2"), assistant("Done."), user("And?")],
        *exchange("c", "3"),
    ],
    "the assistant shows a picture": [
        user("Go."),
        ContextMessage("assistant", (*assistant("Here.").content, *user("", PICTURE).content[1:])),
        *[user("Thanks."), assistant("Sure."), user("Another?"), assistant("No.")],
    ],
    "documents have one name": [
        *[user("Go."), ContextMessage("user", (*user("This.").content, PAPER)), assistant("Read.")],
        *[ContextMessage("user", (*user("And this.").content, PAPER)), assistant("Read.")],
    ],
    "a result is lent across exchanges": [
        user("Go."),
        *exchange("a"),
        user("Well?"),
        *exchange("b", "1"),
        *exchange("a", "2"),
        user("So?"),
    ],
    "a result comes late": [
        user("Go."),
        *exchange("a"),
        user("Well?"),
        *exchange("b", "1"),
        tool_result("a", "2"),
        user("So?"),
    ],
    "an id is used again": [user("Go."), *exchange("a", "1"), *exchange("a", "2"), assistant("Ok")],
    "a step that says something repeats a call": [
        *[
            user("Go."),
            *exchange("a", "1"),
            assistant("And."),
            *exchange("a", "2"),
            assistant("Ok"),
        ],
        *[user("Well?"), *exchange("b", "3")],
        ContextMessage("assistant", assistant("Once more.").content, (ToolCall("b", "run", "{}"),)),
        *[tool_result("b", "4"), assistant("Done."), user("Thanks."), assistant("Sure.")],
    ],
    "a result comes twice": [user("Go."), *exchange("a", "1"), *exchange("b", "2"), *exchange("a")],
    "a call is made again in a step that is not sent": [
        *[user("Go."), *exchange("a", "1"), assistant("Done."), user("And?")],
        ContextMessage("assistant", (), (ToolCall("a", "run", "{}"),), partial=True),
        *[user("Well?"), assistant("Yes."), tool_result("a", "2")],
    ],
    "ids were lost": [user("Go."), *exchange("a", "1"), *exchange("", "2"), *exchange("", "3")],
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("history", LONG_REACH.values(), ids=LONG_REACH)
def test_what_reaches_far_back_changes_what_was_projected_before(
    history: list[ContextMessage], policy: ProjectionPolicy
) -> None:
    incremental = IncrementalProjection(policy)
    for end, message in enumerate(history, 1):
        incremental.append(message)
        seen: list[Anomaly] = []
        assert incremental.messages() == project(history[:end], seen.append, policy)
        assert Counter(incremental.anomalies()) == Counter(seen)
    for end in range(len(history) - 1, 0, -1):
        incremental.truncate(end)
        assert incremental.messages() == project(history[:end], None, policy)
