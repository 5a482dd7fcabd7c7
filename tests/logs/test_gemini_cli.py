"""Gemini CLI's sessions, in one JSON value and in lines, and its checkpoints."""

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

LOG = LOGS["gemini-cli"]
TIME = "2026-03-02T10:00:00.000Z"
SESSION = {
    "sessionId": "5b0c1a52-6f5e-4d0e-9c0b-0f3f7d3a9e11",
    "projectHash": "c0ffee",
    "startTime": TIME,
    "lastUpdated": TIME,
}


def user(number: int, content: Any) -> dict[str, Any]:
    return {"id": f"u{number}", "timestamp": TIME, "type": "user", "content": content}


def answer(number: int, content: Any, *calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
    said = {"id": f"g{number}", "timestamp": TIME, "type": "gemini", "content": content, **fields}
    about: dict[str, Any] = {"thoughts": [], "tokens": None, "model": "gemini-2.5-pro"}
    return {**said, **about, **({"toolCalls": list(calls)} if calls else {}), **fields}


def called(call_id: str, output: str | None = "fine", name: str = "read_file") -> dict[str, Any]:
    call: dict[str, Any] = {"id": call_id, "name": name, "args": {"path": "a"}, "status": "success"}
    if output is not None:
        response = {"id": call_id, "name": name, "response": {"output": output}}
        call["result"] = [{"functionResponse": response}]
    return {**call, "timestamp": TIME, "displayName": "ReadFile", "resultDisplay": output or ""}


THOUGHT = {"subject": "Looking", "description": "I look.", "timestamp": TIME}
MESSAGES = [
    {"id": "i1", "timestamp": TIME, "type": "info", "content": "Update available"},
    user(1, "/help"),
    user(2, "Is the soil dry?"),
    answer(3, "", called("c1"), called("c2"), thoughts=[THOUGHT]),
    answer(4, "Dry."),
    user(5, [{"text": "Thanks."}]),
]


def whole(*messages: Any) -> list[Any]:
    """A session as one JSON value."""
    return [{**SESSION, "messages": list(messages)}]


def lines(*messages: Any) -> list[Any]:
    """The same in JSONL."""
    return [SESSION, *messages]


def found(records: Sequence[Any]) -> list[tuple[str, int, str]]:
    return problems_of(LOG, records_of(records))


def contents(records: Sequence[Any]) -> list[Any]:
    [conversation] = LOG.read(records_of(records)).conversations
    return list(conversation.body["contents"])


@pytest.mark.parametrize("form", [whole, lines])
def test_a_whole_session_is_fine_and_stays_as_it_is(form: Any) -> None:
    assert found(form(*MESSAGES)) == []
    assert mended(LOG, form(*MESSAGES)) == form(*MESSAGES)


@pytest.mark.parametrize("form", [whole, lines])
def test_an_answer_is_sent_as_calls_and_their_results(form: Any) -> None:
    sent = contents(form(*MESSAGES))
    assert [content["role"] for content in sent] == ["user", "model", "user", "model", "user"]
    assert sent[1]["parts"][0] == {"text": "**Looking** I look.", "thought": True}
    assert [part["functionCall"]["id"] for part in sent[1]["parts"][1:]] == ["c1", "c2"]
    assert sent[2]["parts"][0]["functionResponse"]["response"] == {"output": "fine"}


def test_a_session_that_ends_in_running_tools_is_not_broken() -> None:
    assert found(lines(user(1, "do"), answer(2, "", called("c1", None), called("c2", None)))) == []
    assert found(lines(user(1, "do"), answer(2, "", called("c1"), called("c2", None)))) == []


@pytest.mark.parametrize(("form", "at"), [(whole, "/messages/1"), (lines, "")])
def test_a_call_without_a_result_gets_one_where_the_tool_keeps_it(form: Any, at: str) -> None:
    records = form(user(1, "do"), answer(2, "", called("c1"), called("c2", None)), user(3, "well?"))
    assert {pointer[: len(at)] for _, _, pointer in found(records)} == {at}
    after = mended(LOG, records)
    messages = after[0]["messages"] if form is whole else after[1:]
    call = messages[1]["toolCalls"][1]
    assert call["result"][0]["functionResponse"]["id"] == "c2"
    assert {**call, "result": None} == {**called("c2", None), "result": None}
    assert [messages[0], messages[2]] == [user(1, "do"), user(3, "well?")]


def test_an_empty_text_goes() -> None:
    records = lines(user(1, "do"), answer(2, [{"text": ""}, {"text": "Done."}]))
    assert len(found(records)) == 1
    assert mended(LOG, records)[2]["content"] == [{"text": "Done."}]


def test_later_records_replace_rewind_and_set() -> None:
    records = [
        *lines(user(1, "one"), answer(2, "", called("c1", None))),
        answer(2, "One.", called("c1")),
        {"$set": {"lastUpdated": TIME}},
        user(3, "two"),
        answer(4, "", called("c9", None)),
        {"$rewindTo": "u3"},
        user(5, "three"),
    ]
    texts = [part.get("text") for content in contents(records) for part in content["parts"]]
    assert texts == ["one", "One.", None, None, "three"]
    assert found(records) == []
    first, later = user(9, "anew"), answer(10, "so")
    kept = [*records, {"$set": {"messages": [first, answer(10, "s")]}}, later]
    assert contents(kept) == contents([*records, {"$set": {"messages": [first, later]}}])
    assert contents([*kept, user(11, "more"), {"$rewindTo": "g10"}]) == [
        {"role": "user", "parts": [{"text": "anew"}]}
    ]
    set_anew = [*records, {"$set": {"messages": [user(9, "anew")]}}]
    assert contents(set_anew) == [{"role": "user", "parts": [{"text": "anew"}]}]


@pytest.mark.parametrize("name", ["history", "clientHistory"])
def test_checkpoints_are_read_and_mended(name: str) -> None:
    call = {"functionCall": {"name": "look", "args": {}}}
    turns = [
        {"role": "user", "parts": [{"text": "do"}]},
        {"role": "model", "parts": [call]},
        {"role": "user", "parts": [{"text": "well?"}]},
        {"role": "model", "parts": [{"text": "Yes."}]},
    ]
    checkpoint = {name: turns, "authType": "oauth-personal"}
    assert recognise_log(checkpoint) is LOG
    assert {at for *_, at in found([checkpoint])} <= {f"/{name}/1", f"/{name}/1/parts/0"}
    [after] = mended(LOG, [checkpoint])
    assert after["authType"] == "oauth-personal"
    kinds = [next(iter(part)) for turn in after[name] for part in turn["parts"]]
    assert kinds[:3] == ["text", "functionCall", "functionResponse"]


def test_the_command_keeps_the_layout_of_a_session(tmp_path: Path) -> None:
    path = tmp_path / "session-2026-03-02T10-00-5b0c1a52.json"
    [value] = whole(user(1, "do"), answer(2, "", called("c1", None)), user(3, "well?"))
    path.write_text(json.dumps(value, indent=2))
    checked = run("check", "--output", "json", path)
    assert json.loads(checked.stdout)["files"][0]["format"] == "gemini-cli"
    assert run("fix", "--in-place", path).exit_code == 0
    assert path.read_text().startswith('{\n  "sessionId"')
    assert run("check", path).exit_code == 0
    assert "+            {" in run("fix", "--diff", f"{path}.bak").stdout


@pytest.mark.parametrize("value", [{"history": []}, {"sessionId": "x"}, {"history": [{"a": 1}]}])
def test_other_json_is_not_taken_for_a_session(value: Any) -> None:
    assert recognise_log(value) is None


_MESSAGES = st.sampled_from(
    [
        *(("user", text) for text in ("words", "", "/help", [{"text": " "}])),
        *(("gemini", text) for text in ("Words.", "", [{"text": ""}, {"text": "x"}])),
        ("gemini", "", called("c1", None)),
        ("gemini", "Look:", called("c1"), called("c2", None)),
        ("gemini", "", called("c3"), called("c3")),
        ("info", "x"),
    ]
)


@given(st.lists(_MESSAGES, max_size=7), st.sampled_from([whole, lines]))
def test_whatever_is_in_a_session_it_is_mended_for_good(messages: Any, form: Any) -> None:
    records = [user(0, "begin")]
    for number, (kind, content, *calls) in enumerate(messages, start=1):
        record = answer(number, content, *calls) if kind == "gemini" else user(number, content)
        records.append({**record, "type": kind})
    after = mended(LOG, form(*records, user(99, "end")))
    assert found(after) == []
    assert mended(LOG, after) == after
