"""Data sets: preference pairs, ShareGPT and its relatives, ChatML as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import run, write
from tests.logs.mending import problems_of, records_of
from wiremend.logs import LOGS, recognise_log

if TYPE_CHECKING:
    from pathlib import Path


def turns(*pairs: tuple[str, str], **fields: Any) -> dict[str, Any]:
    said = [{"from": role, "value": value} for role, value in pairs]
    return {"id": "x", "conversations": said, **fields}


def found(name: str, value: Any) -> list[tuple[str, str]]:
    assert recognise_log(value) is LOGS[name]
    return [(rule, at) for rule, _, at in problems_of(LOGS[name], records_of([value]))]


CALL = json.dumps({"name": "look", "arguments": {"bed": 1}})
TWO = json.dumps([{"name": "look", "arguments": {}}, {"name": "look", "arguments": {}}])
WHOLE: dict[str, dict[str, Any]] = {
    "plain": turns(("human", "Hi"), ("gpt", "Hello."), system="Be brief."),
    "system turn": turns(("system", "Be brief."), ("human", "Hi"), ("gpt", "Hello.")),
    "calls": turns(
        *(("human", "Look"), ("function_call", CALL), ("observation", "dry"), ("gpt", "Dry.")),
        tools=json.dumps([{"name": "look", "parameters": {}}]),
    ),
    "two calls, one turn of results": turns(
        ("human", "Look"), ("function_call", TWO), ("observation", "dry, dry"), ("gpt", "Dry.")
    ),
    "two calls, two turns of results": turns(
        *(("human", "Look"), ("function_call", TWO), ("tool", "dry"), ("tool", "wet")),
        ("gpt", "So."),
    ),
    "calls in text": turns(
        ("human", "Look"),
        ("gpt", f"I look.\n<tool_call>\n{CALL}\n</tool_call>"),
        ("tool", "<tool_response>dry</tool_response>"),
        ("gpt", "Dry."),
    ),
    "roles": {
        "conversation": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello."},
        ]
    },
}


@pytest.mark.parametrize("value", WHOLE.values(), ids=list(WHOLE))
def test_a_whole_conversation_of_sharegpt_is_fine(value: dict[str, Any]) -> None:
    assert found("sharegpt", value) == []


def test_calls_and_tools_come_out_as_such() -> None:
    [conversation] = LOGS["sharegpt"].read(records_of([WHOLE["calls"]])).conversations
    _, called, result, _ = conversation.body["messages"]
    [call] = called["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"bed": 1}
    assert result["tool_call_id"] == call["id"]
    assert conversation.body["tools"] == [{"name": "look", "parameters": {}}]


@pytest.mark.parametrize(
    ("value", "at"),
    [
        (turns(("human", "Hi"), ("gpt", ""), ("human", "?")), "/conversations/1"),
        (turns(("human", "Hi"), ("human", "?"), ("gpt", "x")), "/conversations/1"),
        (turns(("human", "Look"), ("function_call", CALL), ("gpt", "x")), "/conversations/1"),
        (turns(("human", "Look"), ("observation", "x"), ("gpt", "x")), "/conversations/1"),
    ],
)
def test_what_no_chat_template_takes_is_found_in_its_turn(value: dict[str, Any], at: str) -> None:
    assert at in {place[: len(at)] for _, place in found("sharegpt", value)}


def test_a_file_may_be_an_array_of_conversations(tmp_path: Path) -> None:
    broken = turns(("human", "Hi"), ("gpt", " "), ("human", "?"))
    path = write(tmp_path / "all.json", [WHOLE["plain"], broken], indent=1)
    result = run("check", path)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{path}:/1/conversations/1")
    assert "2 conversations, 1 with 1 violation" in result.stderr


def test_lines_are_read_one_by_one_and_a_torn_one_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", WHOLE["plain"], WHOLE["calls"])
    path.write_text(path.read_text() + '{"conversations": [\n' + json.dumps(WHOLE["plain"]) + "\n")
    result = run("check", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"wiremend: {path}:3: truncated JSON" in result.stderr
    assert "3 conversations, no violations, 1 unusable input" in result.stderr


def test_nothing_goes_on_from_a_data_set(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", WHOLE["plain"])
    result = run("fix", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no tool goes on from: `wiremend convert` makes requests of it" in result.stderr


def test_both_answers_of_a_preference_are_judged_in_their_places() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    value = {
        "input": {"messages": [{"role": "user", "content": "Hi"}], "tools": []},
        "preferred_output": [{"role": "assistant", "content": "Hello."}],
        "non_preferred_output": [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "assistant", "content": "x"},
        ],
    }
    [(rule, at)] = found("preferences", value)
    assert (rule, at) == ("missing-tool-result", "/non_preferred_output/0/tool_calls/0")


def test_fine_tuning_lines_are_requests_like_any_other(tmp_path: Path) -> None:
    line = {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello.", "weight": 0},
        ],
        "parallel_tool_calls": False,
        "tools": [],
    }
    result = run("check", "-v", write(tmp_path / "tune.jsonl", line))
    assert result.exit_code == 0
    assert "a request in the format openai-chat" in result.stderr


def test_chatml_texts_are_conversations() -> None:
    text = (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
        "<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>assistant\n"
    )
    assert found("chatml", {"text": text}) == []
    [conversation] = LOGS["chatml"].read(records_of([{"text": text}])).conversations
    assert conversation.body["messages"][2] == {"role": "assistant", "content": "Hello."}
    broken = text.replace("Hello.", " ") + "x<|im_end|>\n"
    assert {at for _, at in found("chatml", {"text": broken})} == {"/text"}


@pytest.mark.parametrize("value", [{"text": "hello"}, {"conversations": []}, [1], [{"from": 1}]])
def test_other_json_is_not_taken_for_a_data_set(value: Any) -> None:
    assert recognise_log(value) is None


def test_an_array_of_messages_is_still_a_request(tmp_path: Path) -> None:
    path = write(tmp_path / "one.json", [{"role": "user", "content": "Hi"}])
    assert "an array of messages in the format openai-chat" in run("check", "-v", path).stderr
