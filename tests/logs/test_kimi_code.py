"""Kimi Code's sessions: folded, and judged at the records that say it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.cli.running import run, write
from tests.logs.mending import problems_of, records_of
from wiremend.logs import LOGS, recognise_log

if TYPE_CHECKING:
    from pathlib import Path

LOG = LOGS["kimi-code"]
META = {"type": "metadata", "protocolVersion": "1.3", "createdAt": 1}


def said(role: str, text: str, **fields: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    message = {"role": role, "content": content, "toolCalls": [], **fields}
    return {"type": "context.append_message", "time": 1, "message": message}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "context.append_loop_event", "time": 1, "event": {"type": kind, **fields}}


def step(uuid: str, call: str | None = None, *, ends: bool = True) -> list[dict[str, Any]]:
    part = {"type": "text", "text": "Let me see."}
    records = [event("step.begin", uuid=uuid), event("content.part", stepUuid=uuid, part=part)]
    if call:
        about = {"toolCallId": call, "name": "Shell", "args": {"command": "ls"}}
        records.append(event("tool.call", stepUuid=uuid, **about))
    return [*records, event("step.end", uuid=uuid, finishReason="stop")] if ends else records


def result(call: str) -> dict[str, Any]:
    return event("tool.result", toolCallId=call, result={"output": "fine"})


def found(*records: Any) -> list[tuple[str, int, str]]:
    return problems_of(LOG, records_of([META, *records]))


def test_a_whole_session_is_fine() -> None:
    assert recognise_log(said("user", "x")) is LOG
    assert found(said("user", "look"), *step("s1", "Shell:0"), result("Shell:0"), *step("s2")) == []


def test_an_open_step_is_not_judged() -> None:
    assert found(said("user", "look"), *step("s1", "Shell:0", ends=False)) == []


def test_an_orphan_that_a_log_has_is_named_at_its_record() -> None:
    orphan = said("tool", "out", toolCallId="Shell:9")
    [(rule, record, _)] = found(said("user", "look"), orphan, *step("s1"))
    assert (rule, record) == ("orphan-tool-result", 2)


def test_what_was_undone_or_compacted_away_is_not_judged() -> None:
    orphan = said("tool", "out", toolCallId="Shell:9")
    compaction = {"summary": "so far", "compactedCount": 2, "keptUserMessageCount": 1}
    compacted = {"type": "context.apply_compaction", "time": 2, **compaction}
    assert found(said("user", "look"), orphan, compacted, *step("s1")) == []
    assert (
        found(said("user", "a"), said("user", "b"), orphan, {"type": "context.undo", "count": 1})
        == []
    )


def test_a_record_that_is_not_what_it_says_is_named(tmp_path: Path) -> None:
    broken = {"type": "context.append_message", "message": {"role": "robot"}}
    path = write(tmp_path / "wire.jsonl", META, said("user", "look"), broken)
    result = run("check", path)
    assert result.exit_code == 1
    assert f"{path}:3:/message" in result.stdout
    assert "WL004 misshapen-record" in result.stdout
    assert "which mends what it sends itself" in run("fix", path).stderr


def test_a_session_is_converted_as_it_is_sent(tmp_path: Path) -> None:
    records = [said("user", "look"), *step("s1", "Shell:0"), result("Shell:0"), *step("s2")]
    path = write(tmp_path / "wire.jsonl", META, *records)
    body = json.loads(run("convert", "--to", "anthropic", path).stdout)
    assert [message["role"] for message in body["messages"]] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]
