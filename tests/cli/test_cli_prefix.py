"""``wiremend prefix``: what a prompt cache can use again."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import HELLO, OPEN_CALL, run, write


def test_a_request_that_goes_on_is_whole(tmp_path: Path) -> None:
    before = write(tmp_path / "a.json", HELLO)
    more = [*HELLO["messages"], {"role": "assistant", "content": "yes?"}]
    result = run("prefix", before, write(tmp_path / "b.json", {"messages": more}))
    assert result.exit_code == 0
    assert result.stdout == "1 of 1 messages, 33 of 33 bytes (100 %) can be used again\n"


def test_the_first_difference_and_the_repair_are_named(tmp_path: Path) -> None:
    late = {"role": "tool", "tool_call_id": "call_1", "content": "a tree"}
    after = {**OPEN_CALL, "messages": [*OPEN_CALL["messages"], late]}
    paths = (write(tmp_path / "a.json", OPEN_CALL), write(tmp_path / "b.json", after))
    result = run("prefix", *paths, "--mended")
    assert result.exit_code == 1
    assert "the first difference is at /messages/2/content" in result.stdout
    assert "moved the result of call_1" in result.stdout
    report = json.loads(run("prefix", *paths, "--mended", "--output", "json").stdout)
    assert report["brokenAt"] == "/messages/2/content"
    assert [one["kind"] for one in report["repairs"]] == ["tool_result_reordered"]


def test_requests_for_two_providers_cannot_be_compared(tmp_path: Path) -> None:
    one = write(tmp_path / "a.json", HELLO)
    result = run("prefix", one, write(tmp_path / "b.json", {"input": "hello"}))
    assert result.exit_code == 2
    assert "is for openai-chat" in result.stderr
