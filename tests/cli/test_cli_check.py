"""``wiremend check``: what it finds, where, and with which exit status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import ANTHROPIC_BLANK, EXAMPLES, HELLO, OPEN_CALL, run, write

if TYPE_CHECKING:
    from pathlib import Path


def _files(output: str) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = json.loads(output)["files"]
    return files


@pytest.mark.parametrize("name", ["openai-chat-whole.json", "anthropic-whole.json"])
def test_a_whole_example_is_fine(name: str) -> None:
    result = run("check", EXAMPLES / name)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "wiremend: 1 conversation, no violations\n"


@pytest.mark.parametrize("name", ["openai-chat-broken.json", "anthropic-broken.json"])
def test_a_broken_example_has_violations_of_several_kinds(name: str) -> None:
    result = run("check", EXAMPLES / name)
    codes = {line.split(": ")[1].split()[0] for line in result.stdout.splitlines()}
    assert result.exit_code == 1
    assert len(codes) > 3


def test_a_violation_is_one_line_with_path_pointer_code_name_and_message(tmp_path: Path) -> None:
    path = write(tmp_path / "one.json", OPEN_CALL)
    assert run("check", path).stdout == (
        f"{path}:/messages/1/tool_calls/0: WM101 missing-tool-result: No tool message directly "
        "behind this message answers call call_1.\n"
    )


def test_the_json_report_has_exactly_the_documented_fields(tmp_path: Path) -> None:
    path = write(tmp_path / "one.json", OPEN_CALL)
    result = run("check", path, "--output", "json")
    assert result.exit_code == 1
    [entry] = _files(result.stdout)
    assert list(entry) == ["path", "format", "dialect", "violations"]
    assert (entry["path"], entry["format"], entry["dialect"]) == (
        str(path),
        "openai-chat",
        "openai-chat",
    )
    [found] = entry["violations"]
    assert list(found) == ["code", "rule", "pointer", "message", "provider_error", "fixable"]
    assert (found["code"], found["pointer"]) == ("WM101", "/messages/1/tool_calls/0")


def test_the_json_report_of_nothing_is_valid(tmp_path: Path) -> None:
    result = run("check", tmp_path / "missing.json", "--output", "json")
    assert (result.exit_code, _files(result.stdout)) == (2, [])


def test_each_line_of_a_jsonl_file_is_an_entry_with_its_number(tmp_path: Path) -> None:
    path = write(tmp_path / "many.jsonl", HELLO, ANTHROPIC_BLANK, OPEN_CALL)
    result = run("check", path, "--output", "json")
    entries = _files(result.stdout)
    assert result.exit_code == 1
    assert [(e["path"], e["line"]) for e in entries] == [(f"{path}:{n}", n) for n in (1, 2, 3)]
    assert [e["dialect"] for e in entries] == ["openai-chat", "anthropic", "openai-chat"]
    assert [len(e["violations"]) for e in entries] == [0, 1, 1]


def test_the_line_of_a_jsonl_file_is_in_the_text_report(tmp_path: Path) -> None:
    path = write(tmp_path / "many.jsonl", HELLO, OPEN_CALL)
    assert run("check", path).stdout.startswith(f"{path}:2:/messages/1/tool_calls/0: WM101 ")


def test_blank_lines_of_a_jsonl_file_are_counted_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("\n\n" + json.dumps(HELLO) + "\n\n" + json.dumps(OPEN_CALL))
    [one, two] = _files(run("check", path, "--output", "json").stdout)
    assert (one["line"], two["line"]) == (3, 5)


def test_a_bare_array_is_checked_and_pointers_lead_into_the_array(tmp_path: Path) -> None:
    path = write(tmp_path / "array.json", OPEN_CALL["messages"])
    [entry] = _files(run("check", path, "--output", "json").stdout)
    assert entry["violations"][0]["pointer"] == "/1/tool_calls/0"


def test_several_paths_are_checked_and_counted(tmp_path: Path) -> None:
    one = write(tmp_path / "one.json", OPEN_CALL)
    two = write(tmp_path / "two.json", HELLO)
    result = run("check", one, two)
    assert result.exit_code == 1
    assert result.stderr == (
        "wiremend: 2 conversations, 1 with 1 violation (1 repaired by `wiremend fix`)\n"
    )


def test_an_unusable_file_does_not_hide_the_others(tmp_path: Path) -> None:
    broken = write(tmp_path / "broken.json", OPEN_CALL)
    result = run("check", tmp_path / "missing.json", broken)
    assert result.exit_code == 2
    assert "WM101" in result.stdout
    assert "missing.json: no such file" in result.stderr


def test_a_directory_is_walked_for_json_and_jsonl(tmp_path: Path) -> None:
    (tmp_path / "deep" / ".hidden").mkdir(parents=True)
    write(tmp_path / "b.json", HELLO)
    write(tmp_path / "deep" / "a.jsonl", HELLO)
    write(tmp_path / "deep" / ".hidden" / "c.json", OPEN_CALL)
    (tmp_path / "notes.txt").write_text("no JSON")
    entries = _files(run("check", tmp_path, "--output", "json").stdout)
    assert [e["path"] for e in entries] == [
        str(tmp_path / "b.json"),
        f"{tmp_path / 'deep' / 'a.jsonl'}:1",
    ]


def test_standard_input_is_read_for_a_dash() -> None:
    result = run("check", "-", stdin=json.dumps(OPEN_CALL))
    assert result.exit_code == 1
    assert result.stdout.startswith("<stdin>:/messages/1/tool_calls/0: ")


def test_json_lines_on_standard_input_are_recognised() -> None:
    lines = f"{json.dumps(HELLO)}\n{json.dumps(OPEN_CALL)}\n"
    [one, two] = _files(run("check", "-", "--output", "json", stdin=lines).stdout)
    assert (one["path"], two["path"]) == ("-:1", "-:2")


def test_the_named_dialect_wins_over_what_the_input_looks_like(tmp_path: Path) -> None:
    path = write(tmp_path / "one.json", ANTHROPIC_BLANK)
    [entry] = _files(run("check", path, "--for", "openai-chat", "--output", "json").stdout)
    assert entry["dialect"] == "openai-chat"
    assert "looks like anthropic" in run("check", path, "--for", "openai-chat").stderr


def test_what_the_input_was_taken_for_is_said_when_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "one.json", ANTHROPIC_BLANK)
    assert f"{path}: taken for a request in the format anthropic" in run("check", "-v", path).stderr
    assert "taken for" not in run("check", path).stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--format", "gemini"], 'no request in the format gemini: it has no "contents"'),
        (["--format", "carrier-pigeon"], "'carrier-pigeon' is none of auto, openai-chat"),
        (["--output", "xml"], "'xml' is not one of"),
    ],
)
def test_an_option_that_cannot_be_is_a_usage_error(options: list[str], said: str) -> None:
    result = run("check", *options, EXAMPLES / "anthropic-whole.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_no_path_is_a_usage_error() -> None:
    assert run("check").exit_code == 2


def test_no_text_of_the_conversation_is_printed(tmp_path: Path) -> None:
    body = {**OPEN_CALL, "messages": [{"role": "tool", "content": "s3cret " * 20}]}
    path = write(tmp_path / "one.json", body)
    for form in ("text", "json", "github", "sarif"):
        assert "s3cret" not in run("check", path, "--output", form).output


def test_control_characters_in_an_id_do_not_reach_the_terminal(tmp_path: Path) -> None:
    text = json.dumps(OPEN_CALL).replace("call_1", "\\u001b[31mred\\u202e")
    path = tmp_path / "one.json"
    path.write_text(text)
    output = run("check", path).output
    assert "\x1b" not in output
    assert "\u202e" not in output
    assert "\\x1b[31mred\\u202e" in output
