"""The OpenAI Agents SDK: a filter for what the model gets, and a session in any store.

config = RunConfig(call_model_input_filter=Mending())
Runner.run(agent, items, run_config=config, session=StoredSession("id", "agent.db"))
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from wiremend.dialects import sanitise
from wiremend.dialects.openai_responses.decode import decode_body
from wiremend.dialects.openai_responses.encode import encode_items
from wiremend.dialects.openai_responses.items import OUTPUTS
from wiremend.dialects.openai_responses.prepare import prepare_alone
from wiremend.integrations.extras import extra
from wiremend.integrations.manners import Manners, manners_of
from wiremend.integrations.mending import Mender, OnRepair, mend
from wiremend.integrations.openai_agents_session import StoredSession
from wiremend.mend import Fixed, fix, in_original_order
from wiremend.projection import Anomaly
from wiremend.transit.hosts import chat_dialect_of

with extra("openai-agents"):
    from agents import Model, OpenAIResponsesModel
    from agents.run import CallModelData, ModelInputData

__all__ = ["Mending", "StoredSession"]


class Mending:
    """Mends the items that a run sends to the model; the run and its session keep theirs.

    An item that needs no repair is passed on as the very object that it was. The agent's model says
    whether it is the Responses API, and which server of Chat Completions otherwise; ``provider``
    says the latter where the model is given by its name, or stands behind a gateway.
    ``continues``: runs go on with a conversation that the API keeps (``previous_response_id``,
    ``conversation_id``), whose calls are not among the items. ``on_repair`` gets the repairs of a
    request, where there were some. Raises ``WiremendError`` where an item is none.
    """

    def __init__(
        self,
        on_repair: OnRepair | None = None,
        *,
        provider: str | None = None,
        continues: bool = False,
    ) -> None:
        self._provider = provider
        self._continues = continues
        self._mender = Mender(on_repair)

    def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        """See ``RunConfig.call_model_input_filter``."""
        provider = self._provider or _chat_provider_of(data.agent.model)
        items = data.model_data.input
        if provider is not None:
            fixed = _fixed_for_chat({"input": items}, manners_of(provider))
        elif self._continues or _has_only_outputs(items):
            fixed = fix({"input": items, "conversation": "there"}, "openai-responses")
        else:
            fixed = fix({"input": items}, "openai-responses")
        self._mender.report(fixed.anomalies)
        kept: ModelInputData = replace(data.model_data, input=fixed.body["input"])
        return kept


def _has_only_outputs(items: list[Any]) -> bool:
    """Whether this goes on with what the API keeps, whatever was said: nothing else would do it."""
    kinds = [item.get("type") if isinstance(item, dict) else None for item in items]
    return bool(kinds) and all(isinstance(kind, str) and kind in OUTPUTS for kind in kinds)


def _chat_provider_of(model: Any) -> str | None:
    """Who gets Chat Completions, as far as the model tells; None: the Responses API is called."""
    if not isinstance(model, Model) or isinstance(model, OpenAIResponsesModel):
        return None
    base_url = getattr(getattr(model, "_client", None), "base_url", None)
    if base_url is not None:
        return chat_dialect_of(urlsplit(str(base_url)).hostname or "")
    # LiteLLM's way to name a model: anthropic/claude-sonnet-4-5.
    return str(getattr(model, "model", "")).partition("/")[0]


def _fixed_for_chat(asked: dict[str, Any], manners: Manners) -> Fixed:
    """Items as those want them who get them as chat messages, into which the SDK turns them.

    Other than in Responses, results stand right behind their calls, and an item's id says nothing.
    """
    anomalies: list[Anomaly] = []
    read = decode_body(sanitise(asked, anomalies.append), anomalies.append).history
    mended = mend(prepare_alone(read, anomalies.append), manners)
    anomalies.extend(mended.anomalies)
    _, items = encode_items(mended.messages, anomalies.append)
    return Fixed(in_original_order({"input": items}, asked, "input"), tuple(anomalies))
