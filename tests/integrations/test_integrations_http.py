"""The SDKs with a client that mends, before strict providers: what fails without it goes on."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from google import genai
from mistralai.client import Mistral

from tests.integrations.damage import DAMAGED, HEALTHY, WORDS, Message, user
from tests.integrations.naive import anthropic_messages, gemini_contents, responses_items
from wiremend.errors import WiremendError
from wiremend.integrations.http import (
    AsyncMendingTransport,
    Exchange,
    MendingTransport,
    async_http_client,
    http_client,
)
from wiremend.simulator import Failure, Fault, Running, Script, running_provider, says

Client = httpx2.Client | None
Ask = Callable[[str, Client, list[Message]], Any]

REFUSED = (openai.BadRequestError, anthropic.BadRequestError, genai.errors.ClientError)
WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}}


def ask_chat(url: str, client: Any, messages: Any) -> Any:
    with openai.OpenAI(
        base_url=f"{url}/v1", api_key="any", max_retries=0, http_client=client
    ) as sdk:
        answer = sdk.chat.completions.create(model="gpt-5", messages=messages)
    return answer.choices[0].message.content


def ask_responses(url: str, client: Any, messages: Any) -> Any:
    with openai.OpenAI(
        base_url=f"{url}/v1", api_key="any", max_retries=0, http_client=client
    ) as sdk:
        items: Any = responses_items(messages)
        return sdk.responses.create(model="gpt-5", input=items).output_text


def ask_anthropic(url: str, client: Any, messages: Any) -> Any:
    with anthropic.Anthropic(base_url=url, api_key="any", max_retries=0, http_client=client) as sdk:
        said: Any = anthropic_messages(messages)
        tools: Any = [{"name": "weather", "input_schema": WEATHER}]
        answer: Any = sdk.messages.create(
            model="claude-sonnet-4-5", max_tokens=100, messages=said, tools=tools
        )
    return answer.content[0].text


def ask_gemini(url: str, client: Any, messages: Any) -> Any:
    options = genai.types.HttpOptions(base_url=url, httpx_client=client)
    with genai.Client(api_key="any", http_options=options) as sdk:
        contents: Any = gemini_contents(messages)
        return sdk.models.generate_content(model="gemini-2.5-pro", contents=contents).text


SDKS: dict[str, tuple[Ask, set[str]]] = {
    "openai-chat": (ask_chat, {"a message of blanks"}),
    "openai-responses": (
        ask_responses,
        {"a message of blanks", "a result that comes late", "a system message in the middle"},
    ),
    "anthropic": (ask_anthropic, set()),
    "gemini": (ask_gemini, {"a message of blanks"}),
}
"""How to ask, and which damage is none for the provider."""

Provider = tuple[str, Running, Ask, set[str]]


@pytest.fixture(params=SDKS, scope="module")
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    ask, taken = SDKS[request.param]
    script = Script((says("The fridge is empty."),), repeat=True)
    with running_provider(request.param, script) as running:
        yield request.param, running, ask, taken


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_conversation_is_refused_without_and_answered_with_it(
    provider: Provider, damage: str
) -> None:
    dialect, running, ask, taken = provider
    messages = DAMAGED[damage]
    if damage in taken:
        assert ask(running.url, None, messages) == "The fridge is empty."
    else:
        with pytest.raises(
            (openai.BadRequestError, anthropic.BadRequestError, genai.errors.APIError)
        ):
            ask(running.url, None, messages)
    seen: list[Exchange] = []
    with http_client(on_exchange=seen.append) as client:
        assert ask(running.url, client, messages) == "The fridge is empty."
    assert WORDS in json.dumps(running.requests[-1].json)
    (exchange,) = seen
    assert exchange.dialect == dialect
    assert [sent.status for sent in exchange.sent] == [200]
    assert bool(exchange.anomalies) is (damage not in taken)


def test_what_breaks_no_rule_passes_with_nothing_said(provider: Provider) -> None:
    _, running, ask, _ = provider
    seen: list[Exchange] = []
    with http_client(on_exchange=seen.append) as client:
        ask(running.url, client, HEALTHY)
    (exchange,) = seen
    assert exchange.anomalies == ()


def test_asynchronous_sdks_get_the_same() -> None:
    broken: Any = DAMAGED["a call that nothing answers"]
    blocks: Any = anthropic_messages(broken)
    tools: Any = [{"name": "weather", "input_schema": WEATHER}]

    async def chat(url: str) -> str | None:
        async with openai.AsyncOpenAI(
            base_url=f"{url}/v1", api_key="any", max_retries=0, http_client=async_http_client()
        ) as sdk:
            answer = await sdk.chat.completions.create(model="gpt-5", messages=broken)
        return answer.choices[0].message.content

    async def claude(url: str) -> str:
        async with (
            anthropic.AsyncAnthropic(
                base_url=url, api_key="any", max_retries=0, http_client=async_http_client()
            ) as sdk,
            sdk.messages.stream(
                model="claude-sonnet-4-5", max_tokens=100, messages=blocks, tools=tools
            ) as stream,
        ):
            return "".join([text async for text in stream.text_stream])

    with running_provider("openai-chat", Script((says("Milk."),), repeat=True)) as running:
        assert asyncio.run(chat(running.url)) == "Milk."
        assert asyncio.run(claude(running.url)) == "Milk."


REFUSAL = Failure(400, message="messages: roles must alternate between user and assistant")


def post(url: str, client: httpx2.Client, **more: Any) -> httpx2.Response:
    messages = [user("a"), user("b")]
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages, **more}
    headers = {"x-api-key": "any", "anthropic-version": "2023-06-01"}
    return client.post(f"{url}/v1/messages", json=body, headers=headers)


def test_what_is_refused_all_the_same_is_sent_again_stricter() -> None:
    seen: list[Exchange] = []
    with (
        running_provider("anthropic", Script((REFUSAL,))) as running,
        http_client(on_exchange=seen.append) as client,
    ):
        answer = post(running.url, client)
    assert answer.status_code == 200
    assert [sent.policy for sent in seen[0].sent] == ["plain", "strict"]
    assert seen[0].sent[0].refusal is not None
    assert seen[0].sent[0].refusal.error_class == "structure"
    assert answer.headers["x-wiremend-attempts"] == "2"
    assert len(running.requests[1].json["messages"]) == 1


def test_an_error_inside_of_a_stream_is_mended_too() -> None:
    broken = says("-", fault=Fault("error", 0, REFUSAL))
    with running_provider("anthropic", Script((broken, says("fine")))) as running:
        with http_client() as client:
            answer = post(running.url, client, stream=True)
        assert "fine" in answer.text
        assert len(running.requests) == 2


@pytest.mark.parametrize("status", [401, 429, 500, 529])
def test_what_is_not_its_business_is_passed_on_as_it_came(status: int) -> None:
    script = Script((Failure(status, message="no", retry_after=7),))
    with running_provider("anthropic", script) as running, http_client() as client:
        answer = post(running.url, client)
        assert answer.status_code == status
        assert answer.json()["error"]["message"] == "no"
        assert answer.headers["retry-after"] == "7"
        assert len(running.requests) == 1


def answering(came: list[httpx2.Request]) -> MendingTransport:
    """A transport that mends, and behind it nothing but a list."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        came.append(request)
        return httpx2.Response(200, json={})

    return MendingTransport(httpx2.MockTransport(answer))


def test_what_breaks_no_rule_goes_byte_for_byte() -> None:
    came: list[httpx2.Request] = []
    body = b'{ "messages" : [{"content":"h\\u00e9","role":"user"}],"model":"gpt-5","x":1.0}'
    with httpx2.Client(transport=answering(came)) as client:
        client.post("https://api.example/v1/chat/completions", content=body)
    assert came[0].content == body


def test_what_is_no_conversation_is_not_looked_into() -> None:
    came: list[httpx2.Request] = []

    def endless() -> Iterator[bytes]:
        yield b"{"

    with httpx2.Client(transport=answering(came)) as client:
        answers = [
            client.post("https://api.example/v1/embeddings", content=b"not json"),
            client.post("https://api.example/v1/files", content=endless()),
            client.post("https://api.example/v1/chat/completions", content=b"not json"),
            client.get("https://api.example/v1/chat/completions"),
        ]
    assert len(came) == 4
    assert all("x-wiremend-policy" not in answer.headers for answer in answers)


def test_a_compressed_error_is_read_and_passed_on_whole() -> None:
    import gzip

    said = b'{"type": "error", "error": {"type": "invalid_request_error", "message": "nope"}}'
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    transport = httpx2.MockTransport(
        lambda _: httpx2.Response(400, headers=headers, content=gzip.compress(said))
    )
    with httpx2.Client(transport=MendingTransport(transport)) as client:
        assert post("https://api.example", client).content == said


def test_what_aws_clients_sign_is_not_changed() -> None:
    came: list[httpx2.Request] = []
    body = json.dumps({"messages": DAMAGED["a call that nothing answers"]}).encode()
    with httpx2.Client(transport=answering(came)) as client:
        url = "https://bedrock.example/model/claude/converse"
        client.post(url, content=body, headers={"authorization": "AWS4-HMAC-SHA256 Credential=x"})
    assert came[0].content == body


def test_the_host_says_whose_chat_completions_they_are_or_the_caller_does() -> None:
    seen: list[Exchange] = []
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json={}))
    body = {"model": "any", "messages": HEALTHY}
    for url, dialect in (
        ("https://api.deepseek.com/chat/completions", None),
        ("https://gateway.example/v1/chat/completions", "mistral"),
    ):
        mending = MendingTransport(transport, dialect=dialect, on_exchange=seen.append)
        with httpx2.Client(transport=mending) as client:
            client.post(url, json=body)
    assert [exchange.dialect for exchange in seen] == ["deepseek", "mistral"]
    with pytest.raises(WiremendError, match="no dialect 'nobody'"):
        AsyncMendingTransport(dialect="nobody")


def test_repairs_are_logged_once_and_without_contents(caplog: pytest.LogCaptureFixture) -> None:
    with (
        running_provider("openai-chat", Script((says("-"),), repeat=True)) as running,
        http_client() as client,
        caplog.at_level(logging.WARNING, "wiremend"),
    ):
        for _ in range(2):
            broken = DAMAGED["a call that nothing answers"]
            client.post(
                f"{running.url}/v1/chat/completions",
                json={"model": "gpt-5", "messages": broken},
                headers={"authorization": "Bearer any"},
            )
    (record,) = [record for record in caplog.records if record.name == "wiremend"]
    assert "synthesized=1" in record.getMessage()
    assert "fridge" not in record.getMessage()


def test_the_environments_proxy_is_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with running_provider("anthropic") as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        with http_client() as client:
            # No forward proxy: it knows no path that begins with another server's name.
            assert post("http://api.provider.example", client).status_code == 404
        with running_provider("anthropic") as straight, http_client() as client:
            assert post(straight.url, client).status_code == 200
        assert len(proxy.requests) == 1


def test_mistrals_sdk_takes_the_client_too() -> None:
    broken: Any = DAMAGED["a call that nothing answers"]
    with (
        running_provider("mistral", Script((says("Milk."),))) as running,
        http_client(dialect="mistral") as client,
    ):
        sdk = Mistral(api_key="any", server_url=running.url, client=client)
        answer: Any = sdk.chat.complete(model="mistral-large-latest", messages=broken)
    assert answer.choices[0].message.content == "Milk."
