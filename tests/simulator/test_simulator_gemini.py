"""Google's own SDK against the simulated Gemini API, over a real socket."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from google import genai
from google.genai import errors, types

from wiremend.simulator import (
    Call,
    Failure,
    Fault,
    Running,
    Script,
    Thinking,
    running_provider,
    says,
)

MODEL = "gemini-2.5-flash"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)
LOOK = types.FunctionDeclaration(
    name="look",
    parameters=types.Schema(
        type=types.Type.OBJECT,
        properties={"path": types.Schema(type=types.Type.STRING)},
        required=["path"],
    ),
)
WITH_TOOLS = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[LOOK])])


@pytest.fixture(scope="module")
def provider() -> Iterator[Running]:
    with running_provider("gemini") as running:
        yield running


def client(running: Running) -> genai.Client:
    return genai.Client(api_key="any", http_options=types.HttpOptions(base_url=running.url))


def ask(running: Running, contents: Any = "Well?", model: str = MODEL, **more: Any) -> Any:
    with client(running) as sdk:
        return sdk.models.generate_content(model=model, contents=contents, **more)


def streamed(running: Running, contents: Any = "Well?", **more: Any) -> list[Any]:
    with client(running) as sdk:
        return list(sdk.models.generate_content_stream(model=MODEL, contents=contents, **more))


def test_a_plain_question_gets_a_plain_answer(provider: Running) -> None:
    response = ask(provider)
    assert response.text == "Understood."
    assert response.candidates[0].finish_reason == types.FinishReason.STOP
    assert response.model_version == MODEL


@pytest.mark.parametrize("model", [MODEL, "gemini-3-pro-preview"])
def test_an_agents_loop_calls_a_tool_and_comes_to_an_end(provider: Running, model: str) -> None:
    first = ask(provider, model=model, config=WITH_TOOLS)
    (call,) = first.function_calls
    assert (call.name, call.args) == ("look", {"path": "text"})
    result = types.Part(
        function_response=types.FunctionResponse(
            id=call.id, name=call.name, response={"output": "words"}
        )
    )
    contents = [
        types.Content(role="user", parts=[types.Part(text="Well?")]),
        first.candidates[0].content,
        types.Content(role="user", parts=[result]),
    ]
    assert ask(provider, contents, model=model, config=WITH_TOOLS).text == "Understood."


def test_the_sdks_own_loop_of_calls_goes_round(provider: Running) -> None:
    seen: list[str] = []

    def look(path: str) -> str:
        """Look at a file."""
        seen.append(path)
        return "words"

    config = types.GenerateContentConfig(tools=[look])
    assert ask(provider, config=config).text == "Understood."
    assert seen == ["text"]


def test_a_stream_says_what_the_whole_answer_says() -> None:
    answer = says(
        Thinking("Let me see."), "Both, äöü 😀, now.", Call("look", {"path": "a"}), Call("look")
    )
    with running_provider("gemini", Script((answer, answer))) as running:
        whole = ask(running, config=WITH_TOOLS)
        chunks = streamed(running, config=WITH_TOOLS)
    parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts]

    def told(parts: Any) -> tuple[str, str, list[Any], list[bool]]:
        return (
            "".join(part.text for part in parts if part.thought),
            "".join(part.text or "" for part in parts if not part.thought),
            [part.function_call.args for part in parts if part.function_call],
            [bool(part.thought_signature) for part in parts if part.thought_signature],
        )

    assert told(parts) == told(whole.candidates[0].content.parts)
    assert told(parts)[0] == "Let me see."
    assert len(chunks) > 6
    assert chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP


@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")
def test_it_streams_to_the_asynchronous_client(provider: Running) -> None:
    async def told() -> str:
        async with client(provider).aio as sdk:
            stream = await sdk.models.generate_content_stream(model=MODEL, contents="Well?")
            return "".join([chunk.text or "" async for chunk in stream])

    assert asyncio.run(told()) == "Understood."


def test_without_server_sent_events_a_stream_is_one_array(provider: Running) -> None:
    url = f"{provider.url}/v1beta/models/{MODEL}:streamGenerateContent"
    body = {"contents": [{"role": "user", "parts": [{"text": "Well?"}]}]}
    answer = httpx2.post(url, json=body, headers={"x-goog-api-key": "any"})
    assert answer.headers["content-type"].startswith("application/json")
    (chunk,) = answer.json()
    assert chunk["candidates"][0]["content"]["parts"] == [{"text": "Understood."}]


def test_an_answer_has_the_shape_that_is_asked_for(provider: Running) -> None:
    config = types.GenerateContentConfig(
        response_mime_type="application/json", response_schema={"type": "ARRAY", "minItems": 1}
    )
    assert ask(provider, config=config).text == "[{}]"


def test_pictures_are_taken(provider: Running) -> None:
    picture = types.Part.from_bytes(data=PNG, mime_type="image/png")
    assert ask(provider, [picture, "What is it?"]).text == "Understood."


def test_a_call_without_its_response_is_refused_in_the_providers_words(provider: Running) -> None:
    call = types.Part(function_call=types.FunctionCall(name="look", args={}))
    contents = [
        types.Content(role="user", parts=[types.Part(text="Well?")]),
        types.Content(role="model", parts=[call]),
        types.Content(role="user", parts=[types.Part(text="Never mind.")]),
    ]
    with pytest.raises(errors.ClientError) as caught:
        ask(provider, contents, config=WITH_TOOLS)
    assert (caught.value.code, caught.value.status) == (400, "INVALID_ARGUMENT")
    assert "function response" in str(caught.value.message)


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [
        (429, errors.ClientError, "RESOURCE_EXHAUSTED"),
        (500, errors.ServerError, "INTERNAL"),
        (503, errors.ServerError, "UNAVAILABLE"),
    ],
)
def test_failures_are_the_sdks_own(status: int, kind: type[Any], said: str) -> None:
    with (
        running_provider("gemini", Script((Failure(status, retry_after=2),))) as running,
        pytest.raises(kind) as caught,
    ):
        ask(running)
    assert caught.value.status == said
    assert caught.value.details["error"]["details"][0]["retryDelay"] == "2s"


def test_an_error_in_the_middle_of_a_stream() -> None:
    fault = Fault("error", after=1, failure=Failure(503))
    with (
        running_provider("gemini", Script((says("one two", fault=fault),))) as running,
        pytest.raises(errors.APIError, match="overloaded"),
    ):
        streamed(running)


def test_tokens_are_counted_and_models_are_listed(provider: Running) -> None:
    with client(provider) as sdk:
        assert (sdk.models.count_tokens(model=MODEL, contents="Hello.").total_tokens or 0) > 0
        assert [model.name for model in sdk.models.list()] == ["models/simulated"]
