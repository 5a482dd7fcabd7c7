"""``assert_sendable``, as a function and as pytest's fixture, and what repositories install."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.cli.running import ANTHROPIC_BLANK, HELLO, OPEN_CALL, run, write
from wiremend.errors import WiremendError
from wiremend.model import ToolCall, assistant, user
from wiremend.testing import assert_sendable

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("value", [HELLO, HELLO["messages"], tuple(HELLO["messages"])])
def test_a_sendable_conversation_passes(value: Any) -> None:
    assert_sendable(value, "openai-chat")
    assert_sendable(value, "anthropic")


def test_a_history_is_judged_as_it_is_sent() -> None:
    history = [user("look"), assistant("", ToolCall("c1", "look", "{}")), user("well?")]
    assert_sendable(history, "anthropic", tools=[{"name": "look", "input_schema": {}}])


def test_a_refused_one_says_why_where_in_whose_words_and_what_mends_it() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_sendable(OPEN_CALL, "openai-chat")
    said = str(caught.value)
    assert said.startswith(
        "openai-chat would refuse this for 1 reason:\n  /messages/1/tool_calls/0:"
    )
    assert "WM101 missing-tool-result" in said
    assert "openai-chat says: An assistant message with 'tool_calls'" in said
    assert said.endswith("`wiremend.fix(body, 'openai-chat')` repairs 1 of 1")
    assert "look, please" not in said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"contents": [{"role": "user", "parts": [{"text": "x"}]}]}, "in the format gemini"),
        ({"no": 1}, "it holds an object without"),
        ([], "it holds an empty array"),
    ],
)
def test_what_is_no_request_of_the_provider_fails(value: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        assert_sendable(value, "anthropic")


def test_a_provider_that_is_none_is_a_mistake_of_the_test() -> None:
    with pytest.raises(WiremendError, match="no dialect 'antropic'; there are"):
        assert_sendable(HELLO, "antropic")


def test_pytest_has_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "def test_fine(assert_sendable):\n"
        f"    assert_sendable({HELLO!r}, 'anthropic')\n"
        "def test_broken(assert_sendable):\n"
        f"    assert_sendable({ANTHROPIC_BLANK!r}, 'anthropic')\n"
    )
    options = ["-q", "-p", "no:cacheprovider", "-p", "wiremend.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", *options, "test_it.py"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert "1 failed, 1 passed" in done.stdout
    assert "anthropic would refuse this for 1 reason" in done.stdout


def test_the_entry_point_of_the_plugin_is_there() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nwiremend = "wiremend.pytest_plugin"' in project


def test_the_plugin_loads_nothing_until_it_is_used() -> None:
    code = (
        "import sys, wiremend.pytest_plugin; "
        "print(*(m for m in sys.modules if m.startswith('wiremend.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["wiremend.pytest_plugin"]


def test_the_hook_of_pre_commit_runs_and_passes_over_what_is_none(tmp_path: Path) -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    command, *arguments = hook["entry"].split()
    assert command == "wiremend"
    fine = [write(tmp_path / "a.json", HELLO), write(tmp_path / "package.json", {"name": "x"})]
    assert run(*arguments, *fine).exit_code == 0
    assert run(*arguments, *fine, write(tmp_path / "b.json", OPEN_CALL)).exit_code == 1


@pytest.fixture
def action(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the last step of the action, as its runner does."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    binaries = tmp_path / "bin"
    binaries.mkdir()
    command = binaries / "wiremend"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wiremend "$@"\n')
    command.chmod(0o755)

    def act(paths: str, provider: str = "", sarif: str = "") -> subprocess.CompletedProcess[str]:
        given = {"WIREMEND_PATHS": paths, "WIREMEND_FOR": provider, "WIREMEND_SARIF": sarif}
        path = f"{binaries}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", steps[-1]["run"]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **given, "PATH": path},
        )

    return act


def test_the_action_notes_violations_and_fails(
    tmp_path: Path, action: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (tmp_path / "my fixtures").mkdir()
    write(tmp_path / "my fixtures" / "a.json", HELLO)
    assert action("my fixtures\n").returncode == 0
    write(tmp_path / "my fixtures" / "b.json", OPEN_CALL)
    done = action("my fixtures\nmy fixtures/a.json\n", "openai-chat", "out.sarif")
    assert done.returncode == 1
    assert "::error file=my fixtures/b.json,line=1" in done.stdout
    assert '"ruleId": "WM101"' in (tmp_path / "out.sarif").read_text()
