"""LiteLLM before strict providers: what fails without wiremend goes on with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.integrations.damage import DAMAGED, HEALTHY, TOOL, WORDS
from tests.integrations.naive import anthropic_messages, responses_items
from wiremend.errors import WiremendError
from wiremend.projection import Anomaly
from wiremend.simulator import Failure, Running, Script, running_provider, says

litellm = pytest.importorskip("litellm")
from wiremend.integrations.litellm import Mending, acompletion, completion, handler  # noqa: E402

# Warnings of other people's packages are theirs.
pytestmark = pytest.mark.filterwarnings("ignore")

REFUSED = (litellm.BadRequestError, litellm.APIConnectionError)
MODELS = {
    "openai-chat": ("openai/gpt-5", "/v1", {"a message of blanks"}),
    # LiteLLM itself sees to these on the way to these providers.
    "anthropic": (
        "anthropic/claude-sonnet-4-5",
        "",
        {"a message of blanks", "a system message in the middle"},
    ),
    "gemini": ("gemini/gemini-2.5-pro", "/v1beta", {"a message of blanks"}),
}
"""The model, the path of its API, and the damage that goes through without."""

Provider = tuple[Running, dict[str, Any], set[str]]


@pytest.fixture(params=MODELS, scope="module")
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    model, path, taken = MODELS[request.param]
    script = Script((says("The fridge is empty."),), repeat=True)
    with running_provider(request.param, script) as running:
        yield running, settings(running, model, path), taken


def settings(running: Running, model: str, path: str) -> dict[str, Any]:
    base = {"api_base": running.url + path, "api_key": "any", "num_retries": 0}
    return {"model": model, "tools": [TOOL], **base}


@pytest.fixture
def seen() -> Iterator[list[Anomaly]]:
    """The repairs that the callback of LiteLLM reports."""
    repairs: list[Anomaly] = []
    litellm.callbacks = [Mending(repairs.extend)]
    yield repairs
    litellm.callbacks = []


def words(answer: Any) -> str:
    return str(answer.choices[0].message.content)


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_conversation_is_refused_without_and_answered_with_it(
    provider: Provider, damage: str
) -> None:
    running, asked, taken = provider
    messages = DAMAGED[damage]
    if damage not in taken:
        with pytest.raises(REFUSED):
            litellm.completion(messages=messages, **asked)
    repairs: list[Anomaly] = []
    answer = completion(messages=messages, on_repair=repairs.extend, **asked)
    assert words(answer) == "The fridge is empty."
    assert WORDS in json.dumps(running.requests[-1].json)
    assert repairs or damage in taken


@pytest.mark.parametrize("damage", DAMAGED)
def test_the_callback_does_the_same_for_asynchronous_calls(
    provider: Provider, damage: str, seen: list[Anomaly]
) -> None:
    _, asked, taken = provider
    answer = asyncio.run(litellm.acompletion(messages=DAMAGED[damage], **asked))
    assert words(answer) == "The fridge is empty."
    assert seen or damage in taken


def test_what_did_not_change_is_the_callers_own(seen: list[Anomaly]) -> None:
    asked = {"model": "openai/gpt-5", "messages": HEALTHY, "metadata": {"any": 1}}
    mended: Any = asyncio.run(litellm.callbacks[0].async_pre_call_deployment_hook(asked, None))
    assert mended == asked
    named = litellm.types.utils.CallTypes.acompletion
    mended = asyncio.run(litellm.callbacks[0].async_pre_call_deployment_hook(asked, named))
    assert all(new is old for new, old in zip(mended["messages"], HEALTHY, strict=True))
    assert mended["metadata"] is asked["metadata"]
    assert seen == []


def test_messages_that_litellm_answered_with_are_taken_as_they_are(provider: Provider) -> None:
    running, asked, _ = provider
    said = litellm.Message(role="assistant", content="Hello.", thinking_blocks=None)
    messages = [{"role": "user", "content": "Hi."}, said, *DAMAGED["a call that nothing answers"]]
    assert words(completion(messages=messages, **asked)) == "The fridge is empty."
    assert "Hello." in json.dumps(running.requests[-1].json)


REFUSAL = Failure(400, message="messages: roles must alternate between user and assistant")


def test_what_is_refused_all_the_same_is_sent_again_stricter() -> None:
    messages = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "assistant", "content": "c"},
        {"role": "user", "content": "d"},
    ]
    for send in (completion, lambda **asked: asyncio.run(acompletion(**asked))):
        with running_provider("openai-chat", Script((REFUSAL, says("fine")))) as running:
            asked = settings(running, "openai/gpt-5", "/v1")
            assert words(send(messages=messages, **asked)) == "fine"
            assert [len(got.json["messages"]) for got in running.requests] == [4, 3]


@pytest.mark.parametrize("status", [401, 429, 500])
def test_what_is_not_its_business_is_raised_as_it_came(status: int) -> None:
    with running_provider("openai-chat", Script((Failure(status),))) as running:
        with pytest.raises(Exception, match="litellm") as raised:
            completion(messages=HEALTHY, max_retries=0, **settings(running, "openai/gpt-5", "/v1"))
        assert raised.type.__module__ == "litellm.exceptions"
        assert len(running.requests) == 1


def test_pictures_that_are_refused_become_lines_of_text() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    messages = [{"role": "user", "content": [picture, {"type": "text", "text": "What is it?"}]}]
    refusal = Failure(400, message="Invalid image data", code="invalid_image")
    with running_provider("openai-chat", Script((refusal, says("fine")))) as running:
        asked = settings(running, "openai/gpt-5", "/v1")
        assert words(completion(messages=messages, **asked)) == "fine"
        assert "image omitted" in json.dumps(running.requests[-1].json)


def test_calls_in_other_providers_own_form_are_mended_too(seen: list[Anomaly]) -> None:
    broken = DAMAGED["a call that nothing answers"]
    script = Script((says("fine"),), repeat=True)

    async def ask(url: str) -> None:
        any_key = {"api_key": "any"}
        await litellm.aresponses(
            model="openai/gpt-5", input=responses_items(broken), api_base=f"{url}/v1", **any_key
        )
        await litellm.anthropic_messages(
            model="anthropic/claude-sonnet-4-5",
            max_tokens=100,
            messages=anthropic_messages(broken),
            tools=[{"name": "weather", "input_schema": {"type": "object"}}],
            api_base=url,
            **any_key,
        )

    with running_provider("openai-chat", script) as running:
        asyncio.run(ask(running.url))
        assert [got.status for got in running.requests] == [200, 200]
    assert [anomaly.kind for anomaly in seen] == ["tool_result_synthesized"] * 2


def test_what_cannot_be_read_is_left_to_the_provider_by_the_callback() -> None:
    named = litellm.types.utils.CallTypes.acompletion
    for messages in ("none", [1], [{"role": "user", "content": 1}]):
        asked = {"model": "openai/gpt-5", "messages": messages}
        assert asyncio.run(handler.async_pre_call_deployment_hook(asked, named)) == asked
    with pytest.raises(WiremendError, match="/messages/0"):
        completion("openai/gpt-5", [1])
