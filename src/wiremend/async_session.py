"""Sessions for asynchronous programs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from wiremend.history import ApplyCompaction, Entry, LoopEvent, Undo
from wiremend.model import ContextMessage, Message
from wiremend.projection import OnAnomaly, ProjectionPolicy
from wiremend.projection.policy import PLAIN
from wiremend.session import Session

T = TypeVar("T")


class AsyncSession:
    """A session whose operations run in a thread, one after another."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._lock = asyncio.Lock()

    @classmethod
    async def open(cls, url: str, *, id: str, **options: Any) -> AsyncSession:  # noqa: A002
        """Open a session; see ``Session.open``."""
        return cls(await asyncio.to_thread(Session.open, url, id=id, **options))

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def id(self) -> str:
        """The session's id."""
        return self.session.id

    async def append(self, message: ContextMessage) -> None:
        """See ``Session.append``."""
        await self._run(self.session.append, message)

    async def append_loop_event(self, event: LoopEvent) -> None:
        """See ``Session.append_loop_event``."""
        await self._run(self.session.append_loop_event, event)

    async def clear(self) -> None:
        """See ``Session.clear``."""
        await self._run(self.session.clear)

    async def undo(self, count: int = 1) -> Undo:
        """See ``Session.undo``."""
        return await self._run(self.session.undo, count)

    async def compact(
        self,
        summarise: Callable[[Sequence[Message]], Awaitable[str]],
        *,
        tools: Mapping[str, Any] | None = None,
    ) -> ApplyCompaction:
        """See ``Session.compact``; the summariser is awaited, and other operations wait for it."""
        async with self._lock:
            messages = await settled(self.session.to_summarise)
            summary = await summarise(messages)
            return await settled(lambda: self.session.compact(lambda _: summary, tools=tools))

    async def fork(self, new_id: str) -> AsyncSession:
        """See ``Session.fork``."""
        return AsyncSession(await self._run(self.session.fork, new_id))

    async def reload(self) -> None:
        """See ``Session.reload``."""
        await self._run(self.session.reload)

    async def transcript(self) -> list[Entry]:
        """See ``Session.transcript``."""
        return await self._run(self.session.transcript)

    async def close(self) -> None:
        """See ``Session.close``."""
        await self._run(self.session.close)

    def messages(self) -> list[ContextMessage]:
        """See ``Session.messages``."""
        return self.session.messages()

    def project(
        self, policy: ProjectionPolicy = PLAIN, on_anomaly: OnAnomaly | None = None
    ) -> Sequence[Message]:
        """See ``Session.project``."""
        return self.session.project(policy, on_anomaly)

    def request(self, dialect: str, **options: Any) -> dict[str, Any]:
        """See ``Session.request``."""
        return self.session.request(dialect, **options)

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        async with self._lock:
            return await settled(work, *arguments)


async def settled(work: Callable[..., T], *arguments: Any) -> T:
    """What work in a thread gives. Who is cancelled meanwhile is so once the work is done.

    Otherwise the next one would work beside it, on what is not made for several threads.
    """
    task = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,))
        if not task.cancelled():
            task.exception()  # it was asked for: asyncio does not warn of it
        raise
