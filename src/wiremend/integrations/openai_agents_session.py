"""A ``Session`` of the OpenAI Agents SDK that is a session of wiremend's, in any store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, TypeVar

from wiremend.async_session import settled
from wiremend.dialects.base import Json
from wiremend.history import (
    AppendLoopEvent,
    AppendMessage,
    Clear,
    Record,
    StepEnd,
    UndoPrompts,
    plan_undo,
)
from wiremend.integrations.extras import extra
from wiremend.integrations.openai_agents_items import items_of, messages_of
from wiremend.model import ContextMessage
from wiremend.session import Session
from wiremend.stores import ConflictError, MissingError, Store
from wiremend.stores.lease import Lease
from wiremend.stores.media import without_references

with extra("openai-agents"):
    from agents.memory import SessionSettings

T = TypeVar("T")


class StoredSession:
    """The items of a conversation as the SDK hands them over, durable when a method returns.

    ``store`` is a URL (see ``open_store``) or a store, which stays its owner's to close. Several
    of these, in threads, processes or on machines, may use one session: each reads what the others
    wrote. ``wiremend session`` and ``Session.open`` know it as any other; what they, or another
    agent, put into it is items here. Raises ``WiremendError`` where an item is no JSON object,
    and ``StoreError`` where the store cannot be used.
    """

    def __init__(
        self,
        session_id: str,
        store: str | Store,
        *,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._lock = threading.Lock()
        self._session = _opened(session_id, store)

    async def get_items(self, limit: int | None = None) -> list[Json]:
        """All items, or the last ``limit`` of them."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        wanted = None if limit is not None and limit < 0 else limit
        return await self._run(lambda: self._read(wanted))

    async def add_items(self, items: Sequence[Any]) -> None:
        """Append items, all of them or none."""
        records = [AppendMessage(message) for message in messages_of(items)]
        await self._run(lambda: self._write(records))

    async def pop_item(self) -> Json | None:
        """Take the last item back; None where there is none."""
        return await self._run(self._pop)

    async def clear_session(self) -> None:
        """Empty the history. What it was stays in the session's transcript."""
        await self._run(lambda: self._session.write([Clear()]))

    def close(self) -> None:
        """Let go of the store; nothing is to be asked of this session any more."""
        with self._lock:
            self._session.close()

    def __enter__(self) -> StoredSession:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def _run(self, work: Callable[[], T]) -> T:
        return await settled(self._in_turn, work)

    def _in_turn(self, work: Callable[[], T]) -> T:
        with self._lock:
            while True:
                if self._session.store.length(self.session_id) != self._session.length:
                    self._session.reload()
                try:
                    return work()
                except ConflictError:
                    # Another writer was faster, so that this goes round only as others get on.
                    self._session.reload()

    def _read(self, limit: int | None) -> list[Json]:
        return items_of(without_references(self._session.messages()), limit)

    def _write(self, records: Sequence[Record]) -> None:
        self._settle()
        self._session.write(records)

    def _settle(self) -> None:
        """Close a step that another agent left open: what is appended would wait for it."""
        if any(message.partial for message in self._session.messages()):
            self._session.write([AppendLoopEvent(StepEnd(""))])

    def _pop(self) -> Json | None:
        self._settle()
        history = self._session.messages()
        while history:
            items = items_of(without_references([history.pop()]))
            if items:
                last = items.pop()
                self._session.write(self._cut(history, messages_of(items)))
                return last
        return None

    def _cut(self, kept: list[ContextMessage], rest: list[ContextMessage]) -> list[Record]:
        """The records after which the history is what is ``kept`` of it and the ``rest``.

        What there is since the last prompt is undone, and put in again without its end.
        """
        plan = plan_undo(self._session.messages(), 1)
        is_behind = plan.ok and plan.cut <= len(kept)
        undone: Record = UndoPrompts(1) if is_behind else Clear()
        again = [*kept[plan.cut if is_behind else 0 :], *rest]
        return [undone, *(AppendMessage(message) for message in again)]


def _opened(session_id: str, store: str | Store) -> Session:
    if isinstance(store, str):
        return Session.open(store, id=session_id)
    try:
        store.length(session_id)
    except MissingError:
        store.create(session_id)
    lease = Lease(store)
    # As long as its owner uses it, it is not closed.
    lease.take()
    return Session(store, session_id, lease=lease)
