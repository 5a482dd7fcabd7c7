"""A broken conversation through the OpenAI Agents SDK, without wiremend and with it, and stored.

pip install 'wiremend[openai-agents,proxy]'
python examples/integrations/openai_agents.py
"""

from __future__ import annotations

import asyncio
import tempfile
from typing import Any

import openai
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    function_tool,
)

from wiremend.integrations.openai_agents import Mending, StoredSession
from wiremend.projection import Anomaly
from wiremend.simulator import running_provider

BROKEN: list[Any] = [
    {"role": "user", "content": "Is the soil dry?"},
    # Cancelled: nothing answers it.
    {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"},
    {"role": "user", "content": "Never mind."},
]
MODELS: dict[str, Any] = {
    "openai-responses": OpenAIResponsesModel,
    "openai-chat": OpenAIChatCompletionsModel,
}


@function_tool  # type: ignore[untyped-decorator]  # the SDK's types are not looked at
def look(place: str) -> str:
    """Look at a place."""
    return f"{place} is dry"


def told(anomalies: tuple[Anomaly, ...]) -> None:
    """Say what was repaired."""
    print("  repaired:", ", ".join(anomaly.describe() for anomaly in anomalies))


async def ask_twice(agent: Any) -> None:
    """Without and with the filter."""
    try:
        await Runner.run(agent, list(BROKEN), run_config=RunConfig(tracing_disabled=True))
    except openai.BadRequestError as error:
        print("  without:", error.message)
    config = RunConfig(call_model_input_filter=Mending(told), tracing_disabled=True)
    answer = await Runner.run(agent, list(BROKEN), run_config=config)
    print("  with:", answer.final_output)


async def go_on(agent: Any, place: str) -> None:
    """The same conversation in a session, which another program finds again."""
    config = RunConfig(call_model_input_filter=Mending(), tracing_disabled=True)
    with StoredSession("greenhouse", place) as session:
        await session.add_items(BROKEN)
        await Runner.run(agent, "And now?", session=session, run_config=config)
    with StoredSession("greenhouse", place) as session:
        print("  stored:", len(await session.get_items()), "items")


async def main() -> None:
    """Ask each API twice, then go on with what is stored."""
    for dialect, kind in MODELS.items():
        with running_provider(dialect) as provider, tempfile.TemporaryDirectory() as folder:
            print(dialect)
            url = f"{provider.url}/v1"
            async with openai.AsyncOpenAI(base_url=url, api_key="any") as client:
                model = kind(model="gpt-5", openai_client=client)
                agent = Agent(name="gardener", model=model, tools=[look])
                await ask_twice(agent)
                await go_on(agent, f"{folder}/agent.db")


if __name__ == "__main__":
    asyncio.run(main())
