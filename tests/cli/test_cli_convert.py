"""``wiremend convert``: another provider's format, and everything that could not go said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wiremend
from tests.cli.running import EXAMPLES, HELLO, OPEN_CALL, run, write

WHOLE = EXAMPLES / "anthropic-whole.json"
LOOK = {"id": "look:0", "type": "function", "function": {"name": "look", "arguments": "{}"}}
KIMI = {
    "model": "kimi-k2.5",
    "messages": [
        {"role": "user", "content": "look"},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "I have to look.",
            "tool_calls": [LOOK],
        },
        {"role": "tool", "tool_call_id": "look:0", "content": "a tree"},
    ],
}


def made(*arguments: str | Path) -> Any:
    return json.loads(run("convert", *arguments).stdout)


@pytest.mark.parametrize("target", list(wiremend.DIALECTS))
def test_a_whole_request_goes_to_every_provider(target: str) -> None:
    result = run("convert", WHOLE, "--to", target)
    assert result.exit_code == 0
    assert wiremend.check(json.loads(result.stdout), target) == []


def test_what_is_written_has_the_layout_of_the_input_and_a_summary_is_said() -> None:
    result = run("convert", WHOLE, "--to", "openai-chat")
    assert result.stdout.startswith('{\n  "model"')
    assert "0 repairs, nothing left behind" in result.stderr


def test_a_broken_request_is_mended_on_the_way(tmp_path: Path) -> None:
    result = run("convert", write(tmp_path / "a.json", OPEN_CALL), "--to", "anthropic")
    assert "added a result for call_1" in result.stderr
    assert result.exit_code == 0


def test_everything_that_has_no_place_is_said(tmp_path: Path) -> None:
    body = {**HELLO, "model": "gpt-5", "seed": 7, "tools": [{"type": "web_search"}]}
    path = write(tmp_path / "a.json", body)
    result = run("convert", path, "--to", "anthropic")
    assert "left out, as anthropic has no place for it: seed of settings" in result.stderr
    assert "left out, as anthropic has no place for it: web_search of tools" in result.stderr
    report = made(path, "--to", "anthropic", "--output", "json")
    assert {"what": "seed", "where": "settings"} in report["lost"]


def test_what_only_the_first_provider_had_comes_home_again(tmp_path: Path) -> None:
    home, there = write(tmp_path / "home.json", {**KIMI, "seed": 7}), tmp_path / "there.json"
    run("convert", home, "--to", "anthropic", "--model", "claude-sonnet-4-5", "-o", there)
    away = json.loads(there.read_bytes())
    assert "seed" not in away
    assert away["messages"][1]["content"][0]["id"] != "look:0"
    away["messages"].append({"role": "user", "content": "and now?"})
    back = made(write(there, away), "--to", "kimi", "--home", home)
    assert back == {
        **KIMI,
        "seed": 7,
        "messages": [*KIMI["messages"], {"role": "user", "content": "and now?"}],
    }
    assert run("convert", there, "--to", "kimi", "--home", tmp_path / "none.json").exit_code == 2


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], None),
        (["--thinking", "drop"], None),
        (["--thinking", "text"], "<thinking>\nI have to look.\n</thinking>"),
    ],
)
def test_thinking_of_another_provider_is_dropped_or_text(
    options: list[str], text: str | None, tmp_path: Path
) -> None:
    path = write(tmp_path / "a.json", KIMI)
    body = made(path, "--to", "anthropic", "--model", "claude-sonnet-4-5", *options)
    texts = [b["text"] for b in body["messages"][1]["content"] if b["type"] == "text"]
    assert texts == ([text] if text else [])
    kept = made(path, "--to", "deepseek", "--model", "deepseek-v4-pro")
    assert kept["messages"][1]["reasoning_content"] == "I have to look."


def test_the_model_of_the_new_request_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {**HELLO, "model": "gpt-5"})
    assert made(path, "--to", "bedrock", "--model", "amazon.nova-pro-v1:0")["modelId"] == (
        "amazon.nova-pro-v1:0"
    )


def test_a_limit_that_the_other_provider_wants_is_said_to_be_set(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {**HELLO, "model": "gpt-5"})
    result = run("convert", path, "--to", "anthropic")
    assert "a limit of the answer's length" in result.stderr
    assert "left out" not in result.stderr


def test_lines_are_converted_one_by_one_and_a_bad_one_holds_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{json.dumps(HELLO)}\nnonsense\n{json.dumps(OPEN_CALL)}\n")
    result = run("convert", path, "--to", "gemini")
    first, bad, last = map(json.loads, result.stdout.splitlines())
    assert first["contents"][0]["parts"] == [{"text": "hello"}]
    assert bad["line"] == 2
    assert last["contents"][0]["role"] == "user"
    assert result.exit_code == 2


def test_an_array_of_messages_becomes_a_request(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", HELLO["messages"])
    assert made(path, "--to", "openai-responses") == {
        "input": [{"role": "user", "content": "hello"}]
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "Missing option '--to'"),
        (["--to", "pigeon"], "'pigeon' is none of openai-chat"),
        (["--to", "gemini", "--home", "no-such-file.json"], "no such file"),
        (["--to", "gemini", "--format", "gemini"], 'it has no "contents"'),
    ],
)
def test_what_cannot_be_is_one_line_and_exits_with_2(options: list[str], said: str) -> None:
    result = run("convert", WHOLE, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_check_and_fix_judge_a_request_by_what_another_provider_would_get(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    options = ["--format", "openai-chat", "--for", "gemini"]
    checked = run("check", path, *options, "--output", "json")
    (entry,) = json.loads(checked.stdout)["files"]
    assert checked.exit_code == 1
    assert [found["code"] for found in entry["violations"]] == ["WM401"]
    assert "of the request for gemini" in entry["violations"][0]["message"]
    fixed = run("fix", path, *options)
    assert wiremend.check(json.loads(fixed.stdout), "gemini") == []


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        ({**HELLO, "model": "kimi-k2.5"}, "openai-chat, for kimi"),
        ({**HELLO, "model": "mistral-large-latest"}, "openai-chat, for mistral"),
        ({**HELLO, "model": "gpt-5"}, "openai-chat"),
        ({"input": "hello"}, "openai-responses"),
        ({"contents": [{"parts": [{"text": "hello"}]}]}, "gemini"),
    ],
)
def test_auto_says_what_it_took_the_input_for(body: Any, taken: str, tmp_path: Path) -> None:
    result = run("check", "-v", write(tmp_path / "a.json", body))
    assert f"taken for a request in the format {taken}\n" in result.stderr
