"""``wiremend session``: sessions in a store, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wiremend.cli.app import cli

LOG = Path(__file__).parents[2] / "examples" / "wire.jsonl"


@pytest.fixture
def store(tmp_path: Path) -> str:
    url = str(tmp_path / "agent.db")
    assert run("import", url, "one", LOG).exit_code == 0
    return url


def run(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["session", *map(str, arguments)], input=stdin)


def roles(result: Result) -> str:
    return "".join(message["role"][0] for message in json.loads(result.stdout))


def test_what_is_imported_is_listed_shown_and_exported_again(store: str) -> None:
    assert json.loads(run("list", store, "--output", "json").stdout)["sessions"][0]["records"] == 14
    assert roles(run("show", store, "one", "--output", "json")) == "uatatua"
    assert "open_valve (open_valve:1)" in run("show", store, "one").stdout
    exported = run("export", store, "one").stdout.splitlines()
    assert [json.loads(line) for line in exported] == [
        json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()
    ]


def test_an_existing_session_is_not_imported_over(store: str) -> None:
    result = run("import", store, "one", LOG)
    assert "already" in result.stderr
    assert result.exit_code == 2


def test_a_log_that_breaks_off_leaves_no_half_session(store: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(LOG.read_text(encoding="utf-8") + '{"type"', encoding="utf-8")
    assert run("import", store, "two", broken).exit_code == 2
    assert "two" not in run("list", store).stdout


def test_undo_says_what_it_did_or_why_it_did_not(store: str) -> None:
    done = run("undo", store, "one")
    assert (json.loads(done.stdout)["messages"], done.exit_code) == (5, 0)
    refused = run("undo", store, "one", "-n", "4")
    assert "only 1 prompt can be undone" in refused.stderr
    assert refused.exit_code == 1


def test_a_fork_goes_its_own_way(store: str) -> None:
    assert json.loads(run("fork", store, "one", "two").stdout)["parent"] == "one"
    run("undo", store, "two")
    assert roles(run("show", store, "two", "--output", "json")) == "uatat"
    assert roles(run("show", store, "one", "--output", "json")) == "uatatua"
    assert "forked from one at 14" in run("list", store).stdout


def test_compaction_takes_its_summary_from_a_file_or_standard_input(store: str) -> None:
    assert run("compact", store, "one", "--summary", "-", stdin="They watered.\n").exit_code == 0
    assert roles(run("show", store, "one", "--output", "json")) == "uuu"
    transcript = json.loads(run("show", store, "one", "--transcript", "--output", "json").stdout)
    assert len(transcript) == 8
    assert run("compact", store, "one", "--summary", "-", stdin=" ").exit_code == 2


def test_verify_finds_nothing_in_a_sound_store(store: str) -> None:
    result = run("verify", store)
    assert (result.stdout, result.exit_code) == ("", 0)


def test_what_is_not_there_is_one_line_and_exits_with_2(store: str, tmp_path: Path) -> None:
    for arguments in (("show", store, "ghost"), ("list", tmp_path / "notes.txt")):
        result = run(*arguments)
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1
        assert result.exit_code == 2
