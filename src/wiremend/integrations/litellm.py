"""LiteLLM: a callback for its proxy, its router and its asynchronous calls; and calls that recover.

    litellm.callbacks = [Mending()]                # acompletion, aresponses, Router
    from wiremend.integrations.litellm import completion, acompletion

In the configuration of its proxy: ``callbacks: wiremend.integrations.litellm.handler``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wiremend.errors import WiremendError
from wiremend.integrations import chat
from wiremend.integrations.extras import extra
from wiremend.integrations.manners import Manners, manners_of
from wiremend.integrations.mending import Mender, OnRepair, Tries, given_back
from wiremend.mend import fix
from wiremend.model import Message

with extra("litellm"):
    import litellm
    from litellm.integrations.custom_logger import CustomLogger

__all__ = ["Mending", "acompletion", "completion", "handler"]

_BODIES = {
    "responses": ("openai-responses", ("input", "previous_response_id", "conversation")),
    "aresponses": ("openai-responses", ("input", "previous_response_id", "conversation")),
    "anthropic_messages": ("anthropic", ("model", "messages", "system", "thinking", "tools")),
    "aanthropic_messages": ("anthropic", ("model", "messages", "system", "thinking", "tools")),
}
"""Calls that take another provider's own body: its dialect, and what of it matters here."""


class Mending(CustomLogger):  # type: ignore[misc]  # what LiteLLM wants
    """Mends the messages of a call once it is known where they go, before they go there.

    ``on_repair`` gets the repairs of a call, where there were some.
    """

    def __init__(self, on_repair: OnRepair | None = None) -> None:
        super().__init__()
        self._mender = Mender(on_repair)

    async def async_pre_call_deployment_hook(
        self, kwargs: dict[str, Any], call_type: Any
    ) -> dict[str, Any] | None:
        """See ``CustomLogger``. What cannot be read goes as it is, for the provider to judge."""
        named = str(getattr(call_type, "value", call_type))
        try:
            if named in _BODIES:
                return self._body(kwargs, *_BODIES[named])
            if named in ("completion", "acompletion"):
                asked = _Asked(kwargs)
                return {**kwargs, "messages": asked.written(self._mender.mend(*asked.read()))}
        except WiremendError:
            pass
        return kwargs

    def _body(
        self, kwargs: dict[str, Any], dialect: str, fields: tuple[str, ...]
    ) -> dict[str, Any]:
        body = {name: kwargs[name] for name in fields if kwargs.get(name) is not None}
        held = kwargs.get("input", kwargs.get("messages"))
        if not isinstance(held, list):
            return kwargs
        fixed = fix(body, dialect)
        self._mender.report(fixed.anomalies)
        return {**kwargs, **fixed.body}


handler = Mending()
"""For the configuration of LiteLLM's proxy, which wants an object."""


def completion(model: str, messages: Any, on_repair: OnRepair | None = None, **more: Any) -> Any:
    """``litellm.completion`` with messages that are mended, and mended further where refused.

    Of a stream, errors that come before its first piece are mended too. Raises what LiteLLM
    raises, and ``WiremendError`` where the messages are none.
    """
    asked = _Asked({"model": model, "messages": messages, **more})
    tries = Tries(Mender(on_repair), *asked.read())
    while True:
        try:
            return litellm.completion(model=model, messages=asked.written(tries.outgoing()), **more)
        except Exception as error:
            if not tries.refused(error):
                raise


async def acompletion(
    model: str, messages: Any, on_repair: OnRepair | None = None, **more: Any
) -> Any:
    """The same for ``litellm.acompletion``."""
    asked = _Asked({"model": model, "messages": messages, **more})
    tries = Tries(Mender(on_repair), *asked.read())
    while True:
        try:
            return await litellm.acompletion(
                model=model, messages=asked.written(tries.outgoing()), **more
            )
        except Exception as error:
            if not tries.refused(error):
                raise


class _Asked:
    """The messages of a call, and whose manners they need."""

    def __init__(self, kwargs: Mapping[str, Any]) -> None:
        self._own = kwargs["messages"]
        self._sources = chat.as_dicts(self._own)
        self._history = chat.read(self._sources)
        self._manners = _manners(kwargs)

    def read(self) -> tuple[list[Message], Manners]:
        """What to mend, and for whom."""
        return self._history, self._manners

    def written(self, mended: list[Message]) -> list[Any]:
        """The messages for LiteLLM; what did not change is the caller's own object."""
        make: Callable[[Message], Any] = lambda message: chat.write(message, self._sources)  # noqa: E731
        return given_back(mended, self._history, self._own, make)


def _manners(kwargs: Mapping[str, Any]) -> Manners:
    named = kwargs.get("custom_llm_provider")
    if not named:
        try:
            _, named, _, _ = litellm.get_llm_provider(
                model=str(kwargs.get("model")), api_base=kwargs.get("api_base")
            )
        except litellm.exceptions.BadRequestError:
            named = ""
    return manners_of(str(named))
