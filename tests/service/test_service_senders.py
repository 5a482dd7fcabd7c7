"""Each sender over a real socket: an answer whole and streamed, a refusal, what is sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import anthropic
import httpx2
import openai
import pytest
from google import genai
from google.genai import types
from tests.service.asking import HELLO, REFUSED, TOO_LARGE, answered, policies, texts

from wiremend import service as sending
from wiremend.errors import WiremendError
from wiremend.model import TextPart, ThinkPart, tool_result, user
from wiremend.recovery import classify_exception
from wiremend.simulator import (
    Answer,
    Call,
    Failure,
    Fault,
    Running,
    Script,
    Thinking,
    running_provider,
    says,
)


class Way(NamedTuple):
    """A way to a provider: its dialect, what makes a client of a URL and a sender of that."""

    dialect: str
    client: Callable[[str], Any]
    sender: Callable[[Any, str], Any]
    settings: dict[str, Any]


_CHAT = {"model": "gpt-5"}
_CLAUDE = {"model": "claude-sonnet-4-5", "max_tokens": 100}
_GEMINI = {"model": "gemini-2.5-flash"}
_GOOGLE_KEY = {"x-goog-api-key": "k"}
_ANTHROPIC_KEYS = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
_BEARER = {"authorization": "Bearer k"}


def _over_http(path: str, dialect: str, headers: dict[str, str], settings: dict[str, Any]) -> Way:
    return Way(
        dialect,
        lambda _: httpx2.Client(headers=headers),
        lambda client, url: sending.Http(client, url + path, dialect),
        settings,
    )


def _over_async_http(
    path: str, dialect: str, headers: dict[str, str], settings: dict[str, Any]
) -> Way:
    return Way(
        dialect,
        lambda _: httpx2.AsyncClient(headers=headers),
        lambda client, url: sending.AsyncHttp(client, url + path, dialect),
        settings,
    )


def _openai(url: str) -> Any:
    return openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)


def _async_openai(url: str) -> Any:
    return openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)


def _anthropic(url: str) -> Any:
    return anthropic.Anthropic(base_url=url, api_key="k", max_retries=0)


def _async_anthropic(url: str) -> Any:
    return anthropic.AsyncAnthropic(base_url=url, api_key="k", max_retries=0)


def _genai(url: str) -> Any:
    return genai.Client(api_key="k", http_options=types.HttpOptions(base_url=url))


WAYS = {
    "chat": Way("openai-chat", _openai, lambda c, _: sending.OpenAIChat(c), _CHAT),
    "chat-http": _over_http("/v1/chat/completions", "openai-chat", _BEARER, _CHAT),
    "responses": Way("openai-responses", _openai, lambda c, _: sending.OpenAIResponses(c), _CHAT),
    "responses-http": _over_http("/v1/responses", "openai-responses", _BEARER, _CHAT),
    "anthropic": Way("anthropic", _anthropic, lambda c, _: sending.AnthropicMessages(c), _CLAUDE),
    "anthropic-http": _over_http("/v1/messages", "anthropic", _ANTHROPIC_KEYS, _CLAUDE),
    "gemini": Way("gemini", _genai, lambda c, _: sending.GeminiContents(c), _GEMINI),
    "gemini-http": _over_http("/v1beta/models", "gemini", _GOOGLE_KEY, _GEMINI),
}
ASYNC_WAYS = {
    "chat": Way("openai-chat", _async_openai, lambda c, _: sending.AsyncOpenAIChat(c), _CHAT),
    "responses": Way(
        "openai-responses", _async_openai, lambda c, _: sending.AsyncOpenAIResponses(c), _CHAT
    ),
    "anthropic": Way(
        "anthropic", _async_anthropic, lambda c, _: sending.AsyncAnthropicMessages(c), _CLAUDE
    ),
    "gemini": Way(
        "gemini", lambda url: _genai(url).aio, lambda c, _: sending.AsyncGeminiContents(c), _GEMINI
    ),
    "chat-http": _over_async_http("/v1/chat/completions", "openai-chat", _BEARER, _CHAT),
    "anthropic-http": _over_async_http("/v1/messages", "anthropic", _ANTHROPIC_KEYS, _CLAUDE),
}
_STEP = says(Thinking("hm, let me see"), "Two words", Call("look", {"path": "ä/b"}))


@contextmanager
def sent_by(
    way: Way, *steps: Answer | Failure, **options: Any
) -> Iterator[tuple[sending.RequestService, Running]]:
    with (
        running_provider(way.dialect, Script(steps)) as running,
        way.client(running.url) as client,
    ):
        options = {"settings": way.settings, **options}
        yield sending.RequestService(way.sender(client, running.url), **options), running


@pytest.mark.parametrize("name", WAYS)
def test_an_answer_is_the_same_whole_and_streamed(name: str) -> None:
    with sent_by(WAYS[name], _STEP, _STEP) as (service, _):
        whole = service.send(HELLO)
        stream = service.stream(HELLO)
        pieces = list(stream)
    for answer in (whole, stream.answer):
        said = [p.text for p in answer.message.content if isinstance(p, TextPart)]
        # Gemini's signature stays on the piece that it came with, so its text is in two parts.
        assert "".join(said) == "Two words"
        assert [call.name for call in answer.message.tool_calls] == ["look"]
        assert json.loads(answer.message.tool_calls[0].arguments or "") == {"path": "ä/b"}
        assert answer.usage.output
        assert answer.model
        assert answer.response_id
        assert answer.finish_reason in ("tool_calls", "tool_use", "completed", "STOP")
    told = [p for p in pieces if isinstance(p, sending.TextDelta)]
    assert texts(told) == "Two words"
    calls = [p for p in pieces if isinstance(p, sending.CallDelta)]
    assert {(c.index, c.name) for c in calls} == {(0, "look")}
    assert json.loads("".join(c.arguments for c in calls)) == {"path": "ä/b"}
    assert {c.call_id for c in calls} == {stream.answer.message.tool_calls[0].id}
    thought = [p.think for p in stream.answer.message.content if isinstance(p, ThinkPart)]
    assert "".join(thought) == texts([p for p in pieces if isinstance(p, sending.ThinkDelta)])


@pytest.mark.parametrize("name", WAYS)
def test_what_came_in_pieces_can_go_back(name: str) -> None:
    with sent_by(WAYS[name], _STEP, says("done")) as (service, running):
        message = service.stream(HELLO).read().message
        result = tool_result(message.tool_calls[0].id, "fine")
        answer = service.send([*HELLO, message, result, user("go on")])
    assert {anomaly.kind for anomaly in answer.anomalies} <= {"tools_declared"}
    assert [received.status for received in running.requests] == [200, 200]


# google-genai makes a class out of aiohttp's that aiohttp would rather not have.
@pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning")
@pytest.mark.parametrize("name", ASYNC_WAYS)
def test_an_asynchronous_answer_too(name: str) -> None:
    way = ASYNC_WAYS[name]

    async def ask(running: Running) -> None:
        async with way.client(running.url) as client:
            sender = way.sender(client, running.url)
            service = sending.AsyncRequestService(sender, settings=way.settings)
            whole = await service.send(HELLO)
            stream = service.stream(HELLO)
            pieces = [piece async for piece in stream]
        assert texts([p for p in pieces if isinstance(p, sending.TextDelta)]) == "Two words"
        for answer in (whole, stream.answer):
            assert json.loads(answer.message.tool_calls[0].arguments or "") == {"path": "ä/b"}

    with running_provider(way.dialect, Script((_STEP, _STEP))) as running:
        asyncio.run(ask(running))


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("name", WAYS)
def test_a_refusal_is_recognised_and_recovered_from(name: str, streamed: bool) -> None:
    traces: list[sending.Trace] = []
    steps = (REFUSED, TOO_LARGE, says("x"))
    with (
        sent_by(WAYS[name], *steps, on_trace=traces.append) as (service, running),
        pytest.raises(Exception, match=r"\w") as caught,
    ):
        service.stream(HELLO).read() if streamed else service.send(HELLO)
    assert classify_exception(caught.value).error_class == "request_too_large"
    assert policies(traces[0]) == ["plain", "strict"]
    assert len(running.requests) == 2


@pytest.mark.parametrize("name", WAYS)
def test_a_stream_that_ends_early_is_no_answer(name: str) -> None:
    cut_off = says("a b c d e f g", fault=Fault("end", after=4))
    with (
        sent_by(WAYS[name], cut_off) as (service, running),
        pytest.raises((ConnectionError, anthropic.APIError, openai.APIError)) as caught,
    ):
        service.stream(HELLO).read()
    assert classify_exception(caught.value).error_class == "network"
    assert len(running.requests) == 1


def test_converse_is_sent_over_plain_http() -> None:
    settings = {"modelId": "anthropic.claude-sonnet-4-5-20250929-v1:0"}
    with sent_by(_over_http("/model", "bedrock", _BEARER, settings), _STEP) as (service, _):
        assert service.send(answered("tooluse_a")).message.tool_calls[0].name == "look"
        with pytest.raises(WiremendError, match="streams of bedrock are not read"):
            service.stream(HELLO).read()


def test_fields_that_an_sdk_does_not_know_go_over_the_wire() -> None:
    options: dict[str, Any] = {
        "settings": {"model": "gpt-5", "of_tomorrow": {"a": 1}},
        "headers": {"x-mine": "1"},
        "session_id": "greenhouse",
    }
    with sent_by(WAYS["chat"], says("x"), says("y"), **options) as (service, running):
        service.send(HELLO)
        service.stream(HELLO, settings={"temperature": 0.5}).read()
    first, second = running.requests
    assert first.json["of_tomorrow"] == {"a": 1}
    assert first.json["prompt_cache_key"] == "greenhouse"
    assert first.headers["x-mine"] == "1"
    assert second.json["temperature"] == 0.5
    assert second.json["stream_options"] == {"include_usage": True}


def test_a_sender_and_a_dialect_of_two_formats_do_not_go_together() -> None:
    sender = sending.Http(None, "https://provider.example", "anthropic")
    with pytest.raises(WiremendError, match="this sender speaks anthropic"):
        sending.RequestService(sender, dialect="kimi")


@pytest.mark.parametrize(
    ("sender", "client", "use"),
    [
        (sending.OpenAIChat, openai.AsyncOpenAI, "AsyncOpenAIChat"),
        (sending.AsyncOpenAIResponses, openai.OpenAI, "OpenAIResponses"),
        (sending.AnthropicMessages, anthropic.AsyncAnthropic, "AsyncAnthropicMessages"),
    ],
)
def test_a_client_that_awaits_and_a_sender_that_waits_do_not_go_together(
    sender: Any, client: Any, use: str
) -> None:
    with pytest.raises(WiremendError, match=f"use {use}"):
        sender(client(api_key="k"))


def test_a_client_is_no_sender() -> None:
    with openai.OpenAI(api_key="k") as client, pytest.raises(WiremendError, match="wrap a client"):
        sending.RequestService(client)  # type: ignore[arg-type]  # what it is about


def test_a_model_that_is_part_of_the_url_has_to_be_named() -> None:
    with httpx2.Client() as client:
        sender = sending.Http(client, "https://provider.example", "gemini")
        with pytest.raises(WiremendError, match="name the model"):
            sending.RequestService(sender).send(HELLO)


def test_what_is_no_json_is_told_with_its_status() -> None:
    bad = httpx2.Response(502, text="<html>Bad Gateway</html>")
    answers = [bad, httpx2.Response(200, text="?")]
    with httpx2.Client(transport=httpx2.MockTransport(lambda _: answers.pop(0))) as client:
        sender = sending.Http(client, "https://provider.example", "anthropic")
        service = sending.RequestService(sender)
        for status, error_class in ((502, "server"), (200, "other")):
            with pytest.raises(sending.ProviderError) as caught:
                service.send(HELLO)
            assert caught.value.status_code == status
            assert classify_exception(caught.value).error_class == error_class
