"""Sessions: a context memory over a store, that survives everything.

Each operation is one record, durable in the store before it is applied. Opening reads the last
snapshot and the records behind it. Two writers of one session never interleave: the second gets
a ``ConflictError`` and may ``reload()``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from wiremend.context.dynamic_tools import strip_dynamic_tool_context
from wiremend.errors import WiremendError
from wiremend.history import (
    STILL_EXECUTING,
    ApplyCompaction,
    ContextMemory,
    CountTokens,
    Entry,
    FoldState,
    LoopEvent,
    Record,
    StepEnd,
    ToolResultGiven,
    Undo,
    estimate_tokens,
    record_from_builtins,
    record_to_builtins,
)
from wiremend.model import ContextMessage, Message, TextPart
from wiremend.projection import OnAnomaly, ProjectionPolicy, project
from wiremend.projection.policy import PLAIN
from wiremend.stores import MissingError, Store, open_store

SNAPSHOT_EVERY = 1_000
"""How many records are behind the last snapshot before another is taken, at least."""

_encoder = msgspec.json.Encoder()
_state = msgspec.json.Decoder(FoldState)

T = TypeVar("T")


class Session:
    """The durable memory of one conversation; see ``Session.open``.

    Not to be used from several threads at once.
    """

    def __init__(
        self,
        store: Store,
        session_id: str,
        *,
        clock: Callable[[], float] = time.time,
        count: CountTokens = estimate_tokens,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        self.id = session_id
        self.store = store
        self._clock = clock
        self._count = count
        self._snapshot_every = snapshot_every
        self._length = 0
        self._snapshot_at = 0
        self._snapshot_size = 0
        self._snapshot_due = False
        self._memory = self._loaded()

    @classmethod
    def open(
        cls,
        url: str,
        *,
        id: str,  # noqa: A002 (the word that users write)
        create: bool = True,
        count: CountTokens = estimate_tokens,
    ) -> Session:
        """Open a session in a store: a path, ``sqlite:///…``, ``postgresql://…``, ``jsonl:…``.

        Raises ``WiremendError`` where there is no such session and none shall be created.
        """
        store = open_store(url)
        try:
            store.length(id)
        except MissingError:
            if not create:
                store.close()
                raise WiremendError(f"no session {id!r} in this store") from None
            store.create(id)
        return cls(store, id, count=count)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    @property
    def length(self) -> int:
        """How many records the session has, as far as it was read."""
        return self._length

    def messages(self) -> list[ContextMessage]:
        """The history as it is now."""
        return self._memory.messages()

    def transcript(self) -> list[Entry]:
        """Everything that ever was in the history, with times. Reads all records."""
        return ContextMemory.replay(self._records(after=0), count=self._count).transcript()

    def project(
        self, policy: ProjectionPolicy = PLAIN, on_anomaly: OnAnomaly | None = None
    ) -> list[Message]:
        """The messages to send; see ``wiremend.project``."""
        return project(self.messages(), on_anomaly, policy)

    def append(self, message: ContextMessage) -> None:
        """Append a message; it waits while calls are pending."""
        self._memory.append(message, time=self._now())

    def append_loop_event(self, event: LoopEvent) -> None:
        """Fold an event of the agent's loop."""
        self._memory.append_loop_event(event, time=self._now())

    def clear(self) -> None:
        """Empty the history; the transcript keeps it."""
        self._memory.clear(time=self._now())

    def undo(self, count: int = 1) -> Undo:
        """Take back so many prompts, or nothing and say why."""
        return self._memory.undo(count, time=self._now())

    def compact(self, summarise: Callable[[Sequence[Message]], str]) -> ApplyCompaction:
        """Put a summary in the place of all but the user's inputs.

        ``summarise`` gets the projected messages and gives the summary. Whatever it raises is
        raised, and everything stays as it was.
        """
        summary = summarise(self._to_summarise())
        return self._compacted(summary)

    async def compact_async(
        self, summarise: Callable[[Sequence[Message]], Awaitable[str]]
    ) -> ApplyCompaction:
        """The same with a summariser that is awaited."""
        length = self._length
        summary = await summarise(self._to_summarise())
        if self._length != length:
            raise WiremendError("the session went on while it was summarised; nothing was changed")
        return self._compacted(summary)

    def fork(self, new_id: str) -> Session:
        """A new session that inherits this one by reference; what is in flight is closed in it."""
        self.store.create(new_id, parent=self.id, at=self._length)
        child = Session(
            self.store,
            new_id,
            clock=self._clock,
            count=self._count,
            snapshot_every=self._snapshot_every,
        )
        for call_id in child._memory.pending:
            child.append_loop_event(ToolResultGiven(call_id, (TextPart(STILL_EXECUTING),)))
        if child._memory.is_open:
            child.append_loop_event(StepEnd(""))
        return child

    def reload(self) -> None:
        """Read what others have written since."""
        self._memory = self._loaded()

    def snapshot(self) -> None:
        """Store the current history, so that opening reads only what comes after it."""
        state = self._memory.state()
        self.store.save_snapshot(self.id, self._length, _encoder.encode(state))
        self._snapshot_at = self._length
        self._snapshot_size = len(state.messages)
        self._snapshot_due = False

    def _to_summarise(self) -> list[Message]:
        return project(strip_dynamic_tool_context(self.messages()))

    def _compacted(self, summary: str) -> ApplyCompaction:
        record = self._memory.apply_compaction(summary, time=self._now())
        self.snapshot()
        return record

    def _write(self, record: Record) -> None:
        data = _encoder.encode(record_to_builtins(record))
        self._length = self.store.append(self.id, [data], expected=self._length)
        behind = self._length - self._snapshot_at
        # As many records as the last snapshot has messages: its cost is shared among them.
        self._snapshot_due = behind >= max(self._snapshot_every, self._snapshot_size)

    def _now(self) -> float:
        # Here, and not when a record is written, the memory has what the records say.
        if self._snapshot_due:
            self.snapshot()
        return int(self._clock() * 1000)

    def _loaded(self) -> ContextMemory:
        found = self.store.load_snapshot(self.id)
        if found is None:
            self._length = 0
            memory = ContextMemory(on_record=self._write, count=self._count)
        else:
            self._length, data = found
            state = _state.decode(data)
            memory = ContextMemory.from_state(state, on_record=self._write, count=self._count)
            self._snapshot_size = len(state.messages)
        self._snapshot_at = self._length
        for number, record in self._numbered(after=self._length):
            if record is not None:
                memory.apply(record)
            self._length = number
        return memory

    def _records(self, *, after: int) -> Iterator[Record]:
        return (record for _, record in self._numbered(after=after) if record is not None)

    def _numbered(self, *, after: int) -> Iterator[tuple[int, Record | None]]:
        for number, data in self.store.read(self.id, after=after):
            yield number, record_from_builtins(msgspec.json.decode(data), (number,))


class AsyncSession:
    """A session whose operations run in a thread, one after another."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._lock = asyncio.Lock()

    @classmethod
    async def open(cls, url: str, *, id: str, **options: Any) -> AsyncSession:  # noqa: A002
        """Open a session; see ``Session.open``."""
        return cls(await asyncio.to_thread(Session.open, url, id=id, **options))

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
        self, summarise: Callable[[Sequence[Message]], Awaitable[str]]
    ) -> ApplyCompaction:
        """See ``Session.compact_async``."""
        async with self._lock:
            return await self.session.compact_async(summarise)

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
    ) -> list[Message]:
        """See ``Session.project``."""
        return self.session.project(policy, on_anomaly)

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        async with self._lock:
            return await asyncio.to_thread(work, *arguments)
