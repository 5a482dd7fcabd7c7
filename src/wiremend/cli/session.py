"""``wiremend session``: the sessions of a store, over any store URL."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import click
import msgspec

from wiremend.cli.base import FINE, FOUND, Command, complain, count, put, stdout, usable
from wiremend.cli.messages import clock, write_entries
from wiremend.cli.writing import compact, encoded
from wiremend.history import Entry, record_from_builtins
from wiremend.inputs import STDIN, Unusable, open_source
from wiremend.session import Session
from wiremend.stores import Damage, Store, StoreError, open_store
from wiremend.stores.media import missing_media, offload, restored

_EPILOG = """\b
A store is a path (SQLite), sqlite:///PATH, postgresql://…, or jsonl:FOLDER.

\b
Examples:
  wiremend session list agent.db
  wiremend session show agent.db my-session --transcript
  wiremend session undo agent.db my-session -n 2
  wiremend session export agent.db my-session > wire.jsonl
"""
Output: TypeAlias = Literal["text", "json"]
F = TypeVar("F", bound=Callable[..., Any])
_BATCH = 500


@click.group("session", epilog=_EPILOG, short_help="Look at sessions in a store, and change them.")
def command() -> None:
    """List, show, fork, undo, compact, export, import and verify sessions.

    URL is a store, ID one of its sessions.
    """


_url = click.argument("url")
_id = click.argument("session_id", metavar="ID")
_output = click.option(
    "--output", type=click.Choice(["text", "json"]), default="text", show_default=True
)


@contextmanager
def _store(url: str) -> Iterator[Store]:
    with usable():
        store = open_store(url)
        try:
            yield store
        finally:
            store.close()


@contextmanager
def _session(url: str, session_id: str, *, create: bool = False) -> Iterator[Session]:
    with usable(), Session.open(url, id=session_id, create=create) as session:
        yield session


@command.command("list", cls=Command)
@_url
@_output
def list_sessions(url: str, output: Output) -> None:
    """The sessions of a store: records, when they began and went on, what they were forked from."""
    with _store(url) as store:
        found = store.sessions()
    if output == "json":
        put(compact({"sessions": [msgspec.to_builtins(info) for info in found]}) + "\n")
        return
    for info in found:
        forked = f"  forked from {info.parent} at {info.at}" if info.parent else ""
        put(f"{info.id:<36} {info.records:>8}  {clock(info.updated)}{forked}\n")
    complain(url, count(len(found), "session"))


@command.command("show", cls=Command)
@_url
@_id
@click.option("--transcript", is_flag=True, help="Everything ever, across compactions, with times.")
@_output
def show(url: str, session_id: str, transcript: bool, output: Output) -> None:
    """The history of a session as it is now."""
    with _session(url, session_id) as session:
        # A snapshot has no times: JSON goes without them, and need not read all records.
        if transcript:
            entries = session.transcript()
        elif output == "text":
            entries = session.entries()
        else:
            entries = [Entry(message, None) for message in session.messages()]
        length = session.length
    write_entries(entries, timed=transcript, output=output)
    complain(url, f"{count(length, 'record')}, {count(len(entries), 'message')}")


@command.command("fork", cls=Command)
@_url
@_id
@click.argument("new_id", metavar="NEW")
def fork(url: str, session_id: str, new_id: str) -> None:
    """Begin a session NEW that inherits another; what is in flight is closed in it."""
    with _session(url, session_id) as session:
        child = session.fork(new_id)
        complain(url, f"{new_id} inherits {count(session.length, 'record')} of {session_id}")
        child_messages = len(child.messages())
    put(compact({"id": new_id, "parent": session_id, "messages": child_messages}) + "\n")


@command.command("undo", cls=Command)
@_url
@_id
@click.option("-n", "--count", "number", type=click.IntRange(min=1), default=1, show_default=True)
@click.pass_context
def undo(ctx: click.Context, url: str, session_id: str, number: int) -> None:
    """Take back the last prompts and all that came of them, or nothing and say why."""
    with _session(url, session_id) as session:
        answer = session.undo(number)
        left = len(session.messages())
    put(compact({**msgspec.to_builtins(answer), "ok": answer.ok, "messages": left}) + "\n")
    if not answer.ok:
        reasons = {
            "empty": "there is no prompt to undo",
            "compaction_boundary": "a compaction is in the way",
            "insufficient": f"only {count(answer.undoable, 'prompt')} can be undone",
        }
        complain(url, f"nothing was undone: {reasons[answer.reason or 'empty']}")
    ctx.exit(FINE if answer.ok else FOUND)


@command.command("compact", cls=Command)
@_url
@_id
@click.option(
    "--summary", "source", required=True, help="A file with the summary, or - for standard input."
)
def compact_session(url: str, session_id: str, source: str) -> None:
    """Put a summary in the place of all but the user's own inputs."""
    text = _text(source)
    with _session(url, session_id) as session:
        record = session.compact(lambda _: text)
        left = len(session.messages())
    said = {"tokensBefore": record.tokens_before, "tokensAfter": record.tokens_after}
    put(compact({**said, "messages": left}) + "\n")


@command.command("export", cls=Command)
@_url
@_id
def export(url: str, session_id: str) -> None:
    """Write the records of a session, one a line (wire.jsonl), with their media in them."""
    with _store(url) as store:
        for _, data in store.read(session_id):
            stdout().write(restored(data, store.get_blob) + b"\n")


@command.command("import", cls=Command)
@_url
@_id
@click.argument("path", default=STDIN)
def import_records(url: str, session_id: str, path: str) -> None:
    """Begin a session with the records of a log (wire.jsonl). An existing one is not touched."""
    with _store(url) as store:
        store.create(session_id)
        try:
            records = _imported(store, session_id, path)
        except (Unusable, StoreError):
            # Half a session would pass for a whole one.
            store.delete(session_id)
            raise
    put(compact({"id": session_id, "records": records}) + "\n")


@command.command("verify", cls=Command)
@_url
@click.argument("session_id", metavar="[ID]", default="")
@_output
@click.pass_context
def verify(ctx: click.Context, url: str, session_id: str, output: Output) -> None:
    """Look for damage in one session, or in all, and say what is lost."""
    with _store(url) as store:
        ids = [session_id] if session_id else [info.id for info in store.sessions()]
        damage = {one: [*store.verify(one), *missing_media(store, one)] for one in ids}
    if output == "json":
        found = {one: [msgspec.to_builtins(d) for d in several] for one, several in damage.items()}
        put(compact({"sessions": found}) + "\n")
    else:
        for one, several in damage.items():
            for found_one in several:
                put(f"{one}: {_damage(found_one)}\n")
    number = sum(map(len, damage.values()))
    complain(url, f"{count(len(ids), 'session')}, {number or 'no'} damage")
    ctx.exit(FOUND if number else FINE)


def _imported(store: Store, session_id: str, path: str) -> int:
    batch: list[bytes] = []
    records = 0
    for record in _records_of(path):
        batch.append(offload(record, store.put_blob))
        if len(batch) == _BATCH:
            records = store.append(session_id, batch, expected=records)
            batch = []
    return store.append(session_id, batch, expected=records) if batch else records


def _damage(damage: Damage) -> str:
    place = f"record {damage.number}: " if damage.number else ""
    return f"{place}{damage.wrong}; lost: {damage.lost}"


def _records_of(path: str) -> Iterator[bytes]:
    with open_source(path) as source:
        for document in source:
            if document.is_blank:
                continue
            value = document.value()
            with usable():
                record_from_builtins(value, (document.line or 1,))
            yield encoded(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _text(source: str) -> str:
    try:
        data = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
        text = data.decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{source}: cannot be read: {error}") from None
    if not text:
        raise Unusable(f"{source}: the summary is empty")
    return text
