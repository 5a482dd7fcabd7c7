"""Anthropic's own SDK against the simulated Messages API, over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from wiremend.simulator import (
    Call,
    Failure,
    Fault,
    Refusal,
    Running,
    Script,
    Thinking,
    running_provider,
    says,
)

TOOLS: Any = [
    {
        "name": "look",
        "description": "Look at a file.",
        "input_schema": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "deep": {"type": "boolean"}},
            "required": ["path"],
        },
    }
]
ASKED: Any = [{"role": "user", "content": "What is in the file?"}]
MODEL: Any = "claude-sonnet-4-5"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="


@pytest.fixture(scope="module")
def provider() -> Iterator[Running]:
    with running_provider("anthropic") as running:
        yield running


def client(running: Running, **more: Any) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=running.url, api_key="any", max_retries=0, **more)


def ask(running: Running, messages: Any = ASKED, **more: Any) -> anthropic.types.Message:
    with client(running) as sdk:
        message = sdk.messages.create(model=MODEL, max_tokens=64, messages=messages, **more)
    assert isinstance(message, anthropic.types.Message)
    return message


def test_a_plain_question_gets_a_plain_answer(provider: Running) -> None:
    message = ask(provider)
    assert message.content[0].type == "text"
    assert message.content[0].text == "Understood."
    assert (message.stop_reason, message.model) == ("end_turn", MODEL)
    assert message.usage.input_tokens > 0 < message.usage.output_tokens


def test_an_agents_loop_calls_a_tool_and_comes_to_an_end(provider: Running) -> None:
    messages = list(ASKED)
    first = ask(provider, messages, tools=TOOLS)
    assert first.stop_reason == "tool_use"
    call = first.content[0]
    assert call.type == "tool_use"
    assert (call.name, call.input) == ("look", {"path": "text"})
    messages.append({"role": "assistant", "content": first.content})
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "words"}
    messages.append({"role": "user", "content": [result]})
    assert ask(provider, messages, tools=TOOLS).stop_reason == "end_turn"


def test_thinking_text_and_calls_are_streamed_as_they_are_answered_whole() -> None:
    answer = says(
        Thinking("Let me see, in three words."),
        Thinking(hidden=True),
        "I look  at\nboth: äöü 😀.",
        Call("look", {"path": 'a "quoted" 😀 path', "deep": True}),
        Call("look", {}),
    )
    with running_provider("anthropic", Script((answer, answer))) as running:
        whole = ask(running, tools=TOOLS)
        with client(running) as sdk:
            asked = {"model": MODEL, "max_tokens": 64, "messages": ASKED, "tools": TOOLS}
            with sdk.messages.stream(**asked) as stream:
                kinds = [event.type for event in stream]
                streamed = stream.get_final_message()
    assert [block.type for block in whole.content] == [
        *("thinking", "redacted_thinking", "text", "tool_use", "tool_use")
    ]

    def plain(message: Any) -> Any:
        return [block.to_dict() | {"id": 0, "signature": 0, "data": 0} for block in message.content]

    assert plain(streamed) == plain(whole)
    assert streamed.usage.output_tokens == whole.usage.output_tokens
    assert {"message_start", "signature", "thinking", "input_json", "message_stop"} <= set(kinds)


def test_it_streams_to_the_asynchronous_client(provider: Running) -> None:
    async def told() -> str:
        async with anthropic.AsyncAnthropic(base_url=provider.url, api_key="any") as sdk:
            asked = {"model": MODEL, "max_tokens": 64, "messages": ASKED}
            async with sdk.messages.stream(**asked) as stream:
                return "".join([text async for text in stream.text_stream])

    assert asyncio.run(told()) == "Understood."


def test_pictures_are_taken(provider: Running) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    messages = [{"role": "user", "content": [{"type": "image", "source": source}]}]
    assert ask(provider, messages).stop_reason == "end_turn"


def test_a_call_without_its_result_is_refused_in_the_providers_words(provider: Running) -> None:
    call = {"type": "tool_use", "id": "toolu_01A", "name": "look", "input": {}}
    broken = [*ASKED, {"role": "assistant", "content": [call]}, *ASKED]
    with pytest.raises(anthropic.BadRequestError) as caught:
        ask(provider, broken, tools=TOOLS)
    error: Any = caught.value.body
    assert error["error"]["type"] == "invalid_request_error"
    assert "`tool_use` ids were found without `tool_result` blocks" in error["error"]["message"]
    assert error["request_id"] == caught.value.request_id
    last = provider.requests[-1]
    assert (last.status, last.why) == (400, error["error"]["message"])
    assert last.json["messages"] == broken


def test_a_client_that_tries_again_gets_past_a_limit() -> None:
    script = Script((Failure(429, retry_after=0.01), Failure(529, retry_after=0.01), says("here")))
    with (
        running_provider("anthropic", script) as running,
        client(running).with_options(max_retries=3) as sdk,
        sdk.messages.stream(model=MODEL, max_tokens=9, messages=ASKED) as streamed,
    ):
        assert streamed.get_final_text() == "here"
        assert [one.status for one in running.requests] == [429, 529, 200]


@pytest.mark.parametrize(
    ("status", "kind", "error"),
    [
        (429, anthropic.RateLimitError, "rate_limit_error"),
        (500, anthropic.InternalServerError, "api_error"),
        (529, anthropic.InternalServerError, "overloaded_error"),
        (413, anthropic.RequestTooLargeError, "request_too_large"),
    ],
)
def test_failures_are_the_sdks_own(status: int, kind: type[Any], error: str) -> None:
    with running_provider("anthropic", Script((Failure(status),))) as running:
        with pytest.raises(kind) as caught:
            ask(running)
        assert caught.value.body["error"]["type"] == error


def test_an_error_in_the_middle_of_a_stream() -> None:
    fault = Fault("error", after=4, failure=Failure(529))
    with (
        running_provider("anthropic", Script((says("one two three", fault=fault),))) as running,
        client(running) as sdk,
        sdk.messages.stream(model=MODEL, max_tokens=9, messages=ASKED) as stream,
    ):
        texts: list[str] = []
        with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
            texts.extend(stream.text_stream)
        assert texts == ["one "]


def test_a_connection_that_is_reset_in_the_middle_of_a_stream() -> None:
    fault = Fault("reset", after=4)
    with (
        running_provider("anthropic", Script((says("one two three", fault=fault),))) as running,
        client(running) as sdk,
        sdk.messages.stream(model=MODEL, max_tokens=9, messages=ASKED) as stream,
    ):
        texts: list[str] = []
        with pytest.raises(Exception, match=r"(?i)reset|incomplete|disconnected|connection"):
            texts.extend(stream.text_stream)
        assert texts == ["one "]


def test_a_connection_that_is_reset_without_an_answer() -> None:
    fault = Fault("reset")
    with running_provider("anthropic", Script((says("never", fault=fault),))) as running:
        with pytest.raises(anthropic.APIConnectionError):
            ask(running)
        assert ask(running).stop_reason == "end_turn"


def test_an_answer_that_never_comes_runs_into_the_clients_limit() -> None:
    with (
        running_provider("anthropic", Script((says("x", fault=Fault("stall")),))) as running,
        client(running, timeout=0.2) as sdk,
        pytest.raises(anthropic.APITimeoutError),
    ):
        sdk.messages.create(model=MODEL, max_tokens=9, messages=ASKED)


def test_a_refusal_is_a_reason_to_stop() -> None:
    with running_provider("anthropic", Script((says(Refusal("No.")),))) as running:
        assert ask(running).stop_reason == "refusal"


def test_tokens_are_counted(provider: Running) -> None:
    with client(provider) as sdk:
        assert sdk.messages.count_tokens(model=MODEL, messages=ASKED).input_tokens > 0


def test_models_are_listed(provider: Running) -> None:
    with client(provider) as sdk:
        assert [model.id for model in sdk.models.list()] == ["simulated"]
        assert sdk.models.retrieve("claude-x").id == "claude-x"


def test_ids_of_an_earlier_run_are_not_given_again() -> None:
    with running_provider("anthropic") as running:
        call = ask(running, tools=TOOLS).content[0]
    assert call.type == "tool_use"
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "words"}
    messages = [
        *ASKED,
        {"role": "assistant", "content": [call.to_dict()]},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": "Words."},
        *ASKED,
    ]
    with running_provider("anthropic") as running:
        again = ask(running, messages, tools=TOOLS).content[0]
    assert again.type == "tool_use"
    assert again.id != call.id


def test_the_tool_helper_of_the_sdk_goes_round(provider: Running) -> None:
    seen: list[str] = []

    @anthropic.beta_tool
    def look(path: str) -> str:
        """Look at a file."""
        seen.append(path)
        return "words"

    with client(provider) as sdk:
        runner = sdk.beta.messages.tool_runner(
            model=MODEL, max_tokens=64, tools=[look], messages=ASKED
        )
        last = runner.until_done()
    assert seen == ["text"]
    assert last.stop_reason == "end_turn"
