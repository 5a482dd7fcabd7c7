"""The smallest value that a JSON schema takes, as far as schemas of tools go."""

from __future__ import annotations

import re
from typing import Any

_DEPTH = 8
_CAPITAL = re.compile("[A-Z]")
_TYPES: dict[str, Any] = {
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "null": None,
}
_FORMATS = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def sample(schema: Any) -> Any:
    """Return a value of a schema: required properties only, the first of what may be chosen.

    What the schema says by other means (patterns, conditions) is not looked at.
    """
    return _value(schema, schema, _DEPTH)


def _value(schema: Any, root: Any, depth: int) -> Any:
    if not isinstance(schema, dict) or depth < 0:
        return {}
    if isinstance(schema.get("$ref"), str):
        return _value(_referred(schema["$ref"], root), root, depth - 1)
    for name in ("const", "default"):
        if name in schema:
            return schema[name]
    for name in ("enum", "examples"):
        if isinstance(schema.get(name), list) and schema[name]:
            return schema[name][0]
    for name in ("anyOf", "oneOf"):
        choices = _of(schema, name)
        if isinstance(choices, list) and choices:
            return _value(choices[0], root, depth - 1)
    parts = schema.get("allOf")
    if isinstance(parts, list) and parts:
        values = [_value(part, root, depth - 1) for part in (*parts, _own(schema))]
        objects = [value for value in values if isinstance(value, dict)]
        return {name: item for value in objects for name, item in value.items()} or values[0]
    return _of_type(schema, root, depth)


def _own(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != "allOf"}


def _of_type(schema: dict[str, Any], root: Any, depth: int) -> Any:
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    kind = kind.lower() if isinstance(kind, str) else "object"
    if kind == "string":
        return _string(schema)
    if kind in ("integer", "number"):
        return _number(schema, kind)
    if kind == "array":
        count = min(_count(_of(schema, "minItems")) or 0, 100)
        return [_value(schema.get("items"), root, depth - 1)] * count
    if kind in _TYPES:
        return _TYPES[kind]
    return _object(schema, root, depth)


def _object(schema: dict[str, Any], root: Any, depth: int) -> dict[str, Any]:
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    names = required if isinstance(required, list) else []
    return {
        name: _value(properties.get(name), root, depth - 1)
        for name in names
        if isinstance(name, str)
    }


def _string(schema: dict[str, Any]) -> str:
    form = schema.get("format")
    text: str = _FORMATS.get(form, "text") if isinstance(form, str) else "text"
    text = text.ljust(min(_count(_of(schema, "minLength")) or 0, 10_000), "x")
    return text[: _count(_of(schema, "maxLength"))]


def _count(value: Any) -> int | None:
    """A limit; the SDK of Gemini writes it as text."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value[:9])
    return value if isinstance(value, int) and value >= 0 else None


def _number(schema: dict[str, Any], kind: str) -> Any:
    least, most = _of(schema, "minimum"), _of(schema, "maximum")
    value = _TYPES[kind]
    if isinstance(least, int | float) and value < least:
        value = least
    elif isinstance(most, int | float) and value > most:
        value = most
    return value


def _of(schema: dict[str, Any], name: str) -> Any:
    """A field by its name, which the parser of Gemini takes in snake case as well."""
    return schema.get(name, schema.get(_CAPITAL.sub(r"_\g<0>", name).lower()))


def _referred(reference: str, root: Any) -> Any:
    found = root
    for step in reference.removeprefix("#").split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, dict) else None
    return found
