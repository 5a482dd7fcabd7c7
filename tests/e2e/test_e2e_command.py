"""The real command in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import wiremend

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
COMMAND = (sys.executable, "-m", "wiremend")
HELLO = json.dumps({"messages": [{"role": "user", "content": "hello"}]})


def _run(*arguments: str | Path, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=60)


def _python(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60)


def test_check_fix_and_check_again(tmp_path: Path) -> None:
    broken = EXAMPLES / "anthropic-broken.json"
    assert _run("check", broken).returncode == 1
    mended = _run("fix", broken)
    assert mended.returncode == 0
    assert _run("check", "-", stdin=mended.stdout).returncode == 0
    assert _run("fix", "-", stdin=mended.stdout).stdout == mended.stdout


def test_jsonl_goes_through_a_pipe() -> None:
    lines = (EXAMPLES / "conversations.jsonl").read_bytes()
    mended = _run("fix", "-", stdin=lines)
    assert mended.returncode == 0
    assert mended.stdout.count(b"\n") == lines.count(b"\n")
    assert _run("check", "-", stdin=mended.stdout).returncode == 0


def test_project_reads_standard_input_and_writes_one_line() -> None:
    result = _run("project", stdin=(EXAMPLES / "history.json").read_bytes())
    assert (result.returncode, result.stderr) == (0, b"")
    assert list(json.loads(result.stdout)) == ["messages", "anomalies"]


def test_the_version_is_the_packages() -> None:
    result = _run("--version")
    assert (result.returncode, result.stdout) == (0, f"wiremend {wiremend.__version__}\n".encode())


@pytest.mark.parametrize("command", ["check", "fix", "explain", "project", "demo"])
def test_the_help_of_each_command_has_an_example_and_the_exit_status(command: str) -> None:
    result = _run(command, "--help")
    assert result.returncode == 0
    assert f"  wiremend {command}".encode() in result.stdout
    assert b"Exit status: 0" in result.stdout


def test_a_command_that_does_not_exist_is_a_usage_error() -> None:
    result = _run("mend")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"No such command 'mend'" in result.stderr


def test_without_click_one_line_names_the_extra() -> None:
    result = _python(
        "import sys; sys.modules['click'] = None; from wiremend.cli import main; main()"
    )
    assert result.returncode == 2
    [line] = result.stderr.decode().splitlines()
    assert "pip install 'wiremend[cli]'" in line


def test_a_check_for_a_pipe_imports_no_rich() -> None:
    code = (
        "import sys; from wiremend.cli.app import run; run(['check', sys.argv[1]]); "
        "sys.exit('rich' in sys.modules)"
    )
    assert _python(code, EXAMPLES / "anthropic-whole.json").returncode == 0


def test_a_closed_pipe_is_silent(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text(f"{HELLO}\n" * 20_000)
    with subprocess.Popen(
        [*COMMAND, "check", "--output", "json", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b'{"files": [\n'
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


def test_an_interruption_is_silent() -> None:
    with subprocess.Popen(
        [*COMMAND, "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"{HELLO}\n5\n{HELLO}\n".encode())
        process.stdin.flush()
        assert b"<stdin>:2: holds a number" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*COMMAND, "demo"], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60
        )
    assert result.returncode == 2
    assert result.stderr == b"wiremend: cannot write: No space left on device\n"


def test_data_is_utf_8_in_any_locale() -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "Zoë"}]}, ensure_ascii=False)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    result = subprocess.run(
        [*COMMAND, "fix", "-"],
        input=body.encode(),
        capture_output=True,
        check=False,
        env=environment,
        timeout=60,
    )
    assert (result.returncode, result.stdout) == (0, body.encode())


def _at_a_terminal(arguments: list[str | Path], **more: str) -> str:
    pty = pytest.importorskip("pty", reason="no terminals here")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **more}
    with subprocess.Popen(
        [*COMMAND, *map(str, arguments)], stdout=theirs, stderr=subprocess.PIPE, env=environment
    ) as process:
        os.close(theirs)
        shown = bytearray()
        try:
            while data := os.read(ours, 65536):
                shown += data
        except OSError:
            # This is how the end of a terminal reads.
            pass
        os.close(ours)
        assert process.stderr is not None
        process.stderr.read()
    return shown.decode()


def test_a_terminal_gets_colours_and_the_providers_words() -> None:
    shown = _at_a_terminal(["check", EXAMPLES / "openai-chat-broken.json"])
    assert "\x1b[" in shown
    assert "^^^" in shown
    assert "An assistant message with 'tool_calls' must be followed by tool messages" in shown


@pytest.mark.parametrize("arguments", [["check"], ["fix", "--diff"]], ids=["check", "fix"])
def test_nobody_gets_colours_who_does_not_want_them(arguments: list[str | Path]) -> None:
    path = EXAMPLES / "openai-chat-broken.json"
    environment: dict[str, Any] = {"NO_COLOR": "1"}
    shown = _at_a_terminal([*arguments, path], **environment)
    assert shown
    assert "\x1b[3" not in shown


_PEAK = """
import resource, sys
from wiremend.cli.app import run
status = run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.parametrize(("command", "status"), [("check", 1), ("fix", 0), ("project", 2)])
def test_jsonl_is_read_in_constant_memory(tmp_path: Path, command: str, status: int) -> None:
    pytest.importorskip("resource", reason="no way to measure memory here")
    body = {
        "messages": [
            {"role": "user", "content": "x" * 200_000},
            {"role": "tool", "tool_call_id": "none", "content": "y"},
        ]
    }
    line = json.dumps(body) + "\n"
    few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
    few.write_text(line * 20)
    with many.open("w") as file:
        for _ in range(300):
            file.write(line)
    small, large = (_python(_PEAK, command, path) for path in (few, many))
    assert (small.returncode, large.returncode) == (status, status)
    peaks = [int(result.stderr.splitlines()[-1]) for result in (small, large)]
    assert many.stat().st_size > 50 << 20
    assert peaks[1] < peaks[0] + 16
