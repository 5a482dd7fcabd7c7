"""``wiremend provider`` as its own process: what it prints, serves, logs and stops at."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import anthropic
import botocore.session
import openai
import pytest
from google import genai
from mistralai.client import Mistral

from tests.cli.running import ROOT, run, write

SECRET = "sk-ant-secret"
ASKED: Any = [{"role": "user", "content": "Is this private?"}]
_NEVER = 60
"""Seconds that no test waits for unless something hangs."""


class Served:
    """A provider in another process, and the variables that it printed."""

    def __init__(self, process: subprocess.Popen[str], variables: dict[str, str]) -> None:
        self.process = process
        self.variables = variables

    @property
    def url(self) -> str:
        return next(value for value in self.variables.values() if value.startswith("http"))

    def stopped(self, by: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Stop it; exit status and what it said."""
        self.process.send_signal(by)
        _, said = self.process.communicate(timeout=_NEVER)
        return self.process.returncode, said


@contextmanager
def served(*arguments: str | Path) -> Iterator[Served]:
    with subprocess.Popen(
        [sys.executable, "-m", "wiremend", "provider", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            printed = 4 if "bedrock" in arguments else 2
            lines = [process.stdout.readline().strip() for _ in range(printed)]
            yield Served(process, dict(line.split("=", 1) for line in lines))
        finally:
            process.kill()


def _openai() -> str | None:
    with openai.OpenAI(max_retries=0) as sdk:
        chat = sdk.chat.completions.create(model="m", messages=ASKED)
    return chat.choices[0].message.content


def _responses() -> str:
    with openai.OpenAI(max_retries=0) as sdk:
        return sdk.responses.create(model="gpt-5", input="hello").output_text


def _anthropic() -> str:
    with anthropic.Anthropic(max_retries=0) as sdk:
        message = sdk.messages.create(model="claude-sonnet-4-5", max_tokens=9, messages=ASKED)
    return "".join(block.text for block in message.content if block.type == "text")


def _gemini() -> str | None:
    sdk = genai.Client()
    return sdk.models.generate_content(model="gemini-2.5-flash", contents="hello").text


def _bedrock() -> str:
    sdk: Any = botocore.session.get_session().create_client("bedrock-runtime")
    asked = [{"role": "user", "content": [{"text": "hello"}]}]
    answer = sdk.converse(modelId="amazon.nova-lite-v1:0", messages=asked)
    return str(answer["output"]["message"]["content"][0]["text"])


def _mistral() -> Any:
    with Mistral(
        server_url=os.environ["OPENAI_BASE_URL"].removesuffix("/v1"), api_key="any"
    ) as sdk:
        return sdk.chat.complete(model="m", messages=ASKED).choices[0].message.content


@pytest.mark.parametrize(
    ("dialect", "asks"),
    [
        ("openai-chat", _openai),
        ("openai-responses", _responses),
        ("anthropic", _anthropic),
        ("gemini", _gemini),
        ("bedrock", _bedrock),
        ("mistral", _mistral),
        ("qwen", _openai),
        ("openrouter", _openai),
    ],
)
def test_an_sdk_finds_it_by_the_variables_that_are_printed(
    dialect: str, asks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(dialect) as provider:
        for name, value in provider.variables.items():
            monkeypatch.setenv(name, value)
        assert asks() == "Understood."
        status, said = provider.stopped()
    assert status == 0
    assert said.startswith(f"wiremend: {dialect}, simulated, at http://127.0.0.1:")


def test_a_script_is_followed_and_the_log_holds_no_keys_and_no_contents(tmp_path: Path) -> None:
    steps = write(
        tmp_path / "answers.json",
        [{"status": 429, "retry_after": 0}, {"parts": ["Yes.", {"type": "call", "name": "look"}]}],
    )
    tools: Any = [{"name": "look", "input_schema": {"type": "object"}}]
    open_call = [*ASKED, {"role": "assistant", "content": [_call("toolu_1")]}, *ASKED]
    with (
        served("anthropic", "--script", steps, "--log") as provider,
        anthropic.Anthropic(base_url=provider.url, api_key=SECRET, max_retries=1) as sdk,
    ):
        message = sdk.messages.create(model="claude-x", max_tokens=9, messages=ASKED)
        with pytest.raises(anthropic.BadRequestError):
            sdk.messages.create(model="claude-x", max_tokens=9, messages=open_call, tools=tools)
        _, said = provider.stopped()
    assert [block.type for block in message.content] == ["text", "tool_use"]
    log = said.splitlines()[1:]
    assert log[0].startswith("POST /v1/messages 429 ")
    assert log[1] == "POST /v1/messages 200"
    assert log[2].startswith("POST /v1/messages 400 WM201 messages.1: ")
    assert len(log) == 3
    assert SECRET not in said
    assert "private" not in said


def test_a_body_that_is_no_json_is_logged_without_a_rule() -> None:
    with served("gemini", "--log") as provider:
        place = f"{provider.url}/v1beta/models/gemini-2.5-flash:generateContent?key={SECRET}"
        with pytest.raises(HTTPError):
            urlopen(place, data=b'{"contents":')
        _, said = provider.stopped()
    path = "/v1beta/models/gemini-2.5-flash:generateContent"
    assert said.splitlines()[1].startswith(f"POST {path} 400 Invalid JSON payload received. ")
    assert SECRET not in said


@pytest.mark.skipif(sys.platform == "win32", reason="an interruption is for a whole console there")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_quietly_while_a_stream_is_open(
    by: signal.Signals, tmp_path: Path
) -> None:
    fault = {"kind": "stall", "after": 4}
    steps = write(tmp_path / "answers.json", [{"parts": ["one two"], "fault": fault}])
    with (
        served("anthropic", "--script", steps) as provider,
        anthropic.Anthropic(base_url=provider.url, api_key="any", max_retries=0) as sdk,
        sdk.messages.stream(model="claude-x", max_tokens=9, messages=ASKED) as stream,
    ):
        assert next(iter(stream.text_stream)) == "one "
        status, said = provider.stopped(by)
    assert status == 0
    assert len(said.splitlines()) == 1


def test_a_port_that_is_taken_is_said_in_a_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("provider", "anthropic", "--port", str(port))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"wiremend: cannot listen on 127.0.0.1 port {port}: {os.strerror(errno.EADDRINUSE)}\n"
    )


def test_an_unknown_dialect_is_answered_with_those_there_are() -> None:
    result = run("provider", "claude")
    assert result.exit_code == 2
    assert "'claude' is not one of 'anthropic', 'bedrock'" in result.stderr


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("no", "a script is JSON: "),
        ("3", "a script is a list of steps, or an object with `steps`"),
        ('{"steps": [], "repat": true}', "/repat: a script has only `steps` and `repeat`"),
        ('{"steps": [], "repeat": 1}', "/repeat: is true or false"),
        ("{}", "/steps: a script has a list of steps here"),
        ('["a", 3]', "/1: a step is a text, an answer or a failure"),
        ('[{"parts": ["a", {"type": "call"}]}]', "/0/parts/1: "),
        ('{"steps": [{"parts": [], "fault": {"kind": "no"}}]}', "/steps/0/fault/kind: "),
        ('[{"status": 200}]', "/0/status: "),
        ('[{"status": 429, "retry_after": -1}]', "/0/retry_after: "),
        ('[{"status": 429, "wait": 1}]', "/0: "),
    ],
)
def test_a_script_that_is_none_is_refused_with_the_place(
    script: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "answers.json"
    path.write_text(script, encoding="utf-8")
    for result in (
        run("provider", "anthropic", "--script", path),
        run("provider", "anthropic", "--script", "-", stdin=script),
    ):
        assert (result.exit_code, result.stdout) == (2, "")
        assert said in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_a_script_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = run("provider", "anthropic", "--script", tmp_path / "nowhere.json")
    assert result.exit_code == 2
    assert "nowhere.json: No such file or directory" in result.stderr


def _call(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "look", "input": {}}
