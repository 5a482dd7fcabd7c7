"""Reminders: what the engine tells the model in between, marked as its own words (spec 4)."""

from __future__ import annotations

from wiremend.model import BLANK_CHARACTERS, ContextMessage, Origin, TextPart

OPEN = "<system-reminder>"
CLOSE = "</system-reminder>"


def reminder(content: str, origin: Origin) -> ContextMessage:
    """A user message that holds the content, stripped, between the marks of a reminder."""
    text = f"{OPEN}\n{content.strip(BLANK_CHARACTERS)}\n{CLOSE}"
    return ContextMessage("user", (TextPart(text),), origin=origin)


def reminder_text(text: str) -> str | None:
    """The content of a reminder, stripped; None where the text is not a reminder."""
    text = text.strip(BLANK_CHARACTERS)
    if len(text) < len(OPEN) + len(CLOSE):
        return None
    if not text.startswith(OPEN) or not text.endswith(CLOSE):
        return None
    return text[len(OPEN) : -len(CLOSE)].strip(BLANK_CHARACTERS)
