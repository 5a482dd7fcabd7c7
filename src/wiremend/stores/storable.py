"""Records as what any store can keep."""

from __future__ import annotations

import msgspec

from wiremend.dialects import sanitise
from wiremend.history import Record, record_from_builtins, record_to_builtins
from wiremend.projection.anomalies import ignore

_encoder = msgspec.json.Encoder()


def storable(record: Record) -> tuple[Record, bytes]:
    """The record and its JSON, without halves of characters."""
    written = record_to_builtins(record)
    try:
        return record, _encoder.encode(written)
    except UnicodeEncodeError:
        mended = record_from_builtins(sanitise(written, ignore))
        assert mended is not None, "it was a record before"
        return mended, _encoder.encode(record_to_builtins(mended))
