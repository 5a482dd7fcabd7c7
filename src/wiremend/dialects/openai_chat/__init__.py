"""OpenAI Chat Completions, and the ground on which compatible servers stand."""

from __future__ import annotations

from wiremend.dialects.openai_chat.dialect import make_dialect
from wiremend.dialects.openai_chat.profile import OPENAI, Profile

__all__ = ["OPENAI_CHAT", "Profile", "make_dialect"]

OPENAI_CHAT = make_dialect(OPENAI)
"""Chat Completions of OpenAI: lenient about content, order and ids, strict about pairing."""
