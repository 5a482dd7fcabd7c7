"""``wiremend fix``: what comes out, what is said of it, and the exit status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import ANTHROPIC_BLANK, EXAMPLES, HELLO, OPEN_CALL, run, write
from wiremend.cli import mending
from wiremend.inputs import Wanted

if TYPE_CHECKING:
    from pathlib import Path

TOOL_USE = [
    {"role": "user", "content": "look"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]},
]


@pytest.mark.parametrize("name", ["openai-chat", "anthropic"])
def test_a_mended_example_is_fine(tmp_path: Path, name: str) -> None:
    out = tmp_path / "mended.json"
    result = run("fix", EXAMPLES / f"{name}-broken.json", "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert len(result.stderr.splitlines()) > 4
    assert run("check", out).exit_code == 0


@pytest.mark.parametrize("name", ["openai-chat-whole.json", "anthropic-whole.json"])
def test_what_is_whole_comes_out_byte_by_byte(name: str) -> None:
    result = run("fix", EXAMPLES / name)
    assert result.stdout_bytes == (EXAMPLES / name).read_bytes()
    assert result.stderr == f"wiremend: {EXAMPLES / name}: nothing to repair\n"


def test_each_repair_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    assert run("fix", path).stderr.splitlines() == [
        f"wiremend: {path}: added a result for call_1, which had none",
        f"wiremend: {path}: 1 repair",
    ]


@pytest.mark.parametrize("indent", [1, 2, 4, "\t"])
def test_the_indentation_stays(tmp_path: Path, indent: int | str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(OPEN_CALL, indent=indent))
    output = run("fix", path).stdout
    assert output == json.dumps(json.loads(output), indent=indent, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_one_line_stays_one_line(tmp_path: Path, separators: tuple[str, str]) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(OPEN_CALL, separators=separators))
    output = run("fix", path).stdout
    assert output == json.dumps(json.loads(output), separators=separators) + "\n"


def test_line_ends_of_windows_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps(OPEN_CALL, indent=2).replace("\n", "\r\n").encode())
    output = run("fix", path).stdout_bytes
    assert output.count(b"\r\n") == output.count(b"\n") > 10


def test_letters_are_written_as_they_are(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {**OPEN_CALL, "user": "Zoë"})
    assert '"user": "Zoë"' in run("fix", path).stdout_bytes.decode()


def test_a_bare_array_comes_out_as_a_bare_array(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL["messages"])
    output = json.loads(run("fix", path).stdout)
    assert [message["role"] for message in output] == ["user", "assistant", "tool", "user"]


def test_a_bare_array_that_needs_more_becomes_a_request_and_that_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", [{"role": "system", "content": "Be brief."}, *TOOL_USE])
    result = run("fix", path)
    assert set(json.loads(result.stdout)) == {"messages", "system"}
    assert "became a request, as it had to get system" in result.stderr


def test_tools_are_not_missed_in_a_bare_array_which_cannot_hold_them(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", TOOL_USE)
    result = run("fix", path)
    assert isinstance(json.loads(result.stdout), list)
    assert run("check", write(tmp_path / "b.json", json.loads(result.stdout))).exit_code == 0


def test_the_json_report_has_request_anomalies_and_what_remains(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    report = json.loads(run("fix", path, "--output", "json").stdout)
    assert list(report) == ["request", "anomalies", "remaining"]
    assert report["request"]["messages"][2]["tool_call_id"] == "call_1"
    assert report["anomalies"] == [
        {"kind": "tool_result_synthesized", "toolCallId": "call_1", "trailing": False}
    ]
    assert report["remaining"] == []


def test_what_cannot_be_mended_is_told_and_exits_with_1(tmp_path: Path) -> None:
    body = {"messages": [{"role": "user", "content": 5}]}
    path = write(tmp_path / "a.json", body)
    result = run("fix", path, "--output", "json")
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert report["request"] == body
    assert [found["code"] for found in report["remaining"]] == ["WM003"]
    assert f"{path}:/messages/0/content: left: WM003 malformed" in result.stderr
    assert f"{path}: could not be mended: expected content" in result.stderr
    assert result.stderr.endswith("nothing repaired, 1 violation left\n")


def test_jsonl_comes_out_as_jsonl_and_untouched_lines_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    first = '{ "messages":[{"role":"user",  "content":"hello"}]}'
    path.write_text(f"{first}\n\n{json.dumps(OPEN_CALL)}\n{json.dumps(HELLO)}")
    result = run("fix", path)
    lines = result.stdout.split("\n")
    assert result.exit_code == 0
    assert (lines[0], lines[1], lines[3]) == (first, "", json.dumps(HELLO))
    assert json.loads(lines[2])["messages"][2]["role"] == "tool"
    assert f"{path}:3: added a result for call_1" in result.stderr


def test_an_unusable_line_is_told_and_written_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    bad = b'{"messages": caf\xe9\n'
    path.write_bytes(bad + json.dumps(OPEN_CALL).encode() + b"\n")
    result = run("fix", path)
    assert result.exit_code == 2
    assert result.stdout_bytes.startswith(bad)
    assert result.stdout_bytes.count(b"\n") == 2
    assert f"wiremend: {path}:1: not UTF-8" in result.stderr
    assert result.stderr.endswith("1 repair, 1 unusable line\n")


def test_the_json_report_of_jsonl_is_one_a_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", HELLO, 5, ANTHROPIC_BLANK)
    one, two, three = map(json.loads, run("fix", path, "--output", "json").stdout.splitlines())
    assert one == {"request": HELLO, "anomalies": [], "remaining": []}
    assert two == {"error": "holds a number, not a conversation", "line": 2}
    assert three["anomalies"]


def test_a_diff_shows_what_would_change_and_writes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    before = path.read_bytes()
    output = run("fix", path, "--diff").stdout
    assert output.startswith(f"--- {path}\n+++ {path} (mended)\n@@ ")
    assert '+      "tool_call_id": "call_1"\n' in output
    assert path.read_bytes() == before


def test_the_diff_of_what_is_whole_is_empty() -> None:
    assert run("fix", EXAMPLES / "anthropic-whole.json", "--diff").stdout == ""


def test_the_diff_of_half_a_character_can_be_printed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(r'{"messages": [{"role": "user", "content": "a\ud83d"}]}')
    output = run("fix", path, "--diff").stdout
    assert '-      "content": "a\\ud83d"' in output
    assert '+      "content": "a\ufffd"' in output


def test_the_options_reach_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[mending.Wishes] = []
    really = mending.mend

    def spied(document: Any, wishes: mending.Wishes) -> mending.Mended:
        seen.append(wishes)
        return really(document, wishes)

    monkeypatch.setattr("wiremend.cli.fixing.mend", spied)
    path = write(tmp_path / "a.json", OPEN_CALL)
    options = ["--for", "openai-chat", "--strict", "--media", "strip", "--duplicates", "drop"]
    run("fix", path, *options)
    assert seen == [
        mending.Wishes(Wanted(None, "openai-chat"), strict=True, media="strip", duplicates="drop")
    ]


def test_media_can_be_stripped(tmp_path: Path) -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    path = write(tmp_path / "a.json", {"messages": [{"role": "user", "content": [picture]}]})
    result = run("fix", path, "--media", "strip")
    assert "example.com" not in result.stdout
    assert "replaced image by a line of text (stripped)" in result.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--in-place", "--diff"],
        ["-o", "b.json", "--in-place"],
        ["--output", "json", "--in-place"],
        ["--output", "json", "--diff"],
        ["--media", "all"],
    ],
)
def test_options_that_exclude_each_other_are_a_usage_error(
    tmp_path: Path, options: list[str]
) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    before = path.read_bytes()
    result = run("fix", path, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert path.read_bytes() == before
