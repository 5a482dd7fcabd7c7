"""Whatever a person names, as something to look at: a file, a log, a store, a journal."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from wiremend import history_from_builtins
from wiremend.cli.base import about, complain, count, label, printable, usable
from wiremend.cli.logs import read_log, target_of
from wiremend.dialects import sanitise
from wiremend.history import Record, record_from_builtins
from wiremend.inputs import (
    STDIN,
    Document,
    NoConversation,
    Unusable,
    Wanted,
    choose,
    open_source,
    opened,
    record_of,
    stored_sessions,
)
from wiremend.inspector.journal import JournalSource, is_journal_entry
from wiremend.inspector.sources import Item, Listed, Moment, Recorded, Source, likely_dialect
from wiremend.inspector.view import Body, Conversation, History, problems_of
from wiremend.inspector.wire import entry_of
from wiremend.logs import LOGS, Log
from wiremend.logs import Conversation as LogConversation
from wiremend.model import TextPart
from wiremend.projection.anomalies import ignore
from wiremend.stores import Store, StoreError, open_store
from wiremend.stores.jsonl_snapshots import Blobs
from wiremend.stores.media import restore, restore_value

EVENT_LOG = "kimi-code"
"""The format of logs that is wiremend's own: a session's records."""
MOST_CONVERSATIONS = 5_000
"""So many lines of a JSONL file are listed; the rest is said to be left out."""
MOST_MARKED = 500
"""Of so many conversations each is judged before one is looked at."""
_SQLITE = (".db", ".sqlite", ".sqlite3")
_TITLE = 70


def open_any(path: str, asked: Wanted, session: str | None = None) -> Source:
    """What is at a path, or in the store at a URL. Raises ``Unusable``."""
    stored = stored_sessions(path)
    if stored is not None:
        with about(label(path)):
            found = [one for session in stored for one in _stored_in_opencode(*session)]
            return _of_log(label(path), found, asked)
    if _is_store(path):
        return _of_store(path, asked, session)
    if _is_journal_to_be(path):
        return JournalSource(Path(path))
    with about(label(path)), open_source(path) as source:
        log, documents = opened(source, asked)
        # Of a session's records every moment can be shown, and who put in what.
        if log is not None and log.name != EVENT_LOG:
            found = list(_logged(path, log, documents))
            mends = mending_command(path, asked, "--in-place") if log.write_back else ""
            return _of_log(label(path), found, asked, mends)
        first, rest = _first(documents)
        if source.by_line and is_journal_entry(first.value()):
            if source.compression is not None:
                raise Unusable(f"a journal that {source.compression} packed; unpack it first")
            return JournalSource(Path(path))
        is_events = log is not None or _is_event(first)
        whole = [] if is_events else [first, *islice(rest, MOST_CONVERSATIONS - 1)]
        if not whole or any(_is_event(one) for one in whole[:32]):
            return _of_events(path, [*(whole or [first]), *rest], asked)
        if next(rest, None) is not None:
            complain(label(path), f"only the first {MOST_CONVERSATIONS} conversations are shown")
        return _of_documents(path, whole, asked)


def _is_journal_to_be(path: str) -> bool:
    """Whether it is a file that a proxy has opened and written nothing into so far."""
    file = Path(path)
    return file.suffix == ".jsonl" and file.is_file() and file.stat().st_size == 0


def _first(documents: Iterator[Document]) -> tuple[Document, Iterator[Document]]:
    kept = (document for document in documents if not document.is_blank)
    first = next(kept, None)
    if first is None:
        raise Unusable("empty")
    return first, kept


def _logged(path: str, log: Log, documents: Iterator[Document]) -> Iterator[LogConversation]:
    """The conversations of a log, or of many, one a line; a line that is none is said to be."""
    if not log.by_line:
        yield from read_log(log, [record_of(document) for document in documents]).conversations
        return
    lines = (document for document in documents if not document.is_blank)
    for document in islice(lines, MOST_CONVERSATIONS):
        try:
            yield from read_log(log, [record_of(document)]).conversations
        except Unusable as error:
            complain(label(path, document.line), str(error))
    if next(lines, None) is not None:
        complain(label(path), f"only the first {MOST_CONVERSATIONS} conversations are shown")


def _stored_in_opencode(name: str, document: Document) -> Iterator[LogConversation]:
    """The conversations of a session, each with its name; one that is none is said to be."""
    try:
        for one in read_log(LOGS["opencode"], [record_of(document)]).conversations:
            yield msgspec.structs.replace(one, title=one.title or name.rpartition(":")[2])
    except Unusable as error:
        complain(name, str(error))


def _of_log(
    title: str, conversations: Sequence[LogConversation], asked: Wanted, mends: str = ""
) -> Source:
    if not conversations:
        raise Unusable("a log without a conversation")
    found: list[tuple[Item, Conversation]] = []
    for number, one in enumerate(conversations, 1):
        body = Body(value=one.body, source=one.dialect, is_bare=True)
        name = one.title or f"conversation {number}"
        found.append((Item(name, target_of(one, asked), subtitle=_opening(body)), body))
    _mark(found)
    return Listed("log", title, found, mends)


def mending_command(path: str, asked: Wanted, *options: str) -> str:
    """What is typed to mend the file; "" for what came from a pipe."""
    if path == STDIN or printable(path) != path:
        return ""
    target = ("--for", asked.provider) if asked.provider else ()
    return shlex.join(("wiremend", "fix", *target, path, *options))


# --- requests and histories ---


def _of_documents(path: str, documents: Sequence[Document], asked: Wanted) -> Source:
    found: list[tuple[Item, Conversation]] = []
    for document in documents:
        try:
            conversation, dialect = read_conversation(document, asked)
        except Unusable as error:
            if document.line is None:
                raise
            complain(label(path, document.line), str(error))
            continue
        title = label(path) if document.line is None else f"line {document.line}"
        item = Item(title, dialect, subtitle=_opening(conversation))
        found.append((item, conversation))
    if not found:
        raise Unusable("holds no conversation that can be shown")
    _mark(found)
    is_history = any(isinstance(conversation, History) for _, conversation in found)
    out = "mended.json" if documents[0].line is None else "mended.jsonl"
    mends = "" if is_history else mending_command(path, asked, "-o", out)
    return Listed("file", label(path), found, mends)


def read_conversation(document: Document, asked: Wanted) -> tuple[Conversation, str]:
    """A document as a conversation, and the provider that it is for. Raises ``Unusable``."""
    value = document.value()
    with usable():
        try:
            chosen = choose(value, asked)
        except NoConversation as error:
            messages = value.get("messages") if isinstance(value, dict) else value
            if "history" not in str(error) or not isinstance(messages, list):
                raise
            history = history_from_builtins(sanitise(messages, ignore))
            return History(messages=history), asked.provider or likely_dialect(history)
    body = Body(value=chosen.body, source=chosen.source, is_bare=chosen.is_bare)
    return body, chosen.dialect


def _mark(found: list[tuple[Item, Conversation]]) -> None:
    """Say of each of several requests whether its provider would refuse it."""
    if not 1 < len(found) <= MOST_MARKED:
        return
    for number, (item, conversation) in enumerate(found):
        if isinstance(conversation, Body):
            mark = "refused" if problems_of(conversation, item.dialect) else "ok"
            found[number] = msgspec.structs.replace(item, mark=mark), conversation


def _opening(conversation: Conversation) -> str:
    """The first words of a conversation, so that one of many can be told from the others."""
    said: Iterator[str]
    if isinstance(conversation, History):
        parts = (part for message in conversation.messages for part in message.content)
        said = (part.text for part in parts if isinstance(part, TextPart))
    else:
        said = _texts(conversation.value)
    words = next((text for text in said if text.strip()), "")
    line = " ".join(words[:400].split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


def _texts(body: dict[str, Any]) -> Iterator[str]:
    for name in ("messages", "contents", "input"):
        items = body.get(name)
        for item in items[:8] if isinstance(items, list) else ():
            entry = entry_of(item, "")
            if entry.speaker == "user":
                yield from (block.text for block in entry.blocks)


# --- event logs ---


def _is_event(document: Document) -> bool:
    value = record_of(document).value
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and (kind.startswith("context.") or kind == "metadata")


def _of_events(path: str, documents: Sequence[Document], asked: Wanted) -> Source:
    folder = Path(path).parent / "blobs"
    media = Blobs(folder, folder.parent) if path != STDIN and folder.is_dir() else None
    records: list[Record] = []
    broken = 0
    for document in documents:
        try:
            with usable():
                value = document.value()
                if isinstance(value, dict):
                    restored = restore_value(value, media.get) if media else value
                    record = record_from_builtins(restored)
                    records.extend([record] if record is not None else [])
        except Unusable:
            broken += 1
    if not records:
        raise Unusable("a log of events without a record that says what was in the context")
    if broken:
        complain(label(path), f"{count(broken, 'line')} left out that cannot be read")
    return Recorded(label(path), [Item(label(path), asked.provider or "")], lambda _: records)


# --- stores ---


def _is_store(path: str) -> bool:
    return "://" in path or path.startswith("jsonl:") or path.endswith(_SQLITE)


def _of_store(url: str, asked: Wanted, session: str | None) -> Source:
    if "://" not in url and url.endswith(_SQLITE) and not Path(url).is_file():
        raise Unusable(f"{label(url)}: no such file")
    with usable():
        store = open_store(url)
        infos = store.sessions()
        if session is not None and session not in {info.id for info in infos}:
            raise Unusable(f"no session {session!r} in this store")
    if not infos:
        raise Unusable("a store without sessions")
    chosen = [info for info in infos if session in (None, info.id)]
    forks = [
        [
            *([Moment(info.at or 0, "fork", f"forked from {info.parent}")] if info.parent else ()),
            *(
                Moment(other.at or 0, "fork", f"{other.id} was forked from here")
                for other in infos
                if other.parent == info.id
            ),
        ]
        for info in chosen
    ]

    def read(item: int) -> list[Record]:
        return list(_stored(store, chosen[item].id))

    items = [
        Item(info.id, asked.provider or "", subtitle=f"{info.records:,} records") for info in chosen
    ]
    # A URL may hold a password.
    title = "sessions" if "://" in url else label(url)
    return Recorded(title, items, read, forks)


def _stored(store: Store, session_id: str) -> Iterator[Record]:
    with usable():
        try:
            for number, data in store.read(session_id, skip_corrupt=True):
                record = record_from_builtins(restore(data, store.get_blob), (number,))
                if record is not None:
                    yield record
        except StoreError as error:
            raise Unusable(str(error)) from None
