"""Claude Code's sessions: what they go on from is found, judged where it is written, and mended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import run
from tests.logs.claude_sessions import Session, call, text, thought, whole
from tests.logs.mending import mended, problems_of, records_of
from wiremend.logs import LOGS, recognise_log

if TYPE_CHECKING:
    from pathlib import Path

LOG = LOGS["claude-code"]


def body_of(session: Session) -> list[Any]:
    [conversation] = LOG.read(records_of(session.records)).conversations
    messages = conversation.body["messages"]
    assert messages[-1]["content"].pop() == text("(the next prompt)")
    return [message for message in messages if message["content"]]


def found(session: Session) -> list[tuple[str, int, str]]:
    """Rule, number of the record and pointer of all that is wrong."""
    return problems_of(LOG, records_of(session.records))


def test_a_whole_session_is_fine_and_stays_as_it_is() -> None:
    session = whole()
    assert found(session) == []
    assert mended(LOG, session.records) == session.records


def test_what_is_before_a_compaction_is_not_sent() -> None:
    said = [block.get("text") for message in body_of(whole()) for block in message["content"]]
    assert said[0] == "This session is being continued from a previous conversation."
    assert "Is the soil dry?" not in said


def test_blocks_of_one_answer_are_one_message_with_the_results_behind_it() -> None:
    session = Session()
    session.user("look at both")
    session.answer("msg_1", thought("hm"))
    one = session.answer("msg_1", call("toolu_1"))
    session.result("toolu_1", sourceToolAssistantUUID=one)
    session.answer("msg_1", call("toolu_2"))
    session.result("toolu_2")
    _, answer, results = body_of(session)
    assert [block["type"] for block in answer["content"]] == ["thinking", "tool_use", "tool_use"]
    assert [block["tool_use_id"] for block in results["content"]] == ["toolu_1", "toolu_2"]


def test_results_beside_the_way_to_the_root_are_found() -> None:
    *_, calls, results, _ = body_of(whole())
    assert [block["id"] for block in calls["content"]] == ["toolu_03", "toolu_04"]
    assert [block["tool_use_id"] for block in results["content"]] == ["toolu_03", "toolu_04"]


def test_a_rewound_branch_is_left_alone() -> None:
    session = Session()
    asked = session.user("do it")
    session.answer("msg_1", call("toolu_1"))
    session.answer("msg_2", text("Started."), parent=asked)
    assert [message["role"] for message in body_of(session)] == ["user", "assistant"]
    assert found(session) == []


def test_an_api_error_that_the_user_saw_is_no_message() -> None:
    session = Session()
    session.user("hello")
    session.answer("", text("API Error: 400 …"), isApiErrorMessage=True)
    session.user("again")
    assert body_of(session) == [{"role": "user", "content": [text("hello"), text("again")]}]


def test_a_session_that_ends_in_a_running_tool_is_not_broken() -> None:
    session = Session()
    session.user("do it")
    session.answer("msg_1", call("toolu_1"), call("toolu_2"))
    session.result("toolu_1")
    assert found(session) == []


def test_an_interrupted_call_gets_a_result_between_its_record_and_the_next() -> None:
    session = Session()
    session.user("do it")
    asked = session.answer("msg_1", call("toolu_1"))
    stopped = session.user([text("[Request interrupted by user for tool use]")])
    session.answer("msg_2", text("Stopped."))
    assert found(session) == [("missing-tool-result", 1, "/message/content/0")]
    before, after = session.records, mended(LOG, session.records)
    new = after[2]
    assert new["parentUuid"] == asked
    assert new["message"]["content"][0]["tool_use_id"] == "toolu_1"
    assert new["sessionId"] == before[1]["sessionId"]
    assert after[3]["uuid"] == stopped
    assert after[3]["parentUuid"] == new["uuid"]
    assert {**after[3], "parentUuid": asked} == before[2]
    assert [after[0], after[1], after[4]] == [before[0], before[1], before[3]]


def test_a_missing_result_of_a_parallel_call_hangs_beside_like_the_others() -> None:
    session = whole()
    lost = next(r for r in session.records if _answers(r, "toolu_04"))
    lost_at = session.records.index(lost)
    session.records[lost_at + 1]["parentUuid"] = lost["parentUuid"]
    session.records.remove(lost)
    [(rule, _, _)] = found(session)
    assert rule == "missing-tool-result"
    after = mended(LOG, session.records)
    [new] = [record for record in after if _answers(record, "toolu_04")]
    assert new["parentUuid"] == lost["parentUuid"]
    assert problems_of(LOG, records_of(after)) == []


def test_an_orphan_result_goes_and_its_children_get_its_parent() -> None:
    session = Session()
    session.user("summary", isCompactSummary=True)
    session.result("toolu_gone")
    session.user("go on")
    session.answer("msg_1", text("Yes."))
    [(rule, record, _)] = found(session)
    assert (rule, record) == ("orphan-tool-result", 1)
    after = mended(LOG, session.records)
    assert [record["uuid"][-1] for record in after] == ["1", "3", "4"]
    assert after[1]["parentUuid"] == after[0]["uuid"]


def test_an_orphan_beside_words_goes_alone() -> None:
    session = Session()
    orphan = {"type": "tool_result", "tool_use_id": "toolu_gone", "content": "x"}
    session.user([orphan, text("go on")], permissionMode="default")
    session.answer("msg_1", text("Yes."))
    after = mended(LOG, session.records)
    assert after[0]["message"]["content"] == [text("go on")]
    assert after[0]["permissionMode"] == "default"


def test_a_late_result_is_moved_with_all_that_its_record_says() -> None:
    session = Session()
    session.user("do it")
    asked = session.answer("msg_1", call("toolu_1"))
    session.user("are you there?")
    session.answer("msg_2", text("Yes."))
    session.result("toolu_1", "late")
    session.answer("msg_3", text("Done."))
    after = mended(LOG, session.records)
    [result] = [record for record in after if _answers(record, "toolu_1")]
    assert after.index(result) == 2
    assert result["parentUuid"] == asked
    assert result["toolUseResult"]["stdout"] == "late"
    assert problems_of(LOG, records_of(after)) == []


def test_blank_text_goes_and_a_record_of_nothing_else_with_it() -> None:
    session = Session()
    session.user("hello")
    session.answer("msg_1", text("\n\n"))
    session.user("again")
    session.answer("msg_2", text(""), text("Hello."))
    assert {rule for rule, *_ in found(session)} == {"blank-text"}
    after = mended(LOG, session.records)
    assert [record["message"]["content"] for record in after] == [
        "hello",
        "again",
        [text("Hello.")],
    ]


def test_a_repeated_call_id_is_renamed_with_its_result() -> None:
    session = Session()
    for number in (1, 2):
        session.user(f"turn {number}")
        session.answer(f"msg_{number}", call("toolu_1", command=f"ls {number}"))
        session.result("toolu_1", f"out {number}")
    after = mended(LOG, session.records)
    assert [record["uuid"] for record in after] == [record["uuid"] for record in session.records]
    assert after[4]["message"]["content"][0]["id"] == "toolu_1__2"
    assert after[5]["message"]["content"][0]["tool_use_id"] == "toolu_1__2"
    assert after[5]["toolUseResult"] == session.records[5]["toolUseResult"]


def test_what_begins_with_an_answer_gets_a_prompt_before_it() -> None:
    session = Session()
    session.answer("msg_1", text("Hello."))
    session.user("hi")
    after = mended(LOG, session.records)
    assert [record["type"] for record in after] == ["user", "assistant", "user"]
    assert (after[0]["parentUuid"], after[1]["parentUuid"]) == (None, after[0]["uuid"])
    session.system("compact_boundary", parent=None)
    session.answer("msg_2", text("Hello again."))
    after = mended(LOG, session.records)
    assert [record["type"] for record in after[2:]] == ["system", "user", "assistant"]
    assert after[3]["parentUuid"] == after[2]["uuid"]


def test_a_torn_line_is_named_and_taken_out(tmp_path: Path) -> None:
    session = whole()
    session.records.append('{"parentUuid":"00000000-0000-4000')
    path = session.write(tmp_path / "s.jsonl")
    checked = run("check", path)
    assert checked.exit_code == 1
    assert f"{path}:21:: WL001 unreadable-record: This record cannot be read" in checked.stdout
    assert run("fix", path).stdout == "".join(path.read_text().splitlines(keepends=True)[:-1])


def test_a_lost_parent_is_named_and_the_chain_is_closed() -> None:
    session = Session()
    session.user("first")
    session.answer("msg_1", text("One."))
    session.user("second", parent="99999999-9999-4999-8999-999999999999")
    session.answer("msg_2", text("Two."))
    assert found(session) == [("broken-chain", 2, "/parentUuid")]
    after = mended(LOG, session.records)
    assert after[2]["parentUuid"] == after[1]["uuid"]


def test_a_log_whose_first_record_goes_on_from_another_file_is_fine() -> None:
    session = Session()
    session.user("first", parent="99999999-9999-4999-8999-999999999999")
    session.answer("msg_1", text("One."))
    assert found(session) == []


def test_a_loop_of_parents_ends_and_is_opened() -> None:
    session = Session()
    first = session.user("first")
    last = session.answer("msg_1", text("One."))
    session.records[0]["parentUuid"] = last
    assert [rule for rule, *_ in found(session)] == []
    session.records[0]["parentUuid"] = None
    session.user("second", parent=None)
    third = session.answer("msg_2", text("Two."))
    session.records[2]["parentUuid"] = third
    assert [rule for rule, *_ in found(session)] == ["parent-loop"]
    after = mended(LOG, session.records)
    assert after[2]["parentUuid"] == last
    assert first in {record["uuid"] for record in after}


def test_a_kept_segment_follows_the_summary() -> None:
    session = Session()
    session.user("old")
    session.answer("msg_1", text("Old."))
    head = session.user("kept")
    tail = session.answer("msg_2", text("Kept."))
    session.system("compact_boundary", parent=None, logicalParentUuid=tail)
    anchor = session.user("summary", isCompactSummary=True)
    session.records[-2]["compactMetadata"] = {
        "preservedSegment": {"headUuid": head, "anchorUuid": anchor, "tailUuid": tail}
    }
    session.user("new")
    said = [block["text"] for message in body_of(session) for block in message["content"]]
    assert said == ["summary", "kept", "Kept.", "new"]


def test_subagents_in_the_same_log_are_conversations_of_their_own() -> None:
    session = Session("1.0.60")
    asked = session.user("delegate")
    task = session.answer("msg_1", call("toolu_1", "Task"))
    session.user("you are a subagent", parent=None, isSidechain=True)
    session.answer("msg_9", call("toolu_9"), isSidechain=True)
    session.user("go on", isSidechain=True)
    session.result("toolu_1", "report", parent=task)
    session.answer("msg_2", text("Done."))
    reading = LOG.read(records_of(session.records))
    assert [conversation.title for conversation in reading.conversations] == ["", "subagent"]
    assert found(session) == [("missing-tool-result", 3, "/message/content/0")]
    after = mended(LOG, session.records)
    assert problems_of(LOG, records_of(after)) == []
    assert after[4]["isSidechain"] is True
    assert after[0]["uuid"] == asked


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"role": "user", "content": "x"}]},
        {"uuid": "x", "parentUuid": None},
        {"type": "summary"},
        {"role": "user", "content": "x"},
        [],
        None,
        "x",
    ],
)
def test_other_json_is_not_taken_for_a_session(value: Any) -> None:
    assert recognise_log(value) is None


def _answers(record: dict[str, Any], call_id: str) -> bool:
    content = record.get("message", {}).get("content")
    return isinstance(content, list) and any(b.get("tool_use_id") == call_id for b in content)


_BLOCKS = st.sampled_from([text("words"), text(" "), thought("hm"), thought("hm", "")])
_CALLS = st.sampled_from([call(f"toolu_{n}", command=f"ls {n}") for n in range(3)])
_RESULTS = st.sampled_from(
    [{"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": "out"} for n in range(3)]
)
_USER = st.tuples(
    st.just("user"),
    st.sampled_from([0]),
    st.one_of(st.just("words"), st.lists(st.one_of(_RESULTS, st.just(text("words"))), max_size=2)),
)
_ANSWER = st.tuples(
    st.just("assistant"), st.integers(0, 4), st.lists(st.one_of(_BLOCKS, _CALLS), max_size=3)
)


@given(st.lists(st.one_of(_USER, _ANSWER), min_size=1, max_size=8), st.data())
def test_whatever_is_in_a_session_it_is_mended_for_good_and_its_tree_stays_one(
    records: list[tuple[str, int, Any]], data: st.DataObject
) -> None:
    session = Session()
    turn = 0
    for role, answer, content in records:
        earlier = [record["uuid"] for record in session.records[-3:]]
        parent = data.draw(st.sampled_from([session.last, *earlier])) if earlier else None
        if role == "user":
            turn += content == "words" or text("words") in content
            session.user(content, parent=parent)
        else:
            # Blocks of one answer never have another prompt between them.
            session.answer(f"msg_{turn}_{answer}", *content, parent=session.last)
    after = mended(LOG, session.records)
    assert problems_of(LOG, records_of(after)) == []
    if LOG.read(records_of(after)).conversations:
        assert mended(LOG, after) == after
    ids = [record["uuid"] for record in after]
    assert len(set(ids)) == len(ids)
    assert all(record["parentUuid"] in (None, *ids) for record in after)
    for index, record in enumerate(after):
        assert record["parentUuid"] is None or ids.index(record["parentUuid"]) < index
    assert json.dumps(after)
