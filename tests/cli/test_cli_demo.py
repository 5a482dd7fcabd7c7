"""``wiremend demo``, and the examples that it and the documentation use."""

from __future__ import annotations

import json

import pytest

import wiremend
from tests.cli.running import EXAMPLES, run
from wiremend.cli.demo import conversation
from wiremend.providers import simulated

DIALECTS = ("openai-chat", "anthropic", "openai-responses", "gemini", "bedrock")


def test_the_demo_shows_refusal_repairs_and_acceptance() -> None:
    result = run("demo")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("400 refused: ") == 2
    assert result.stdout.count("200 accepted") == 2
    assert "WM101 missing-tool-result at /messages/3/tool_calls/1" in result.stdout
    assert "added a result for call" in result.stdout


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_format_can_be_shown(dialect: str) -> None:
    result = run("demo", "--for", dialect)
    assert result.exit_code == 0
    assert result.stdout.count("400 refused: ") == result.stdout.count("200 accepted") == 1


def test_the_demo_is_the_same_every_time() -> None:
    assert run("demo").stdout == run("demo").stdout


def test_the_demo_fits_a_terminal() -> None:
    assert max(map(len, run("demo").stdout.splitlines())) <= 100


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_demo_shows_the_example(dialect: str) -> None:
    example = json.loads((EXAMPLES / f"{dialect}-broken.json").read_text(encoding="utf-8"))
    assert conversation(dialect) == example


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_simulated_provider_takes_the_whole_example_and_refuses_the_broken(
    dialect: str,
) -> None:
    broken, whole = (
        json.loads((EXAMPLES / f"{dialect}-{state}.json").read_text(encoding="utf-8"))
        for state in ("broken", "whole")
    )
    assert not simulated(dialect).post(broken).accepted
    assert simulated(dialect).post(whole).accepted
    assert simulated(dialect).post(wiremend.fix(broken, dialect).body).accepted


def test_each_example_has_its_line_in_the_list() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES.iterdir():
        if path.name != "README.md":
            assert f"| `{path.name}` |" in listed


def test_the_example_of_many_has_both_formats_and_both_states() -> None:
    result = run("check", EXAMPLES / "conversations.jsonl", "--output", "json")
    files = json.loads(result.stdout)["files"]
    assert {entry["dialect"] for entry in files} == {"openai-chat", "anthropic"}
    assert [bool(entry["violations"]) for entry in files] == [False, True, True, False, True]
