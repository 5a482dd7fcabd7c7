"""LiteLLM: its sanitising of messages, then ``completion``, with ``modify_params`` on.

That switch is for mending requests. ``completion`` itself sanitises for Anthropic alone; here it is
done for every provider. For a body of Anthropic's it is ``anthropic.messages.acreate``, its
function for that API.
"""

from __future__ import annotations

import asyncio
import os
from importlib.metadata import version

from benchmarks.bodies import Body
from benchmarks.repairs.damage import ANTHROPIC, Specimen
from benchmarks.repairs.listening import Listener
from benchmarks.repairs.tools.base import AWS, MODELS, sent

_PREFIXES = {
    "openai-chat": "openai/",
    "openai-responses": "openai/responses/",
    "anthropic": "anthropic/",
    "gemini": "gemini/",
    "bedrock": "bedrock/converse/",
}


class LiteLLM:
    """Chat messages for every provider; Anthropic's for Anthropic."""

    name = "LiteLLM"
    called = (
        "sanitize_messages_for_tool_calling, then completion; anthropic.messages.acreate; "
        "modify_params on"
    )
    claims = frozenset(
        {
            # sanitize_messages_for_tool_calling names its four cases.
            "call cancelled, user goes on",
            "one of several results lost",
            "all results of a step lost",
            "call gone, its results left",
            "compaction cut an exchange",
            "starts with a result",
            "result delivered twice",
            "model said nothing",
            "blank text beside a call",
            "empty text beside a picture",
            # The documentation of modify_params and of each provider.
            "trimmed to start with a call",
            "tools not defined",
            "system message in the middle",
            "ids of another provider, with a pipe",
            "begun answer ends with a blank",
            "picture in a result",
        }
    )

    def __init__(self, listener: Listener) -> None:
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        import litellm

        litellm.modify_params = True
        litellm.drop_params = True
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        self.version = version("litellm")
        self._listener = listener

    def takes(self, specimen: Specimen, target: str) -> bool:
        """Anthropic's own body goes to Anthropic only."""
        return specimen.source != ANTHROPIC or target == ANTHROPIC

    def send(self, specimen: Specimen, target: str) -> Body:
        """What it posts to the provider."""
        import litellm

        fields = {
            "max_tokens": 8192,
            **specimen.body,
            "model": _PREFIXES[target] + MODELS[target],
            "api_base": self._listener.url,
            "api_key": "none",
            "num_retries": 0,
            "max_retries": 0,
        }
        if target == "bedrock":
            fields |= AWS | {"aws_bedrock_runtime_endpoint": fields.pop("api_base")}
            fields["aws_region_name"] = fields.pop("region_name")
            del fields["api_key"]
        if specimen.source == ANTHROPIC:
            create = litellm.anthropic.messages.acreate
            return sent(self._listener, lambda: asyncio.run(create(**fields)))
        return sent(self._listener, lambda: litellm.completion(**_sanitised(fields)))


def _sanitised(fields: Body) -> Body:
    from litellm.litellm_core_utils.prompt_templates.factory import (
        sanitize_messages_for_tool_calling,
    )

    return {**fields, "messages": sanitize_messages_for_tool_calling(fields["messages"])}
