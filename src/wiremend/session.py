"""Sessions: a context memory over a store, that survives everything.

Each operation is one record, durable in the store before it is applied. Opening reads the last
snapshot and the records behind it. Two writers of one session never interleave: the second gets
a ``ConflictError`` and may ``reload()``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Unpack

import msgspec
from msgspec.structs import replace

from wiremend.caching import cache_key_fields
from wiremend.context.dynamic_tools import reannouncement, strip_dynamic_tool_context
from wiremend.dialects.setting_fields import merged
from wiremend.errors import WiremendError
from wiremend.history import (
    STILL_EXECUTING,
    AppendLoopEvent,
    AppendMessage,
    ApplyCompaction,
    Clear,
    ContextMemory,
    CountTokens,
    Entry,
    FoldState,
    LoopEvent,
    Record,
    StepEnd,
    ToolResultGiven,
    Undo,
    UndoPrompts,
    estimate_tokens,
    plan_undo,
    record_from_builtins,
)
from wiremend.incremental import Followers, RequestBuilder
from wiremend.incremental.followers import Options
from wiremend.model import ContextMessage, Message
from wiremend.model.parts import TextPart
from wiremend.projection import OnAnomaly, ProjectionPolicy, project
from wiremend.projection.anomalies import ignore
from wiremend.projection.policy import PLAIN
from wiremend.stores import MissingError, Store, open_store
from wiremend.stores.lease import Lease
from wiremend.stores.media import offload, restore, restored, without_references
from wiremend.stores.storable import storable

SNAPSHOT_EVERY = 1_000
"""How many records are behind the last snapshot before another is taken, at least."""

_encoder = msgspec.json.Encoder()
_state = msgspec.json.Decoder(FoldState)


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
        lease: Lease | None = None,
    ) -> None:
        self.id = session_id
        self.store = store
        self._lease = lease or Lease(store)
        self._closed = False
        self._clock = clock
        self._count = count
        self._snapshot_every = snapshot_every
        self._length = 0
        self._snapshot_at = 0
        self._snapshot_size = 0
        self._snapshot_due = False
        self._memory = self._loaded()
        self._followers = Followers()
        self._lease.take()

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
            try:
                store.length(id)
            except MissingError:
                if not create:
                    raise WiremendError(f"no session {id!r} in this store") from None
                store.create(id)
            return cls(store, id, count=count)
        except BaseException:
            store.close()
            raise

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
        """Let go of the store; it is closed when no fork uses it any more."""
        if not self._closed:
            self._closed = True
            self._lease.let_go()

    @property
    def length(self) -> int:
        """How many records the session has, as far as it was read."""
        return self._length

    def messages(self) -> list[ContextMessage]:
        """The history as it is now."""
        return self._memory.messages()

    def entries(self) -> list[Entry]:
        """The same with times. Reads all records."""
        return self._replayed().entries()

    def transcript(self) -> list[Entry]:
        """Everything that ever was in the history, with times. Reads all records."""
        return self._replayed().transcript()

    def project(
        self, policy: ProjectionPolicy = PLAIN, on_anomaly: OnAnomaly | None = None
    ) -> Sequence[Message]:
        """The messages to send, as ``wiremend.project`` gives them; not to be changed.

        What was projected before is kept: a step costs what was added.
        """
        projection = self._followed().projection(policy)
        if on_anomaly is not None:
            for anomaly in projection.anomalies():
                on_anomaly(anomaly)
        return projection.messages()

    def request(
        self,
        dialect: str,
        *,
        tools: Sequence[Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        on_anomaly: OnAnomaly = ignore,
        **options: Unpack[Options],
    ) -> dict[str, Any]:
        """The request body that sends the history; see ``wiremend.request``.

        What was written before is kept, and shared with later bodies: it must not be changed.
        ``tools`` is the tool table in the provider's own form, ``settings`` are its other fields.
        The session's id is the prompt cache key, where the provider has one and ``settings`` have
        none; ``cache`` sets marks for the cache too (see ``wiremend.mark_cache``).
        """
        made = self._builder(dialect, tools, settings, options).request()
        for anomaly in made.anomalies:
            on_anomaly(anomaly)
        return made.body

    def request_bytes(
        self,
        dialect: str,
        *,
        tools: Sequence[Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        on_anomaly: OnAnomaly | None = None,
        **options: Unpack[Options],
    ) -> bytes:
        """The same body as JSON in UTF-8, each message of which is encoded once."""
        builder = self._builder(dialect, tools, settings, options)
        if on_anomaly is not None:
            for anomaly in builder.anomalies():
                on_anomaly(anomaly)
        return builder.encode()

    def write(self, records: Sequence[Record]) -> None:
        """Write records, all or none, and apply them; those without a time get that of now."""
        if records:
            now = self._now()
            written = [storable(replace(r, time=now) if r.time is None else r) for r in records]
            self._keep([data for _, data in written])
            for record, _ in written:
                self._memory.apply(record)

    def append(self, message: ContextMessage) -> None:
        """Append a message; it waits while calls are pending.

        Half of a character, as a cut emoji leaves it, becomes U+FFFD: nothing can store it.
        """
        self.write([AppendMessage(message)])

    def append_loop_event(self, event: LoopEvent) -> None:
        """Fold an event of the agent's loop."""
        self.write([AppendLoopEvent(event)])

    def clear(self) -> None:
        """Empty the history; the transcript keeps it."""
        self.write([Clear()])

    def undo(self, count: int = 1) -> Undo:
        """Take back so many prompts, or nothing and say why."""
        if (plan := plan_undo(self.messages(), count)).ok:
            self.write([UndoPrompts(count)])
        return plan

    def compact(
        self,
        summarise: Callable[[Sequence[Message]], str],
        *,
        tools: Mapping[str, Any] | None = None,
    ) -> ApplyCompaction:
        """Put a summary in the place of all but the user's inputs.

        ``summarise`` gets the projected messages and gives the summary. Whatever it raises is
        raised, and everything stays as it was. Dynamic tools are announced again: those of
        ``tools`` (name to definition), or all as they were.
        """
        summary = summarise(self.to_summarise())
        return self._compacted(summary, tools)

    def to_summarise(self) -> list[Message]:
        """What ``compact`` gives to a summariser: the projected history without dynamic tools."""
        return project(strip_dynamic_tool_context(self._sendable()))

    def fork(self, new_id: str) -> Session:
        """A new session that inherits this one by reference; what is in flight is closed in it."""
        self.store.create(new_id, parent=self.id, at=self._length)
        child = Session(
            self.store,
            new_id,
            clock=self._clock,
            count=self._count,
            snapshot_every=self._snapshot_every,
            lease=self._lease,
        )
        events: list[LoopEvent] = [
            ToolResultGiven(call_id, (TextPart(STILL_EXECUTING),))
            for call_id in child._memory.pending
        ]
        if child._memory.is_open:
            events.append(StepEnd(""))
        child.write([AppendLoopEvent(event) for event in events])
        return child

    def reload(self) -> None:
        """Read what others have written since."""
        self._memory = self._loaded()

    def snapshot(self) -> None:
        """Store the current history, so that opening reads only what comes after it."""
        state = self._memory.state()
        data = offload(_encoder.encode(state), self.store.put_blob)
        self.store.save_snapshot(self.id, self._length, data)
        self._snapshot_at = self._length
        self._snapshot_size = len(state.messages)
        self._snapshot_due = False

    def _followed(self) -> Followers:
        start, messages = self._memory.changes()
        self._followers.changed(start, without_references(messages))
        return self._followers

    def _builder(
        self,
        dialect: str,
        tools: Sequence[Any] | None,
        settings: Mapping[str, Any] | None,
        options: Options,
    ) -> RequestBuilder:
        fields = merged(cache_key_fields(dialect, self.id), dict(settings or {}))
        if tools is not None:
            fields["tools"] = list(tools)
        return self._followed().builder(dialect, fields, **options)

    def _sendable(self) -> list[ContextMessage]:
        return without_references(self.messages())

    def _compacted(self, summary: str, tools: Mapping[str, Any] | None) -> ApplyCompaction:
        if not isinstance(summary, str) or not summary.strip():
            raise WiremendError("the summary is empty; nothing was changed")
        record = self._memory.plan_compaction(summary, time=self._now())
        # A compaction forgets what waits for a result; in one append with it, nothing is lost.
        after = (*reannouncement(self.messages(), tools), *self._memory.waiting)
        self.write([record, *(AppendMessage(message) for message in after)])
        self.snapshot()
        return record

    def _keep(self, records: Sequence[bytes]) -> None:
        data = [offload(record, self.store.put_blob) for record in records]
        self._length = self.store.append(self.id, data, expected=self._length)
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
            memory = ContextMemory(count=self._count)
        else:
            self._length, data = found
            state = _state.decode(restored(data, self.store.get_blob))
            memory = ContextMemory.from_state(state, count=self._count)
            self._snapshot_size = len(state.messages)
        self._snapshot_at = self._length
        for number, record in self._numbered(after=self._length):
            if record is not None:
                memory.apply(record)
            self._length = number
        return memory

    def _replayed(self) -> ContextMemory:
        records = (record for _, record in self._numbered(after=0) if record is not None)
        return ContextMemory.replay(records, count=self._count)

    def _numbered(self, *, after: int) -> Iterator[tuple[int, Record | None]]:
        for number, data in self.store.read(self.id, after=after):
            yield number, record_from_builtins(restore(data, self.store.get_blob), (number,))
