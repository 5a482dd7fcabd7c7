"""pydantic-ai: ``repair_messages``, then a direct request to the provider's model."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from benchmarks.bodies import SCHEMA, Body
from benchmarks.histories import TOOLS
from benchmarks.peers import messages_of_pydantic_ai
from benchmarks.repairs.damage import Specimen
from benchmarks.repairs.listening import Listener
from benchmarks.repairs.tools.base import AWS, MODELS, sent


class PydanticAI:
    """The conversation in its own types, for every provider."""

    name = "pydantic-ai"
    called = "repair_messages, then direct.model_request_sync"
    claims = frozenset(
        {
            # "Making histories provider-valid" in its documentation.
            "call cancelled, user goes on",
            "one of several results lost",
            "all results of a step lost",
            "user speaks between call and result",
            "model speaks between call and result",
            "result comes at the very end",
            "result stands before its call",
            "call gone, its results left",
            "compaction cut an exchange",
            "starts with a result",
            "trimmed to start with a call",
            # What its types make good.
            "ids lost",
            "model said nothing",
            "blank text beside a call",
            "empty text beside a picture",
            "result is null",
            "picture in a result",
            "arguments cut off",
            "arguments empty",
            "thinking without a signature",
            "system message in the middle",
        }
    )

    def __init__(self, listener: Listener) -> None:
        self.version = version("pydantic-ai-slim")
        self._listener = listener
        makers = {
            "openai-chat": _openai,
            "openai-responses": _responses,
            "anthropic": _anthropic,
            "gemini": _gemini,
            "bedrock": _bedrock,
        }
        self._models = {target: make(listener.url) for target, make in makers.items()}

    def takes(self, specimen: Specimen, target: str) -> bool:  # noqa: ARG002
        """What exists in types."""
        return not specimen.wire_only

    def send(self, specimen: Specimen, target: str) -> Body:
        """What the model posts to the provider."""
        from pydantic_ai.direct import model_request_sync
        from pydantic_ai.messages import repair_messages
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        names = TOOLS if "tools" in specimen.body else ()
        asked = ModelRequestParameters(
            function_tools=[ToolDefinition(name=n, parameters_json_schema=SCHEMA) for n in names]
        )
        settings: dict[str, Any] = {"max_tokens": 8192}
        if thinking := specimen.body.get("thinking"):
            settings["anthropic_thinking"] = thinking

        def ask() -> None:
            messages = repair_messages(messages_of_pydantic_ai(specimen.history))
            model_request_sync(
                self._models[target],
                messages,
                model_settings=settings,
                model_request_parameters=asked,
            )

        return sent(self._listener, ask)


def _openai(url: str) -> Any:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(openai_client=_client_of_openai(url))
    return OpenAIChatModel(MODELS["openai-chat"], provider=provider)


def _responses(url: str) -> Any:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(openai_client=_client_of_openai(url))
    return OpenAIResponsesModel(MODELS["openai-responses"], provider=provider)


def _client_of_openai(url: str) -> Any:
    from openai import AsyncOpenAI

    return AsyncOpenAI(base_url=url, api_key="none", max_retries=0)


def _anthropic(url: str) -> Any:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(base_url=url, api_key="none", max_retries=0)
    return AnthropicModel(MODELS["anthropic"], provider=AnthropicProvider(anthropic_client=client))


def _gemini(url: str) -> Any:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(MODELS["gemini"], provider=GoogleProvider(api_key="none", base_url=url))


def _bedrock(url: str) -> Any:
    import boto3
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    client = boto3.client("bedrock-runtime", endpoint_url=url, **AWS)
    return BedrockConverseModel(MODELS["bedrock"], provider=BedrockProvider(bedrock_client=client))
