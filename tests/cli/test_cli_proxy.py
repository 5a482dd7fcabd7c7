"""``wiremend proxy`` as a process: it starts, says where, mends, and ends in good order."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.cli.running import run
from tests.proxy.test_proxy_routing import BROKEN
from wiremend.simulator import running_provider


@contextmanager
def process(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the URL that it says it listens on."""
    command = [sys.executable, "-m", "wiremend", "proxy", "--port", "0", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            first = running.stderr.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", first)
            assert found, first + running.stderr.read()
            yield running, found[0]
        finally:
            running.kill()


@pytest.mark.parametrize("sort", [signal.SIGTERM, signal.SIGINT])
def test_it_says_what_to_set_what_it_mended_and_stops_when_told(
    sort: signal.Signals, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.jsonl"
    with running_provider("openai-chat") as provider:
        given = ["--upstream", provider.url, "--journal", str(journal)]
        with process(*given) as (running, url):
            answer = httpx2.post(
                f"{url}/v1/chat/completions", json=BROKEN, headers={"authorization": "Bearer x"}
            )
            assert answer.json()["choices"][0]["message"]["content"] == "Understood."
            running.send_signal(sort)
            assert running.stderr is not None
            said = running.stderr.read()
            assert running.wait(20) == 0
    assert f"ANTHROPIC_BASE_URL={url}\n" in said
    assert f"OPENAI_BASE_URL={url}/v1\n" in said
    assert "POST /v1/chat/completions  gpt-5  plain 200  1 repair\n" in said
    assert "Traceback" not in said
    (entry,) = [json.loads(line) for line in journal.read_text().splitlines()]
    assert entry["status"] == 200


def test_quiet_says_nothing_of_requests() -> None:
    with running_provider("openai-chat") as provider, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        command = [sys.executable, "-m", "wiremend", "proxy", "--quiet", "--port", str(port)]
        with subprocess.Popen(
            [*command, "--upstream", provider.url], stderr=subprocess.PIPE, text=True
        ) as running:
            transport = httpx2.HTTPTransport(retries=20)
            with httpx2.Client(transport=transport) as client:
                client.post(f"http://127.0.0.1:{port}/v1/chat/completions", json=BROKEN)
            running.send_signal(signal.SIGTERM)
            assert running.communicate(timeout=20)[1] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing option '--upstream'"),
        (["--upstream", "openai"], "not an upstream: 'openai'"),
        (["--upstream", "klaude+https://h"], "no dialect 'klaude'"),
        (["--upstream", "http://h", "--max-body", "lots"], "'lots' is no size, such as 64M"),
        (["--upstream", "http://h", "--journal-content"], "--journal-content needs --journal"),
        (["--upstream", "http://h", "--host", "256.1.1.1"], "cannot listen on 256.1.1.1"),
        (["--upstream", "http://h", "--journal", "/nowhere/j"], "cannot write the journal"),
    ],
)
def test_a_mistake_is_said_with_status_2(arguments: list[str], said: str) -> None:
    result = run("proxy", "--port", "0", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = run("proxy", "--upstream", "http://h", "--port", port)
    assert result.exit_code == 2
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in result.stderr


def test_whoever_can_reach_it_is_warned_of() -> None:
    with running_provider("openai-chat") as provider:
        command = [sys.executable, "-m", "wiremend", "proxy", "--port", "0", "--host", "0.0.0.0"]
        with subprocess.Popen(
            [*command, "--upstream", provider.url],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as running:
            assert running.stderr is not None
            said = "".join(running.stderr.readline() for _ in range(4))
            running.send_signal(signal.SIGTERM)
            assert running.wait(20) == 0
    assert "listening on 0.0.0.0: whoever reaches it can send through it" in said
