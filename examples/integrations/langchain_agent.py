"""A broken conversation through an agent of LangChain, without wiremend and with it.

pip install 'wiremend[langchain,proxy]' langchain-openai langchain-anthropic
python examples/integrations/langchain_agent.py
"""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI

from wiremend.integrations.langchain import MendingMiddleware
from wiremend.projection import Anomaly
from wiremend.simulator import running_provider

CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
BROKEN: Any = [
    {"role": "user", "content": "Is the soil dry?"},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},  # cancelled: nothing answers it
    {"role": "user", "content": "Never mind."},
]


def look(place: str) -> str:
    """Look at a place."""
    return f"{place} is dry"


def told(anomalies: tuple[Anomaly, ...]) -> None:
    """Say what was repaired."""
    print("  repaired:", ", ".join(anomaly.describe() for anomaly in anomalies))


def ask(model: Any, *middleware: Any) -> str:
    """Run an agent on the broken conversation."""
    agent: Any = create_agent(model, [look], middleware=middleware)
    return str(agent.invoke({"messages": BROKEN})["messages"][-1].text)


def main() -> None:
    """Ask each provider twice."""
    for dialect in ("openai-chat", "anthropic"):
        with running_provider(dialect) as provider:
            print(dialect)
            model: Any = ChatAnthropic(
                model="claude-sonnet-4-5", base_url=provider.url, api_key="any"
            )
            if dialect == "openai-chat":
                model = ChatOpenAI(model="gpt-5", base_url=f"{provider.url}/v1", api_key="any")
            try:
                ask(model)
            except Exception as error:  # noqa: BLE001  (each model has its own)
                print("  without:", error)
            print("  with:", ask(model, MendingMiddleware(on_repair=told)))


if __name__ == "__main__":
    main()
