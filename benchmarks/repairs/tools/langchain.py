"""LangChain: ``convert_to_messages`` and ``trim_messages``, then the provider's chat model.

Trimmed is only what stands before the first prompt, as its documentation of chat histories does it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from benchmarks.bodies import Body
from benchmarks.repairs.damage import ANTHROPIC, Specimen
from benchmarks.repairs.listening import Listener
from benchmarks.repairs.tools.base import AWS, MODELS, sent


class LangChain:
    """Chat messages for every provider; Anthropic's for Anthropic."""

    name = "LangChain"
    called = (
        'convert_to_messages, trim_messages(start_on="human"), then ChatOpenAI, ChatAnthropic, '
        "ChatGoogleGenerativeAI, ChatBedrockConverse with bind_tools and invoke"
    )
    claims = frozenset(
        {
            # It converts; of repairs its packages document these.
            "picture in a result",
            "system message in the middle",
            "ids of another provider, with a pipe",
            "begun answer ends with a blank",
            "blank text beside a call",
            "tool_calls is an empty list",
            "trimmed to start with a call",
            "starts with a result",
        }
    )

    def __init__(self, listener: Listener) -> None:
        packages = ("core", "openai", "anthropic", "google-genai", "aws")
        self.version = ", ".join(f"{name} {version(f'langchain-{name}')}" for name in packages)
        self._listener = listener
        makers = {
            "openai-chat": _openai,
            "openai-responses": _responses,
            "anthropic": _anthropic,
            "gemini": _gemini,
            "bedrock": _bedrock,
        }
        self._models = {target: make(listener.url) for target, make in makers.items()}

    def takes(self, specimen: Specimen, target: str) -> bool:
        """Anthropic's own blocks go to Anthropic only."""
        return specimen.source != ANTHROPIC or target == ANTHROPIC

    def send(self, specimen: Specimen, target: str) -> Body:
        """What the chat model posts to the provider."""

        def invoke() -> None:
            model = self._models[target]
            settings = {}
            if thinking := specimen.body.get("thinking"):
                settings["thinking"] = thinking
            if tools := specimen.body.get("tools"):
                model = model.bind_tools(tools)
            model.invoke(_messages(specimen.body["messages"]), **settings)

        return sent(self._listener, invoke)


def _messages(messages: list[Body]) -> Any:
    from langchain_core.messages import convert_to_messages, trim_messages

    return trim_messages(
        convert_to_messages(messages),
        max_tokens=len(messages),
        token_counter=len,
        strategy="last",
        start_on="human",
        include_system=True,
    )


def _openai(url: str) -> Any:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model=MODELS["openai-chat"], base_url=url, api_key="none", max_retries=0)


def _responses(url: str) -> Any:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(
        model=MODELS["openai-responses"],
        base_url=url,
        api_key="none",
        max_retries=0,
        use_responses_api=True,
    )


def _anthropic(url: str) -> Any:
    from langchain_anthropic import ChatAnthropic

    return ChatAnthropic(
        model=MODELS["anthropic"], base_url=url, api_key="none", max_retries=0, max_tokens=8192
    )


def _gemini(url: str) -> Any:
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(
        model=MODELS["gemini"], base_url=url, google_api_key="none", max_retries=0
    )


def _bedrock(url: str) -> Any:
    from langchain_aws import ChatBedrockConverse

    return ChatBedrockConverse(model=MODELS["bedrock"], endpoint_url=url, **AWS)
