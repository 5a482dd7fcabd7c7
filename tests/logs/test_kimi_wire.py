"""The wire of Kimi CLI: events as they came, told as the messages that they make."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cli.running import run, write
from tests.logs.mending import problems_of, records_of
from wiremend.logs import LOGS, recognise_log

LOG = LOGS["kimi-wire"]
HEAD = {"type": "metadata", "protocol_version": "1.10"}


def event(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": 1790153668.25, "message": {"type": kind, "payload": payload}}


def prompt(said: Any = "Is the soil dry?") -> dict[str, Any]:
    return event("TurnBegin", user_input=said)


def text(said: str) -> dict[str, Any]:
    return event("ContentPart", type="text", text=said)


def thought(said: str) -> dict[str, Any]:
    return event("ContentPart", type="think", think=said, encrypted=None)


def call(call_id: str, arguments: str | None = '{"command": "ls"}') -> dict[str, Any]:
    function = {"name": "Shell", "arguments": arguments}
    return event("ToolCall", type="function", id=call_id, function=function, extras=None)


def result(call_id: str, output: Any = "12 %", **about: Any) -> dict[str, Any]:
    value = {"is_error": False, "output": output, "message": "", "display": [], **about}
    return event("ToolResult", tool_call_id=call_id, return_value=value)


WHOLE = [
    HEAD,
    prompt(),
    event("StepBegin", n=1),
    thought("I look."),
    text("Let me look."),
    call("Shell:0"),
    event("StatusUpdate", context_usage=0.1, token_usage=None, message_id="m"),
    event("ApprovalRequest", id="r", tool_call_id="Shell:0", sender="Shell", action="run"),
    result("Shell:0", message="Command executed."),
    event("StepBegin", n=2),
    text("Dry."),
    event("TurnEnd"),
]


def messages(records: Sequence[Any], number: int = 0) -> list[Any]:
    conversation = LOG.read(records_of(records)).conversations[number]
    assert conversation.recorded is not None
    return list(conversation.recorded["messages"])


def found(records: Sequence[Any]) -> list[tuple[str, int, str]]:
    return problems_of(LOG, records_of(records))


def test_a_session_is_told_as_its_messages() -> None:
    assert recognise_log(WHOLE[1]) is LOG
    assert found(WHOLE) == []
    user, step, answer, last = messages(WHOLE)
    assert user == {"role": "user", "content": "Is the soil dry?"}
    assert step["reasoning_content"] == "I look."
    assert step["content"] == [{"type": "text", "text": "Let me look."}]
    assert [one["id"] for one in step["tool_calls"]] == ["Shell:0"]
    assert [part["text"] for part in answer["content"]] == [
        "<system>Command executed.</system>",
        "12 %",
    ]
    assert last["content"] == [{"type": "text", "text": "Dry."}]


def test_calls_that_are_answered_before_the_next_one_is_made_are_of_one_step() -> None:
    records = [
        HEAD,
        prompt(),
        event("StepBegin", n=1),
        call("a"),
        result("a"),
        call("b"),
        result("b"),
    ]
    roles = [one["role"] for one in messages(records)]
    assert roles == ["user", "assistant", "tool", "tool"]


def test_without_steps_what_follows_results_is_another_one() -> None:
    records = [HEAD, prompt(), call("a"), result("a"), text("Dry."), event("TurnEnd")]
    roles = [one["role"] for one in messages(records)]
    assert roles == ["user", "assistant", "tool", "assistant"]
    assert found(records) == []


def test_a_step_that_was_interrupted_is_left_out_as_kimi_cli_does() -> None:
    begun = [event("StepBegin", n=1), text("I look."), call("a")]
    for broken in ([*begun, event("StepInterrupted")], begun):
        records = [
            HEAD,
            prompt(),
            *broken,
            prompt("Never mind."),
            event("StepBegin", n=1),
            text("So."),
        ]
        assert [one["role"] for one in messages(records)] == ["user", "user", "assistant"]
        assert found(records) == []


def test_calls_at_the_end_are_awaited() -> None:
    assert found(WHOLE[:6]) == []


def test_a_step_that_went_on_without_a_result_is_found_at_its_call() -> None:
    assert found([*WHOLE[:8], *WHOLE[9:]]) == [("missing-tool-result", 5, "/message/payload")]


def test_arguments_in_pieces_are_put_together() -> None:
    pieces = [event("ToolCallPart", arguments_part=part) for part in ('{"command"', ': "ls"}')]
    step = messages([HEAD, prompt(), call("a", None), *pieces, result("a")])[1]
    assert json.loads(step["tool_calls"][0]["function"]["arguments"]) == {"command": "ls"}


def test_what_failed_and_what_is_empty_is_said_as_kimi_cli_says_it() -> None:
    given = [
        result("a", "no such file", is_error=True, message="Command failed."),
        result("b", ""),
        result("c", [{"type": "text", "text": "seen"}]),
    ]
    made = messages(
        [HEAD, prompt(), event("StepBegin", n=1), call("a"), call("b"), call("c"), *given]
    )
    said = [[part["text"] for part in one["content"]] for one in made[2:]]
    assert said == [
        ["<system>ERROR: Command failed.</system>", "no such file"],
        ["<system>Tool output is empty.</system>"],
        ["seen"],
    ]


def test_subagents_are_conversations_of_their_own() -> None:
    def inner(one: dict[str, Any], **about: Any) -> dict[str, Any]:
        return event("SubagentEvent", event=one["message"], **about)

    for about in ({"task_tool_call_id": "Task:0"}, {"parent_tool_call_id": "Task:0"}):
        told = [event("StepBegin", n=1), call("s"), event("StepBegin", n=2), text("Done.")]
        records = [*WHOLE[:5], call("Task:0"), *(inner(one, **about) for one in told), *WHOLE[8:]]
        titles = [one.title for one in LOG.read(records_of(records)).conversations]
        assert titles == ["", "subagent Task:0"]
        assert ("missing-tool-result", 7, "/message/payload/event/payload") in found(records)


def test_the_command_reads_it_and_says_what_is_gone_on_from(tmp_path: Path) -> None:
    path = write(tmp_path / "wire.jsonl", *WHOLE)
    assert run("check", path, "-v").exit_code == 0
    assert "Let me look." in run("show", path).stdout
    assert run("convert", path, "--to", "anthropic").exit_code == 0
    refused = run("fix", path)
    assert refused.exit_code == 2
    assert "context.jsonl" in refused.stderr
