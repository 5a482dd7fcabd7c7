"""How a tool's result is shown to the model: failures, empty outputs and notes in words.

The marker lines are part of the format: models and session logs know them.
"""

from __future__ import annotations

import msgspec

from wiremend.model import BLANK_CHARACTERS, Part, TextPart, is_blank

FAILED = "<system>ERROR: Tool execution failed.</system>"
EMPTY = "<system>Tool output is empty.</system>"
FAILED_EMPTY = "<system>ERROR: Tool execution failed. Tool output is empty.</system>"

EMPTY_OUTPUT = "Tool output is empty."
"""What some tools say themselves where they have nothing to say."""
_FIRST_OF_EMPTY_OUTPUT = EMPTY_OUTPUT[0] + BLANK_CHARACTERS


def render_tool_result(
    content: tuple[Part, ...], *, is_error: bool | None = None, note: str | None = None
) -> tuple[Part, ...]:
    """The parts of a result as the model sees them; the same tuple where nothing is added."""
    shown = _with_status(content, failed=is_error is True)
    if not note:
        return shown
    return with_note(shown, note)


def with_note(content: tuple[Part, ...], note: str) -> tuple[Part, ...]:
    """The parts followed by what only the model is told."""
    if len(content) == 1 and type(content[0]) is TextPart:
        return (_retold(content[0], f"{content[0].text}\n{note}"),)
    return (*content, TextPart(note))


def with_failure(content: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a failed result, led by the line that says so."""
    if len(content) == 1 and type(content[0]) is TextPart:
        text = content[0].text
        return (_retold(content[0], f"{FAILED}\n{text}" if text else FAILED_EMPTY),)
    if says_nothing(content):
        return (TextPart(FAILED_EMPTY),)
    return (TextPart(FAILED), *content)


def says_nothing(content: tuple[Part, ...]) -> bool:
    """Whether a result has no part but blank text."""
    return all(type(part) is TextPart and is_blank(part.text) for part in content)


def _with_status(content: tuple[Part, ...], *, failed: bool) -> tuple[Part, ...]:
    if failed:
        return with_failure(content)
    if len(content) == 1 and type(content[0]) is TextPart:
        return (_retold(content[0], EMPTY),) if _is_empty_output(content[0].text) else content
    return (TextPart(EMPTY),) if says_nothing(content) else content


def _is_empty_output(text: str) -> bool:
    if is_blank(text):
        return True
    # Most outputs are settled by their first character, without copying them.
    return text[0] in _FIRST_OF_EMPTY_OUTPUT and text.strip(BLANK_CHARACTERS) == EMPTY_OUTPUT


def _retold(part: TextPart, text: str) -> TextPart:
    return msgspec.structs.replace(part, text=text)
