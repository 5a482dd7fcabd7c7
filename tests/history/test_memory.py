"""Context memory: every operation, and that its records give it back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.history.events import answered, begin, called, end, event, said
from tests.history.naive import Naive
from tests.projection.notation import A, N, R, U, image, shape
from wiremend.history import (
    STILL_EXECUTING,
    ContextMemory,
    LoopEvent,
    Record,
    ToolCallMade,
    estimate_tokens,
    inherited,
    message_tokens,
    record_from_builtins,
    record_to_builtins,
    select_inputs,
)
from wiremend.history.compaction import HEAD_TOKENS, KEPT_TOKENS, summary_message
from wiremend.history.tokens import first_tokens, last_tokens
from wiremend.model import (
    CompactionSummaryOrigin,
    ContextMessage,
    InjectionOrigin,
    SkillActivationOrigin,
    TaskOrigin,
    TextPart,
    UserOrigin,
)


def texts(memory: ContextMemory) -> list[str]:
    return shape(list(memory.messages()))


def filled(*items: ContextMessage | LoopEvent) -> ContextMemory:
    memory = ContextMemory()
    for item in items:
        if isinstance(item, ContextMessage):
            memory.append(item)
        else:
            memory.append_loop_event(item)
    return memory


def of(origin: Any, text: str = "x") -> ContextMessage:
    return ContextMessage("user", (TextPart(text),), origin=origin)


def prompt(text: str, message_id: str) -> ContextMessage:
    return ContextMessage("user", (TextPart(text),), id=message_id, origin=UserOrigin())


# --- undo ---------------------------------------------------------------------------------


def test_undo_takes_a_prompt_and_all_that_came_of_it() -> None:
    memory = filled(U("a"), A("1"), U("b"), A("2"), N("note"))
    assert memory.undo().ok
    assert texts(memory) == ["U a", "A 1"]


def test_an_interrupted_step_before_an_undone_prompt_is_settled_by_what_comes_next() -> None:
    memory = filled(U("a"), begin("s"), said("s", "x"), end("s", "interrupted"), U("b"))
    memory.undo()
    assert [message.partial for message in memory.messages()] == [None, True]
    memory.append_loop_event(begin("t"))
    memory.append_loop_event(said("t", "y"))
    memory.append_loop_event(end("t"))
    assert texts(memory) == ["U a", "A x", "A y"]
    assert [message.partial for message in memory.messages()] == [None, None, None]


def test_a_call_that_an_undo_leaves_open_takes_its_result() -> None:
    memory = filled(U("a"), begin("s"), U("b"), called("s", "c"))
    memory.undo()
    memory.append_loop_event(answered("c"))
    memory.append_loop_event(end("s"))
    assert texts(memory) == ["U a", "A ; c", "R c"]


def test_undo_counts_prompts_skills_of_the_user_and_messages_without_origin() -> None:
    skill: dict[str, Any] = {"activation_id": "a", "skill_name": "s"}
    memory = filled(
        ContextMessage("user", (TextPart("bare"),)),
        of(SkillActivationOrigin(**skill, trigger="user-slash")),
        of(SkillActivationOrigin(**skill, trigger="model-tool")),
        of(TaskOrigin(task_id="t", status="done", notification_id="n")),
    )
    assert memory.undo(3).reason == "insufficient"
    assert memory.undo(2).ok
    assert texts(memory) == []


def test_injections_that_belong_to_a_prompt_go_with_it() -> None:
    owned = of(InjectionOrigin(variant="v", owner_prompt_id="p1"), "owned")
    foreign = of(InjectionOrigin(variant="v", owner_prompt_id="p9"), "foreign")
    memory = filled(U("a"), foreign, owned, owned, prompt("b", "p1"), A("2"))
    memory.undo()
    assert texts(memory) == ["U a", "U foreign"]


@pytest.mark.parametrize(
    ("items", "count", "reason", "undoable"),
    [
        ([], 1, "empty", 0),
        ([A("a"), N("n")], 1, "empty", 0),
        ([U("a"), U("b")], 3, "insufficient", 2),
        ([U("a"), of(CompactionSummaryOrigin()), U("b")], 2, "compaction_boundary", 1),
        ([U("a")], 0, "empty", 0),
    ],
)
def test_an_undo_that_cannot_be_says_why_and_changes_nothing(
    items: list[ContextMessage], count: int, reason: str, undoable: int
) -> None:
    memory = filled(*items)
    before = texts(memory)
    answer = memory.undo(count)
    assert answer.reason == reason
    assert answer.undoable == undoable
    assert not answer.ok
    assert texts(memory) == before


# --- compaction ---------------------------------------------------------------------------


def test_compaction_keeps_the_users_inputs_and_puts_the_summary_last() -> None:
    memory = filled(U("a"), N("note"), A("1", calls="c"), R("c"), U("b"))
    record = memory.apply_compaction("what happened")
    assert texts(memory) == ["U a", "U b", "U what happened"]
    assert isinstance(memory.messages()[-1].origin, CompactionSummaryOrigin)
    assert (record.compacted_count, record.kept_user_message_count) == (5, 2)


def test_an_earlier_summary_is_replaced_by_the_new_one() -> None:
    memory = filled(U("a"), A("1"))
    memory.apply_compaction("first")
    memory.append(U("b"))
    memory.apply_compaction("second")
    assert texts(memory) == ["U a", "U b", "U second"]


def test_of_too_many_inputs_the_first_and_the_most_recent_stay_cut_to_fit() -> None:
    inputs = [U(f"{n:04d} " + "word " * 1500) for n in range(20)]
    kept = select_inputs(inputs)
    assert kept.omitted_tokens is not None
    assert kept.head[0] == inputs[0]
    assert kept.tail[-1] == inputs[-1]
    size = sum(message_tokens(message) for message in (*kept.head, *kept.tail))
    assert KEPT_TOKENS - 10 <= size <= KEPT_TOKENS + 10
    head = sum(message_tokens(message) for message in kept.head)
    assert HEAD_TOKENS - 5 <= head <= HEAD_TOKENS + 5
    memory = filled(*inputs)
    memory.apply_compaction("s")
    elision = memory.messages()[len(kept.head)]
    assert elision.origin == InjectionOrigin(variant="compaction_elision")
    assert f" {kept.omitted_tokens} tokens" in str(elision.content)


def test_one_input_that_is_too_long_by_itself_is_cut_in_the_middle() -> None:
    kept = select_inputs([U("start" + "x" * 200_000 + "end")])
    head, tail = kept.head[0].content[0], kept.tail[0].content[0]
    assert isinstance(head, TextPart)
    assert isinstance(tail, TextPart)
    assert head.text.startswith("start")
    assert tail.text.endswith("end")


def test_a_record_of_the_older_shape_puts_the_summary_first_and_keeps_the_tail() -> None:
    record = {"type": "context.apply_compaction", "summary": "sum", "compactedCount": 2}
    memory = filled(U("a"), A("1"), U("b"), A("2"))
    read = record_from_builtins(record)
    assert read is not None
    memory.apply(read)
    assert texts(memory) == ["U sum", "U b", "A 2"]


def test_what_goes_into_the_context_may_differ_from_the_summary() -> None:
    memory = filled(U("a"))
    memory.apply_compaction("short", context_summary="as the model is told")
    assert texts(memory)[-1] == "U as the model is told"


def test_tokens_are_counted_as_agreed_and_a_tokenizer_can_be_given() -> None:
    assert [estimate_tokens(text) for text in ("", "abcd", "abcde", "日本", "a日")] == [
        0,
        1,
        2,
        2,
        2,
    ]
    assert message_tokens(U("abcd", image("u"))) == 1 + 1 + 2000
    assert message_tokens(U("abcd"), len) == 4 + 4
    assert (first_tokens("abcdefghi", 2), last_tokens("日本語abc", 2)) == ("abcdefgh", "語abc")


# --- clear, fork, transcript ----------------------------------------------------------------


def test_clear_empties_the_history_and_not_the_transcript() -> None:
    memory = filled(U("a"))
    memory.clear()
    memory.append(U("b"))
    assert texts(memory) == ["U b"]
    assert [entry.message.content for entry in memory.transcript()] == [
        (TextPart("a"),),
        (TextPart("b"),),
    ]


def test_a_fork_closes_what_is_in_flight_as_unknown() -> None:
    memory = filled(U("a"), begin("s"), said("s", "x"), called("s", "c1"), called("s", "c2"))
    memory.append_loop_event(answered("c1"))
    copy = memory.fork()
    assert shape(list(copy)) == ["U a", "A x; c1 c2", "R c1", "R c2"]
    assert copy[-1].content == (TextPart(STILL_EXECUTING),)
    assert copy[1].partial is None
    assert memory.messages()[1].partial is True


def test_a_closed_history_is_inherited_unchanged() -> None:
    closed = [U("a"), A("b", calls="c"), R("c"), A("d")]
    assert inherited(closed) == closed


def test_the_transcript_has_everything_with_its_time_and_nothing_that_was_undone() -> None:
    memory = ContextMemory()
    memory.append(U("a"), time=1)
    memory.append_loop_event(begin("s"), time=2)
    memory.append_loop_event(said("s", "1"), time=3)
    memory.append_loop_event(end("s"), time=4)
    memory.apply_compaction("sum", time=5)
    memory.append(U("b"), time=6)
    memory.append(U("c"), time=7)
    memory.undo(time=8)
    entries = memory.transcript()
    assert shape([entry.message for entry in entries]) == ["U a", "A 1", "U sum", "U b"]
    assert [entry.time for entry in entries] == [1, 2, 5, 6]


# --- records --------------------------------------------------------------------------------


def test_a_record_is_written_before_it_is_applied_and_may_be_refused() -> None:
    def refuse(record: Record) -> None:
        raise OSError("disk full")

    memory = ContextMemory(on_record=refuse)
    with pytest.raises(OSError, match="disk full"):
        memory.append(U("a"))
    assert memory.messages() == []


def test_records_that_say_nothing_about_the_context_are_passed_over() -> None:
    records: list[Any] = [
        {"type": "metadata", "protocol_version": "1.1"},
        record_to_builtins(filled_record(U("a"))),
        {"type": "context.append_loop_event", "event": {"type": "step.retry"}},
        {"type": "context.undo", "count": 0.5},
    ]
    assert texts(ContextMemory.replay(records)) == ["U a"]


def filled_record(message: ContextMessage) -> Record:
    records: list[Record] = []
    ContextMemory(on_record=records.append).append(message)
    return records[0]


class Machine(RuleBasedStateMachine):
    """Any operations in any order: what a naive model has, and the records alone give it again."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[Record] = []
        self.memory = ContextMemory(on_record=self.records.append)
        self.naive = Naive()
        self.step = 0
        self.call = 0

    @rule(text=st.sampled_from(["a", "b", ""]), injected=st.booleans())
    def append(self, text: str, injected: bool) -> None:
        message = N(text) if injected else U(text)
        self.memory.append(message, time=len(self.records))
        self.naive = self.naive.append(message)

    @rule()
    def begin(self) -> None:
        self.step += 1
        self.memory.append_loop_event(begin(f"s{self.step}"), time=len(self.records))
        self.naive = self.naive.begin(f"s{self.step}")

    @rule(text=st.sampled_from(["x", " "]), back=st.integers(0, 1))
    def say(self, text: str, back: int) -> None:
        self.memory.append_loop_event(said(f"s{self.step - back}", text))
        self.naive = self.naive.say(f"s{self.step - back}", text)

    @rule(back=st.integers(0, 1))
    def make_call(self, back: int) -> None:
        self.call += 1
        step = f"s{self.step - back}"
        self.memory.append_loop_event(called(step, f"c{self.call}", args={"n": 1}))
        self.naive = self.naive.call(step, f"c{self.call}", '{"n":1}')

    @rule(back=st.integers(0, 3), failed=st.booleans())
    def answer(self, back: int, failed: bool) -> None:
        more = {"isError": True} if failed else {}
        self.memory.append_loop_event(answered(f"c{self.call - back}", "out", **more))
        self.naive = self.naive.answer(f"c{self.call - back}", "out", failed=failed)

    @rule(reason=st.sampled_from([None, "interrupted", "error", "stop"]))
    def end(self, reason: str | None) -> None:
        self.memory.append_loop_event(end(f"s{self.step}", reason))
        self.naive = self.naive.end(f"s{self.step}", reason)

    @rule(count=st.integers(0, 3))
    def undo(self, count: int) -> None:
        answer = self.memory.undo(count)
        before, self.naive = self.naive, self.naive.undo(count)
        assert answer.ok == (before is not self.naive)

    @rule()
    def compact(self) -> None:
        self.memory.apply_compaction("summary", time=len(self.records))
        self.naive = self.naive.compact(summary_message("summary"))

    @rule()
    def clear(self) -> None:
        self.memory.clear()
        self.naive = Naive()

    @invariant()
    def the_history_is_what_a_naive_model_has(self) -> None:
        assert self.memory.messages() == self.naive.history
        assert list(self.memory.pending) == self.naive.pending
        assert list(self.memory.waiting) == self.naive.waiting

    @invariant()
    def a_stored_state_goes_on_like_the_memory_itself(self) -> None:
        twin = ContextMemory.from_state(self.memory.state())
        assert twin.messages() == self.memory.messages()
        for item in (answered(f"c{self.call}"), end(f"s{self.step}", "error"), begin("next")):
            twin.append_loop_event(item)
        again = ContextMemory.replay([*self.records])
        for item in (answered(f"c{self.call}"), end(f"s{self.step}", "error"), begin("next")):
            again.append_loop_event(item)
        assert twin.messages() == again.messages()

    @invariant()
    def replaying_the_records_gives_the_same(self) -> None:
        for again in (
            ContextMemory.replay(self.records),
            ContextMemory.replay([record_to_builtins(record) for record in self.records]),
        ):
            assert again.messages() == self.memory.messages()
            assert again.transcript() == self.memory.transcript()


Machine.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestMachine = Machine.TestCase


# --- newer logs -----------------------------------------------------------------------------


def test_a_compaction_with_a_continuation_puts_a_reminder_behind_the_summary() -> None:
    record = {
        "type": "context.apply_compaction",
        "summary": "sum",
        "compactedCount": 2,
        "keptUserMessageCount": 1,
        "hasContinuation": True,
    }
    read = record_from_builtins(record)
    assert read is not None
    assert record_to_builtins(read) == {**record, "tokensBefore": 0}
    memory = filled(U("a"), A("1"))
    memory.apply(read)
    last = memory.messages()[-1]
    assert texts(memory)[:2] == ["U a", "U sum"]
    assert last.origin == InjectionOrigin(variant="compaction_continuation")
    assert [entry.message.role for entry in memory.transcript()] == ["user", "assistant", "user"]


def test_a_statement_of_how_things_are_takes_the_place_of_the_one_before() -> None:
    def state(text: str) -> ContextMessage:
        return of(InjectionOrigin(variant="project_context"), text)

    memory = filled(U("a"), state("old"), of(InjectionOrigin(variant="v"), "other"))
    memory.append(state("new"))
    memory.append_loop_event(begin("s"))
    memory.append_loop_event(said("s", "x"))
    memory.append(state("newest"))
    memory.append_loop_event(said("s", "y"))
    memory.append_loop_event(end("s"))
    assert texts(memory) == ["U a", "U other", "A x|y", "U newest"]
    ever = shape([entry.message for entry in memory.transcript()])
    assert ever == ["U a", "U old", "U other", "U new", "A x|y", "U newest"]


def test_statements_cost_no_more_the_more_there_are() -> None:
    memory = ContextMemory()
    seen = 0

    class Counted(list[Any]):
        def __getitem__(self, index: Any) -> Any:
            nonlocal seen
            seen += 1
            return super().__getitem__(index)

    memory._fold._messages = Counted(memory._fold._messages)
    for n in range(2000):
        memory.append(U(f"{n}"))
        memory.append(of(InjectionOrigin(variant="project_context"), f"{n}"))
    assert seen < 3 * 4000


@pytest.mark.parametrize(
    "arguments",
    [
        '{"bed":3}',
        '{"bed": 3}',
        '{"n":1.0}',
        '{"cut": "o',
        "",
        "[1, 2]",
        "NaN",
        '{"n":99999999999999999999999}',
        None,
    ],
)
def test_arguments_come_back_as_the_model_wrote_them(arguments: str | None) -> None:
    records: list[Record] = []
    memory = ContextMemory(on_record=records.append)
    memory.append_loop_event(begin("s"))
    memory.append_loop_event(ToolCallMade("s", "c", "f", arguments))
    memory.append_loop_event(end("s"))
    again = ContextMemory.replay([record_to_builtins(record) for record in records])
    assert again.messages() == memory.messages()
    assert again.messages()[0].tool_calls[0].arguments == arguments


def test_an_event_that_names_no_step_belongs_to_the_open_one() -> None:
    memory = ContextMemory()
    for kind, fields in (
        ("content.part", {"part": {"type": "text", "text": "too early"}}),
        ("step.begin", {}),
        ("content.part", {"part": {"type": "text", "text": "x"}}),
        ("tool.call", {"toolCallId": "c", "name": "f"}),
        ("tool.result", {"toolCallId": "c", "result": {"output": "out"}}),
        ("step.end", {}),
    ):
        memory.append_loop_event(event(kind, **fields))
    assert texts(memory) == ["A x; c", "R c"]
