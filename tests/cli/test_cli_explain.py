"""``wiremend explain``: rules, and the errors of providers."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import click
import pytest
from scripts.rule_pages import error_texts

import wiremend
from tests.cli.running import run
from wiremend.cli.app import cli
from wiremend.cli.pages import advice
from wiremend.rules import RULES, Rule

ORPHAN = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: "
    "toolu_01A. Each `tool_use` block must have a corresponding `tool_result` block in the next "
    "message."
)


def _json(*arguments: str, stdin: str | None = None) -> dict[str, Any]:
    result = run("explain", *arguments, "--output", "json", stdin=stdin)
    assert result.exit_code == 0
    found: dict[str, Any] = json.loads(result.stdout)
    assert list(found) == ["class", "rules", "pointer", "next_policy"]
    return found


@pytest.mark.parametrize("rule", RULES, ids=[one.code for one in RULES])
def test_each_rule_has_a_page(rule: Rule) -> None:
    result = run("explain", rule.code.lower())
    page = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert page.startswith(f"{rule.code} {rule.name} ({', '.join(rule.dialects)}; ")
    assert rule.doc in page
    assert rule.source in page
    assert "\n  -" in result.stdout or "\n  +" in result.stdout


def test_a_rule_is_found_by_its_name_and_the_dialect_chooses_among_several() -> None:
    assert run("explain", "missing-tool-result").stdout.startswith("WM101 ")
    page = run("explain", "missing-tool-result", "--for", "anthropic").stdout
    assert page.startswith("WM201 ")


def test_a_code_as_json_is_a_structure_error_of_its_rule() -> None:
    assert _json("WM101") == {
        "class": "structure",
        "rules": ["WM101"],
        "pointer": "",
        "next_policy": {"structure": "strict"},
    }


@pytest.mark.parametrize("code", ["WM999", "wm0", "WM99999999999999999999"])
def test_an_unknown_code_is_told_with_those_near_it(code: str) -> None:
    result = run("explain", code)
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith(f"wiremend: no rule {code.upper()}; near it: WM")


def test_a_misspelt_name_is_told_with_those_near_it() -> None:
    result = run("explain", "misssing-tool-result")
    assert result.exit_code == 2
    assert "near it: missing-tool-result" in result.stderr


def test_an_error_text_is_classified() -> None:
    assert _json(ORPHAN, "--status", "400") == {
        "class": "structure",
        "rules": ["WM201"],
        "pointer": "/messages/1",
        "next_policy": {"structure": "strict"},
    }


def test_an_error_text_is_explained() -> None:
    page = run("explain", ORPHAN).stdout
    assert page.startswith("structure: ")
    assert "place: /messages/1\n" in page
    assert "rule: WM201 missing-tool-result: " in page
    assert "next: `wiremend fix request.json -o mended.json`" in page
    assert "or:   `wiremend fix --in-place SESSION`" in page


def test_the_next_command_names_a_provider_that_a_request_would_not_tell() -> None:
    said = "Tool call id was call_search but must be a-z, A-Z, 0-9, with a length of 9."
    assert "`wiremend fix --for mistral request.json -o mended.json`" in run("explain", said).stdout
    named = run("explain", "--for", "qwen", "messages with role 'tool' must be a response").stdout
    assert "`wiremend fix --for qwen request.json -o mended.json`" in named


def test_what_fix_would_not_repair_is_not_sent_there() -> None:
    page = run("explain", "messages: at least one message is required").stdout
    assert "next: nothing invented would be right: `wiremend check request.json` says where" in page


@pytest.mark.parametrize("text", sorted({one.text for one in error_texts() if one.found.rules}))
def test_each_command_that_is_advised_can_be_typed(text: str) -> None:
    said = advice(wiremend.classify(None, text))
    typed = re.findall(r"`wiremend ([^`]*)`", said)
    for name, *arguments in map(shlex.split, typed):
        with click.Context(cli) as context:
            command = cli.get_command(context, name)
            assert command is not None
            command.make_context(name, arguments, parent=context)


def test_words_without_quotes_are_one_text() -> None:
    assert _json(*ORPHAN.split()) == _json(ORPHAN)


def test_an_error_is_read_from_standard_input() -> None:
    body = json.dumps({"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}})
    assert _json("-", stdin=body)["class"] == "overloaded"
    assert _json(stdin=body) == _json("-", stdin=body)


def test_an_empty_argument_is_not_waited_for() -> None:
    result = run("explain", "", stdin=ORPHAN)
    assert result.exit_code == 2
    assert "nothing to explain" in result.stderr


def test_the_status_counts() -> None:
    assert _json("nobody knows this", "--status", "429")["class"] == "rate_limit"


def test_the_dialect_narrows_the_rules() -> None:
    text = "messages with role 'tool' must be a response to a preceeding message"
    assert _json(text, "--for", "openai-chat")["rules"] == ["WM102"]


def test_media_errors_say_which_option_helps() -> None:
    page = run("explain", "request_too_large: exceeds the maximum size", "--status", "413").stdout
    assert "fix --media degraded" in page


def test_a_text_that_nobody_can_classify_is_other_and_no_failure() -> None:
    assert _json("the cat sat on the mat")["class"] == "other"
    result = run("explain", "the cat sat on the mat")
    assert result.exit_code == 0
    assert result.stdout.startswith("other: nothing in this text is known")


@pytest.mark.parametrize(
    "arguments", [[], [""], ["-"], ["x", "--status", "7"], ["x", "--for", "y"]]
)
def test_nothing_to_explain_is_a_usage_error(arguments: list[str]) -> None:
    assert run("explain", *arguments, stdin="").exit_code == 2
