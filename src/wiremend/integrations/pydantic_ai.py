"""pydantic-ai: a capability for agents, and a function for a history before a run.

agent = Agent(model, capabilities=[Mending()])
agent.run_sync(prompt, message_history=mended(history, model))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wiremend.integrations.extras import extra
from wiremend.integrations.manners import Manners, manners_of
from wiremend.integrations.mending import Mender, OnRepair, Tries
from wiremend.integrations.pydantic_ai_messages import Conversation

with extra("pydantic-ai"):
    from pydantic_ai import RetryModelRequest
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelMessage

__all__ = ["Mending", "mended"]


class Mending(AbstractCapability[Any]):  # type: ignore[misc]  # what pydantic-ai wants
    """Mends what the model gets, and mends it further where the provider refuses it all the same.

    The run's own messages stay as they are. ``provider`` says whose manners count, where the model
    does not; ``on_repair`` gets the repairs of a request, where there were some.
    """

    def __init__(
        self,
        *,
        provider: str | None = None,
        on_repair: OnRepair | None = None,
        mender: Mender | None = None,
    ) -> None:
        self._provider = provider
        self._mender = mender or Mender(on_repair)
        self._conversation: Conversation | None = None
        self._tries: Tries | None = None

    async def for_run(self, ctx: Any) -> Mending:  # noqa: ARG002
        """See ``AbstractCapability``: what an attempt learns is its run's own."""
        return Mending(provider=self._provider, mender=self._mender)

    async def prepare_model_request(self, ctx: Any, request_context: Any) -> Any:  # noqa: ARG002
        """See ``AbstractCapability``."""
        if request_context.attempt == 1 or self._tries is None or self._conversation is None:
            manners = _manners(request_context.model, self._provider)
            self._conversation = Conversation(request_context.messages)
            self._tries = Tries(self._mender, self._conversation.history, manners)
        request_context.messages = self._conversation.written(self._tries.outgoing())
        return request_context

    async def on_model_request_error(
        self,
        ctx: Any,  # noqa: ARG002
        *,
        request_context: Any,  # noqa: ARG002
        error: Exception,
    ) -> Any:
        """See ``AbstractCapability``."""
        if self._tries is not None and self._tries.refused(error):
            raise RetryModelRequest from error
        raise error


def mended(
    messages: Sequence[ModelMessage],
    model: Any = None,
    *,
    provider: str | None = None,
    on_repair: OnRepair | None = None,
) -> list[ModelMessage]:
    """The messages as the model's provider takes them; the given ones are not changed.

    What needs no repair comes back as the same object. ``provider`` says whose manners count,
    where there is no ``model``; without either those of the strictest.
    """
    conversation = Conversation(messages)
    mender = Mender(on_repair)
    return conversation.written(mender.mend(conversation.history, _manners(model, provider)))


def _manners(model: Any, provider: str | None) -> Manners:
    return manners_of(provider or str(getattr(model, "system", "")))
