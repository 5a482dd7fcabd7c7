"""Durable sessions: numbered records, snapshots and blobs, in SQLite, PostgreSQL or JSONL."""

from wiremend.stores.base import Damage, SessionInfo, Store
from wiremend.stores.errors import (
    ConflictError,
    CorruptError,
    MissingError,
    StoreError,
    UnavailableError,
)
from wiremend.stores.opening import open_store

__all__ = [
    "ConflictError",
    "CorruptError",
    "Damage",
    "MissingError",
    "SessionInfo",
    "Store",
    "StoreError",
    "UnavailableError",
    "open_store",
]
