"""A context that was cut short, through an agent of Google ADK, without wiremend and with it.

pip install 'wiremend[adk,proxy]'
python examples/integrations/adk_agent.py
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models import Gemini
from google.adk.runners import InMemoryRunner
from google.genai import errors, types

from wiremend.integrations.adk import Mending
from wiremend.projection import Anomaly
from wiremend.simulator import Answer, Call, Running, Script, running_provider, says

CALLS = Answer((Call("look", {"place": "field"}), Call("look", {"place": "greenhouse"})))


def look(place: str) -> str:
    """Look at a place."""
    return f"{place} is dry"


def only_the_last(callback_context: Any, llm_request: Any) -> None:  # noqa: ARG001
    """Keep the context short, as many do; this cuts between the calls and their results."""
    llm_request.contents = llm_request.contents[-3:]


def told(anomalies: tuple[Anomaly, ...]) -> None:
    """Say what was repaired."""
    print("  repaired:", ", ".join(anomaly.describe() for anomaly in anomalies))


async def ask(provider: Running, *callbacks: Any) -> str:
    """Two turns with an agent: what it says last."""
    model = Gemini(
        model="gemini-2.5-flash", base_url=provider.url, client_kwargs={"api_key": "any"}
    )
    agent = LlmAgent(
        name="gardener", model=model, tools=[look], before_model_callback=list(callbacks)
    )
    runner = InMemoryRunner(agent=agent, app_name="garden")
    session = await runner.session_service.create_session(app_name="garden", user_id="me")
    said = ""
    for words in ("Is the soil dry?", "And now?"):
        asked = types.Content(role="user", parts=[types.Part(text=words)])
        async for event in runner.run_async(user_id="me", session_id=session.id, new_message=asked):
            parts = event.content.parts if event.content else []
            said = "".join(part.text or "" for part in parts)
    return said


async def main() -> None:
    """Ask twice."""
    logging.disable(logging.ERROR)  # ADK logs the error that is shown here
    with running_provider("gemini", Script((CALLS, says("Both are dry.")))) as provider:
        try:
            await ask(provider, only_the_last)
        except errors.ClientError as error:
            print("  without:", error.message)
    with running_provider("gemini", Script((CALLS, says("Both are dry.")))) as provider:
        print("  with:", await ask(provider, only_the_last, Mending(told)))


if __name__ == "__main__":
    asyncio.run(main())
