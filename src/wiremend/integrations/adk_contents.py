"""Contents of ``google.genai`` mended: as Gemini's own, or as what becomes chat messages.

They are read as JSON. A content that did not change is the very object that it was, and so is every
part of a changed one that did not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from wiremend.dialects import sanitise
from wiremend.dialects.base import Json, extras_of, with_extras
from wiremend.dialects.gemini import GEMINI
from wiremend.dialects.gemini.encode import encode_contents, encode_system
from wiremend.dialects.gemini.fields import NAME
from wiremend.errors import WiremendError
from wiremend.integrations.extras import extra
from wiremend.integrations.manners import Manners
from wiremend.integrations.mending import mend
from wiremend.mend import Fixed, fix, in_original_order
from wiremend.model import Message
from wiremend.projection import Anomaly, OnAnomaly
from wiremend.projection.anomalies import ToolCallIdRestored

with extra("adk"):
    from google.genai import types

_HELD = "contents"
_SYSTEM = "systemInstruction"
_exact = msgspec.json.Encoder(order="sorted")


class Mended(msgspec.Struct, frozen=True):
    """The contents to send, what of them belongs into the system instruction, and every repair."""

    contents: list[Any]
    system: Any
    anomalies: tuple[Anomaly, ...]


def mended_contents(
    contents: Sequence[Any], model: str | None, tools: Sequence[str], manners: Manners | None
) -> Mended:
    """The contents as their provider takes them; the given ones are not changed.

    ``tools`` are the names of those that are declared. ``manners`` are those of a provider that
    gets chat messages; None: it is Gemini. Raises ``WiremendError`` where a content cannot be read.
    """
    read = [_dumped(content, at) for at, content in enumerate(contents)]
    if manners is None:
        declared = [{"functionDeclarations": [{"name": name} for name in tools]}] if tools else []
        fixed = fix({"model": model, _HELD: read, "tools": declared}, NAME)
    else:
        fixed = _fixed_for_chat(read, manners)
    system = fixed.body.get(_SYSTEM)
    return Mended(
        _written(fixed.body[_HELD], read, contents),
        _content(system, {}) if system is not None else None,
        fixed.anomalies,
    )


def _dumped(content: Any, at: int) -> Json:
    try:
        dumped: Json = content.model_dump(mode="json", by_alias=True, exclude_none=True)
    except (AttributeError, ValueError) as error:
        raise WiremendError("expected a content that JSON can carry", (_HELD, at)) from error
    return dumped


def _written(mended: list[Json], read: list[Json], contents: Sequence[Any]) -> list[Any]:
    own = {id(dumped): content for dumped, content in zip(read, contents, strict=True)}
    parts = {
        _exact.encode(dumped): part
        for one, content in zip(read, contents, strict=True)
        for dumped, part in zip(one.get("parts", ()), content.parts or (), strict=True)
    }
    return [own[id(one)] if id(one) in own else _content(one, parts) for one in mended]


def _content(made: Json, parts: dict[bytes, Any]) -> Any:
    """A content that is new or changed, with those of its parts that are neither."""
    out = types.Content.model_validate({"role": made.get("role")})
    out.parts = []
    for part in made.get("parts", ()):
        encoded = _exact.encode(part)
        same = parts.get(encoded)
        out.parts.append(types.Part.model_validate_json(encoded) if same is None else same)
    return out


def _fixed_for_chat(contents: list[Json], manners: Manners) -> Fixed:
    """Contents as those want them who get chat messages: calls are known by their ids there."""
    anomalies: list[Anomaly] = []
    report = anomalies.append
    asked = {_HELD: contents}
    history = GEMINI.decode(sanitise(asked, report), report).history
    told = mend(GEMINI.prepare([_as_on_the_wire(m) for m in history], report), manners)
    anomalies.extend(told.anomalies)
    messages = [_with_ids_written(message, report) for message in told.messages]
    start = next((n for n, m in enumerate(messages) if m.role != "system"), len(messages))
    system = encode_system(messages[:start], report)
    body = {_HELD: encode_contents(messages[start:], {}, report)}
    body = in_original_order(body, asked, _HELD)
    return Fixed(body if system is None else {**body, _SYSTEM: system[1]}, tuple(anomalies))


def _as_on_the_wire(message: Message) -> Message:
    """The message with the ids that were written: the dialect gives each call one of its own."""
    calls = tuple(
        msgspec.structs.replace(call, id=extras_of(call, NAME).get("id") or call.id)
        for call in message.tool_calls
    )
    answered = extras_of(message, NAME).get("id") or message.tool_call_id
    if message.role != "tool":
        return msgspec.structs.replace(message, tool_calls=calls) if calls else message
    return msgspec.structs.replace(message, tool_call_id=answered)


def _with_ids_written(message: Message, report: OnAnomaly) -> Message:
    calls = []
    for call in message.tool_calls:
        kept = extras_of(call, NAME)
        if not kept.get("id"):
            report(ToolCallIdRestored("assistant", call.id))
        calls.append(with_extras(call, NAME, {**kept, "id": call.id}))
    if message.role == "tool" and NAME in (message.extras or {}):
        kept = {**extras_of(message, NAME), "id": message.tool_call_id}
        message = with_extras(message, NAME, kept)
    return msgspec.structs.replace(message, tool_calls=tuple(calls)) if calls else message
