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
    assert LOGS[name].read(records_of([value])).conversations
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
    [tool] = conversation.body["tools"]
    assert tool["function"]["name"] == "look"
    assert tool["function"]["parameters"] == {"type": "object", "properties": {}}


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


TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
USER, ANSWER = {"role": "user", "content": "Dry?"}, {"role": "assistant", "content": "Dry."}
BARE_CALL = {"type": "function", "function": {"name": "look", "arguments": {"bed": 1}}}
ROWS: dict[str, tuple[str, Any]] = {
    "tools as a text": ("messages", {"messages": [USER, ANSWER], "tools": json.dumps([TOOL])}),
    "messages as a text": ("messages", {"messages": json.dumps([USER, ANSWER]), "id": 1}),
    "calls without ids": (
        "messages",
        {
            "messages": [
                USER,
                {"role": "assistant", "content": "", "tool_calls": [BARE_CALL]},
                {"role": "tool", "name": "look", "content": "12 %"},
                ANSWER,
            ],
            "tools": [TOOL],
        },
    ),
    "roles of a trainer": (
        "messages",
        {
            "tools": json.dumps([TOOL]),
            "messages": [
                USER,
                {"role": "tool_call", "content": CALL},
                {"role": "tool_response", "content": "12 %"},
                ANSWER,
            ],
        },
    ),
    "an array of rows": ("messages", [{"messages": [USER, ANSWER], "tools": "[]"}]),
    "answers alone": ("preferences", {"prompt": [USER], "chosen": [ANSWER], "rejected": [ANSWER]}),
    "whole answers": ("preferences", {"chosen": [USER, ANSWER], "rejected": [USER, ANSWER]}),
    "whole answers and a text": (
        "preferences",
        {"prompt": "Dry?", "chosen": [USER, ANSWER], "rejected": [USER, ANSWER]},
    ),
    "turns as answers": (
        "preferences",
        {
            "conversations": [{"from": "human", "value": "Dry?"}],
            "chosen": {"from": "gpt", "value": "Dry."},
            "rejected": {"from": "gpt", "value": "Wet."},
        },
    ),
    "a prompt alone": ("preferences", {"prompt": [USER]}),
    "a completion": ("preferences", {"prompt": [USER], "completion": [ANSWER]}),
    "a test": ("preferences", {"input": [USER], "ideal": "Dry."}),
    "a query": (
        "xlam",
        {
            "id": 0,
            "query": "Where?",
            "answers": f"[{CALL}]",
            "tools": json.dumps([{"name": "look"}]),
        },
    ),
    "ends in a call": ("sharegpt", turns(("human", "Look"), ("function_call", CALL))),
}


@pytest.mark.parametrize(("name", "value"), ROWS.values(), ids=list(ROWS))
def test_rows_of_all_shapes_are_fine_and_can_be_converted(
    name: str, value: Any, tmp_path: Path
) -> None:
    assert found(name, value) == []
    path = write(tmp_path / "rows.jsonl", value, value)
    checked = run("check", "-v", path)
    assert (checked.exit_code, checked.stdout) == (0, "")
    assert LOGS[name].what in checked.stderr
    assert run("convert", path, "--to", "anthropic").exit_code == 0


def test_a_request_with_a_model_is_no_row_whatever_is_wrong_with_it(tmp_path: Path) -> None:
    _, row = ROWS["calls without ids"]
    path = write(tmp_path / "ollama.jsonl", {"model": "qwen3", **row})
    assert "a request in the format openai-chat" in run("check", "-v", path).stderr
    assert run("fix", path).exit_code == 0


def body_of(name: str, value: Any, number: int = 0) -> Any:
    return LOGS[name].read(records_of([value])).conversations[number].body


def test_calls_without_ids_get_the_same_ones_as_their_results() -> None:
    name, row = ROWS["calls without ids"]
    _, called, result, _ = body_of(name, row)["messages"]
    [call] = called["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"bed": 1}
    assert call["id"] == result["tool_call_id"]


def test_tools_come_out_as_a_provider_defines_them_whatever_python_calls_a_type() -> None:
    parameters = {
        "bed": {"type": "int, optional", "description": "Which."},
        "all": {"type": "List[str]"},
    }
    row = {
        "query": "Where?",
        "answers": "[]",
        "tools": [{"name": "look", "parameters": parameters}],
    }
    [tool] = body_of("xlam", row)["tools"]
    properties = tool["function"]["parameters"]["properties"]
    assert {name: one["type"] for name, one in properties.items()} == {
        "bed": "integer",
        "all": "array",
    }


HERMES = turns(
    ("system", f"You call functions within <tools></tools>: <tools>\n{json.dumps(TOOL)}\n</tools>"),
    ("human", "Dry?"),
    (
        "gpt",
        f"<tool_call>\n{CALL}\n</tool_call>\n"
        "<tool_call>\n{'arguments': {'bed': 2}, 'name': 'look'}\n</tool_call>",
    ),
    ("tool", "<tool_response>\n12 %\n</tool_response>\n<tool_response>\n9 %\n</tool_response>"),
    ("gpt", "Dry, both."),
)


def test_calls_results_and_tools_in_text_are_read_as_such() -> None:
    assert found("sharegpt", HERMES) == []
    body = body_of("sharegpt", HERMES)
    _, _, called, first, second, _ = body["messages"]
    assert [json.loads(c["function"]["arguments"]) for c in called["tool_calls"]] == [
        {"bed": 1},
        {"bed": 2},
    ]
    assert [c["id"] for c in called["tool_calls"]] == [
        first["tool_call_id"],
        second["tool_call_id"],
    ]
    assert [first["content"], second["content"]] == ["12 %", "9 %"]
    assert body["tools"] == [TOOL]


def test_a_tag_without_a_call_in_it_stays_text() -> None:
    row = turns(("human", "Look"), ("gpt", "<tool_call>\nlook at it\n</tool_call>"))
    _, answer = body_of("sharegpt", row)["messages"]
    assert "look at it" in answer["content"]


def test_results_that_a_template_puts_into_the_turn_of_the_user_are_results() -> None:
    text = (
        "<|im_start|>user\nDry?<|im_end|>\n"
        f"<|im_start|>assistant\n<tool_call>\n{CALL}\n</tool_call><|im_end|>\n"
        "<|im_start|>user\n<tool_response>\n12 %\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\nDry.<|im_end|>"
    )
    assert found("chatml", {"text": text}) == []
    roles = [message["role"] for message in body_of("chatml", {"text": text})["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant"]


def test_a_prompt_of_chatml_goes_with_each_of_its_answers() -> None:
    prompt = "<|im_start|>user\nDry?<|im_end|>\n<|im_start|>assistant\n"
    row = {"prompt": prompt, "chosen": "Dry.<|im_end|>", "rejected": f"{prompt} <|im_end|>"}
    conversations = LOGS["chatml"].read(records_of([row])).conversations
    assert [one.title for one in conversations] == ["chosen", "rejected"]
    assert [one.body["messages"][1]["content"] for one in conversations] == ["Dry.", " "]
    assert {at for _, at in found("chatml", row)} == {"/rejected"}


def test_a_file_of_chatml_is_a_conversation_or_several(tmp_path: Path) -> None:
    one = '<|im_start|>user\nHi \\ "you"<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n'
    path = tmp_path / "one.txt"
    path.write_text(one)
    assert run("check", path).exit_code == 0
    assert "1 conversation" in run("check", path).stderr
    assert 'Hi \\\\ \\"you\\"' in run("convert", path, "--to", "anthropic").stdout
    assert "Hello." in run("show", path).stdout
    assert "2 conversations" in run("check", "-", stdin=f"{one}<|endoftext|>{one}").stderr


def test_a_preference_is_judged_in_both_answers() -> None:
    broken = [{"role": "tool", "tool_call_id": "call_9", "content": "x"}]
    row = {"prompt": [USER], "chosen": [ANSWER], "rejected": [*broken, ANSWER]}
    assert found("preferences", row) == [("orphan-tool-result", "/rejected/0")]


def test_a_torn_row_does_not_end_a_conversion(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", WHOLE["plain"], WHOLE["calls"])
    path.write_text(path.read_text() + '{"conversations": [\n' + json.dumps(WHOLE["plain"]) + "\n")
    result = run("convert", path, "--to", "anthropic")
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 3
    assert f"{path}:3: truncated JSON" in result.stderr
    assert "1 unusable line" in result.stderr
    stopped = run("convert", path, "--to", "anthropic", "--strict-input")
    assert len(stopped.stdout.splitlines()) == 2
