"""The Gemini API, simulated: from JSON to messages, as the parser and the validator do it."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, NamedTuple

from wiremend.providers.pictures import looks_like
from wiremend.providers.reply import RefusalError

_NAME = re.compile(r"\A[A-Za-z_][A-Za-z0-9_.:\-]{0,127}\Z")
_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")
_UNKNOWN = "Invalid JSON payload received. Unknown name \"{}\" at '{}': Cannot find field."
_ONEOF = (
    "inline_data",
    "text",
    "file_data",
    "function_call",
    "function_response",
    "executable_code",
    "code_execution_result",
    "tool_call",
    "tool_response",
)
_MESSAGES = ("inline_data", "file_data", "function_call", "function_response")
_ELSEWHERE = frozenset({"content", "tool_calls", "tool_call_id", "type"})
_PICTURES = ("png", "jpeg", "webp", "heic", "heif")


class Part(NamedTuple):
    """A part that the parser took: its kind, what it holds, and whether it is signed."""

    kind: str
    value: Any
    signed: bool


class Content(NamedTuple):
    """A content that the parser took. The role is empty where there was none."""

    role: str
    parts: list[Part]


class Request(NamedTuple):
    """A request that the parser took."""

    model: str
    contents: list[Content]


class Parser:
    """Reads a body field by field; raises ``RefusalError`` at the first that does not fit."""

    def request(self, body: Any) -> Request:
        """The request in a body."""
        if not isinstance(body, dict):
            raise RefusalError(
                'Invalid JSON payload received. Unknown name "": Root must be object.'
            )
        fields = self._fields(body)
        self._tools(fields.get("tools"))
        instruction = fields.get("system_instruction")
        if instruction is not None:
            self._content(instruction, "system_instruction")
        contents = [
            self._content(value, f"contents[{index}]")
            for index, value in enumerate(self._repeated(fields.get("contents"), "contents"))
        ]
        if not contents:
            raise RefusalError("* GenerateContentRequest.contents: contents is not specified\n")
        model = fields.get("model")
        return Request(model if isinstance(model, str) else "", contents)

    def _fields(self, value: dict[str, Any]) -> dict[str, Any]:
        """An object's fields as the schema names them; null is the same as not there."""
        return {
            _HUMP.sub(lambda hump: "_" + hump[1].lower(), name): inner
            for name, inner in value.items()
            if inner is not None
        }

    def _repeated(self, value: Any, place: str) -> list[Any]:
        if value is None:
            return []
        if isinstance(value, dict):
            return [value]
        if not isinstance(value, list):
            raise RefusalError(f"Invalid value at '{place}', {_shown(value)}")
        return value

    def _message(self, value: Any, place: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise RefusalError(f"Invalid value at '{place}', {_shown(value)}")
        for name in value:
            if name in _ELSEWHERE:
                raise RefusalError(_UNKNOWN.format(name, place))
        return self._fields(value)

    def _content(self, value: Any, place: str) -> Content:
        fields = self._message(value, place)
        role = fields.get("role", "")
        if not isinstance(role, str):
            raise RefusalError(f"Invalid value at '{place}.role' (TYPE_STRING), {_shown(role)}")
        listed = self._repeated(fields.get("parts"), f"{place}.parts")
        if not listed and place != "system_instruction":
            where = f"* GenerateContentRequest.{place}.parts"
            raise RefusalError(f"{where}: contents.parts must not be empty.\n")
        return Content(
            role, [self._part(part, f"{place}.parts[{n}]") for n, part in enumerate(listed)]
        )

    def _part(self, value: Any, place: str) -> Part:
        fields = self._message(value, place)
        held = [name for name in _ONEOF if name in fields]
        if len(held) > 1:
            raise RefusalError(
                f"Invalid value at '{place}' (oneof), oneof field 'data' is already set. "
                f"Cannot set '{held[1]}'"
            )
        signature = fields.get("thought_signature", "")
        self._bytes(signature, f"{place}.thought_signature")
        if not held:
            where = f"* GenerateContentRequest.{place}.data"
            raise RefusalError(
                f"{where}: required oneof field 'data' must have one initialized field\n"
            )
        kind = held[0]
        inner = self._message(fields[kind], f"{place}.{kind}") if kind in _MESSAGES else None
        self._check(kind, inner, fields[kind], place, signed=bool(signature))
        return Part(kind, inner if inner is not None else fields[kind], bool(signature))

    def _check(self, kind: str, inner: Any, value: Any, place: str, *, signed: bool) -> None:
        at = f"{place}.{kind}"
        if kind == "text":
            if not isinstance(value, str):
                raise RefusalError(f"Invalid value at '{at}' (TYPE_STRING), {_shown(value)}")
            if not value and not signed:
                raise RefusalError(
                    "Unable to submit request because it has an empty text parameter. Add a value "
                    "to the parameter and try again."
                )
        elif kind == "inline_data":
            self._blob(inner, at)
        elif kind == "function_call":
            self._id(inner.get("id", ""), at)
            self._struct(inner.get("args"), f"{at}.args")
            self._name(inner.get("name"), at)
        elif kind == "function_response":
            self._id(inner.get("id", ""), at)
            self._struct(inner.get("response"), f"{at}.response")
            self._name(inner.get("name"), at)
            self._media_inside(inner.get("parts"), at)

    def _media_inside(self, parts: Any, place: str) -> None:
        for index, part in enumerate(self._repeated(parts, f"{place}.parts")):
            at = f"{place}.parts[{index}]"
            blob = self._message(part, at).get("inline_data")
            if blob is not None:
                self._blob(self._message(blob, f"{at}.inline_data"), f"{at}.inline_data")

    def _blob(self, blob: dict[str, Any], place: str) -> None:
        data, label = blob.get("data", ""), blob.get("mime_type", "")
        self._bytes(data, f"{place}.data")
        if not isinstance(label, str) or not label.lower().startswith("image/"):
            return
        if label.removeprefix("image/") not in _PICTURES:
            raise RefusalError(f"Unsupported MIME type: {label}")
        known = looks_like(data) if isinstance(data, str) else None
        if known not in (None, label) and not (label.endswith(("heic", "heif"))):
            raise RefusalError(
                "Unable to process input image. Please retry or report in "
                "https://developers.generativeai.google/guide/troubleshooting"
            )

    def _bytes(self, value: Any, place: str) -> None:
        if not isinstance(value, str):
            raise RefusalError(f"Invalid value at '{place}' (TYPE_BYTES), {_shown(value)}")
        plain = value.translate(str.maketrans("-_", "+/")).rstrip("=")
        try:
            padded = plain + "=" * (-len(plain) % 4)
            base64.b64decode(padded.encode("ascii"), validate=True)
        except (binascii.Error, ValueError):
            failed = f"Base64 decoding failed for {_shown(value)}"
            raise RefusalError(f"Invalid value at '{place}' (TYPE_BYTES), {failed}") from None

    def _struct(self, value: Any, place: str) -> None:
        if value is not None and not isinstance(value, dict):
            kind = "(type.googleapis.com/google.protobuf.Struct)"
            raise RefusalError(f"Invalid value at '{place}' {kind}, {_shown(value)}")

    def _id(self, value: Any, place: str) -> None:
        if not isinstance(value, str):
            raise RefusalError(f"Invalid value at '{place}.id' (TYPE_STRING), {_shown(value)}")

    def _name(self, value: Any, place: str) -> None:
        where = f"* GenerateContentRequest.{place}.name"
        if value in (None, ""):
            raise RefusalError(f"{where}: Name cannot be empty.\n")
        if not isinstance(value, str) or not _NAME.match(value):
            raise RefusalError(
                f"{where}: [FIELD_INVALID] Invalid function name. Must start with a letter or an "
                "underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons "
                "(:), or dashes (-), with a maximum length of 128.\n"
            )

    def _tools(self, tools: Any) -> None:
        for index, tool in enumerate(self._repeated(tools, "tools")):
            place = f"tools[{index}]"
            declared = self._fields(tool).get("function_declarations") if _is(tool) else None
            for n, function in enumerate(declared if isinstance(declared, list) else ()):
                if isinstance(function, dict):
                    self._name(function.get("name"), f"{place}.function_declarations[{n}]")


def _is(value: Any) -> bool:
    return isinstance(value, dict)


def _shown(value: Any) -> str:
    """What was found, short and in quotes, as the parser repeats it."""
    return f'"{str(value)[:60].encode("ascii", "backslashreplace").decode()}"'
