"""What writes a whole history anew before each step: plain functions, and each peer.

A peer is given the conversation in the types in which its own agents keep it, made beforehand, and
makes of it what it sends: messages in the provider's form, as JSON.
"""

from __future__ import annotations

import asyncio
import copy
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, TypeAlias

import msgspec

import wiremend
from benchmarks.bodies import BODIES, text_of
from benchmarks.histories import History
from benchmarks.peers import messages_of_pydantic_ai

Send: TypeAlias = Callable[[int], object]
"""Sends what the first so many messages of the history are."""


@dataclass(frozen=True)
class Resend:
    """One way to do it. ``package`` is the peer's, empty for what is no peer."""

    says: str
    dialect: str
    prepared: Callable[[History], Send]
    package: str = ""
    module: str = ""

    def name(self) -> str:
        """What its row is called, with the version that is installed."""
        return f"{self.package} {version(self.package)}: {self.says}" if self.package else self.says


def own(dialect: str) -> list[Resend]:
    """What every program does that keeps no more than its messages."""

    def requested(history: History) -> Send:
        fields = {n: v for n, v in BODIES[dialect]([]).items() if n != "messages"}
        return lambda end: msgspec.json.encode(
            wiremend.request(history[:end], dialect, fields).body
        )

    def serialised(dump: Callable[[object], object]) -> Callable[[History], Send]:
        def prepared(history: History) -> Send:
            body = BODIES[dialect](history)
            share = len(body["messages"]) / len(history)
            return lambda end: dump({**body, "messages": body["messages"][: int(end * share)]})

        return prepared

    return [
        Resend("wiremend.request, msgspec", dialect, requested),
        Resend("json.dumps of messages that are ready", dialect, serialised(json.dumps)),
        Resend("msgspec of messages that are ready", dialect, serialised(msgspec.json.encode)),
    ]


def _litellm(history: History) -> Send:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    from litellm.litellm_core_utils.prompt_templates.factory import anthropic_messages_pt

    messages = BODIES["openai-chat"](history)["messages"]

    def send(end: int) -> object:
        # It changes what it is given.
        given = copy.copy(messages[:end])
        return json.dumps(anthropic_messages_pt(given, "claude-sonnet-4-5", "anthropic"))

    return send


def _langchain(history: History) -> Send:
    from langchain_core.messages import convert_to_messages, trim_messages
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    model = ChatOpenAI(model="gpt-5", api_key=SecretStr("none"))
    messages = convert_to_messages(BODIES["openai-chat"](history)["messages"])

    def send(end: int) -> object:
        trimmed = trim_messages(
            messages[:end],
            max_tokens=len(messages),
            token_counter=len,
            strategy="last",
            start_on="human",
            include_system=True,
        )
        return json.dumps(model._get_request_payload(trimmed))  # noqa: SLF001 (what it posts)

    return send


def _pydantic_ai(history: History) -> Send:
    from pydantic_ai.messages import repair_messages
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel("gpt-5", provider=OpenAIProvider(api_key="none"))
    messages = messages_of_pydantic_ai(history)
    asked = ModelRequestParameters()

    def send(end: int) -> object:
        repaired = repair_messages(messages[:end])
        return json.dumps(asyncio.run(model._map_messages(repaired, asked)))  # noqa: SLF001

    return send


def _agents(history: History) -> Send:
    from agents.models.chatcmpl_converter import Converter

    items: list[Any] = []
    for message in history:
        if message.role == "tool":
            output = {"call_id": message.tool_call_id, "output": text_of(message)}
            items.append({"type": "function_call_output", **output})
            continue
        if text_of(message):
            items.append({"role": message.role, "content": text_of(message)})
        for call in message.tool_calls:
            called = {"call_id": call.id, "name": call.name, "arguments": call.arguments}
            items.append({"type": "function_call", **called})
    share = len(items) / len(history)
    return lambda end: json.dumps(Converter.items_to_messages(items[: int(end * share)]))


PEERS = (
    Resend("anthropic_messages_pt", "anthropic", _litellm, "litellm", "litellm"),
    Resend(
        "trim_messages, request payload",
        "openai-chat",
        _langchain,
        "langchain-openai",
        "langchain_openai",
    ),
    Resend(
        "repair_messages, message mapping",
        "openai-chat",
        _pydantic_ai,
        "pydantic-ai-slim",
        "pydantic_ai",
    ),
    Resend("items_to_messages", "openai-chat", _agents, "openai-agents", "agents"),
)
