"""What to make of a provider's objection, and what to try next."""

from __future__ import annotations

from wiremend.recovery.errors import Classified, classify

__all__ = ["Classified", "classify"]
