"""A judge that was not written here: botocore's service model of Bedrock's Converse.

botocore checks types, required members and lengths; patterns and enumerations it leaves to the
service, so that they are checked here, from the same model.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.validate import ParamValidator


def converse_objections(body: dict[str, Any]) -> list[str]:
    """What the service model has against a body; ``[]``: nothing."""
    complete = {"modelId": "any.model", **body}
    given = _with_bytes(complete, _shape())
    report = ParamValidator().validate(given, _shape())
    found = [report.generate_report()] if report.has_errors() else []
    return [*found, *_traits(given, _shape(), "")][:5]


@cache
def _shape() -> Any:
    model = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"))
    return model.operation_model("Converse").input_shape


def _with_bytes(value: Any, shape: Any) -> Any:
    """The body as Python's SDK wants it: bytes where JSON has base64 text."""
    if shape.type_name == "blob" and isinstance(value, str):
        return base64.b64decode(value)
    if shape.type_name == "structure" and isinstance(value, dict) and not _is_document(shape):
        return {
            name: _with_bytes(item, shape.members[name]) if name in shape.members else item
            for name, item in value.items()
        }
    if shape.type_name == "list" and isinstance(value, list):
        return [_with_bytes(item, shape.member) for item in value]
    return value


def _is_document(shape: Any) -> bool:
    return bool(getattr(shape, "is_document_type", False))


def _traits(value: Any, shape: Any, place: str) -> Iterator[str]:
    if shape.type_name == "structure" and isinstance(value, dict) and not _is_document(shape):
        for name, item in value.items():
            if name in shape.members:
                yield from _traits(item, shape.members[name], f"{place}.{name}")
    elif shape.type_name == "list" and isinstance(value, list):
        for n, item in enumerate(value):
            yield from _traits(item, shape.member, f"{place}.{n}")
    elif shape.type_name == "string" and isinstance(value, str):
        pattern, known = shape.metadata.get("pattern"), shape.metadata.get("enum")
        if pattern and not re.fullmatch(pattern, value):
            yield f"{place}: {value!r} is not {pattern}"
        if known and value not in known:
            yield f"{place}: {value!r} is none of {known}"
        if len(value) > shape.metadata.get("max", len(value)):
            yield f"{place}: longer than {shape.metadata['max']}"
