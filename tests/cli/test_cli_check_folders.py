"""``wiremend check FOLDER``: every format in it, what is none is passed over, and counted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.cli.running import HELLO, OPEN_CALL, run, write
from tests.logs.claude_sessions import Session, call, whole
from tests.logs.test_codex import WHOLE
from tests.logs.test_data_sets import turns

if TYPE_CHECKING:
    from pathlib import Path


def _broken() -> Session:
    session = Session()
    session.user("do it")
    session.answer("msg_1", call("toolu_1"))
    session.user("go on")
    return session


def test_a_folder_of_everything_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    whole().write(tmp_path / "projects" / "a.jsonl")
    _broken().write(tmp_path / "projects" / "b.jsonl")
    write(tmp_path / "c.jsonl", *WHOLE)
    write(tmp_path / "d.jsonl", turns(("human", "Hi"), ("gpt", "Hello.")))
    write(tmp_path / "e.json", HELLO)
    write(tmp_path / "package.json", {"name": "x", "version": "1"})
    write(tmp_path / "history.jsonl", {"display": "x"}, {"display": "y"})
    result = run("check", "--output", "json", tmp_path)
    files = json.loads(result.stdout)["files"]
    assert [(one["format"], len(one["violations"])) for one in files] == [
        *(("codex", 0), ("sharegpt", 0), ("openai-chat", 0), ("claude-code", 0)),
        ("claude-code", 1),
    ]
    assert files[-1]["path"] == f"{tmp_path / 'projects' / 'b.jsonl'}:2"
    assert result.exit_code == 1
    assert result.stderr == (
        "wiremend: 5 conversations, 1 with 1 violation (1 repaired by `wiremend fix`), "
        "2 other files passed over\n"
    )
    assert "package.json: passed over: holds an object" in run("check", "-v", tmp_path).stderr


def test_a_file_that_was_named_has_to_be_a_conversation(tmp_path: Path) -> None:
    path = write(tmp_path / "package.json", {"name": "x"})
    assert run("check", path).exit_code == 2
    assert run("check", tmp_path).exit_code == 0


def test_a_session_without_messages_is_passed_over(tmp_path: Path) -> None:
    session = Session()
    session.note(type="summary", summary="x", leafUuid="y")
    session.write(tmp_path / "a.jsonl")
    result = run("check", tmp_path)
    assert (result.exit_code, result.stderr) == (
        0,
        "wiremend: 0 conversations, 1 other file passed over\n",
    )


def test_the_format_of_a_log_can_be_named(tmp_path: Path) -> None:
    path = _broken().write(tmp_path / "a.jsonl")
    assert run("check", "--format", "claude-code", path).exit_code == 1
    wrong = run("check", "--format", "codex", path)
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    other = write(tmp_path / "one.json", OPEN_CALL)
    assert "is not a rollout" in run("check", "--format", "codex", other).stderr


def test_a_fault_of_a_log_is_explained_and_in_sarif(tmp_path: Path) -> None:
    page = run("explain", "wl002").stdout
    assert page.startswith("WL002 broken-chain")
    assert json.loads(run("explain", "broken-chain", "--output", "json").stdout)["rules"] == [
        "WL002"
    ]
    session = _broken()
    session.records.append("{torn")
    path = session.write(tmp_path / "a.jsonl")
    [log] = json.loads(run("check", "--output", "sarif", path).stdout)["runs"]
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    for result, line in zip(log["results"], (2, 4), strict=True):
        assert rules[result["ruleIndex"]] == result["ruleId"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] == line
    assert run("check", "--output", "github", path).stdout.count("::error file=") == 2
