"""``wiremend project``: the core for other languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wiremend
from tests.cli.running import EXAMPLES, run, write
from wiremend.projection import ProjectionPolicy, anomaly_to_builtins

HISTORY = EXAMPLES / "history.json"
RAW = HISTORY.read_bytes()
_IMAGE = {"type": "image_url", "imageUrl": {"url": "data:image/png;base64,AAAA"}}
_SEEN: list[dict[str, Any]] = [
    {"role": "user", "content": [_IMAGE, {"type": "text", "text": "see"}, _IMAGE, _IMAGE]}
]


def _expected(raw: bytes, policy: ProjectionPolicy) -> dict[str, Any]:
    anomalies: list[wiremend.Anomaly] = []
    messages = wiremend.project(wiremend.history_from_json(raw), anomalies.append, policy)
    return {
        "messages": json.loads(wiremend.to_json(messages)),
        "anomalies": [anomaly_to_builtins(one) for one in anomalies],
    }


@pytest.mark.parametrize(
    ("options", "policy"),
    [
        ([], ProjectionPolicy()),
        (["--strict"], ProjectionPolicy(structure="strict")),
        (["--media", "degraded"], ProjectionPolicy(media="degraded")),
        (
            ["--strict", "--media", "degraded"],
            ProjectionPolicy(structure="strict", media="degraded"),
        ),
    ],
)
@pytest.mark.parametrize("raw", [RAW, json.dumps(_SEEN).encode()])
def test_it_is_exactly_the_projection_of_the_library(
    tmp_path: Path, options: list[str], policy: ProjectionPolicy, raw: bytes
) -> None:
    path = tmp_path / "history.json"
    path.write_bytes(raw)
    result = run("project", path, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == _expected(raw, policy)


def test_the_result_is_one_compact_line() -> None:
    output = run("project", HISTORY).stdout
    assert output.count("\n") == 1
    assert output.startswith('{"messages":[{"role":"user",')
    assert '],"anomalies":[{"kind":"tool_result_reordered","toolCallId":"call_2"}' in output


def test_what_only_the_engine_sees_does_not_come_out() -> None:
    output = run("project", HISTORY).stdout
    for name in ("origin", "providerMessageId", "isError", "note"):
        assert f'"{name}"' not in output


def test_strip_takes_its_snapshot_from_the_history_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", _SEEN)
    output = run("project", path, "--media", "strip").stdout
    assert "base64" not in output
    assert output.count("[image omitted for provider compatibility") == 3


def test_a_history_on_one_line_is_one_history_and_so_is_one_on_many() -> None:
    assert (
        run("project", stdin=json.dumps(json.loads(RAW))).stdout == run("project", HISTORY).stdout
    )


def test_standard_input_is_the_default() -> None:
    assert run("project", stdin=RAW).stdout == run("project", "-", stdin=RAW).stdout != ""


@pytest.mark.parametrize("name", ["many.jsonl", "many.json"])
def test_jsonl_with_one_history_a_line_gives_one_result_a_line(tmp_path: Path, name: str) -> None:
    history = json.loads(RAW)
    path = write(tmp_path / name, history, [], _SEEN)
    one, two, three = run("project", path).stdout.splitlines()
    assert one + "\n" == run("project", HISTORY).stdout
    assert two == '{"messages":[],"anomalies":[]}'
    assert len(json.loads(three)["messages"]) == 1


def test_an_unusable_line_keeps_its_place_in_the_output(tmp_path: Path) -> None:
    path = write(tmp_path / "many.jsonl", [], {"role": "user"}, [{"role": 5}], [])
    result = run("project", path)
    one, two, three, four = result.stdout.splitlines()
    assert result.exit_code == 2
    assert one == four == '{"messages":[],"anomalies":[]}'
    assert json.loads(two) == {"error": "expected an array of messages, got an object", "line": 2}
    assert json.loads(three)["error"].startswith("/0")
    assert f"wiremend: {path}:2: expected an array of messages" in result.stderr


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"[", "truncated JSON"),
        (b"{}", "expected an array of messages, got an object"),
        (b"[1]", "/0: expected an object"),
        (b"[1e999]", "/0: expected an object"),
        (b'["\xff"]', "not UTF-8: byte 0xff at offset 2"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_history_is_one_line(data: bytes, said: str) -> None:
    result = run("project", stdin=data)
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("wiremend: <stdin>: ")
    assert said in line


def test_half_a_character_in_a_history_is_replaced_and_reported() -> None:
    raw = r'[{"role": "user", "content": [{"type": "text", "text": "a\ud83d"}], "toolCalls": []}]'
    output = json.loads(run("project", stdin=raw).stdout)
    assert output["messages"][0]["content"] == [{"type": "text", "text": "a\ufffd"}]
    assert output["anomalies"] == [{"kind": "surrogate_replaced", "pointer": "/0/content/0/text"}]
