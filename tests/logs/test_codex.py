"""Codex's rollouts: compactions and rollbacks are followed, items judged and mended in place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import run
from tests.logs.mending import mended, problems_of, records_of
from wiremend.logs import LOGS, recognise_log

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LOG = LOGS["codex"]
META = {
    "timestamp": "2026-03-02T10:00:00.000Z",
    "type": "session_meta",
    "payload": {
        "id": "0195a3f0-0000-7000-8000-000000000001",
        "timestamp": "2026-03-02T10:00:00.000Z",
        "cwd": "/srv/greenhouse",
        "originator": "codex_cli_rs",
        "cli_version": "0.98.0",
        "source": "cli",
        "model_provider": "openai",
        "base_instructions": {"text": "You are Codex."},
    },
}
CONTEXT = {
    "timestamp": "2026-03-02T10:00:00.500Z",
    "type": "turn_context",
    "payload": {
        "cwd": "/srv/greenhouse",
        "approval_policy": "on-request",
        "model": "gpt-5.2-codex",
    },
}


def line(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-02T10:00:01.000Z", "type": kind, "payload": payload}


def item(**payload: Any) -> dict[str, Any]:
    return line("response_item", **payload)


def event(kind: str, **payload: Any) -> dict[str, Any]:
    return line("event_msg", type=kind, **payload)


def user(text: str) -> dict[str, Any]:
    return item(type="message", role="user", content=[{"type": "input_text", "text": text}])


def said(text: str) -> dict[str, Any]:
    return item(type="message", role="assistant", content=[{"type": "output_text", "text": text}])


def thought() -> dict[str, Any]:
    return item(type="reasoning", summary=[], content=None, encrypted_content="gAAAAB")


def called(call_id: str) -> dict[str, Any]:
    arguments = json.dumps({"command": ["ls"]})
    return item(type="function_call", name="shell", arguments=arguments, call_id=call_id)


def output(call_id: str, text: str = "fine") -> dict[str, Any]:
    return item(type="function_call_output", call_id=call_id, output=text)


def rollout(*records: dict[str, Any]) -> list[dict[str, Any]]:
    context = user("<environment_context>\n  <cwd>/srv/greenhouse</cwd>\n</environment_context>")
    return [META, context, CONTEXT, *records]


WHOLE = rollout(
    event("task_started", model_context_window=272000),
    user("Is the soil dry?"),
    event("user_message", message="Is the soil dry?"),
    thought(),
    called("call_1"),
    event("exec_command_end", call_id="call_1"),
    output("call_1", "12 %"),
    item(
        type="custom_tool_call", status="completed", call_id="call_2", name="apply_patch", input="*"
    ),
    item(type="custom_tool_call_output", call_id="call_2", output="done"),
    item(type="ghost_snapshot", ghost_commit={"id": "x"}),
    said("Dry."),
    event("token_count", info=None),
    user("Thanks."),
)


def found(records: Sequence[Any]) -> list[tuple[str, int, str]]:
    return problems_of(LOG, records_of(records))


def items_of(records: Sequence[Any]) -> list[Any]:
    [conversation] = LOG.read(records_of(records)).conversations
    return [piece.value for piece in conversation.pieces if piece.home is not None]


def test_a_whole_rollout_is_fine_and_stays_as_it_is() -> None:
    assert found(WHOLE) == []
    assert mended(LOG, WHOLE) == WHOLE


def test_a_rollout_that_ends_in_a_running_tool_is_not_broken() -> None:
    assert found([*WHOLE, called("call_8"), called("call_9"), output("call_8")]) == []


def test_a_missing_output_is_written_behind_its_call() -> None:
    records = rollout(user("look"), called("call_1"), event("turn_aborted"), user("well?"))
    assert found(records) == [("missing-tool-result", 4, "/payload")]
    after = mended(LOG, records)
    assert [*after[:5], *after[6:]] == records
    assert after[5]["type"] == "response_item"
    assert after[5]["payload"]["type"] == "function_call_output"
    assert after[5]["payload"]["call_id"] == "call_1"


def test_an_orphan_output_is_taken_out() -> None:
    records = rollout(output("call_gone"), user("well?"), said("Fine."))
    [(rule, record, _)] = found(records)
    assert (rule, record) == ("orphan-tool-result", 3)
    assert mended(LOG, records) == rollout(user("well?"), said("Fine."))


def test_a_compaction_replaces_what_was_before_it() -> None:
    replacement = [
        user("kept")["payload"],
        called("call_1")["payload"],
        output("call_1")["payload"],
    ]
    compacted = line("compacted", message="", replacement_history=replacement)
    records = rollout(user("old"), called("call_0"), compacted, user("new"))
    assert items_of(records) == [*replacement, user("new")["payload"]]
    assert found(records) == []


def test_what_is_broken_inside_of_a_compaction_is_mended_inside() -> None:
    replacement = [user("kept")["payload"], called("call_1")["payload"], said("Hm.")["payload"]]
    compacted = line("compacted", message="", replacement_history=replacement)
    records = rollout(user("old"), compacted, user("new"))
    assert found(records) == [("missing-tool-result", 4, "/payload/replacement_history/1")]
    after = mended(LOG, records)
    assert [*after[:4], *after[5:]] == [*records[:4], *records[5:]]
    kinds = [one["type"] for one in after[4]["payload"]["replacement_history"]]
    assert sorted(kinds) == ["function_call", "function_call_output", "message", "message"]


def test_an_old_compaction_leaves_prompts_and_its_summary() -> None:
    records = rollout(
        user("old"), called("call_0"), line("compacted", message="So far: …"), said("On.")
    )
    texts = [part["text"] for one in items_of(records) for part in one["content"]]
    assert texts == ["old", "So far: …", "On."]
    assert found(records) == []


def test_turns_that_were_rolled_back_are_not_judged() -> None:
    records = rollout(
        *(user("one"), said("One."), user("two"), called("call_1")),
        event("thread_rolled_back", num_turns=1),
        *(user("three"), said("Three.")),
    )
    assert found(records) == []
    assert len(items_of(records)) == 5


def test_rollouts_without_envelopes_are_read_and_mended() -> None:
    first: dict[str, Any] = {
        "id": "0195",
        "timestamp": "2025-07-01T10:00:00Z",
        "instructions": None,
        "git": {},
    }
    items = [one["payload"] for one in (user("look"), called("call_1"), user("well?"))]
    records = [first, {"record_type": "state"}, *items]
    assert recognise_log(first) is LOG
    assert found(records) == [("missing-tool-result", 3, "")]
    after = mended(LOG, records)
    assert [*after[:4], *after[5:]] == records
    assert after[4]["call_id"] == "call_1"


def test_the_command_reads_a_rollout_and_keeps_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "rollout-2026-03-02T10-00-00-0195a3f0.jsonl"
    records = rollout(user("look"), called("call_1"), user("well?"))
    whole = "".join(json.dumps(record) + "\n" for record in records)
    path.write_text(whole)
    assert f"{path}:5:/payload: " in run("check", path).stdout
    assert run("fix", "--in-place", path).exit_code == 0
    assert path.with_name(f"{path.name}.bak").read_text() == whole
    assert run("check", path).exit_code == 0
    lines = path.read_text().splitlines(keepends=True)
    assert "".join([*lines[:5], *lines[6:]]) == whole


@pytest.mark.parametrize(
    "value",
    [
        {"type": "response_item"},
        {"type": "message", "role": "user", "content": []},
        {"id": "x", "timestamp": "x", "instructions": "x", "input": []},
        {"payload": {}},
    ],
)
def test_other_json_is_not_taken_for_a_rollout(value: Any) -> None:
    assert recognise_log(value) is not LOG


_ITEMS = st.sampled_from(
    [
        *(user("words"), user(" "), said("Words."), thought(), event("token_count")),
        *(called(f"call_{n}") for n in range(3)),
        *(output(f"call_{n}") for n in range(3)),
        line("compacted", message="so far"),
        line("compacted", message="", replacement_history=[called("call_1")["payload"]]),
        event("thread_rolled_back", num_turns=1),
    ]
)


@given(st.lists(_ITEMS, max_size=10))
def test_whatever_is_in_a_rollout_it_is_mended_for_good(records: list[dict[str, Any]]) -> None:
    after = mended(LOG, rollout(*records, user("and then?")))
    assert found(after) == []
    assert mended(LOG, after) == after
