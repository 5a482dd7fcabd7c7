"""The journal of a proxy that runs, looked at while an SDK's requests go through it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import pytest
from playwright.sync_api import Browser, expect

from tests.cli.test_cli_proxy import process
from tests.inspector.browsing import Watched, launched

READ = {"name": "read_file", "input_schema": {"type": "object"}}
CALL = {"type": "tool_use", "id": "toolu_01A", "name": "read_file", "input": {"path": "a.txt"}}
BROKEN: list[Any] = [
    {"role": "user", "content": "open the config"},
    {"role": "assistant", "content": [CALL]},
    {"role": "user", "content": "stop, do something else first"},
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@contextmanager
def told(*arguments: str) -> Iterator[str]:
    """A command of wiremend that runs, and the first URL that it tells of."""
    command = [sys.executable, "-u", "-m", "wiremend", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            assert running.stdout is not None
            first = running.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+[\w/-]*", first)
            assert found, first
            yield found[0]
        finally:
            running.kill()


def test_each_request_of_an_agent_appears_with_what_the_proxy_made_of_it(
    browser: Browser, tmp_path: Path
) -> None:
    journal = tmp_path / "proxy.jsonl"
    kept = ["--journal", str(journal), "--journal-content"]
    watched = Watched(browser)
    with (
        told("provider", "anthropic") as provider,
        process("--upstream", provider, *kept) as (_, proxy),
        told("inspect", "--no-open", str(journal)) as page_url,
        anthropic.Anthropic(base_url=proxy, api_key="any", max_retries=0) as client,
    ):
        page = watched.open(page_url)
        expect(page.locator("#verdict")).to_contain_text("Requests appear here")

        client.messages.create(model="claude-sonnet-4-5", max_tokens=99, messages=BROKEN[:1])
        expect(page.locator("#verdict h2")).to_have_text("Anthropic takes this as it is.")

        settings: Any = {"model": "claude-sonnet-4-5", "max_tokens": 99, "tools": [READ]}
        with client.messages.stream(messages=BROKEN, **settings) as stream:
            stream.get_final_message()
        newest = page.locator("#items button").first
        expect(newest).to_contain_text("200 · 1 repair")
        newest.click()
        expect(page.locator(".note.repair")).to_contain_text("Added a result for toolu_01A")
        expect(page.locator(".happened")).to_contain_text("attempt 1 (plain): 200")
        expect(page.locator(".row.is-changed .right")).to_contain_text("Do not assume")

        with pytest.raises(anthropic.BadRequestError):
            client.messages.create(model="claude-sonnet-4-5", max_tokens=99, messages=[])
        expect(newest.locator(".dot.refused")).to_have_count(1)
        # Who opens the page now begins with what went wrong last.
        page.goto(page_url)
        page.reload()
        expect(page.locator("#verdict h2")).to_contain_text("even repaired")
        expect(page.locator(".happened")).to_contain_text("400, structure")
        expect(page.locator("#mark-count")).to_have_text("it is about the whole request")
    watched.close()
