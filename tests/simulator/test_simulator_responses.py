"""OpenAI's own SDK against the simulated Responses API, over a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from wiremend.simulator import (
    Answer,
    Call,
    Failure,
    Fault,
    Refusal,
    Running,
    Script,
    Text,
    Thinking,
    Usage,
    running_provider,
    says,
)

TOOLS: Any = [
    {
        "type": "function",
        "name": "look",
        "strict": False,
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string", "enum": ["a.txt", "b.txt"]}},
            "required": ["path"],
        },
    }
]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="


@pytest.fixture(scope="module")
def provider() -> Iterator[Running]:
    with running_provider("openai-responses") as running:
        yield running


def client(running: Running, **more: Any) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{running.url}/v1", api_key="any", max_retries=0, **more)


def ask(running: Running, given: Any = "What is in the file?", **more: Any) -> Any:
    with client(running) as sdk:
        return sdk.responses.create(model="gpt-5", input=given, **more)


def test_a_plain_question_gets_a_plain_answer(provider: Running) -> None:
    response = ask(provider, instructions="Be brief.")
    assert (response.output_text, response.status) == ("Understood.", "completed")
    assert response.instructions == "Be brief."


def test_an_agents_loop_that_carries_its_items_comes_to_an_end(provider: Running) -> None:
    items: list[Any] = [{"role": "user", "content": "What is in the file?"}]
    first = ask(provider, items, tools=TOOLS)
    (call,) = first.output
    assert json.loads(call.arguments) == {"path": "a.txt"}
    items += [item.to_dict() for item in first.output]
    items.append({"type": "function_call_output", "call_id": call.call_id, "output": "words"})
    assert ask(provider, items, tools=TOOLS).output_text == "Understood."


def test_a_loop_that_goes_on_from_a_stored_response_comes_to_an_end() -> None:
    thought = says(Thinking("Let me see."), Call("look", {"path": "a.txt"}))
    with running_provider("openai-responses", Script((thought,))) as running:
        first = ask(running, tools=TOOLS)
        call = first.output[1]
        output = {"type": "function_call_output", "call_id": call.call_id, "output": "words"}
        second = ask(running, [output], tools=TOOLS, previous_response_id=first.id)
        assert second.output_text == "Understood."
        assert second.previous_response_id == first.id
        with pytest.raises(openai.BadRequestError, match="No tool call found"):
            ask(
                running,
                [{**output, "call_id": "call_other"}],
                previous_response_id=first.id,
            )


@pytest.mark.parametrize("stored", [True, False])
def test_only_what_was_stored_can_be_gone_on_from(provider: Running, stored: bool) -> None:
    first = ask(provider, store=stored)
    if stored:
        assert ask(provider, "And now?", previous_response_id=first.id).output_text
        return
    with pytest.raises(openai.BadRequestError) as caught:
        ask(provider, "And now?", previous_response_id=first.id)
    assert caught.value.code == "previous_response_not_found"


def test_a_stream_says_what_the_whole_answer_says_event_by_event() -> None:
    answer = says(
        Thinking("Hm, let me think."),
        "Both, äöü 😀, now.",
        Call("look", {"path": 'a "quoted" 😀 path, longer than a piece'}),
        Call("note", "free text, in pieces too"),
        Refusal("Not that."),
    )
    tools: Any = [*TOOLS, {"type": "custom", "name": "note"}]
    with running_provider("openai-responses", Script((answer, answer))) as running:
        whole = ask(running, tools=tools)
        with (
            client(running) as sdk,
            sdk.responses.stream(model="gpt-5", input="x", tools=tools) as stream,
        ):
            events: list[Any] = list(stream)
            final = stream.get_final_response()
    kinds = [event.type for event in events]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert kinds[:3] == [
        *("response.created", "response.in_progress", "response.output_item.added")
    ]
    assert {
        *("response.reasoning_summary_text.delta", "response.output_text.delta"),
        *("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"),
        "response.refusal.delta",
    } <= set(kinds)
    assert kinds[-1] == "response.completed"

    def said(response: Any) -> list[Any]:
        return [
            {**item.to_dict(), "id": 0, "call_id": 0, "parsed_arguments": 0}
            for item in response.output
        ]

    def bare(items: list[Any]) -> str:
        return json.dumps(items).replace(', "parsed": null', "")

    assert bare(said(final)) == bare(said(whole))
    assert [item.type for item in whole.output] == [
        *("reasoning", "message", "function_call", "custom_tool_call", "message")
    ]


def test_it_streams_to_the_asynchronous_client(provider: Running) -> None:
    async def told() -> str:
        async with openai.AsyncOpenAI(base_url=f"{provider.url}/v1", api_key="any") as sdk:
            stream = await sdk.responses.create(model="m", input="Well?", stream=True)
            texts = [
                event.delta async for event in stream if event.type == "response.output_text.delta"
            ]
        return "".join(texts)

    assert asyncio.run(told()) == "Understood."


def test_reasoning_is_sealed_where_the_client_keeps_it_itself() -> None:
    script = Script((says(Thinking("Hm."), "Yes."),) * 2)
    with running_provider("openai-responses", script) as running:
        assert ask(running).output[0].encrypted_content is None
        first = ask(running, store=False, include=["reasoning.encrypted_content"])
        assert first.output[0].encrypted_content
        items: Any = [
            {"role": "user", "content": "Well?"},
            *(item.to_dict() for item in first.output),
            {"role": "user", "content": "And?"},
        ]
        assert ask(running, items, store=False).output_text == "Understood."


def test_a_model_of_pydantic_gets_an_answer_of_its_shape(provider: Running) -> None:
    class Place(BaseModel):
        name: str
        height: float

    with client(provider) as sdk:
        parsed = sdk.responses.parse(model="m", input="Where?", text_format=Place)
    assert parsed.output_parsed == Place(name="text", height=1.5)


def test_pictures_are_taken(provider: Running) -> None:
    picture = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}
    assert ask(provider, [{"role": "user", "content": [picture]}]).output_text


def test_an_output_without_its_call_is_refused_in_the_providers_words(provider: Running) -> None:
    orphan = {"type": "function_call_output", "call_id": "call_a", "output": "x"}
    with pytest.raises(openai.BadRequestError) as caught:
        ask(provider, [{"role": "user", "content": "Hi."}, orphan])
    assert "No tool call found for function call output with call_id call_a" in str(caught.value)


def test_a_limit_on_the_answer_makes_it_incomplete() -> None:
    answer = Answer((Text("One"),), finish="length", usage=Usage(7, 3, cached=2))
    with running_provider("openai-responses", Script((answer,))) as running:
        response = ask(running)
    assert response.status == "incomplete"
    assert response.incomplete_details.reason == "max_output_tokens"
    usage = response.usage
    assert (usage.total_tokens, usage.input_tokens_details.cached_tokens) == (10, 2)


def test_failures_before_and_within_a_stream() -> None:
    fault = Fault("error", after=3, failure=Failure(500))
    script = Script((Failure(429), says("one two", fault=fault)))
    with running_provider("openai-responses", script) as running, client(running) as sdk:
        with pytest.raises(openai.RateLimitError):
            sdk.responses.create(model="m", input="x", stream=True)
        stream = sdk.responses.create(model="m", input="x", stream=True)
        events: list[Any] = list(stream)
    assert [event.sequence_number for event in events] == [0, 1, 2, 3]
    assert (events[-1].type, events[-1].code) == ("error", "server_error")


def test_tokens_are_counted(provider: Running) -> None:
    with client(provider) as sdk:
        assert sdk.responses.input_tokens.count(model="m", input="Hello.").input_tokens > 0
