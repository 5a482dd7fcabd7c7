"""The OpenAI Agents SDK: ``Runner.run_sync`` with a session that holds the conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from benchmarks.bodies import SCHEMA, Body, text_of
from benchmarks.histories import TOOLS, History
from benchmarks.repairs.damage import CHAT, Specimen
from benchmarks.repairs.listening import Listener
from benchmarks.repairs.tools.base import MODELS, sent
from wiremend.model import ContextMessage, ImagePart, Part, TextPart

_OWN = ("openai-chat", "openai-responses")


class OpenAIAgents:
    """The conversation as items, for OpenAI's two APIs."""

    name = "OpenAI Agents"
    called = "Runner.run_sync with a Session that holds all but the last item"
    claims = frozenset(
        {
            # A session's items lose calls and results without the other, and what is there twice.
            "call cancelled, user goes on",
            "one of several results lost",
            "all results of a step lost",
            "call gone, its results left",
            "compaction cut an exchange",
            "starts with a result",
            "result delivered twice",
            # What items make good, and its conversion of items to chat messages.
            "user speaks between call and result",
            "model speaks between call and result",
            "result comes at the very end",
            "model said nothing",
            "result is null",
            "picture in a result",
        }
    )

    def __init__(self, listener: Listener) -> None:
        from agents import set_tracing_disabled

        set_tracing_disabled(disabled=True)
        self.version = version("openai-agents")
        self._listener = listener

    def takes(self, specimen: Specimen, target: str) -> bool:
        """What exists as items; other providers are those of its extensions."""
        return specimen.source == CHAT and target in _OWN and not specimen.wire_only

    def send(self, specimen: Specimen, target: str) -> Body:
        """What the runner posts to the provider."""
        return sent(self._listener, lambda: asyncio.run(self._run(specimen, target)))

    async def _run(self, specimen: Specimen, target: str) -> None:
        from agents import Agent, FunctionTool, Runner, SQLiteSession
        from agents.models.openai_chatcompletions import OpenAIChatCompletionsModel
        from agents.models.openai_responses import OpenAIResponsesModel
        from openai import AsyncOpenAI

        async def never(_context: Any, _arguments: str) -> str:
            return ""

        names = TOOLS if "tools" in specimen.body else ()
        tools = [FunctionTool(n, "", SCHEMA, never, strict_json_schema=False) for n in names]
        api: Any = OpenAIChatCompletionsModel if target == CHAT else OpenAIResponsesModel
        items = list(_items(specimen.history))
        async with AsyncOpenAI(
            base_url=self._listener.url, api_key="none", max_retries=0
        ) as client:
            agent = Agent("gardener", model=api(MODELS[target], client), tools=tools)
            session = SQLiteSession("one")
            await session.add_items(items[:-1])
            await Runner.run(agent, items[-1:], session=session, max_turns=1)


def _items(history: History) -> Iterator[Any]:
    for message in history:
        if message.role == "tool":
            yield {
                "type": "function_call_output",
                "call_id": message.tool_call_id,
                "output": _output(message),
            }
            continue
        if message.content or not message.tool_calls:
            yield _message(message)
        for call in message.tool_calls:
            yield {
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": call.arguments,
            }


def _message(message: ContextMessage) -> Any:
    if any(type(part) is ImagePart for part in message.content):
        return {"role": message.role, "content": [*map(_part, message.content)]}
    return {"role": message.role, "content": text_of(message)}


def _output(message: ContextMessage) -> Any:
    if any(type(part) is ImagePart for part in message.content):
        return [*map(_part, message.content)]
    return text_of(message)


def _part(part: Part) -> Any:
    if type(part) is ImagePart:
        return {"type": "input_image", "image_url": part.image_url.url, "detail": "auto"}
    assert type(part) is TextPart
    return {"type": "input_text", "text": part.text}
