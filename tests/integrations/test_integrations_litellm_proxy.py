"""LiteLLM's proxy as its users run it: ``litellm --config`` with the configuration of the page.

Its clients are the official SDKs, and a simulated provider is behind it.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import anthropic
import httpx2
import openai
import pytest

from tests.cli.running import ROOT
from tests.console_blocks import read_page
from tests.integrations.damage import DAMAGED, HEALTHY, TOOL, WORDS, Message
from tests.integrations.naive import anthropic_messages, responses_items
from wiremend.simulator import Running, Script, running_provider, says

PAGE = (ROOT / "docs" / "integrations" / "litellm.md").read_text(encoding="utf-8")
CONFIG = read_page(PAGE).files["config.yaml"]
KEY = f"sk-{secrets.token_hex(32)}"
SAID = "The fridge is empty."
FUNCTION: Any = TOOL["function"]
ANYWHERE = {"a message of blanks", "a system message in the middle", "a result that comes late"}
TAKEN: dict[tuple[str, str], set[str]] = {
    ("chat", "gpt-5"): {"a message of blanks"},
    # Items of Responses may stand anywhere, and what comes as Messages goes there as Responses.
    ("responses", "gpt-5"): ANYWHERE,
    ("messages", "gpt-5"): ANYWHERE,
    # LiteLLM itself sees to these on the way to this provider.
    ("chat", "claude"): {"a message of blanks", "a system message in the middle"},
    ("responses", "claude"): {"a message of blanks", "a system message in the middle"},
}
"""What goes through without, by the API that the client speaks and the model."""


def program() -> str:
    """LiteLLM's command of the environment that ``make gateway`` makes."""
    found = shutil.which("litellm", path=str(ROOT / ".venv-gateway" / "bin"))
    if found is None:
        reason = "LiteLLM's proxy is not installed: make gateway"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}; and this is CI")
        pytest.skip(reason)
    return found


class Gateways(NamedTuple):
    """Two proxies of LiteLLM before one provider, and what the second logs."""

    provider: Running
    without: str
    with_it: str
    log: Path


@pytest.fixture(scope="module")
def gateways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateways]:
    command, folder = program(), tmp_path_factory.mktemp("litellm")
    bare, separator, _ = CONFIG.partition("litellm_settings:")
    assert separator
    with ExitStack() as stack:
        script = Script((says(SAID),), repeat=True)
        provider = stack.enter_context(running_provider("openai-chat", script))
        configs = {"without": bare, "with": CONFIG}
        without, with_it = (
            stack.enter_context(gateway(command, folder / name, config, provider.url))
            for name, config in configs.items()
        )
        wait_for(without, folder / "without" / "log")
        wait_for(with_it, folder / "with" / "log")
        yield Gateways(provider, without, with_it, folder / "with" / "log")


@contextmanager
def gateway(command: str, folder: Path, config: str, provider: str) -> Iterator[str]:
    """LiteLLM's proxy, which has begun to start, and its URL."""
    folder.mkdir()
    (folder / "config.yaml").write_text(config, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "PYTHONPATH": str(ROOT / "src"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # stay offline
        "LITELLM_MASTER_KEY": KEY,
        "OPENAI_API_KEY": "any",
        "OPENAI_BASE_URL": f"{provider}/v1",
        "ANTHROPIC_API_KEY": "any",
        "ANTHROPIC_API_BASE": provider,
    }
    arguments = ["--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            [command, *arguments], cwd=folder, env=environment, stdout=log, stderr=log
        ) as running,
    ):
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            running.kill()


def wait_for(url: str, log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            if httpx2.get(f"{url}/health/liveliness", timeout=10).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.1)
    pytest.fail(f"LiteLLM's proxy does not start:\n{log.read_text(encoding='utf-8')}")


def chat(url: str, model: str, messages: list[Message], *, stream: bool) -> str:
    with openai.OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as sdk:
        asked: Any = {"model": model, "messages": messages, "tools": [TOOL]}
        if not stream:
            return str(sdk.chat.completions.create(**asked).choices[0].message.content)
        chunks = sdk.chat.completions.create(**asked, stream=True)
        return "".join(piece.choices[0].delta.content or "" for piece in chunks if piece.choices)


def messages(url: str, model: str, messages: list[Message], *, stream: bool) -> str:
    tools = [{"name": FUNCTION["name"], "input_schema": FUNCTION["parameters"]}]
    asked: Any = {"model": model, "max_tokens": 100, "tools": tools}
    asked["messages"] = anthropic_messages(messages)
    with anthropic.Anthropic(base_url=url, api_key=KEY, max_retries=0) as sdk:
        if not stream:
            return "".join(part.text for part in sdk.messages.create(**asked).content)
        with sdk.messages.stream(**asked) as events:
            return "".join(events.text_stream)


def responses(url: str, model: str, messages: list[Message], *, stream: bool) -> str:
    asked: Any = {"model": model, "tools": [{"type": "function", "strict": False, **FUNCTION}]}
    asked["input"] = responses_items(messages)
    with openai.OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as sdk:
        if not stream:
            return str(sdk.responses.create(**asked).output_text)
        events = sdk.responses.create(**asked, stream=True)
        return "".join(e.delta for e in events if e.type == "response.output_text.delta")


APIS: dict[str, Callable[..., str]] = {
    "chat": chat,
    "messages": messages,
    "responses": responses,
}
REFUSED = (openai.BadRequestError, anthropic.BadRequestError)
SOUND = [{**message, "content": message["content"] or None} for message in HEALTHY]
EACH = [(api, model) for api in APIS for model in ("gpt-5", "claude")]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("api", "model"), EACH)
def test_a_damaged_conversation_is_refused_without_and_answered_with_it(
    gateways: Gateways, api: str, model: str, stream: bool
) -> None:
    taken = set()
    for kind, damaged in DAMAGED.items():
        try:
            APIS[api](gateways.without, model, damaged, stream=stream)
            taken.add(kind)
        except REFUSED:
            pass
        assert APIS[api](gateways.with_it, model, damaged, stream=stream) == SAID, kind
        assert WORDS in json.dumps(gateways.provider.requests[-1].json), kind
    assert taken == TAKEN.get((api, model), set())


@pytest.mark.parametrize(("api", "model"), EACH)
def test_a_sound_conversation_goes_on_as_it_goes_without(
    gateways: Gateways, api: str, model: str
) -> None:
    for url in (gateways.without, gateways.with_it):
        assert APIS[api](url, model, SOUND, stream=False) == SAID
    one, other = (request.json for request in gateways.provider.requests[-2:])
    assert one == other


def test_its_log_says_what_was_repaired_and_nothing_of_what_was_said(gateways: Gateways) -> None:
    chat(gateways.with_it, "claude", DAMAGED["a call that nothing answers"], stream=False)
    deadline = time.monotonic() + 20
    while "synthesized=1" not in (log := gateways.log.read_text(encoding="utf-8")):
        assert time.monotonic() < deadline, log
        time.sleep(0.05)
    assert not any(word in log for word in (WORDS, KEY, "Traceback"))


def test_its_pass_through_routes_have_no_such_hook(gateways: Gateways) -> None:
    broken = DAMAGED["a call that nothing answers"]
    with pytest.raises(anthropic.BadRequestError, match="without `tool_result` blocks"):
        messages(f"{gateways.with_it}/anthropic", "claude-sonnet-4-5", broken, stream=False)
