"""pydantic-ai before strict providers: what fails without wiremend goes on with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.integrations.damage import ASKED, DAMAGED, HEALTHY, WORDS, calls, result, said
from wiremend.projection import Anomaly
from wiremend.simulator import Failure, Running, Script, running_provider, says

pytest.importorskip("pydantic_ai")
from pydantic_ai import Agent, BinaryContent, ImageUrl, UserError
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from tests.integrations.naive_pydantic_ai import model_messages
from wiremend.integrations.pydantic_ai import Mending, mended

# Warnings of other people's packages are theirs.
pytestmark = pytest.mark.filterwarnings("ignore")


def weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model_of(dialect: str, url: str) -> Any:
    # A connection that is kept outlives the event loop of its test.
    limits = httpx2.Limits(max_keepalive_connections=0)
    more: dict[str, Any] = {"api_key": "any", "http_client": httpx2.AsyncClient(limits=limits)}
    if dialect == "anthropic":
        provider = AnthropicProvider(base_url=url, **more)
        return AnthropicModel("claude-sonnet-4-5", provider=provider)
    kind = OpenAIChatModel if dialect == "openai-chat" else OpenAIResponsesModel
    return kind("gpt-5", provider=OpenAIProvider(base_url=f"{url}/v1", **more))


REFUSED = {
    "openai-chat": {"a result given twice"},
    "openai-responses": {"a result given twice"},
    "anthropic": {
        *("a result given twice", "a message of blanks", "a call id used twice"),
        "a head cut off by compaction",
    },
}
"""What pydantic-ai's own repair, which runs before each request, leaves to be refused."""

Provider = tuple[str, Running, Any]


@pytest.fixture(params=REFUSED, scope="module")
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    script = Script((says("The fridge is empty."),), repeat=True)
    with running_provider(request.param, script) as running:
        yield request.param, running, model_of(request.param, running.url)


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_conversation_is_refused_without_and_answered_with_it(
    provider: Provider, damage: str
) -> None:
    dialect, running, model = provider
    history = model_messages(DAMAGED[damage])
    repaired = repair_messages(history)
    if damage in REFUSED[dialect]:
        with pytest.raises(ModelHTTPError, match="400"):
            Agent(model, tools=[weather]).run_sync(message_history=repaired)
    else:
        Agent(model, tools=[weather]).run_sync(message_history=repaired)
    agent = Agent(model, tools=[weather], capabilities=[Mending()])
    assert agent.run_sync(message_history=history).output == "The fridge is empty."
    assert WORDS in json.dumps(running.requests[-1].json)


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_history_is_mended_before_a_run_too(provider: Provider, damage: str) -> None:
    _, running, model = provider
    *history, _ = model_messages(DAMAGED[damage])
    if damage == "a call that nothing answers":
        with pytest.raises(UserError, match="unprocessed tool calls"):
            Agent(model, tools=[weather]).run_sync(WORDS, message_history=history)
    repairs: list[Anomaly] = []
    agent = Agent(model, tools=[weather], capabilities=[Mending(on_repair=repairs.extend)])
    kept = mended(history, model, on_repair=repairs.extend)
    assert agent.run_sync(WORDS, message_history=kept).output == "The fridge is empty."
    assert WORDS in json.dumps(running.requests[-1].json)
    assert repairs or damage == "a message of blanks"


def test_streams_get_the_same(provider: Provider) -> None:
    _, _, model = provider
    agent = Agent(model, tools=[weather], capabilities=[Mending()])

    async def run() -> str:
        history = model_messages(DAMAGED["a result given twice"])
        async with agent.run_stream(message_history=history) as streamed:
            return str(await streamed.get_output())

    assert asyncio.run(run()) == "The fridge is empty."


def test_the_messages_of_the_run_stay_what_they_were(provider: Provider) -> None:
    _, _, model = provider
    history = model_messages(DAMAGED["a result given twice"])
    agent = Agent(model, tools=[weather], capabilities=[Mending()])
    kept = agent.run_sync(message_history=history).all_messages()
    assert sum(isinstance(p, ToolReturnPart) for m in kept for p in m.parts) == 2


def test_what_did_not_change_is_the_very_message() -> None:
    healthy = model_messages(HEALTHY)
    assert all(new is old for new, old in zip(mended(healthy), healthy, strict=True))
    broken = model_messages(DAMAGED["parallel calls, cancelled half way"])
    kept = mended(broken, provider="openai")
    assert [kept[at] is message for at, message in zip((0, 1, 2, 4), broken, strict=True)]
    (first, second) = kept[3].parts
    assert (first.tool_name, first.tool_call_id, first.outcome) == (
        *("weather", "call_2"),
        "interrupted",
    )
    assert second.tool_call_id == "call_3"


def test_a_request_of_many_parts_keeps_those_that_did_not_change() -> None:
    answer = ModelResponse([ToolCallPart("weather", {"city": "Rome"}, "call_1")])
    asked = ModelRequest(
        [
            RetryPromptPart("say it in Celsius"),
            UserPromptPart(["Look:", ImageUrl("https://example.com/a.png")]),
            ToolReturnPart("weather", {"sun": 1}, "call_1", metadata={"any": 1}),
            ToolReturnPart("weather", "late", "call_9"),
        ],
        instructions="Be brief.",
    )
    messages = [ModelRequest([UserPromptPart("?")]), answer, asked]
    kept = mended(messages, provider="anthropic")
    assert kept[:2] == messages[:2]
    assert [part for message in kept[2:] for part in message.parts] == [
        *(asked.parts[2], asked.parts[0], asked.parts[1]),
    ]
    assert all(message.instructions == "Be brief." for message in kept[2:])


def test_ids_used_again_get_new_ones_in_call_and_result_and_nothing_else_changes() -> None:
    thought = ThinkingPart("Hm.", signature="c2ln", provider_name="anthropic")
    second = ModelResponse(
        [thought, TextPart("Again."), ToolCallPart("weather", "{}", "call_1")], model_name="m"
    )
    history = [
        *model_messages([ASKED, calls("call_1"), result("call_1")]),
        second,
        ModelRequest([RetryPromptPart("wrong city", tool_name="weather", tool_call_id="call_1")]),
        *model_messages([said("Sunny.")]),
    ]
    kept = mended(history, provider="anthropic")
    assert kept[3].parts[:2] == [thought, TextPart("Again.")]
    assert kept[3].model_name == "m"
    assert kept[3].parts[2].tool_call_id == kept[4].parts[0].tool_call_id == "call_1__2"
    assert kept[4].parts[0].content == "wrong city"


def test_roles_take_turns_where_a_template_wants_it_with_every_picture_kept() -> None:
    picture = BinaryContent(b"png", media_type="image/png")
    history = [
        ModelRequest([UserPromptPart("a"), UserPromptPart(["b", picture])]),
        ModelRequest([UserPromptPart("c")]),
    ]
    (kept,) = mended(history, provider="ollama")
    assert kept.parts == [
        UserPromptPart(["a", "b", picture, "c"], timestamp=kept.parts[0].timestamp)
    ]


def test_pictures_that_are_refused_become_lines_of_text() -> None:
    refusal = Failure(400, message="Could not process image")
    picture = BinaryContent(b"png", media_type="image/png")
    with running_provider("anthropic", Script((refusal, says("fine")), repeat=True)) as running:
        agent = Agent(model_of("anthropic", running.url), capabilities=[Mending()])
        # Twice, as what one run has learned is not the next one's.
        for run in range(2):
            assert agent.run_sync(["What is it?", picture]).output == "fine"
            assert len(running.requests) == 2 * (run + 1)
            refused, taken = (json.dumps(got.json) for got in running.requests[-2:])
            assert '"image/png"' in refused
            assert '"image/png"' not in taken
            assert "image omitted" in taken


def test_what_is_not_its_business_is_raised_as_it_came() -> None:
    with running_provider("openai-chat", Script((Failure(403),))) as running:
        agent = Agent(model_of("openai-chat", running.url), capabilities=[Mending()])
        with pytest.raises(ModelHTTPError) as raised:
            agent.run_sync(WORDS)
        assert raised.value.status_code == 403
        assert len(running.requests) == 1
