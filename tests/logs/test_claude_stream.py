"""Claude Code as its caller hears it: lines without a tree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cli.running import run, write
from tests.logs.claude_sessions import call, text, thought
from tests.logs.mending import problems_of, records_of
from wiremend.logs import LOGS, recognise_log

LOG = LOGS["claude-stream"]


def line(kind: str, parent: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields, "session_id": "s-1", "parent_tool_use_id": parent, "uuid": "u"}


def answer(message: str, *blocks: Any, parent: str | None = None) -> dict[str, Any]:
    said = {"id": message, "type": "message", "role": "assistant", "content": list(blocks)}
    return line("assistant", parent, message={"model": "claude-opus-5", **said})


def result(call_id: str, parent: str | None = None) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": "dry"}
    return line("user", parent, message={"role": "user", "content": [block]})


def prompt(said: str, parent: str | None = None) -> dict[str, Any]:
    return line("user", parent, message={"role": "user", "content": said})


WHOLE = [
    line("system", subtype="init", tools=["Bash"], model="claude-opus-5"),
    prompt("Is the soil dry?"),
    line("stream_event", event={"type": "message_start"}),
    answer("msg_1", thought("I look.")),
    answer("msg_1", text("Let me look.")),
    answer("msg_1", call("toolu_1")),
    answer("msg_1", call("toolu_2")),
    result("toolu_1"),
    result("toolu_2"),
    answer("msg_2", text("Dry.")),
    {"type": "rate_limit_event", "session_id": "s-1", "rate_limit_info": {}},
    line("result", subtype="success", is_error=False, result="Dry."),
]


def found(records: Sequence[Any]) -> list[tuple[str, int, str]]:
    return problems_of(LOG, records_of(records))


def test_the_lines_of_a_run_are_put_together_as_they_were_sent() -> None:
    assert recognise_log(WHOLE[0]) is LOG
    assert found(WHOLE) == []
    [conversation] = LOG.read(records_of(WHOLE)).conversations
    assert conversation.recorded is not None
    said = conversation.recorded["messages"]
    assert [one["role"] for one in said] == ["user", "assistant", "user", "assistant"]
    assert [block["type"] for block in said[1]["content"]] == [
        *("thinking", "text", "tool_use", "tool_use"),
    ]


def test_what_is_missing_is_found_at_its_line() -> None:
    assert found([*WHOLE[:8], *WHOLE[9:], prompt("Well?")]) == [
        ("missing-tool-result", 6, "/message/content/0")
    ]


def test_subagents_are_conversations_of_their_own() -> None:
    inner = [prompt("Look.", "toolu_1"), answer("msg_9", call("toolu_9"), parent="toolu_1")]
    records = [*WHOLE[:7], *inner, result("toolu_9", "toolu_1"), *WHOLE[7:]]
    assert found(records) == []
    titles = [one.title for one in LOG.read(records_of(records)).conversations]
    assert titles == ["", "subagent of toolu_1"]


def test_the_command_reads_it_and_says_where_its_own_log_is(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", *WHOLE)
    assert "what Claude Code wrote to its caller" in run("check", "-v", path).stderr
    assert run("convert", path, "--to", "openai-chat").exit_code == 0
    assert "~/.claude/projects" in run("fix", path).stderr
