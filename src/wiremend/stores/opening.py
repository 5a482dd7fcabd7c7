"""From what a person writes to the store that it names."""

from __future__ import annotations

from wiremend.stores.base import Store
from wiremend.stores.errors import StoreError
from wiremend.stores.jsonl import JsonlStore
from wiremend.stores.sqlite import SqliteStore

_SQLITE_ENDS = (".db", ".sqlite", ".sqlite3")


def open_store(url: str) -> Store:
    """The store at a path or URL; SQLite and JSONL files are made if they are not there.

    ``agent.db``, ``….sqlite`` or ``sqlite:///PATH`` (a fourth slash for an absolute path);
    ``jsonl:FOLDER`` with one ``<id>/wire.jsonl`` or ``<id>.jsonl`` a session; ``jsonl:FILE.jsonl``
    for exactly that one; ``postgresql://USER@HOST/DATABASE``, which needs ``wiremend[postgres]``.
    """
    if url.startswith("sqlite:///") and url != "sqlite:///":
        return SqliteStore(url.removeprefix("sqlite:///"))
    if "://" not in url and url.endswith(_SQLITE_ENDS):
        return SqliteStore(url)
    if url.startswith("jsonl:") and (place := url.removeprefix("jsonl:")):
        return JsonlStore.of_file(place) if place.endswith(".jsonl") else JsonlStore(place)
    if url.startswith(("postgresql://", "postgres://")):
        from wiremend.stores.postgres import PostgresStore

        return PostgresStore(url)
    # The scheme alone: what follows may hold a password.
    scheme, colon, _ = url.partition(":")
    raise StoreError(
        f"no store is known for {scheme + colon if colon else repr(url)}: use a path that ends in "
        ".db or .sqlite, sqlite:///PATH, jsonl:FOLDER, jsonl:FILE.jsonl or "
        "postgresql://USER@HOST/DATABASE"
    )
