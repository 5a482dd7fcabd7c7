"""Kimi CLI's contexts: thinking among the content, notes between the messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import run
from tests.logs.mending import mended, problems_of, records_of
from wiremend.logs import LOGS, recognise_log

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LOG = LOGS["kimi-cli"]
PROMPT = {"role": "_system_prompt", "content": "You are Kimi."}


def note(number: int) -> dict[str, Any]:
    return {"role": "_checkpoint", "id": number}


def usage(tokens: int) -> dict[str, Any]:
    return {"role": "_usage", "token_count": tokens}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def said(*parts: Any, calls: Sequence[str] = ()) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": list(parts)}
    if calls:
        message["tool_calls"] = [
            {
                "type": "function",
                "id": call,
                "function": {"name": "Shell", "arguments": '{"command": "ls"}'},
            }
            for call in calls
        ]
    return message


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def think(words: str) -> dict[str, Any]:
    return {"type": "think", "think": words, "encrypted": None}


def result(call: str, words: str = "fine") -> dict[str, Any]:
    return {"role": "tool", "content": [text(words)], "tool_call_id": call}


def found(records: Sequence[Any]) -> list[tuple[str, int, str]]:
    return problems_of(LOG, records_of(records))


WHOLE = [
    PROMPT,
    note(0),
    user("Is the soil dry?"),
    note(1),
    said(think("I look."), calls=["Shell:0", "Shell:1"]),
    usage(812),
    result("Shell:0"),
    result("Shell:1"),
    said(think("Dry."), text("Dry.")),
]


def test_a_whole_context_is_fine_and_stays_as_it_is() -> None:
    assert found(WHOLE) == []
    assert mended(LOG, WHOLE) == WHOLE


def test_what_is_sent_has_thinking_beside_the_content() -> None:
    [conversation] = LOG.read(records_of(WHOLE)).conversations
    messages = conversation.body["messages"]
    assert messages[0] == {"role": "system", "content": "You are Kimi."}
    assert (messages[2]["content"], messages[2]["reasoning_content"]) == (None, "I look.")


def test_a_context_that_ends_in_a_running_tool_is_not_broken() -> None:
    assert found(WHOLE[:7]) == []


def test_a_missing_result_is_a_line_of_its_own_behind_the_call() -> None:
    records = [*WHOLE[:7], user("well?"), said(think("…"), text("Half."))]
    assert found(records) == [("missing-tool-result", 4, "/tool_calls/1")]
    after = mended(LOG, records)
    assert [*after[:7], *after[8:]] == records
    assert (after[7]["role"], after[7]["tool_call_id"]) == ("tool", "Shell:1")


def test_an_orphan_result_goes() -> None:
    records = [note(0), result("Shell:9"), user("well?"), said(text("Fine."))]
    assert mended(LOG, records) == [note(0), user("well?"), said(text("Fine."))]


def test_twins_of_a_call_are_told_apart_and_the_thinking_beside_them_stays() -> None:
    records = [*WHOLE[:4], said(think("I look."), text("Look:"), calls=["Shell:0", "Shell:0"])]
    records += [result("Shell:0", "a"), result("Shell:0", "b"), user("ok")]
    assert [one[1:] for one in found(records)] == [(4, "/tool_calls/1/id")]
    after = mended(LOG, records)
    assert after[4]["content"] == records[4]["content"]
    [one, other] = [call["id"] for call in after[4]["tool_calls"]]
    assert one == "Shell:0" != other
    assert [*after[:4], *after[7:]] == [*records[:4], *records[7:]]


def test_an_empty_answer_goes() -> None:
    records = [note(0), user("a"), said(), user("b"), said(text("B."))]
    assert len(found(records)) == 1
    assert mended(LOG, records) == [note(0), user("a"), user("b"), said(text("B."))]


def test_a_torn_line_that_keeps_the_session_from_opening_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "context.jsonl"
    whole = "".join(json.dumps(record) + "\n" for record in WHOLE)
    path.write_text(whole + '{"role": "assis')
    assert "WL001" in run("check", path).stdout
    assert run("fix", "--in-place", path).exit_code == 0
    assert path.read_text() == whole


@pytest.mark.parametrize("value", [{"role": "user", "content": "x"}, {"role": "_checkpoint"}, 3])
def test_other_json_is_not_taken_for_a_context(value: Any) -> None:
    assert recognise_log(value) is None


_RECORDS = st.sampled_from(
    [
        *(note(1), usage(3), user("words"), user(""), said(), said(text(" ")), said(think("hm"))),
        *(said(text("Words."), calls=[f"Shell:{n}"]) for n in range(2)),
        *(said(think("hm"), calls=["Shell:0", f"Shell:{n}"]) for n in range(2)),
        *(result(f"Shell:{n}") for n in range(3)),
    ]
)


@given(st.lists(_RECORDS, max_size=8))
def test_whatever_is_in_a_context_it_is_mended_for_good(records: list[dict[str, Any]]) -> None:
    after = mended(LOG, [PROMPT, note(0), *records, user("and then?")])
    assert found(after) == []
    assert mended(LOG, after) == after
    assert after[:1] == [PROMPT]
