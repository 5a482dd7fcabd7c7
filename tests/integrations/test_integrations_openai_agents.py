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
from wiremend.simulator import Running, Script, running_provider, says

pytest.importorskip("agents")
from agents import (
    Agent,
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
    *("a call that nothing answers", "parallel calls, cancelled half way"),
    *("a result without its call", "two users in a row around a cancelled step"),
    *("a head cut off by compaction", "an assistant that says nothing"),
}
"""What fails without; the Responses API takes the rest, or the SDK mends it itself."""


@pytest.fixture(scope="module")
def provider() -> Iterator[Running]:
    script = Script((says("The fridge is empty."),), repeat=True)
    with running_provider("openai-responses", script) as running:
        yield running


def run(running: Running, items: Any, mending: Any = None) -> str:
    async def main() -> str:
        limits = httpx2.Limits(max_keepalive_connections=0)
        async with openai.AsyncOpenAI(
            base_url=f"{running.url}/v1",
            api_key="any",
            max_retries=0,
            http_client=httpx2.AsyncClient(limits=limits),
        ) as client:
            model = OpenAIResponsesModel(model="gpt-5", openai_client=client)
            agent = Agent(name="any", model=model, tools=[weather])
            config = RunConfig(call_model_input_filter=mending, tracing_disabled=True)
            return str((await Runner.run(agent, items, run_config=config)).final_output)

    return asyncio.run(main())


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_conversation_is_answered_with_it(provider: Running, damage: str) -> None:
    items = responses_items(DAMAGED[damage])
    if damage in REFUSED:
        with pytest.raises(openai.BadRequestError):
            run(provider, items)
    repairs: list[Anomaly] = []
    assert run(provider, items, Mending(repairs.extend)) == "The fridge is empty."
    assert WORDS in json.dumps(provider.requests[-1].json)
    assert repairs or damage not in REFUSED


def filtered(items: Any) -> Any:
    data = CallModelData(ModelInputData(items, "Be brief."), Agent(name="any"), None)
    return Mending()(data)


def test_what_did_not_change_is_the_very_item() -> None:
    items = responses_items(HEALTHY)
    kept = filtered(items)
    assert all(new is old for new, old in zip(kept.input, items, strict=True))
    assert kept.instructions == "Be brief."
    broken = responses_items(DAMAGED["a call that nothing answers"])
    kept = filtered(broken)
    assert [kept.input[at] is item for at, item in zip((0, 1, 3), broken, strict=True)] == [
        True
    ] * 3


def test_what_is_no_item_is_said_with_its_place() -> None:
    with pytest.raises(WiremendError, match="/input/0"):
        filtered([{"type": 1}])
