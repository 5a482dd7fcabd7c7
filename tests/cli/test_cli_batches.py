"""Lines of batches: requests in objects that give them an id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ANTHROPIC_BLANK, HELLO, OPEN_CALL, run, write

GEMINI_BLANK = {
    "contents": [
        {"role": "user", "parts": [{"text": "hello"}]},
        {"role": "model", "parts": []},
        {"role": "user", "parts": [{"text": "again"}]},
    ]
}
RESPONSES_OPEN = {
    "model": "gpt-5",
    "input": [
        {"role": "user", "content": "look"},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
        {"role": "user", "content": "well?"},
    ],
}
OPENAI = {"custom_id": "r-1", "method": "POST", "url": "/v1/chat/completions"}
LINES: dict[str, tuple[str, dict[str, Any]]] = {
    "openai": ("body", {**OPENAI, "body": OPEN_CALL}),
    "openai responses": ("body", {**OPENAI, "url": "/v1/responses", "body": RESPONSES_OPEN}),
    "mistral": ("body", {"custom_id": "0", "body": {**OPEN_CALL, "model": "mistral-large"}}),
    "anthropic": ("params", {"custom_id": "r-1", "params": ANTHROPIC_BLANK}),
    "gemini": ("request", {"key": "r-1", "request": GEMINI_BLANK}),
    "vertex": ("request", {"request": GEMINI_BLANK}),
    "bedrock": (
        "modelInput",
        {
            "recordId": "CALL0000001",
            "modelInput": {
                "anthropic_version": "bedrock-2023-05-31",
                "max_tokens": 64,
                "messages": ANTHROPIC_BLANK["messages"],
            },
        },
    ),
}
every_batch = pytest.mark.parametrize(("field", "line"), LINES.values(), ids=list(LINES))


@every_batch
def test_what_is_found_is_in_the_request_of_its_line(
    tmp_path: Path, field: str, line: dict[str, Any]
) -> None:
    path = write(tmp_path / "batch.jsonl", line, line)
    done = run("check", path)
    assert done.exit_code == 1
    for number in (1, 2):
        assert f"{path}:{number}:/{field}/" in done.stdout


@every_batch
def test_a_line_is_mended_and_all_else_of_it_stays(
    tmp_path: Path, field: str, line: dict[str, Any]
) -> None:
    path = write(tmp_path / "batch.jsonl", line, line)
    done = run("fix", path)
    assert done.exit_code == 0
    for text in done.stdout.splitlines():
        mended = json.loads(text)
        assert list(mended) == list(line)
        assert {**mended, field: None} == {**line, field: None}
        assert mended[field] != line[field]
    path.write_text(done.stdout)
    assert run("check", path).exit_code == 0


def test_a_sound_line_stays_as_it_is_to_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "batch.jsonl"
    path.write_text(f'{{"custom_id":"a",  "body": {json.dumps(HELLO)}}}\n' * 2)
    assert run("fix", path).stdout == path.read_text()


def test_converted_it_is_a_line_of_the_other_providers_batch(tmp_path: Path) -> None:
    path = write(tmp_path / "batch.jsonl", {**OPENAI, "body": OPEN_CALL, "note": 1})
    there = json.loads(run("convert", path, "--to", "anthropic").stdout)
    assert there["custom_id"] == "r-1"
    assert there["params"]["messages"]
    assert there["note"] == 1
    assert not {"body", "url", "method"} & there.keys()
    again = write(tmp_path / "there.jsonl", there)
    back = json.loads(run("convert", again, "--to", "openai-chat", "--home", path).stdout)
    assert (back["custom_id"], back["url"]) == ("r-1", "/v1/chat/completions")
    assert [m["role"] for m in back["body"]["messages"]][:2] == ["user", "assistant"]
    for target, name in (("gemini", "request"), ("bedrock", "modelInput"), ("kimi", "body")):
        assert name in json.loads(run("convert", path, "--to", target).stdout)


def test_the_answers_of_a_batch_are_said_to_be_that(tmp_path: Path) -> None:
    answer = {"id": "b", "custom_id": "r-1", "response": {"status_code": 200}, "error": None}
    done = run("check", write(tmp_path / "out.jsonl", answer, answer))
    assert done.exit_code == 2
    assert "the answer to a line of a batch" in done.stderr


def test_a_report_of_fix_is_no_batch(tmp_path: Path) -> None:
    report = run("fix", write(tmp_path / "one.json", OPEN_CALL), "--output", "json").stdout
    path = tmp_path / "report.json"
    path.write_text(report)
    assert run("check", path).exit_code == 2


def test_a_line_of_a_batch_is_shown_as_its_request(tmp_path: Path) -> None:
    path = write(tmp_path / "batch.jsonl", {**OPENAI, "body": OPEN_CALL})
    assert "look, please" in run("show", path).stdout
