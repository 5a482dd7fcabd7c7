"""What the request services share, whether they wait or await."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypedDict, TypeVar

from wiremend.caching import cache_key_fields
from wiremend.dialects import find_dialect
from wiremend.dialects.setting_fields import merged
from wiremend.errors import WiremendError
from wiremend.model import ContextMessage, Message
from wiremend.projection.projector import Projector
from wiremend.recovery import Sign
from wiremend.recovery.attempts import Attempt, Turn
from wiremend.service.bodies import Bodies
from wiremend.service.call_ids import CallIds
from wiremend.service.exchange import Ask, Exchange, Helpers, TurnState, model_of
from wiremend.service.fingerprints import ConfigurationLog
from wiremend.service.senders.base import Sends
from wiremend.service.trace import Observer, Requested, Trace
from wiremend.service.watching import Unwatched
from wiremend.stores.media import without_references

S = TypeVar("S", bound=Sends)


class HasMessages(Protocol):
    """A session, or what is like one."""

    def messages(self) -> list[ContextMessage]:
        """The history as it is now."""
        ...


History: TypeAlias = Sequence[Message] | HasMessages
"""What is sent: messages, or a session."""


class Overrides(TypedDict, total=False):
    """What goes, for one request, before what its service has; fields that are not named stay."""

    settings: Mapping[str, Any] | None
    tools: Sequence[Any] | None


class Requests(Generic[S]):
    """The requests of one session: options that all of them have, and what they remember.

    ``dialect`` says by whose rules the requests are mended; left out, those of the sender's wire
    format. ``settings`` are fields of every body (the model, limits), ``tools`` the tool table in
    the provider's own form. ``session_id`` becomes the prompt cache key, where the provider has
    one and ``settings`` have none; ``cache`` sets cache marks too. ``unique_ids=False`` leaves the
    call ids of answers as they came. ``drops_blocks`` is what the property of this name said when
    the session was used last. ``extra_signs`` are for ``wiremend.classify``. ``observer``
    watches (such as ``OpenTelemetry()``), ``on_trace`` gets the trace of each request, ``on_event``
    what the projector counts, ``record`` configurations and tool tables (see ``ConfigurationLog``).

    Logs to ``logger``, or to ``wiremend``'s: names, counts and hashes, never contents or keys.
    Raises ``WiremendError`` where sender and dialect do not belong together.
    """

    def __init__(
        self,
        sender: S,
        *,
        dialect: str | None = None,
        settings: Mapping[str, Any] | None = None,
        tools: Sequence[Any] | None = None,
        headers: Mapping[str, str] | None = None,
        session_id: str | None = None,
        cache: bool = False,
        duplicates: Literal["rename", "drop"] | None = None,
        frontier: Literal["close", "keep"] = "close",
        unique_ids: bool = True,
        drops_blocks: bool = False,
        extra_signs: Sequence[Sign] = (),
        observer: Observer | None = None,
        on_trace: Callable[[Trace], object] | None = None,
        on_event: Callable[[str, dict[str, int]], object] | None = None,
        record: Callable[[dict[str, Any]], object] | None = None,
        logger: logging.Logger | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        if not hasattr(sender, "family"):
            raise WiremendError(
                f"{type(sender).__name__} is no sender: wrap a client, such as OpenAIChat(client)"
            )
        self.dialect = dialect or sender.family
        if find_dialect(self.dialect).family != sender.family:
            raise WiremendError(
                f"this sender speaks {sender.family}; {self.dialect} is another wire format"
            )
        self._sender = sender
        self._settings = dict(settings or {})
        self._tools = tools
        self._headers = dict(headers or {})
        self._session_id = session_id
        self._cache = cache
        self._duplicates = duplicates
        self._frontier = frontier
        self._unique_ids = unique_ids
        self._extra_signs = tuple(extra_signs)
        self._observer = observer or Unwatched()
        self._drops_blocks = drops_blocks
        logger = logger or logging.getLogger("wiremend")
        self._helpers = Helpers(
            ids=CallIds(),
            bodies=Bodies(),
            projector=Projector(logger=logger, on_event=on_event),
            configuration=ConfigurationLog(logger=logger, record=record),
            clock=clock,
            logger=logger,
            on_trace=on_trace,
            remember=self._remember,
        )

    @property
    def drops_blocks(self) -> bool:
        """Whether Anthropic is asked to drop thinking of another conversation, from now on.

        The provider keeps nothing of it: keep it with the session.
        """
        return self._drops_blocks

    def _remember(self, worked: Attempt) -> None:
        self._drops_blocks = self._drops_blocks or worked.drops_blocks

    def _new_turn(self) -> TurnState:
        return TurnState(Turn(drops_blocks=self._drops_blocks))

    def _begin(
        self,
        history: History,
        state: TurnState,
        overrides: Overrides,
        *,
        streamed: bool,
    ) -> Exchange:
        fields = {**self._settings, **(overrides.get("settings") or {})}
        if self._session_id is not None:
            fields = merged(cache_key_fields(self.dialect, self._session_id), fields)
        tools = overrides.get("tools")
        table = self._tools if tools is None else tools
        if table is not None:
            fields["tools"] = list(table)
        messages = history if isinstance(history, Sequence) else history.messages()
        ask = Ask(
            history=_sendable(messages),
            dialect=self.dialect,
            fields=fields,
            headers=self._headers,
            streamed=streamed,
            session_id=self._session_id,
            cache=self._cache,
            duplicates=self._duplicates,
            frontier=self._frontier,
            unique_ids=self._unique_ids,
            extra_signs=self._extra_signs,
        )
        asked = Requested(
            dialect=self.dialect,
            provider=self._sender.provider,
            model=model_of(fields),
            session_id=self._session_id,
            streamed=streamed,
        )
        return Exchange(ask, state, self._helpers, lambda: self._observer.requested(asked))


def _sendable(history: Sequence[Message]) -> Sequence[Message]:
    """The history with a line of text for media that its store has lost."""
    if all(isinstance(message, ContextMessage) for message in history):
        return without_references(history)  # type: ignore[arg-type]  # just checked
    return tuple(history)
