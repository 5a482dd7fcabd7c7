"""``wiremend replay``: a session's log in, the history out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from wiremend.cli.app import cli

EXAMPLE = Path(__file__).parents[2] / "examples" / "wire.jsonl"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["replay", *map(str, arguments)])


def log(path: Path, *records: Any) -> Path:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def said(text: str, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": [{"type": "text", "text": text}], "toolCalls": []}
    return {"type": "context.append_message", "message": message, "time": 1, **more}


def test_the_history_is_an_array_of_messages() -> None:
    result = run(EXAMPLE)
    history = json.loads(result.stdout)
    roles = "user assistant tool assistant tool user assistant"
    assert " ".join(message["role"] for message in history) == roles
    assert history[4]["isError"] is True
    assert result.exit_code == 0


def test_the_transcript_has_times(tmp_path: Path) -> None:
    clear = {"type": "context.clear", "time": 2}
    path = log(tmp_path / "wire.jsonl", said("a"), clear, said("b", time=3))
    entries = json.loads(run("--transcript", path).stdout)
    told = [(e["time"], e["message"]["content"][0]["text"]) for e in entries]
    assert told == [(1, "a"), (3, "b")]
    assert len(json.loads(run(path).stdout)) == 1


def test_text_is_a_line_for_each_message() -> None:
    lines = run("--output", "text", EXAMPLE).stdout.splitlines()
    assert len(lines) == 7
    assert "→ open_valve (open_valve:1)" in lines[3]


def test_what_replay_writes_project_reads() -> None:
    history = run(EXAMPLE).stdout
    result = CliRunner().invoke(cli, ["project", "-"], input=history)
    assert json.loads(result.stdout)["anomalies"] == []


def test_a_torn_last_line_is_said_and_left_out(tmp_path: Path) -> None:
    path = tmp_path / "wire.jsonl"
    path.write_text(json.dumps(said("a")) + "\n" + json.dumps(said("b"))[:40], encoding="utf-8")
    result = run(path)
    assert len(json.loads(result.stdout)) == 1
    assert "wire.jsonl:2: the last line is torn" in result.stderr
    assert result.exit_code == 0


def test_a_broken_line_in_the_middle_is_said_left_out_and_exits_with_2(tmp_path: Path) -> None:
    broken = {"type": "context.append_message", "message": {"role": "robot"}}
    result = run(log(tmp_path / "wire.jsonl", said("a"), "{nonsense", broken, said("b")))
    assert len(json.loads(result.stdout)) == 2
    assert "wire.jsonl:2: left out" in result.stderr
    assert "wire.jsonl:3: left out: /message/role" in result.stderr
    assert result.exit_code == 2


def test_records_of_other_types_are_passed_over_and_counted(tmp_path: Path) -> None:
    result = run(
        log(tmp_path / "wire.jsonl", {"type": "metadata"}, said("a"), {"type": "llm.usage"})
    )
    assert "1 record, 2 other lines" in result.stderr


def test_what_is_no_log_is_one_line_and_exits_with_2(tmp_path: Path) -> None:
    result = run(log(tmp_path / "wire.jsonl", "[1, 2]"))
    assert result.stdout == ""
    assert "no log of records" in result.stderr
    assert result.exit_code == 2
