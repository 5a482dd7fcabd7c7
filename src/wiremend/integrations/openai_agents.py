"""The OpenAI Agents SDK: a filter for what the model gets, and a session in any store.

config = RunConfig(call_model_input_filter=Mending())
Runner.run(agent, items, run_config=config, session=StoredSession("id", "agent.db"))
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wiremend.integrations.extras import extra
from wiremend.integrations.mending import Mender, OnRepair
from wiremend.integrations.openai_agents_session import StoredSession
from wiremend.mend import fix

with extra("openai-agents"):
    from agents.run import CallModelData, ModelInputData

__all__ = ["Mending", "StoredSession"]


class Mending:
    """Mends the items that a run sends to the Responses API; the run and its session keep theirs.

    An item that needs no repair is passed on as the very object that it was. ``on_repair`` gets the
    repairs of a request, where there were some. Raises ``WiremendError`` where an item is none.
    """

    def __init__(self, on_repair: OnRepair | None = None) -> None:
        self._mender = Mender(on_repair)

    def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        """See ``RunConfig.call_model_input_filter``."""
        fixed = fix({"input": data.model_data.input}, "openai-responses")
        self._mender.report(fixed.anomalies)
        kept: ModelInputData = replace(data.model_data, input=fixed.body["input"])
        return kept
