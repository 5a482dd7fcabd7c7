"""The OpenAI Agents SDK before a strict provider: what fails without wiremend goes on with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai
import pytest

from tests.integrations.damage import DAMAGED, HEALTHY, WORDS
from tests.integrations.naive import responses_items
from wiremend.errors import WiremendError
from wiremend.projection import Anomaly
from wiremend.simulator import Answer, Call, Running, Script, running_provider, says

pytest.importorskip("agents")
from agents import (
    Agent,
    Model,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    function_tool,
)
from agents.run import CallModelData, ModelInputData

from wiremend.integrations.openai_agents import Mending

# Warnings of other people's packages are theirs.
pytestmark = pytest.mark.filterwarnings("ignore")


@function_tool  # type: ignore[untyped-decorator]  # the SDK's types are not looked at
def weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


REFUSED = {
    "openai-responses": {
        *("a call that nothing answers", "parallel calls, cancelled half way"),
        *("a result without its call", "two users in a row around a cancelled step"),
        *("a head cut off by compaction", "an assistant that says nothing"),
    },
    "openai-chat": {
        *("a call that nothing answers", "parallel calls, cancelled half way"),
        *("a result without its call", "two users in a row around a cancelled step"),
        *("a head cut off by compaction", "an assistant that says nothing"),
        *("a result that comes late", "a system message in the middle"),
    },
}
"""What fails without; the API takes the rest, or the SDK mends it itself."""
MODELS: dict[str, Any] = {
    "openai-responses": OpenAIResponsesModel,
    "openai-chat": OpenAIChatCompletionsModel,
}

Provider = tuple[str, Running]


@pytest.fixture(params=REFUSED, scope="module")
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    script = Script((says("The fridge is empty."),), repeat=True)
    with running_provider(request.param, script) as running:
        yield request.param, running


def run(provider: Provider, items: Any, mending: Any = None, **more: Any) -> str:
    dialect, running = provider

    async def main() -> str:
        limits = httpx2.Limits(max_keepalive_connections=0)
        async with openai.AsyncOpenAI(
            base_url=f"{running.url}/v1",
            api_key="any",
            max_retries=0,
            http_client=httpx2.AsyncClient(limits=limits),
        ) as client:
            model = MODELS[dialect](model="gpt-5", openai_client=client)
            agent = Agent(name="any", model=model, tools=[weather])
            config = RunConfig(call_model_input_filter=mending, tracing_disabled=True)
            return str((await Runner.run(agent, items, run_config=config, **more)).final_output)

    return asyncio.run(main())


CALLED = Answer((Call("weather", {"city": "Rome"}),))


@pytest.mark.parametrize("continues", [False, True])
def test_a_run_whose_conversation_the_api_keeps_goes_on(continues: bool) -> None:
    with running_provider("openai-responses", Script((CALLED, says("Sunny.")))) as running:
        kept: Any = {"auto_previous_response_id": True}
        mending = Mending(continues=continues)
        assert (
            run(("openai-responses", running), "The weather in Rome?", mending, **kept) == "Sunny."
        )
        first, second = (request.json for request in running.requests)
        assert second["previous_response_id"]
        assert [item["type"] for item in second["input"]] == ["function_call_output"]
        assert "previous_response_id" not in first


def test_what_answers_calls_that_the_api_keeps_is_left_where_the_caller_says_so() -> None:
    answered = {"type": "function_call_output", "call_id": "call_1", "output": "sunny"}
    items = [answered, {"role": "user", "content": "And now?"}]
    assert filtered(list(items), continues=True) == items
    assert filtered(list(items)) == items[1:]


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_conversation_is_answered_with_it(provider: Provider, damage: str) -> None:
    dialect, running = provider
    items = responses_items(DAMAGED[damage])
    if damage in REFUSED[dialect]:
        with pytest.raises(openai.BadRequestError):
            run(provider, items)
    else:
        run(provider, items)
    repairs: list[Anomaly] = []
    assert run(provider, items, Mending(repairs.extend)) == "The fridge is empty."
    assert WORDS in json.dumps(running.requests[-1].json)
    assert repairs or damage not in REFUSED[dialect]


def filtered(items: Any, model: Any = None, **options: Any) -> list[Any]:
    data = CallModelData(ModelInputData(items, "Be brief."), Agent(name="any", model=model), None)
    kept = Mending(**options)(data)
    assert kept.instructions == "Be brief."
    found: list[Any] = kept.input
    return found


def chat_model(base_url: str) -> Any:
    client = openai.AsyncOpenAI(base_url=base_url, api_key="any")
    return OpenAIChatCompletionsModel(model="any", openai_client=client)


@pytest.mark.parametrize("model", [None, "gpt-5", chat_model("http://127.0.0.1/v1")])
def test_what_did_not_change_is_the_very_item(model: Any) -> None:
    items = responses_items(HEALTHY)
    kept = filtered(items, model)
    assert all(new is old for new, old in zip(kept, items, strict=True))
    broken = responses_items(DAMAGED["a call that nothing answers"])
    kept = filtered(broken, model)
    places = zip((0, 1, 3), broken, strict=True)
    assert [kept[at] is item for at, item in places] == [True] * 3


def test_what_the_sdk_keeps_of_chat_completions_is_left_alone() -> None:
    # It gives all items of these models one id, and keeps what they came with.
    made = {"id": "__fake_id__", "provider_data": {"model": "any"}}
    said = {"type": "message", "role": "assistant", "status": "completed", **made}
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}], **made}
    items = [
        {"role": "user", "content": "?"},
        thought,
        {**said, "content": [{"type": "output_text", "text": "Wait.", "annotations": []}]},
        {"type": "function_call", "call_id": "a", "name": "weather", "arguments": "{}", **made},
        {"type": "function_call_output", "call_id": "a", "output": "sunny"},
        {**said, "content": [{"type": "output_text", "text": "Sunny.", "annotations": []}]},
    ]
    repairs: list[Anomaly] = []
    kept = filtered(items, chat_model("http://127.0.0.1/v1"), on_repair=repairs.extend)
    assert all(new is old for new, old in zip(kept, items, strict=True))
    assert repairs == []


class GatewayModel(Model):  # type: ignore[misc]  # as those of LiteLLM and AnyLLM are
    def __init__(self, model: str) -> None:
        self.model = model

    async def get_response(self, *_: Any, **__: Any) -> Any: ...
    def stream_response(self, *_: Any, **__: Any) -> Any: ...


BLANK = [{"role": "user", "content": "a"}, {"role": "user", "content": " "}]


@pytest.mark.parametrize(
    ("model", "provider", "left"),
    [
        (chat_model("https://api.openai.com/v1"), None, 2),
        (chat_model("https://api.mistral.ai/v1"), None, 1),
        (chat_model("http://127.0.0.1/v1"), "vllm", 1),
        (GatewayModel("anthropic/claude-sonnet-4-5"), None, 1),
        (GatewayModel("openai/gpt-5"), None, 2),
        ("gpt-5", None, 2),
        ("claude", "anthropic", 1),
    ],
)
def test_whose_manners_count_the_model_says_or_the_caller(
    model: Any, provider: str | None, left: int
) -> None:
    assert len(filtered(list(BLANK), model, provider=provider)) == left


def test_what_is_no_item_is_said_with_its_place() -> None:
    with pytest.raises(WiremendError, match="/input/0"):
        filtered([{"type": 1}])
