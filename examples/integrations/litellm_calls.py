"""A broken conversation through LiteLLM, without wiremend and with it.

pip install 'wiremend[litellm,proxy]'
python examples/integrations/litellm_calls.py
"""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # stay offline

import litellm

from wiremend.integrations.litellm import completion
from wiremend.projection import Anomaly
from wiremend.simulator import running_provider

CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
BROKEN: Any = [
    {"role": "user", "content": "Is the soil dry?"},
    {"role": "assistant", "tool_calls": [CALL]},  # cancelled: nothing answers it
    {"role": "user", "content": "Never mind."},
]
MODELS = {"openai-chat": ("openai/gpt-5", "/v1"), "anthropic": ("anthropic/claude-sonnet-4-5", "")}


def told(anomalies: tuple[Anomaly, ...]) -> None:
    """Say what was repaired."""
    print("  repaired:", ", ".join(anomaly.describe() for anomaly in anomalies))


def main() -> None:
    """Ask each provider twice."""
    for dialect, (model, path) in MODELS.items():
        print(model)
        with running_provider(dialect) as provider:
            asked: Any = {"api_base": provider.url + path, "api_key": "any", "tools": [TOOL]}
            try:
                litellm.completion(model, BROKEN, **asked)
            except litellm.BadRequestError as error:
                print("  without:", error.message)
            answer = completion(model, BROKEN, on_repair=told, **asked)
            print("  with:", answer.choices[0].message.content)


if __name__ == "__main__":
    main()
