"""OpenAI's own SDK against the simulated Chat Completions, over a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from pydantic import BaseModel

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
        "type": "function",
        "function": {
            "name": "look",
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string"}},
                "required": ["path"],
            },
        },
    }
]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
ASKED: Any = [{"role": "user", "content": "What is in the file?"}]


@pytest.fixture(scope="module")
def provider() -> Iterator[Running]:
    with running_provider("openai-chat") as running:
        yield running


def client(running: Running, **more: Any) -> openai.OpenAI:
    return openai.OpenAI(
        **{"base_url": f"{running.url}/v1", "api_key": "any", "max_retries": 0, **more}
    )


def ask(running: Running, messages: Any = ASKED, **more: Any) -> Any:
    with client(running) as sdk:
        return sdk.chat.completions.create(model="gpt-5", messages=messages, **more)


def streamed(running: Running, messages: Any = ASKED, **more: Any) -> list[Any]:
    with (
        client(running) as sdk,
        sdk.chat.completions.create(
            model="gpt-5", messages=messages, stream=True, **more
        ) as stream,
    ):
        return list(stream)


def test_a_plain_question_gets_a_plain_answer(provider: Running) -> None:
    completion = ask(provider)
    choice = completion.choices[0]
    assert (choice.message.content, choice.finish_reason) == ("Understood.", "stop")
    usage = completion.usage
    assert usage.prompt_tokens + usage.completion_tokens == usage.total_tokens


def test_an_agents_loop_calls_a_tool_and_comes_to_an_end(provider: Running) -> None:
    first = ask(provider, tools=TOOLS).choices[0]
    assert first.finish_reason == "tool_calls"
    (call,) = first.message.tool_calls
    assert json.loads(call.function.arguments) == {"path": "text"}
    answered = [
        *ASKED,
        first.message.to_dict(),
        {"role": "tool", "tool_call_id": call.id, "content": "words"},
    ]
    assert ask(provider, answered, tools=TOOLS).choices[0].finish_reason == "stop"


def test_a_tool_that_must_be_called_is_called_and_one_that_must_not_is_not(
    provider: Running,
) -> None:
    none = ask(provider, tools=TOOLS, tool_choice="none").choices[0]
    assert none.finish_reason == "stop"
    named: Any = {"type": "function", "function": {"name": "look"}}
    assert ask(provider, tools=TOOLS, tool_choice=named).choices[0].finish_reason == "tool_calls"


def test_a_stream_says_what_the_whole_answer_says_calls_in_pieces() -> None:
    answer = says(
        "Both, äöü 😀, now.",
        Call("look", {"path": 'a "quoted" 😀 path, longer than a piece'}),
        Call("look", {"path": "b"}),
    )
    with running_provider("openai-chat", Script((answer, answer))) as running:
        whole = ask(running, tools=TOOLS).choices[0].message
        with (
            client(running) as sdk,
            sdk.chat.completions.stream(
                model="gpt-5",
                messages=ASKED,
                tools=TOOLS,
                stream_options={"include_usage": True},
            ) as stream,
        ):
            chunks = [event.chunk for event in stream if event.type == "chunk"]
            final = stream.get_final_completion()
    message: Any = final.choices[0].message
    assert message.content == whole.content
    assert [call.function.arguments for call in message.tool_calls] == [
        call.function.arguments for call in whole.tool_calls
    ]
    pieces = [
        call for chunk in chunks for one in chunk.choices for call in one.delta.tool_calls or ()
    ]
    assert len(pieces) > 4
    assert final.usage is not None
    assert chunks[-1].choices == []


def test_a_stream_has_no_usage_where_nobody_asked(provider: Running) -> None:
    assert all(chunk.usage is None for chunk in streamed(provider))


def test_it_streams_to_the_asynchronous_client(provider: Running) -> None:
    async def told() -> str:
        async with openai.AsyncOpenAI(base_url=f"{provider.url}/v1", api_key="any") as sdk:
            stream = await sdk.chat.completions.create(model="m", messages=ASKED, stream=True)
            texts = [chunk.choices[0].delta.content or "" async for chunk in stream]
        return "".join(texts)

    assert asyncio.run(told()) == "Understood."


def test_a_model_of_pydantic_gets_an_answer_of_its_shape(provider: Running) -> None:
    class Place(BaseModel):
        name: str
        height: int

    class Route(BaseModel):
        start: Place
        stops: list[Place]

    with client(provider) as sdk:
        parsed = sdk.chat.completions.parse(model="m", messages=ASKED, response_format=Route)
    assert parsed.choices[0].message.parsed == Route(start=Place(name="text", height=1), stops=[])


def test_pictures_are_taken_from_a_user_and_refused_from_a_tool(provider: Running) -> None:
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    assert ask(provider, [{"role": "user", "content": [picture]}]).choices[0].message.content
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    broken = [
        *ASKED,
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": [picture]},
    ]
    with pytest.raises(openai.BadRequestError):
        ask(provider, broken)


def test_a_call_without_its_result_is_refused_in_the_providers_words(provider: Running) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    broken = [*ASKED, {"role": "assistant", "tool_calls": [call]}, *ASKED]
    with pytest.raises(openai.BadRequestError) as caught:
        ask(provider, broken)
    assert "must be followed by tool messages" in caught.value.message
    assert caught.value.type == "invalid_request_error"
    assert caught.value.request_id is not None


def test_no_key_no_answer(provider: Running) -> None:
    with pytest.raises(openai.AuthenticationError) as caught:
        ask(provider, extra_headers={"authorization": "none"})
    assert "You didn't provide an API key" in caught.value.message


@pytest.mark.parametrize(
    ("status", "kind"),
    [(429, openai.RateLimitError), (500, openai.InternalServerError), (503, openai.APIStatusError)],
)
def test_failures_are_the_sdks_own(status: int, kind: type[Any]) -> None:
    with running_provider("openai-chat", Script((Failure(status, retry_after=3),))) as running:
        with pytest.raises(kind) as caught:
            ask(running)
        assert caught.value.response.headers["retry-after"] == "3"
        assert ask(running).choices[0].finish_reason == "stop"


def test_an_error_in_the_middle_of_a_stream() -> None:
    fault = Fault("error", after=2, failure=Failure(500))
    with (
        running_provider("openai-chat", Script((says("one two", fault=fault),))) as running,
        pytest.raises(openai.APIError, match="The server had an error"),
    ):
        streamed(running)


def test_a_stream_that_is_reset_and_one_that_is_empty() -> None:
    script = Script((says("one two", fault=Fault("reset", 2)), says(fault=Fault("end"))))
    with running_provider("openai-chat", script) as running:
        with client(running) as sdk:
            stream = sdk.chat.completions.create(model="m", messages=ASKED, stream=True)
            next(stream)
            assert next(stream).choices[0].delta.content == "one "
            with pytest.raises(openai.APIConnectionError):
                next(stream)
        assert streamed(running) == []


def test_a_refusal_has_a_field_of_its_own() -> None:
    script = Script((says(Refusal("I will not.")),) * 2)
    with running_provider("openai-chat", script) as running:
        message = ask(running).choices[0].message
        assert (message.content, message.refusal) == (None, "I will not.")
        said = [chunk.choices[0].delta.refusal or "" for chunk in streamed(running)]
    assert "".join(said) == "I will not."


@pytest.mark.parametrize("dialect", ["kimi", "deepseek", "qwen", "openrouter", "generic"])
def test_other_servers_show_their_thinking_in_a_field(dialect: str) -> None:
    field = "reasoning" if dialect == "openrouter" else "reasoning_content"
    script = Script((says(Thinking("Hm, well."), "Yes."),) * 2)
    with running_provider(dialect, script) as running:
        assert getattr(ask(running).choices[0].message, field) == "Hm, well."
        deltas = [chunk.choices[0].delta for chunk in streamed(running)]
    assert "".join(getattr(delta, field, None) or "" for delta in deltas) == "Hm, well."


def test_ids_of_kimi_repeat_from_turn_to_turn() -> None:
    with running_provider("kimi") as running:
        ids = [ask(running, tools=TOOLS).choices[0].message.tool_calls[0].id for _ in range(2)]
    assert ids == ["functions.look:0"] * 2
