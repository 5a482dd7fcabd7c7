"""Many conversations: cut into parts, worked on by all cores, and brought back in order."""

from __future__ import annotations

from wiremend.bulk.parts import Part, parts_of, separate, spans_of
from wiremend.bulk.pool import cores, in_order
from wiremend.bulk.resuming import Place, Resumed

__all__ = ["Part", "Place", "Resumed", "cores", "in_order", "parts_of", "separate", "spans_of"]
