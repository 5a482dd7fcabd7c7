"""A broken conversation through the SDKs of OpenAI and Anthropic, without wiremend and with it.

pip install 'wiremend[openai,anthropic,proxy]'
python examples/integrations/sdks.py
"""

from __future__ import annotations

from typing import Any

import anthropic
import openai

from wiremend.integrations.http import Exchange, http_client
from wiremend.simulator import running_provider

CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CHAT: Any = [
    {"role": "user", "content": "Is the soil dry?"},
    {"role": "assistant", "tool_calls": [CALL]},  # cancelled: nothing answers it
    {"role": "user", "content": "Never mind."},
]
MESSAGES: Any = [
    {"role": "user", "content": "Is the soil dry?"},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}],
    },
    {"role": "user", "content": "Never mind."},
]


def told(exchange: Exchange) -> None:
    """Say what was repaired."""
    print("  repaired:", ", ".join(anomaly.describe() for anomaly in exchange.anomalies))


def chat(url: str, **options: Any) -> str | None:
    """Chat Completions."""
    with openai.OpenAI(base_url=f"{url}/v1", api_key="any", **options) as client:
        answer = client.chat.completions.create(model="gpt-5", messages=CHAT)
    return answer.choices[0].message.content


def claude(url: str, **options: Any) -> str:
    """Messages."""
    with anthropic.Anthropic(base_url=url, api_key="any", **options) as client:
        answer: Any = client.messages.create(
            model="claude-sonnet-4-5", max_tokens=100, messages=MESSAGES
        )
    return str(answer.content[0].text)


def main() -> None:
    """Ask twice each."""
    for name, dialect, ask in (("openai", "openai-chat", chat), ("anthropic", "anthropic", claude)):
        with running_provider(dialect) as provider:
            print(name)
            try:
                ask(provider.url)
            except (openai.BadRequestError, anthropic.BadRequestError) as error:
                print("  without:", error.message)
            print("  with:", ask(provider.url, http_client=http_client(on_exchange=told)))


if __name__ == "__main__":
    main()
