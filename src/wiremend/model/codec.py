"""History as JSON, and back, without losing what this version does not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import msgspec

from wiremend.errors import Path, WiremendError
from wiremend.model.messages import ContextMessage, Message, ToolCall
from wiremend.model.origins import BaseOrigin, Origin, UnknownOrigin
from wiremend.model.parts import MediaSource, Part, Value

_history = msgspec.json.Decoder(tuple[ContextMessage, ...])
_encoder = msgspec.json.Encoder()

_PARTS: dict[str, type[Value]] = {str(cls.__struct_config__.tag): cls for cls in get_args(Part)}
_ORIGINS: dict[str, type[BaseOrigin]] = {cls.kind: cls for cls in get_args(Origin)}
_MEDIA = ("imageUrl", "audioUrl", "videoUrl")


def history_from_json(data: bytes | str) -> tuple[ContextMessage, ...]:
    """Read a JSON array of history messages.

    Unknown fields go to ``extras``, unknown origins to ``UnknownOrigin``, unknown kinds of part
    to ``OpaquePart``. Raises ``WiremendError`` with the place of the first thing that is wrong.
    """
    try:
        return _history.decode(data)
    except msgspec.ValidationError:
        return history_from_builtins(_json(data))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WiremendError(f"not JSON: {error}") from None
    except RecursionError:
        raise WiremendError("nested too deeply to be a history") from None


def _json(data: bytes | str) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WiremendError(f"not JSON: {error}") from None


def history_from_builtins(value: Any) -> tuple[ContextMessage, ...]:
    """The same from lists and dicts, as ``json.loads`` gives them."""
    if not isinstance(value, list):
        raise WiremendError(f"expected an array of messages, got {_named(value)}")
    return tuple(_message(item, (index,)) for index, item in enumerate(value))


def message_from_builtins(value: Any, path: Path = ()) -> ContextMessage:
    """One message from lists and dicts."""
    return _message(value, path)


def part_from_builtins(value: Any, path: Path = ()) -> Part:
    """One content part from lists and dicts."""
    fields = _part(value, path)
    try:
        part: Part = msgspec.convert(fields, Part)
    except msgspec.ValidationError as error:
        raise WiremendError(str(error), path) from None
    return part


def to_json(messages: Message | Sequence[Message]) -> bytes:
    """One message or a list of them as JSON. Origins are written as they were read."""
    several = (messages,) if isinstance(messages, Message) else tuple(messages)
    if not any(_foreign(message) for message in several):
        return _encoder.encode(messages if isinstance(messages, Message) else several)
    written = [to_builtins(message) for message in several]
    return _encoder.encode(written[0] if isinstance(messages, Message) else written)


def to_builtins(message: Message) -> dict[str, Any]:
    """A message as dicts and lists, with its origin as it was read."""
    written: dict[str, Any] = msgspec.to_builtins(message)
    origin = getattr(message, "origin", None)
    if isinstance(origin, UnknownOrigin):
        written["origin"] = origin.data
    elif origin is not None and origin.extras:
        del written["origin"]["extras"]
        written["origin"].update(origin.extras)
    return written


def _foreign(message: Message) -> bool:
    origin = getattr(message, "origin", None)
    return origin is not None and (type(origin) is UnknownOrigin or origin.extras is not None)


def _message(value: Any, path: Path) -> ContextMessage:
    fields, extras = _split(value, ContextMessage, path)
    # Foreign JSON says "no content" and "no calls" in more than one way.
    for empty in ("content", "toolCalls"):
        if fields.get(empty) is None:
            fields[empty] = []
    content, calls = fields["content"], fields["toolCalls"]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    fields["content"] = _each(content, _part, (*path, "content"))
    fields["toolCalls"] = _each(calls, _call, (*path, "toolCalls"))
    if fields.get("origin") is not None:
        fields["origin"] = _origin(fields["origin"], (*path, "origin"))
    return _convert(fields, ContextMessage, extras, path)


def _part(value: Any, path: Path) -> dict[str, Any]:
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        raise WiremendError("expected a content part: an object with a 'type'", path)
    if kind not in _PARTS:
        return {"type": "opaque", "provider": "unknown", "data": value}
    fields, extras = _split(value, _PARTS[kind], path, tag="type")
    for name in _MEDIA:
        if name in fields:
            source, unknown = _split(fields[name], MediaSource, (*path, name))
            fields[name] = _merged(source, unknown)
    return _merged(fields, extras)


def _call(value: Any, path: Path) -> dict[str, Any]:
    fields, extras = _split(value, ToolCall, path)
    fields.setdefault("arguments", None)
    return _merged(fields, extras)


def _origin(value: Any, path: Path) -> dict[str, Any]:
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        raise WiremendError("expected an origin: an object with a 'kind'", path)
    if kind == UnknownOrigin.kind or kind not in _ORIGINS:
        return {"kind": UnknownOrigin.kind, "data": value}
    fields, extras = _split(value, _ORIGINS[kind], path, tag="kind")
    # "extras" is no field of an origin's JSON: one that is there is unknown like any other.
    if "extras" in fields:
        extras["extras"] = fields.pop("extras")
    if extras:
        fields["extras"] = extras
    return fields


def _split(
    value: Any, cls: type[Value], path: Path, tag: str = ""
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of an object that the class knows, and those that it does not."""
    if not isinstance(value, dict):
        raise WiremendError(f"expected an object, got {_named(value)}", path)
    known = {*cls.__struct_encode_fields__, tag}
    fields = {name: item for name, item in value.items() if name in known}
    return fields, {name: item for name, item in value.items() if name not in known}


def _merged(fields: dict[str, Any], unknown: dict[str, Any]) -> dict[str, Any]:
    if unknown:
        fields["extras"] = {**(fields.get("extras") or {}), **unknown}
    return fields


def _each(values: Any, one: Any, path: Path) -> list[Any]:
    if not isinstance(values, (list, tuple)):
        raise WiremendError(f"expected an array, got {_named(values)}", path)
    return [one(value, (*path, index)) for index, value in enumerate(values)]


def _convert(
    fields: dict[str, Any], cls: type[ContextMessage], extras: dict[str, Any], path: Path
) -> ContextMessage:
    try:
        return msgspec.convert(_merged(fields, extras), cls)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$")
        steps = where.rstrip("`").replace("[", ".").replace("]", "").split(".")
        raise WiremendError(reason, (*path, *(step for step in steps if step))) from None


def _named(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a text", bool: "a boolean"}
    return names.get(type(value), "null" if value is None else "a number")
