"""``wiremend convert`` makes requests of logs, each as it was recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.cli.running import run, write
from tests.logs.claude_sessions import whole
from tests.logs.test_codex import WHOLE, called, rollout, user
from tests.logs.test_data_sets import turns

if TYPE_CHECKING:
    from pathlib import Path


def test_a_session_becomes_a_request_of_any_provider(tmp_path: Path) -> None:
    path = whole().write(tmp_path / "a.jsonl")
    result = run("convert", "--to", "openai-chat", path)
    assert result.exit_code == 0
    body = json.loads(result.stdout)
    assert [message["role"] for message in body["messages"]] == [
        *("user", "assistant", "user", "assistant", "tool", "tool", "assistant"),
    ]
    assert "(the next prompt)" not in result.stdout


def test_a_rollout_that_ends_in_a_call_is_closed(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", *rollout(user("look"), called("call_1")))
    result = run("convert", "--to", "anthropic", "--output", "json", path)
    report = json.loads(result.stdout)
    last = report["request"]["messages"][-1]["content"][0]
    assert (last["type"], last["tool_use_id"]) == ("tool_result", "call_1")
    assert "awaited" not in result.stdout
    assert run("convert", "--to", "gemini", write(tmp_path / "b.jsonl", *WHOLE)).exit_code == 0


def test_a_data_set_is_converted_line_by_line(tmp_path: Path) -> None:
    one = turns(("human", "Hi"), ("gpt", "Hello."))
    path = write(tmp_path / "set.jsonl", one, one)
    lines = run("convert", "--to", "anthropic", path).stdout.splitlines()
    assert [json.loads(line)["messages"][0]["role"] for line in lines] == ["user", "user"]
