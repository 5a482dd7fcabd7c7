"""Many conversations: the same on every number of processes, and after every interruption."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import HELLO, OPEN_CALL, run
from wiremend.cli.tally import Tally

BAD = b'{"model": "gpt-5", "messages": [\n'
BARE = json.dumps([{"role": "user", "content": "hi"}])


def lines(number: int) -> list[bytes]:
    """Whole, broken, bare and unusable lines, and empty ones."""
    kinds = [json.dumps(HELLO), json.dumps(OPEN_CALL), BARE, "", json.dumps(HELLO)]
    out = [f"{kinds[n % 5]}\n".encode() for n in range(number)]
    out[number // 3] = BAD
    out[number // 2] = b"[]\n"
    return out


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "mixed.jsonl"
    path.write_bytes(b"".join(lines(1500)))
    return path


COMMANDS = [
    ("check",),
    ("check", "--output", "json"),
    ("check", "--output", "sarif"),
    ("fix",),
    ("fix", "--output", "json"),
    ("fix", "--diff"),
    ("convert", "--to", "anthropic", "--model", "claude-sonnet-4-5"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_number_of_processes_changes_nothing(
    command: tuple[str, ...], mixed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = run(*command, "-j", "1", mixed)
    monkeypatch.setattr("wiremend.bulk.pool.ALONE", 0.0)
    together = run(*command, "-j", "3", mixed)
    assert together.stdout_bytes == alone.stdout_bytes
    assert together.stderr == alone.stderr
    assert together.exit_code == alone.exit_code == 2


@pytest.mark.parametrize("command", ["check", "fix", "convert"])
def test_a_bad_line_is_said_and_passed_over_unless_that_is_not_wanted(
    command: str, mixed: Path
) -> None:
    to = ["--to", "anthropic"] if command == "convert" else []
    result = run(command, *to, mixed)
    assert f"{mixed}:501: truncated JSON" in result.stderr
    assert f"{mixed}:751: holds an empty array" in result.stderr
    assert "2 unusable" in result.stderr
    result = run(command, *to, "--strict-input", mixed)
    assert f"{mixed}:501: truncated JSON" in result.stderr
    assert "as --strict-input says" in result.stderr
    assert ":751:" not in result.stderr
    assert result.exit_code == 2


def test_many_conversations_end_with_a_table(mixed: Path) -> None:
    result = run("check", mixed)
    assert result.stderr.splitlines()[-3:] == [
        "wiremend: 1198 conversations, 300 with 300 violations (300 repaired by `wiremend fix`), "
        "2 unusable inputs",
        "  rule                       violations  conversations",
        "  WM101 missing-tool-result         300            300",
    ]
    result = run("fix", mixed)
    assert result.stderr.splitlines()[-2:] == [
        "  repair                        times",
        "  tool_result_synthesized         300",
    ]


def test_a_rule_counts_a_conversation_once() -> None:
    violation: Any = type("V", (), {"code": "WM1", "rule": "r", "fixable": True})
    tally = Tally()
    tally.add(20, 1, [violation, violation])
    assert list(tally.table())[1].split() == ["WM1", "r", "2", "1"]


SLOW = """
import sys, time
import wiremend.bulk.resuming as resuming
resuming._EVERY = 0.0
from wiremend.cli import fixing, checking
for job in (fixing.FixJob, checking.CheckJob):
    work = job.__call__
    def slowly(self, part, work=work):
        time.sleep(0.05)
        return work(self, part)
    job.__call__ = slowly
import wiremend.bulk.parts as parts
parts.MOST_DOCUMENTS = 20
from wiremend.cli import main
sys.argv[0] = "wiremend"
main()
"""


def interrupt(
    sort: signal.Signals, arguments: list[str], out: Path, state: Path
) -> subprocess.CompletedProcess[bytes]:
    """Run a slow wiremend and stop it under way; standard output is appended to ``out``."""
    with out.open("ab") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW, *arguments], stdout=file, stderr=subprocess.PIPE
        )
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
            if state.exists() and json.loads(state.read_bytes())["place"]["line"] > 100:
                process.send_signal(sort)
                break
        _, said = process.communicate(timeout=60)
    return subprocess.CompletedProcess(arguments, process.returncode, b"", said)


@pytest.mark.parametrize("sort", [signal.SIGINT, signal.SIGKILL])
def test_fix_goes_on_where_it_was_stopped(
    sort: signal.Signals, mixed: Path, tmp_path: Path
) -> None:
    whole = run("fix", mixed).stdout_bytes
    state, target = tmp_path / "state.json", tmp_path / "mended.jsonl"
    given = ["fix", "-j", "1", str(mixed), "-o", str(target), "--resume", str(state)]
    stopped = interrupt(sort, given, tmp_path / "out", state)
    assert stopped.returncode in (130, -9), stopped.stderr
    assert not target.exists()
    kept = json.loads(state.read_bytes())
    assert 0 < kept["place"]["line"] < 1500
    done = run(*given)
    assert target.read_bytes() == whole
    assert "300 repairs, 2 unusable lines" in done.stderr
    assert not state.exists()
    assert not (tmp_path / "mended.jsonl.part").exists()


@pytest.mark.parametrize("sort", [signal.SIGINT, signal.SIGKILL])
def test_check_goes_on_where_it_was_stopped(
    sort: signal.Signals, mixed: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(OPEN_CALL))
    whole = run("check", other, mixed, other)
    state, report = tmp_path / "state.json", tmp_path / "report"
    given = ["check", "-j", "1", str(other), str(mixed), str(other), "--resume", str(state)]
    interrupt(sort, given, report, state)
    kept = json.loads(state.read_bytes())
    assert kept["place"]["file"] == 1
    done = run(*given)
    report.write_bytes(report.read_bytes() + done.stdout_bytes)
    # Killed, it may have reported a little that it did not note any more.
    found = report.read_text().splitlines()
    assert list(dict.fromkeys(found[1:-1])) == whole.stdout.splitlines()[1:-1]
    if sort == signal.SIGINT:
        assert report.read_bytes() == whole.stdout_bytes
        assert done.stderr.splitlines()[-3:] == whole.stderr.splitlines()[-3:]


def test_what_another_run_kept_is_refused(mixed: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    (tmp_path / "b.jsonl").write_bytes(BAD)
    stopped = run("check", "--strict-input", "--resume", state, mixed)
    assert stopped.exit_code == 2
    assert state.exists()
    other = run("check", "--resume", state, tmp_path / "b.jsonl")
    assert other.exit_code == 2
    assert "is about another run: other files or options were given" in other.stderr
    mixed.write_bytes(mixed.read_bytes() + b"\n{}")
    changed = run("check", "--strict-input", "--resume", state, mixed)
    assert "is another file, or was changed, since" in changed.stderr
    state.write_text("{}")
    assert "does not say how far a run got" in run("check", "--resume", state, mixed).stderr


def test_strict_input_goes_on_at_the_line_that_was_mended(tmp_path: Path) -> None:
    path, state = tmp_path / "a.jsonl", tmp_path / "state.json"
    path.write_bytes(json.dumps(OPEN_CALL).encode() + b"\n" + b"[}\n" + json.dumps(HELLO).encode())
    given: list[str | Path] = ["check", "--strict-input", "--resume", state, path]
    assert "a.jsonl:2: not JSON" in run(*given).stderr
    path.write_bytes(path.read_bytes().replace(b"[}", b"  "))
    done = run(*given)
    assert done.stdout == ""
    assert "2 conversations, 1 with 1 violation (1 repaired by `wiremend fix`)" in done.stderr
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "--output", "json"], "--resume goes with --output text or github"),
        (["fix"], "--resume needs -o or --in-place"),
        (["convert", "--to", "kimi"], "--resume needs -o"),
    ],
)
def test_a_report_that_cannot_be_continued_is_refused(
    arguments: list[str], said: str, mixed: Path, tmp_path: Path
) -> None:
    result = run(*arguments, "--resume", tmp_path / "state", mixed)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_state_that_cannot_be_written_is_said(mixed: Path, tmp_path: Path) -> None:
    result = run("check", "--resume", tmp_path / "none" / "state", mixed)
    assert result.exit_code == 2
    assert "cannot be written: No such file or directory" in result.stderr


def test_a_progress_bar_is_for_those_who_wait(
    mixed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.console import Console

    from wiremend.cli import bulk

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(bulk, "_LARGE", 1)
    console = Console(force_terminal=True, width=100)
    with bulk.watching(lambda: bulk.bytes_below([str(mixed)]), console) as watch:
        watch.advance(mixed.stat().st_size // 2, 600, 30)
        time.sleep(0.2)
    assert "600 conversations, 30 found" in capsys.readouterr().out
