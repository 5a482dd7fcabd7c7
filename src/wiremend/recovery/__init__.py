"""What to make of a provider's objection, and what to try next."""

from __future__ import annotations

from wiremend.recovery.errors import Classified, classify
from wiremend.recovery.exceptions import classify_exception
from wiremend.recovery.signs import Sign

__all__ = ["Classified", "Sign", "classify", "classify_exception"]
