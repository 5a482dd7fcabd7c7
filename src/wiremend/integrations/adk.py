"""Google ADK: a callback before the model gets its request.

agent = LlmAgent(name=…, model="gemini-2.5-flash", before_model_callback=Mending())
"""

from __future__ import annotations

from typing import Any

from wiremend.integrations.adk_contents import mended_contents
from wiremend.integrations.extras import extra
from wiremend.integrations.manners import Manners, manners_of
from wiremend.integrations.mending import Mender, OnRepair

with extra("adk"):
    from google.adk.models import Gemini

__all__ = ["Mending"]

_GEMINI = "gemini"


class Mending:
    """Mends the contents of a request; the session and its events stay as they are.

    Put it last among the callbacks, so that it sees what the others made. A content that needs no
    repair stays the very object that it was. The agent's model says whose manners count;
    ``provider`` says it where that is a model of your own (``"gemini"``, ``"anthropic"``, …).
    ``on_repair`` gets the repairs of a request, where there were some. Raises ``WiremendError``
    where a content cannot be read.
    """

    def __init__(self, on_repair: OnRepair | None = None, *, provider: str | None = None) -> None:
        self._provider = provider
        self._mender = Mender(on_repair)

    def __call__(self, callback_context: Any, llm_request: Any) -> None:
        """See ``LlmAgent.before_model_callback``: nothing is answered in the model's place."""
        if llm_request.previous_interaction_id is not None:
            # It goes on with what the API keeps: what its contents answer is not here.
            return
        manners = self._manners(callback_context)
        contents, tools = llm_request.contents, list(llm_request.tools_dict)
        mended = mended_contents(contents, llm_request.model, tools, manners)
        self._mender.report(mended.anomalies)
        if mended.system is not None:
            llm_request.append_instructions(mended.system)
        llm_request.contents = mended.contents

    def _manners(self, context: Any) -> Manners | None:
        """None: Gemini's own."""
        provider = self._provider
        if provider is None:
            model = getattr(context.get_invocation_context().agent, "canonical_model", None)
            if model is None or isinstance(model, Gemini):
                return None
            # LiteLLM's way to name a model: anthropic/claude-sonnet-4-5.
            provider = str(model.model).partition("/")[0]
        elif provider == _GEMINI:
            return None
        return manners_of(provider)
