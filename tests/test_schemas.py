"""The JSON Schemas fit what wiremend really reads and writes, judged by another validator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from tests.cli.running import ANTHROPIC_BLANK, EXAMPLES, HELLO, OPEN_CALL, run, write
from tests.logs.claude_sessions import Session, call
from wiremend.errors import WiremendError
from wiremend.history import ContextMemory, record_to_builtins
from wiremend.model import ToolCall, assistant, tool_result, user
from wiremend.schemas import NAMES, schema

if TYPE_CHECKING:
    from click.testing import Result

CASES = Path(__file__).parent / "data" / "cases"
HISTORY = json.loads((EXAMPLES / "history.json").read_text(encoding="utf-8"))


def validate(name: str, value: Any) -> None:
    Draft202012Validator(schema(name)).validate(value)


def lines(name: str, result: Result) -> None:
    assert result.stdout
    for line in result.stdout.splitlines():
        validate(name, json.loads(line))


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_one_and_says_what_it_is_of(name: str) -> None:
    made = schema(name)
    Draft202012Validator.check_schema(made)
    assert made["title"] == NAMES[name]
    assert run("schema", name).stdout == json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def test_the_names_are_listed_and_a_wrong_one_is_told_them() -> None:
    assert [line.split()[0] for line in run("schema").stdout.splitlines()] == list(NAMES)
    wrong = run("schema", "histories")
    assert (wrong.exit_code, wrong.stderr) == (
        2,
        f"wiremend: no schema 'histories'; there are: {', '.join(NAMES)}\n",
    )
    with pytest.raises(WiremendError):
        schema("")


def test_the_outputs_of_check_fit() -> None:
    broken = [EXAMPLES / "anthropic-broken.json", EXAMPLES / "openai-chat-broken.json"]
    report = json.loads(run("check", "--output", "json", *broken).stdout)
    validate("check", report)
    for entry in report["files"]:
        for violation in entry["violations"]:
            validate("violation", violation)
    report["files"][0]["violations"][0]["fixable"] = "yes"
    with pytest.raises(ValidationError):
        validate("check", report)


def test_the_outputs_of_fix_and_convert_fit(tmp_path: Path) -> None:
    path = write(tmp_path / "many.jsonl", HELLO, ANTHROPIC_BLANK, OPEN_CALL, {"no": 1})
    fixed = run("fix", "--output", "json", path)
    lines("fix", fixed)
    for line in fixed.stdout.splitlines()[:-1]:
        for anomaly in json.loads(line)["anomalies"]:
            validate("anomaly", anomaly)
    lines("convert", run("convert", "--to", "gemini", "--output", "json", path))


def test_the_report_of_a_mended_log_fits(tmp_path: Path) -> None:
    session = Session()
    session.user("do it")
    session.answer("msg_1", call("toolu_1"))
    session.user("go on")
    session.records.append("{torn")
    path = session.write(tmp_path / "a.jsonl")
    lines("fix-log", run("fix", "--output", "json", path))
    validate("check", json.loads(run("check", "--output", "json", path).stdout))


def test_the_outputs_of_project_and_prefix_and_explain_fit(tmp_path: Path) -> None:
    path = write(tmp_path / "many.jsonl", HISTORY, [], {"no": 1})
    lines("project", run("project", path))
    one = write(tmp_path / "one.json", HELLO)
    lines("prefix", run("prefix", "--output", "json", one, write(tmp_path / "o.json", OPEN_CALL)))
    lines("explain", run("explain", "--output", "json", "WM201"))
    lines("explain", run("explain", "--output", "json", "prompt is too long"))


def test_histories_fit_unknown_things_too() -> None:
    validate("history", HISTORY)
    for message in HISTORY:
        validate("message", message)
    unknown = {
        "role": "user",
        "content": [{"type": "hologram", "data": 1}, {"type": "text", "text": "x", "later": 1}],
        "origin": {"kind": "moon_phase", "phase": 3},
        "later": True,
    }
    validate("history", [unknown, {"role": "assistant", "content": None, "toolCalls": None}])
    for wrong in (
        {"role": "robot", "content": []},
        {"role": "user", "content": [{"type": "text"}]},
        {"role": "user", "content": [], "origin": {"kind": "injection"}},
    ):
        with pytest.raises(ValidationError):
            validate("history", [wrong])


def test_records_of_a_memory_fit(tmp_path: Path) -> None:
    records: list[Any] = []
    memory = ContextMemory(on_record=records.append)
    memory.append(user("look"))
    memory.append(assistant("I look.", ToolCall("c1", "look", '{"a": 1}')))
    memory.append(tool_result("c1", "fine", note="n"))
    memory.undo(1)
    memory.append(user("again"))
    memory.clear()
    written = [json.loads(json.dumps(record_to_builtins(record))) for record in records]
    assert len(written) == 6
    for record in written:
        validate("record", record)
    log = write(tmp_path / "wire.jsonl", *written)
    validate("transcript", json.loads(run("replay", "--transcript", log).stdout))
    validate("history", json.loads(run("replay", log).stdout))


def test_events_and_compactions_of_a_log_fit() -> None:
    events = [
        {"type": "step.begin", "uuid": "s", "turn": 1},
        {"type": "content.part", "stepUuid": "s", "part": {"type": "think", "think": "hm"}},
        {"type": "tool.call", "toolCallId": "c", "name": "look", "args": {"a": 1}},
        {"type": "tool.result", "toolCallId": "c", "result": {"output": "x", "isError": True}},
        {"type": "step.end", "uuid": "s", "finishReason": "stop", "usage": {}},
    ]
    for event in events:
        validate("record", {"type": "context.append_loop_event", "event": event, "time": 1})
    validate(
        "record",
        {"type": "context.apply_compaction", "summary": "s", "compactedCount": 2, "time": 1},
    )
    with pytest.raises(ValidationError):
        validate("record", {"type": "context.apply_compaction", "summary": "s"})
