"""Mistral's own SDK against the simulated server of Mistral."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from mistralai.client import Mistral
from mistralai.client.errors import SDKError

from wiremend.simulator import (
    Call,
    Failure,
    Running,
    Script,
    Thinking,
    running_provider,
    says,
)

ASKED: Any = [{"role": "user", "content": "What is in the file?"}]
TOOLS: Any = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]


@pytest.fixture(scope="module")
def provider() -> Iterator[Running]:
    with running_provider("mistral") as running:
        yield running


def ask(running: Running, messages: Any = ASKED, **more: Any) -> Any:
    with Mistral(api_key="any", server_url=running.url) as sdk:
        return sdk.chat.complete(model="mistral-large-latest", messages=messages, **more)


def test_an_agents_loop_calls_a_tool_and_comes_to_an_end(provider: Running) -> None:
    message = ask(provider, tools=TOOLS).choices[0].message
    (call,) = message.tool_calls
    assert re.fullmatch("[a-zA-Z0-9]{9}", call.id)
    result = {"role": "tool", "tool_call_id": call.id, "content": "words"}
    again = ask(provider, [*ASKED, message, result], tools=TOOLS)
    assert again.choices[0].message.content == "Understood."


def test_a_stream_says_what_the_whole_answer_says() -> None:
    answer = says(Thinking("Let me see."), "Both, äöü, now.", Call("look", {"path": "a"}))
    with running_provider("mistral", Script((answer, answer))) as running:
        message = ask(running, tools=TOOLS).choices[0].message
        with (
            Mistral(api_key="any", server_url=running.url) as sdk,
            sdk.chat.stream(model="m", messages=ASKED, tools=TOOLS) as stream,
        ):
            deltas: Any = [event.data.choices[0].delta for event in stream]
    assert message.content[0].thinking[0].text == "Let me see."
    assert message.content[1].text == "Both, äöü, now."
    texts = [delta.content for delta in deltas if isinstance(delta.content, str)]
    assert "".join(texts) == "Both, äöü, now."
    (call,) = [call for delta in deltas for call in delta.tool_calls or ()]
    assert json.loads(call.function.arguments) == {"path": "a"}


def test_a_user_right_after_a_result_is_refused_in_the_servers_shape(provider: Running) -> None:
    call = {"id": "abcdefghi", "function": {"name": "look", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "abcdefghi", "content": "words"}
    broken = [*ASKED, {"role": "assistant", "tool_calls": [call]}, result, *ASKED]
    with pytest.raises(SDKError) as caught:
        ask(provider, broken, tools=TOOLS)
    body = json.loads(caught.value.body)
    assert body["object"] == "error"
    assert body["message"] == "Unexpected role 'user' after role 'tool'"


def test_a_field_that_it_does_not_know_is_unprocessable(provider: Running) -> None:
    body = {"model": "m", "messages": [{**ASKED[0], "stranger": 1}]}
    answer = httpx2.post(
        f"{provider.url}/v1/chat/completions", json=body, headers={"authorization": "Bearer any"}
    )
    assert answer.status_code == 422
    assert "Extra inputs are not permitted" in answer.json()["detail"][0]["msg"]


def test_a_limit_is_the_sdks_own_error() -> None:
    with running_provider("mistral", Script((Failure(429),))) as running:
        with pytest.raises(SDKError) as caught:
            ask(running)
        assert caught.value.status_code == 429
        assert ask(running).choices[0].finish_reason == "stop"
