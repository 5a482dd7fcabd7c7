"""Input that cannot be used gets one clear line and exit status 2; odd input is read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import HELLO, OPEN_CALL, run, write
from wiremend.inputs import Unusable, parse, sources

if TYPE_CHECKING:
    from collections.abc import Callable

_DEEP = b"[" * 100_000
_UNUSABLE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "blank": (b" \n\n ", "empty"),
    "cut in a text": (b'{"messages": [\n {"role": "us', "truncated JSON: it ends at line 2, col"),
    "cut between values": (b'{"messages": [', "truncated JSON: it ends at line 1, column 15"),
    "cut in a literal": (b'{"messages": tru', "truncated JSON: it ends at line 1, column 17"),
    "no JSON": (b"hello", "not JSON: expected a value at line 1, column 1"),
    "HTML": (b"<html></html>", "not JSON: expected a value at line 1, column 1"),
    "no comma": (b'{"messages": []\n "model": 1}', "not JSON: expected a comma or the closing"),
    "two values": (b'{"a":1} {"a":2}', "not JSON: something follows the JSON value at line 1"),
    "Latin-1": (b'{"messages": "caf\xe9"}', "not UTF-8: byte 0xe9 at offset 17"),
    "binary": (b"\x7fELF\x00\x01", "not text: a NUL byte at offset 4"),
    "UTF-16 without a mark": (b"{\0}\0", "UTF-16 without a byte order mark"),
    "no real UTF-16": (b"\xff\xfe{\0}", "starts as UTF-16, and is not"),
    "a number": (b"42", "holds a number, not a conversation"),
    "a text": (b'"hi"', "holds a text, not a conversation"),
    "null": (b"null", "holds null, not a conversation"),
    "true": (b"true", "holds a boolean, not a conversation"),
    "an unknown object": (b'{"a": 1}', 'holds an object without "messages"'),
    "an empty object": (b"{}", "holds an empty object"),
    "an empty array": (b"[]", "holds an empty array"),
    "an array of numbers": (b"[1, 2]", "holds an array of numbers, not of messages"),
    "an array of objects": (b'[{"a": 1}]', "holds an array of objects that are no messages"),
    "an array of requests": (b'[{"messages": []}]', "write one request a line (JSONL) instead"),
    "a single message": (b'{"role": "user", "content": "x"}', "a single message"),
    "deep": (_DEEP, "nested too deeply"),
    "deep and closed": (_DEEP + b"]" * len(_DEEP), "nested too deeply"),
    "an endless integer": (b"1" * 5000, "more digits than can be read"),
    "a history": (b'[{"role": "user", "content": [], "toolCalls": []}]', "`wiremend project`"),
}


@pytest.mark.parametrize(("data", "said"), _UNUSABLE.values(), ids=list(_UNUSABLE))
@pytest.mark.parametrize("command", ["check", "fix"])
def test_unusable_input_is_one_line_with_its_path(
    tmp_path: Path, command: str, data: bytes, said: str
) -> None:
    path = tmp_path / "input.json"
    path.write_bytes(data)
    result = run(command, path)
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith(f"wiremend: {path}: ")
    assert said in line


@pytest.mark.parametrize("command", ["check", "fix", "project"])
def test_a_missing_file_is_one_line(tmp_path: Path, command: str) -> None:
    result = run(command, tmp_path / "gone.json")
    assert result.exit_code == 2
    assert result.stderr == f"wiremend: {tmp_path / 'gone.json'}: no such file\n"


def test_a_directory_without_json_is_one_line(tmp_path: Path) -> None:
    result = run("check", tmp_path)
    assert result.exit_code == 2
    assert (
        result.stderr
        == f"wiremend: {tmp_path}: a directory without .json, .jsonl or .parquet files\n"
    )


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    result = run("project", tmp_path)
    assert (result.exit_code, result.stderr) == (
        2,
        f"wiremend: {tmp_path}: a directory; give a file\n",
    )


def test_a_forbidden_file_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "secret.json", HELLO)
    if os.geteuid() == 0:
        # Nothing is forbidden to root, so the refusal is acted.
        monkeypatch.setattr(Path, "open", _refusal(PermissionError(13, "Permission denied")))
    path.chmod(0)
    result = run("check", path)
    assert (result.exit_code, result.stderr) == (2, f"wiremend: {path}: permission denied\n")


def test_a_file_that_cannot_be_read_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "bad.json", HELLO)
    monkeypatch.setattr(Path, "open", _refusal(OSError(5, "Input/output error")))
    result = run("check", path)
    assert result.exit_code == 2
    assert "cannot be opened: Input/output error" in result.stderr


def _refusal(error: OSError) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> None:
        raise error

    return refuse


def test_a_json_file_of_more_than_two_gibibytes_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b'{"messages": [')
        file.truncate((2 << 30) + 1)
    result = run("check", path)
    assert result.exit_code == 2
    assert "more than 2 GiB" in result.stderr
    assert "JSONL" in result.stderr


@pytest.mark.parametrize("name", ["lines.jsonl", "lines.json"])
def test_what_is_too_large_is_said_for_lines_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = write(tmp_path / name, HELLO, {**HELLO, "user": "x" * 200})
    monkeypatch.setattr(sources, "MOST_BYTES", 150)
    result = run("check", path)
    assert result.exit_code == 2
    assert "more than 2 GiB" in result.stderr


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-be"]
)
@pytest.mark.parametrize("several", [False, True])
def test_every_encoding_with_a_mark_is_read(tmp_path: Path, encoding: str, several: bool) -> None:
    text = json.dumps({**OPEN_CALL, "user": "Zoë 😀 \u010a"}, ensure_ascii=False)
    mark = "\ufeff" if encoding.endswith(("le", "be")) else ""
    path = tmp_path / "input.json"
    path.write_bytes((mark + (text + "\n") * (1 + several)).encode(encoding))
    result = run("check", path, "--output", "json")
    assert [len(e["violations"]) for e in json.loads(result.stdout)["files"]] == [1] * (1 + several)


def test_mended_text_of_another_encoding_is_written_as_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "input.json"
    path.write_bytes(json.dumps({**OPEN_CALL, "user": "Zoë"}, ensure_ascii=False).encode("utf-16"))
    result = run("fix", path)
    assert '"user": "Zoë"' in result.stdout_bytes.decode("utf-8")
    assert "was in UTF-16; what is written is in UTF-8" in result.stderr


def test_what_no_server_reads_is_read_so_that_it_can_be_mended(tmp_path: Path) -> None:
    path = tmp_path / "input.json"
    path.write_text(r'{"messages":[{"role":"user","content":"a\ud83d"}],"temperature":NaN}')
    assert run("check", path).stdout.count("WM00") == 2
    result = run("fix", path)
    assert result.exit_code == 0
    assert result.stdout == (
        '{"messages":[{"role":"user","content":"a\ufffd"}],"temperature":null}\n'
    )


def test_a_surrogate_in_raw_bytes_is_read_too() -> None:
    assert parse(b'"\xed\xa0\xbd"') == "\ud83d"


def test_pretty_printed_json_is_one_document_even_under_the_name_of_lines(tmp_path: Path) -> None:
    for name in ("a.json", "a.jsonl"):
        path = write(tmp_path / name, OPEN_CALL, indent=2)
        assert run("check", path).stdout.startswith(f"{path}:/messages/1/tool_calls/0: WM101")


def test_one_line_in_a_json_file_is_one_document(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", HELLO)
    path.write_text(path.read_text() + "\n\n")
    assert "line" not in json.loads(run("check", path, "--output", "json").stdout)["files"][0]


def test_an_unusable_line_is_told_with_its_number_and_the_others_are_checked(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"messages": \n[1]\n"caf\xe9"\n' + json.dumps(OPEN_CALL).encode())
    result = run("check", path)
    assert result.exit_code == 2
    assert "WM101" in result.stdout
    assert result.stderr.splitlines()[:3] == [
        f"wiremend: {path}:1: truncated JSON: it ends at column 13",
        f"wiremend: {path}:2: holds an array of numbers, not of messages",
        f"wiremend: {path}:3: not UTF-8: byte 0xe9 at offset 4 (another encoding, or no text)",
    ]


def test_the_library_meets_deep_nesting_without_a_traceback(tmp_path: Path) -> None:
    depth = 900
    path = tmp_path / "deep.json"
    nested = "[" * depth + "]" * depth
    path.write_text('{"messages":[{"role":"user","content":"x","metadata":' + nested + "}]}")
    for command in ("check", "fix"):
        assert run(command, path).exit_code in (0, 2)


@pytest.mark.parametrize("data", [b"", b"[", b"\xff", b"nul", b'{"a":', b'"\\u12"', b"[1,]"])
def test_what_is_no_json_is_always_unusable(data: bytes) -> None:
    with pytest.raises(Unusable):
        parse(data)
