"""Sessions in any order of operations, reopened, forked and shared: what a naive model has."""

from __future__ import annotations

import tempfile
from itertools import count

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.history.events import answered, begin, called, end, said
from tests.history.naive import Naive
from tests.projection.notation import N, U
from wiremend import project, request
from wiremend.history import STILL_EXECUTING
from wiremend.history.compaction import summary_message
from wiremend.model import ContextMessage, TextPart
from wiremend.session import Session
from wiremend.stores import ConflictError

SETTINGS = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 1024,
    "metadata": {"user_id": "a"},
}

_numbers = count()


class Sessions(RuleBasedStateMachine):
    """One session that goes on; ``other`` is a second writer of it, who is always behind."""

    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.id = f"s{next(_numbers)}"
        self.session = self.opened()
        self.other = self.opened()
        self.naive = Naive()
        self.step = 0
        self.call = 0

    def opened(self) -> Session:
        session = Session.open(self.url, id=self.id)
        session._snapshot_every = 5
        return session

    def teardown(self) -> None:
        self.session.close()
        self.other.close()

    @rule(text=st.sampled_from(["a", "b"]), injected=st.booleans())
    def append(self, text: str, injected: bool) -> None:
        message = N(text) if injected else U(text)
        self.session.append(message)
        self.naive = self.naive.append(message)

    @rule(text=st.sampled_from(["x", " "]), calls=st.integers(0, 2))
    def run_a_step(self, text: str, calls: int) -> None:
        self.step += 1
        step = f"s{self.step}"
        self.session.append_loop_event(begin(step))
        self.session.append_loop_event(said(step, text))
        self.naive = self.naive.begin(step).say(step, text)
        for _ in range(calls):
            self.call += 1
            self.session.append_loop_event(called(step, f"c{self.call}", args={}))
            self.naive = self.naive.call(step, f"c{self.call}", "{}")

    @rule(back=st.integers(0, 2))
    def answer(self, back: int) -> None:
        self.session.append_loop_event(answered(f"c{self.call - back}", "out"))
        self.naive = self.naive.answer(f"c{self.call - back}", "out", failed=False)

    @rule(reason=st.sampled_from([None, "error"]))
    def end(self, reason: str | None) -> None:
        self.session.append_loop_event(end(f"s{self.step}", reason))
        self.naive = self.naive.end(f"s{self.step}", reason)

    @rule(number=st.integers(1, 2))
    def undo(self, number: int) -> None:
        self.session.undo(number)
        self.naive = self.naive.undo(number)

    @rule()
    def compact(self) -> None:
        waiting = self.naive.waiting
        self.session.compact(lambda _: "summary")
        self.naive = self.naive.compact(summary_message("summary"))
        for message in waiting:
            self.naive = self.naive.append(message)

    @rule()
    def clear(self) -> None:
        self.session.clear()
        self.naive = Naive()

    @rule()
    def reopen(self) -> None:
        self.session.close()
        self.session = self.opened()

    @rule()
    def fork_and_go_on_in_the_child(self) -> None:
        parent, before = self.session, self.session.messages()
        self.id = f"s{next(_numbers)}"
        self.session = parent.fork(self.id)
        self.session._snapshot_every = 5
        assert parent.messages() == before
        parent.close()
        self.other.close()
        self.other = self.opened()
        for call_id in self.naive.pending:
            self.naive = self.naive.answer(call_id, STILL_EXECUTING, failed=False)
        if self.naive.open_at is not None:
            self.naive = self.naive.settled()

    @precondition(lambda self: self.other.length != self.session.length)
    @rule()
    def a_writer_who_is_behind_is_refused_and_may_reload(self) -> None:
        with pytest.raises(ConflictError):
            self.other.append(ContextMessage("user", (TextPart("too late"),)))
        self.other.reload()
        assert self.other.messages() == self.session.messages()
        self.session, self.other = self.other, self.session

    @invariant()
    def the_history_is_what_a_naive_model_has(self) -> None:
        assert self.session.messages() == self.naive.history

    @invariant()
    def what_is_sent_is_what_the_plain_functions_send(self) -> None:
        history = self.session.messages()
        assert self.session.project() == project(history)
        sent = self.session.request("anthropic", settings=SETTINGS)
        assert sent == request(history, "anthropic", SETTINGS).body
        assert msgspec.json.encode(sent) == self.session.request_bytes(
            "anthropic", settings=SETTINGS
        )


def run(url: str, examples: int) -> None:
    machine = type("Machine", (Sessions,), {"url": url})
    case = machine.TestCase  # type: ignore[attr-defined]
    case.settings = settings(max_examples=examples, stateful_step_count=30, deadline=None)
    case().runTest()


def test_any_operations_in_any_order_survive(url: str) -> None:
    run(url, 25)


def test_many_operations_survive_in_files() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run(f"{folder}/agent.db", 60)
