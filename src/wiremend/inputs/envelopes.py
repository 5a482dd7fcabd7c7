"""Lines of batches: a request in a field of an object that gives it an id.

Sources: the batch APIs of OpenAI and Mistral (``body``), Anthropic (``params``), Gemini
(``request``) and Bedrock (``modelInput``).
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from wiremend.dialects import DIALECTS

Json: TypeAlias = dict[str, Any]

_LISTS = ("messages", "contents", "input")
_NAMED_BY = {
    "body": ("custom_id", "url"),
    "params": ("custom_id",),
    "request": ("key", "custom_id"),
    "modelInput": (),
}
"""The fields that a request may be in, and of which one stands beside it."""
_IDS = ("custom_id", "key", "recordId")
_ANSWERS = ("response", "result", "modelOutput", "error")
_NOTES = frozenset(("anomalies", "dialect"))
"""Beside the request in a report of ours, or in a proxy's journal, which are no batches."""


class _Shape(NamedTuple):
    id: str
    field: str
    beside: Json = {}  # noqa: RUF012


_SHAPES = {
    "openai-chat": _Shape("custom_id", "body", {"method": "POST", "url": "/v1/chat/completions"}),
    "openai-responses": _Shape("custom_id", "body", {"method": "POST", "url": "/v1/responses"}),
    "anthropic": _Shape("custom_id", "params"),
    "gemini": _Shape("key", "request"),
    "bedrock": _Shape("recordId", "modelInput"),
}


def field_of_request(value: Any) -> str | None:
    """The field of a batch's line that holds its request; None: it is no such line."""
    if (
        not isinstance(value, dict)
        or any(name in value for name in _LISTS)
        or _NOTES & value.keys()
    ):
        return None
    for field, names in _NAMED_BY.items():
        held = value.get(field)
        if isinstance(held, dict) and any(name in held for name in _LISTS):
            has_name = not names or any(name in value for name in names)
            # Vertex takes requests without a key.
            if has_name or (field == "request" and "contents" in held):
                return field
    return None


def is_answer(value: Json) -> bool:
    """Whether a value is what came of a line of a batch."""
    return any(name in value for name in _IDS) and any(name in value for name in _ANSWERS)


def enclosed(line: Json, field: str, body: Json, source: str, target: str) -> Json:
    """The line with another request in it, as a batch of the target's provider has it."""
    family = DIALECTS[target].family
    if family == DIALECTS[source].family:
        return {**line, field: body}
    shape = _SHAPES[family]
    gone = {*_IDS, field, *_SHAPES["openai-chat"].beside}
    kept = {name: value for name, value in line.items() if name not in gone}
    given = next((line[name] for name in _IDS if name in line), None)
    named = {} if given is None else {shape.id: given}
    return {**named, **shape.beside, shape.field: body, **kept}
