"""opencode's sessions: exported ones are judged and mended, its own storage is read."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import run, write
from tests.logs.mending import mended, problems_of, records_of
from wiremend.bulk import Part
from wiremend.cli.checking import CheckJob, Outcome
from wiremend.logs import LOGS, recognise_log

if TYPE_CHECKING:
    from pathlib import Path

LOG = LOGS["opencode"]
SESSION = "ses_4d585107dffeO9bO3HvMdvLYyC"


def part(number: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": f"prt_{number:03}", "sessionID": SESSION, "type": kind, **fields}


def tool(number: int, call: str, status: str, **state: Any) -> dict[str, Any]:
    about = {"status": status, "input": {"command": "ls"}, "time": {"start": 7, "end": 8}}
    return part(number, "tool", callID=call, tool="bash", state={**about, **state})


def done(number: int, call: str) -> dict[str, Any]:
    return tool(number, call, "completed", output="fine", title="ls", metadata={"exit": 0})


def message(number: int, role: str, *parts: Any, **info: Any) -> dict[str, Any]:
    known = {"id": f"msg_{number:03}", "sessionID": SESSION, "role": role, "time": {"created": 7}}
    model = {"providerID": "anthropic", "modelID": "claude-sonnet-4-5"} if role != "user" else {}
    return {"info": {**known, **model, **info}, "parts": list(parts)}


def export(*messages: Any, provider: str = "anthropic") -> dict[str, Any]:
    for one in messages:
        if "providerID" in one["info"]:
            one["info"]["providerID"] = provider
    return {"info": {"id": SESSION, "title": "Soil", "version": "1.2.0"}, "messages": [*messages]}


def session(*answer: Any, provider: str = "anthropic") -> dict[str, Any]:
    return export(
        message(1, "user", part(1, "text", text="Is the soil dry?")),
        message(2, "assistant", part(2, "step-start"), *answer, part(9, "step-finish")),
        message(3, "user", part(10, "text", text="well?")),
        message(4, "assistant", part(11, "text", text="Dry.")),
        provider=provider,
    )


def found(value: Any) -> list[tuple[str, str]]:
    assert recognise_log(value) is LOG
    return [(rule, at) for rule, _, at in problems_of(LOG, records_of([value]))]


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_whole_session_is_fine_and_stays_as_it_is(provider: str) -> None:
    text = part(4, "text", text="Let me see.")
    thought = part(3, "reasoning", text="hm", metadata={"anthropic": {"signature": "c2ln" * 9}})
    value = session(thought, text, done(5, "toolu_1"), done(6, "toolu_2"), provider=provider)
    assert found(value) == []
    assert mended(LOG, [value]) == [value]


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
@pytest.mark.parametrize("status", ["pending", "running"])
def test_a_call_that_never_ended_is_stopped(provider: str, status: str) -> None:
    value = session(done(5, "toolu_1"), tool(6, "toolu_2", status), provider=provider)
    assert found(value) == [("missing-tool-result", "/messages/1/parts/2")]
    [after] = mended(LOG, [value])
    state = after["messages"][1]["parts"][2]["state"]
    assert (state["status"], state["error"]) == ("error", "Tool execution aborted")
    assert state["input"] == {"command": "ls"}
    after["messages"][1]["parts"][2]["state"] = value["messages"][1]["parts"][2]["state"]
    assert after == value


def test_a_session_that_ends_in_a_running_call_is_not_broken() -> None:
    running = message(2, "assistant", tool(5, "toolu_1", "running"))
    assert found(export(message(1, "user", part(1, "text", text="do")), running)) == []


def test_a_blank_part_goes() -> None:
    value = session(part(4, "text", text=" "), done(5, "toolu_1"))
    assert found(value) == [("blank-text", "/messages/1/parts/1")]
    [after] = mended(LOG, [value])
    kinds = [one["type"] for one in after["messages"][1]["parts"]]
    assert kinds == ["step-start", "tool", "step-finish"]


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_twins_of_a_call_are_told_apart(provider: str) -> None:
    value = session(done(5, "toolu_1"), done(6, "toolu_1"), provider=provider)
    assert found(value) != []
    [after] = mended(LOG, [value])
    one, other = (part["callID"] for part in after["messages"][1]["parts"][1:3])
    assert one != other


def test_what_is_before_a_compaction_and_what_failed_is_not_sent() -> None:
    value = export(
        message(1, "user", part(1, "text", text="old")),
        message(2, "assistant", tool(2, "toolu_1", "running")),
        message(3, "user", part(3, "compaction", auto=True)),
        message(
            4,
            "assistant",
            part(4, "text", text="So far: …"),
            summary=True,
            finish="stop",
            parentID="msg_003",
        ),
        message(5, "user", part(5, "text", text="on"), part(6, "text", text="", ignored=True)),
        message(6, "assistant", tool(7, "toolu_2", "running"), error={"name": "APIError"}),
        message(7, "user", part(8, "text", text="again")),
    )
    [conversation] = LOG.read(records_of([value])).conversations
    said = [b["text"] for m in conversation.body["messages"] for b in m["content"]]
    assert said[:4] == ["What did we do so far?", "So far: …", "on", "again"]
    assert found(value) == []


def broken() -> dict[str, Any]:
    return session(done(5, "toolu_1"), tool(6, "toolu_2", "running"))


def test_the_folders_of_opencode_are_read_as_sessions(tmp_path: Path) -> None:
    value = broken()
    storage = tmp_path / "storage"
    (storage / "session" / "global").mkdir(parents=True)
    (storage / "message" / SESSION).mkdir(parents=True)
    path = write(storage / "session" / "global" / f"{SESSION}.json", value["info"])
    for one in value["messages"]:
        name = one["info"]["id"]
        write(storage / "message" / SESSION / f"{name}.json", one["info"])
        (storage / "part" / name).mkdir(parents=True)
        for held in one["parts"]:
            write(storage / "part" / name / f"{held['id']}.json", held)
    result = run("check", "--output", "json", storage)
    [entry] = json.loads(result.stdout)["files"]
    assert (entry["path"], entry["format"]) == (str(path), "opencode")
    assert entry["violations"][0]["pointer"] == "/messages/1/parts/2"
    assert "1 conversation, 1 with 1 violation" in result.stderr


def database_of(path: Path, *sessions: str) -> Path:
    """A database with the broken session under each of these ids."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT)")
        columns = "id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT"
        database.execute(f"CREATE TABLE message ({columns})")
        database.execute(f"CREATE TABLE part ({columns}, message_id TEXT)")
        for number, session in enumerate(sessions):
            database.execute("INSERT INTO session VALUES (?, 'Soil')", (session,))
            for one in broken()["messages"]:
                name = f"{one['info'].pop('id')}{number}"
                row = (name, session, 7, json.dumps(one["info"]))
                database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
                for held in one["parts"]:
                    row = (f"{held.pop('id')}{number}", session, 7, json.dumps(held))
                    database.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", (*row, name))
        database.commit()
    return path


def test_the_database_of_opencode_is_read_as_sessions(tmp_path: Path) -> None:
    path = database_of(tmp_path / "opencode.db", SESSION)
    for given in (path, tmp_path):
        result = run("check", given)
        assert result.exit_code == 1
        assert result.stdout.startswith(f"{path}:{SESSION}:/messages/1/parts/2: WM201")
    path.write_bytes(path.read_bytes()[:4096])
    assert "no database of opencode" in run("check", path).stderr


def test_the_sessions_of_a_database_are_gone_on_with_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database_of(tmp_path / "opencode.db", "ses_1", "ses_2", "ses_3")
    whole = run("check", path).stdout
    for number in (1, 2, 3):
        assert f"{path}:ses_{number}:/messages/1/parts/2: WM201" in whole
    state = tmp_path / "state.json"
    left = [2]
    checked = CheckJob.__call__

    def stopping(self: CheckJob, part: Part) -> list[Outcome]:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return checked(self, part)

    with monkeypatch.context() as patch:
        patch.setattr(CheckJob, "__call__", stopping)
        begun = run("check", "-j", "1", "--resume", state, path).stdout
    assert "ses_2" in begun
    assert begun + run("check", "-j", "1", "--resume", state, path).stdout == whole
    assert not state.exists()


def test_a_torn_session_of_a_database_is_found_and_the_others_are_read(tmp_path: Path) -> None:
    path = database_of(tmp_path / "opencode.db", "ses_1", "ses_2", "ses_3")
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE part SET data = '{\"type\": \"te' WHERE session_id = 'ses_2'")
        database.commit()
    result = run("check", path)
    assert result.exit_code == 2
    assert f"{path}:ses_2: truncated JSON" in result.stderr
    assert f"{path}:ses_3:/messages/1/parts/2: WM201" in result.stdout


def test_the_database_is_shown_and_converted_and_never_written_to(tmp_path: Path) -> None:
    path = database_of(tmp_path / "opencode.db", "ses_1", "ses_2")
    before = path.read_bytes()
    shown = run("show", "--all", path)
    assert shown.exit_code == 0
    converted = run("convert", path, "--to", "kimi")
    assert len(converted.stdout.splitlines()) == 2
    for given in (["fix"], ["session", "list"]):
        refused = run(*given, path)
        assert refused.exit_code == 2
        assert "only read" in refused.stderr or "another program" in refused.stderr
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["opencode.db"]


@pytest.mark.parametrize("value", [{"info": {}}, {"info": {}, "messages": [{"role": "user"}]}])
def test_other_json_is_not_taken_for_an_export(value: Any) -> None:
    assert recognise_log(value) is not LOG
