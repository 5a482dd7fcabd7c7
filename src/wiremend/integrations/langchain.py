"""LangChain and LangGraph: a middleware for agents, and a function for any list of messages.

agent = create_agent(model, tools, middleware=[MendingMiddleware()])
model.invoke(mended(state["messages"], model))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from wiremend.integrations.extras import extra
from wiremend.integrations.langchain_messages import Conversation
from wiremend.integrations.manners import Manners, manners_of
from wiremend.integrations.mending import Mender, OnRepair, Tries

with extra("langchain"):
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.messages import BaseMessage, convert_to_messages

__all__ = ["MendingMiddleware", "mended"]


class MendingMiddleware(AgentMiddleware):  # type: ignore[misc]  # what LangChain wants
    """Mends what the model gets, and mends it further where the provider refuses it all the same.

    The agent's state stays as it is: its history is what happened. Put it last, next to the model,
    so that it sees what the others made. ``provider`` says whose manners count, where the model
    does not; ``on_repair`` gets the repairs of a request, where there were some.
    """

    def __init__(self, *, provider: str | None = None, on_repair: OnRepair | None = None) -> None:
        super().__init__()
        self._provider = provider
        self._mender = Mender(on_repair)

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """See ``AgentMiddleware``."""
        conversation, tries = self._begin(request)
        while True:
            messages = conversation.written(tries.outgoing())
            try:
                return handler(request.override(messages=messages))
            except Exception as error:
                if not tries.refused(error):
                    raise

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """See ``AgentMiddleware``."""
        conversation, tries = self._begin(request)
        while True:
            messages = conversation.written(tries.outgoing())
            try:
                return await handler(request.override(messages=messages))
            except Exception as error:
                if not tries.refused(error):
                    raise

    def _begin(self, request: Any) -> tuple[Conversation, Tries]:
        conversation = Conversation(request.messages)
        manners = _manners(request.model, self._provider)
        return conversation, Tries(self._mender, conversation.history, manners)


def mended(
    messages: Sequence[Any],
    model: Any = None,
    *,
    provider: str | None = None,
    on_repair: OnRepair | None = None,
) -> list[BaseMessage]:
    """The messages as the model's provider takes them; the given ones are not changed.

    ``messages`` are LangChain's, or what it converts to them; what needs no repair comes back as
    the same object. ``provider`` says whose manners count, where there is no ``model``; without
    either those of the strictest.
    """
    conversation = Conversation(convert_to_messages(messages))
    mender = Mender(on_repair)
    return conversation.written(mender.mend(conversation.history, _manners(model, provider)))


def _manners(model: Any, provider: str | None) -> Manners:
    # LangChain's own name for a kind of model, such as "openai-chat" or "anthropic-chat".
    return manners_of(provider or str(getattr(model, "_llm_type", "")))
