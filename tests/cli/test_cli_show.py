"""``wiremend show``: both sides at a terminal, whatever the file is."""

from __future__ import annotations

from pathlib import Path

import wiremend
from tests.cli.running import EXAMPLES, HELLO, OPEN_CALL, run, write
from wiremend.model import assistant, user


def test_it_shows_both_sides_with_each_repair_where_it_happened(tmp_path: Path) -> None:
    done = run("show", write(tmp_path / "a.json", OPEN_CALL))
    assert done.exit_code == 0
    lines = done.stdout.split("\n")
    assert "refuses this as it is: 1 problem; with 1 repair it is taken" in lines[0]
    assert "it would answer: An assistant message with 'tool_calls' must be" in lines[1]
    assert done.stdout.rstrip().endswith("a.json -o mended.json")
    assert "✎ added a result for call_1, which had none" in done.stdout
    assert any("not remembered: put in" in line and "+ 3 tool" in line for line in lines)


def test_what_is_fine_is_said_to_be_fine(tmp_path: Path) -> None:
    done = run("show", write(tmp_path / "a.json", HELLO))
    assert done.stdout.startswith("openai-chat takes this as it is")


def test_long_runs_of_unchanged_messages_are_folded_unless_all_is_asked_for(tmp_path: Path) -> None:
    talk = [
        {"role": role, "content": f"word {n}"} for n in range(30) for role in ("user", "assistant")
    ]
    path = write(tmp_path / "a.json", {"messages": [*talk, *OPEN_CALL["messages"]]})
    folded, whole = run("show", path).stdout, run("show", "--all", path).stdout
    assert "rows unchanged" in folded
    assert "word 15" not in folded
    assert "word 15" in whole


def test_nothing_in_a_transcript_reaches_the_terminal_as_a_command(tmp_path: Path) -> None:
    text = "\x1b[2J\x1b]0;title\x07 [bold]not markup[/bold] \u202e\x9b"
    body = {"messages": [{"role": "user", "content": text}]}
    for options in ([], ["--all"]):
        done = run("show", *options, write(tmp_path / "a.json", body))
        assert "[bold]not" in done.stdout
        assert not set("\x1b\x07\x9b\u202e") & set(done.stdout)


def test_a_history_shows_origins_and_notes_and_goes_to_any_provider() -> None:
    done = run("show", "--for", "anthropic", EXAMPLES / "history.json")
    assert "[injection]" in done.stdout
    assert "note to the model: Ask before you try again." in done.stdout
    assert "sent in 3" in done.stdout


def test_a_session_log_is_shown_as_it_was_after_any_of_its_records() -> None:
    early = run("show", "--at", "1", EXAMPLES / "wire.jsonl").stdout
    late = run("show", EXAMPLES / "wire.jsonl").stdout
    assert "1 message," in early
    assert "7 messages," in late


def test_a_session_of_a_store_is_shown_by_its_name(tmp_path: Path) -> None:
    store = str(tmp_path / "agent.db")
    with wiremend.Session.open(store, id="greenhouse") as session:
        session.append(user("Is the soil dry?"))
        session.append(assistant("Yes."))
    assert "Is the soil dry?" in run("show", store, "--session", "greenhouse").stdout
    missing = run("show", store, "--session", "other")
    assert missing.exit_code == 2
    assert "no session 'other'" in missing.stderr
    assert run("show", str(tmp_path / "none.db")).exit_code == 2
    assert not (tmp_path / "none.db").exists()


def test_one_conversation_of_many_is_chosen_by_its_number() -> None:
    assert "12 miles" in run("show", "--number", "2", EXAMPLES / "conversations.jsonl").stdout
    assert run("show", "--number", "99", EXAMPLES / "conversations.jsonl").exit_code == 2


def test_what_is_no_conversation_is_one_line_and_status_two(tmp_path: Path) -> None:
    done = run("show", write(tmp_path / "a.json", {"a": 1}))
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


def test_of_a_data_set_each_line_is_a_conversation_and_a_broken_one_is_said(tmp_path: Path) -> None:
    talk = {"conversations": [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "ho"}]}
    path = write(tmp_path / "set.jsonl", talk, talk)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"conversations": [\n')
    done = run("show", path, "--number", "2")
    assert done.exit_code == 0
    assert "REMEMBERED  2 messages" in done.stdout
    assert "set.jsonl:3" in done.stderr
