"""A broken conversation through an agent of pydantic-ai, without wiremend and with it.

pip install 'wiremend[pydantic-ai,proxy]' 'pydantic-ai-slim[anthropic,openai]'
python examples/integrations/pydantic_ai_agent.py
"""

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from wiremend.integrations.pydantic_ai import Mending
from wiremend.projection import Anomaly
from wiremend.simulator import running_provider

BROKEN: Any = [
    ModelRequest([UserPromptPart("Is the soil dry?")]),
    ModelResponse([ToolCallPart("look", {"place": "field"}, "call_1")]),
    ModelRequest([ToolReturnPart("look", "dry", "call_1")]),
    ModelRequest([ToolReturnPart("look", "wet", "call_1")]),  # a retry, recorded twice
]


def look(place: str) -> str:
    """Look at a place."""
    return f"{place} is dry"


def told(anomalies: tuple[Anomaly, ...]) -> None:
    """Say what was repaired."""
    print("  repaired:", ", ".join(anomaly.describe() for anomaly in anomalies))


def model_of(dialect: str, url: str) -> Any:
    """The model behind a simulated provider."""
    if dialect == "anthropic":
        there = AnthropicProvider(base_url=url, api_key="any")
        return AnthropicModel("claude-sonnet-4-5", provider=there)
    return OpenAIChatModel("gpt-5", provider=OpenAIProvider(base_url=f"{url}/v1", api_key="any"))


def main() -> None:
    """Ask each provider twice."""
    for dialect in ("openai-chat", "anthropic"):
        with running_provider(dialect) as provider:
            print(dialect)
            model = model_of(dialect, provider.url)
            try:
                Agent(model, tools=[look]).run_sync("And now?", message_history=BROKEN)
            except ModelHTTPError as error:
                print("  without:", error.body)
            agent: Any = Agent(model, tools=[look], capabilities=[Mending(on_repair=told)])
            answer = agent.run_sync("And now?", message_history=BROKEN)
            print("  with:", answer.output)


if __name__ == "__main__":
    main()
