"""Function declarations: as this API writes them, and schemas in its own dialect of JSON Schema.

Source: ``google.genai.types.FunctionDeclaration`` and ``Schema``: ``parameters`` is an OpenAPI
schema whose types are in upper case, ``parametersJsonSchema`` is JSON Schema as it is.
"""

from __future__ import annotations

from typing import Any

from wiremend.dialects.base import Json
from wiremend.dialects.names import Alphabet

FUNCTION_NAMES = Alphabet(r"[a-zA-Z_][a-zA-Z0-9_.:-]*", 128)
"""``types.FunctionDeclaration.name``; older models take 64 characters."""


def native_tool(tool: Any) -> Json | None:
    """A definition as a session log or another API writes it, in this API's words."""
    inner = tool.get("function", tool) if isinstance(tool, dict) else None
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
        return None
    if "parametersJsonSchema" in inner:
        return inner
    native: Json = {"name": inner["name"]}
    if isinstance(inner.get("description"), str):
        native["description"] = inner["description"]
    schema = inner.get("parameters") or inner.get("input_schema")
    if isinstance(schema, dict):
        native["parametersJsonSchema"] = json_schema(schema)
    return native


def json_schema(schema: Any) -> Any:
    """A schema with its types as JSON Schema spells them: ``OBJECT`` is ``object``.

    ``nullable`` becomes the type ``null`` beside the other.
    """
    if isinstance(schema, list):
        return [json_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out: Json = {}
    for name, value in schema.items():
        if name in ("properties", "$defs", "defs") and isinstance(value, dict):
            out[name] = {key: json_schema(item) for key, item in value.items()}
        elif name == "type" and isinstance(value, str):
            out[name] = value.lower()
        elif name in ("enum", "example", "default", "const", "required"):
            out[name] = value
        else:
            out[name] = json_schema(value)
    if out.pop("nullable", False) is True and isinstance(out.get("type"), str):
        out["type"] = [out["type"], "null"]
    return out
