"""OpenTelemetry: spans of GenAI calls, as OTLP JSON, a line an export, or a span a line.

``gen_ai.input.messages``, ``gen_ai.system_instructions`` and ``gen_ai.tool.definitions`` are
attributes of a span or of an event, structured or as JSON text. Older instrumentations have an
event a message, on the span or as log records of it; others an attribute a field (``otel_flat``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wiremend.logs.base import Conversation, Home, Json, Reading, Record, numbered, objects
from wiremend.logs.data_sets.rows import tools_of
from wiremend.logs.faults import unreadable
from wiremend.logs.otel_flat import is_flat, read_flat

_INPUT = "gen_ai.input.messages"
_SYSTEM = "gen_ai.system_instructions"
_TOOLS = "gen_ai.tool.definitions"
_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_PROVIDERS = ("gen_ai.provider.name", "gen_ai.system")
_MODELS = ("gen_ai.request.model", "llm.model_name")


class Carrier(NamedTuple):
    """A span, or an event or log record of one, with its attributes.

    ``written`` are those that it has itself, as they are written.
    """

    attributes: dict[str, Any]
    written: Any
    events: list[tuple[Json, Home]]
    home: Home

    def home_of(self, name: str) -> Home:
        """Where an attribute is."""
        at = f"{self.home.pointer}/attributes"
        step: int | str = name
        if isinstance(self.written, list):
            keys = (one.get("key") if isinstance(one, dict) else None for one in self.written)
            step = next((number for number, key in enumerate(keys) if key == name), 0)
        return self.home._replace(pointer=f"{at}/{step}")


def recognise(value: Any) -> bool:
    """Whether a value is an export of spans or log records, or a span with messages."""
    if not isinstance(value, dict):
        return False
    if "resourceSpans" in value or "resourceLogs" in value:
        return True
    attributes = _attributes(value.get("attributes"))
    return bool(attributes.keys() & {_INPUT, *_PROVIDERS}) or is_flat(attributes)


def read(records: Sequence[Record]) -> Reading:
    """The request of each span that has one."""
    found: list[Conversation] = []
    for index, record in enumerate(records):
        if isinstance(record.value, dict):
            for carrier in _carriers(record.value, index):
                conversation = _conversation(carrier)
                if conversation is not None:
                    found.append(conversation)
    return Reading(found, list(unreadable(records)))


def _carriers(value: Json, index: int) -> Iterator[Carrier]:
    groups = (("resourceSpans", "scopeSpans", "spans"), ("resourceLogs", "scopeLogs", "logRecords"))
    if not any(name in value for name, *_ in groups):
        yield from _with_events(value, Home(index, ""))
    for outer, middle, inner in groups:
        for a, resource in numbered(value.get(outer)):
            for b, scope in numbered(resource.get(middle)):
                for c, one in numbered(scope.get(inner)):
                    at = f"/{outer}/{a}/{middle}/{b}/{inner}/{c}"
                    yield from _with_events(one, Home(index, at))
                if inner == "logRecords":
                    at = f"/{outer}/{a}/{middle}/{b}/{inner}"
                    yield from _of_log_records(scope.get(inner), Home(index, at))


def _of_log_records(records: Any, home: Home) -> Iterator[Carrier]:
    """The events of each span that are log records, an event a message."""
    spans: dict[tuple[str, str], list[tuple[Json, Home]]] = {}
    for number, one in numbered(records):
        name = one.get("eventName") or _attributes(one.get("attributes")).get("event.name")
        if name in _EVENTS:
            place = home._replace(pointer=f"{home.pointer}/{number}")
            span = str(one.get("traceId")), str(one.get("spanId"))
            spans.setdefault(span, []).append(({**one, "name": name}, place))
    for events in spans.values():
        yield Carrier({}, [], events, events[0][1])


def _with_events(value: Json, home: Home) -> Iterator[Carrier]:
    at = f"{home.pointer}/events"
    events = [
        (event, home._replace(pointer=f"{at}/{number}"))
        for number, event in numbered(value.get("events"))
    ]
    own = _attributes(value.get("attributes"))
    yield Carrier(own, value.get("attributes"), events, home)
    for event, place in events:
        about = _attributes(event.get("attributes"))
        if _INPUT in about:
            yield Carrier({**own, **about}, event.get("attributes"), [], place)


def _attributes(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return {str(one.get("key")): _plain(one.get("value")) for one in objects(value)}


def _plain(value: Any) -> Any:
    """A value of OTLP as JSON has it."""
    if not isinstance(value, dict):
        return value
    for name, one in value.items():
        if name == "arrayValue":
            values = one.get("values") if isinstance(one, dict) else None
            return [_plain(item) for item in values] if isinstance(values, list) else []
        if name == "kvlistValue":
            return _attributes(one.get("values")) if isinstance(one, dict) else {}
        if name.endswith("Value"):
            return one
    return value


def _conversation(carrier: Carrier) -> Conversation | None:
    attributes = carrier.attributes
    given = _json(attributes.get(_INPUT))
    system = _json(attributes.get(_SYSTEM))
    messages: list[Json] = []
    places: dict[str, Home] = {}
    flat = read_flat(attributes) if given is None else None
    tools = tools_of(attributes.get(_TOOLS))
    if flat is not None:
        messages, tools = flat.messages, flat.tools
        for number, name in enumerate(flat.names):
            places[f"/messages/{number}"] = carrier.home_of(name)
    elif given is None and carrier.events:
        _from_events(carrier, messages, places)
    elif isinstance(given, list):
        if isinstance(system, list | str) and system:
            parts = system if isinstance(system, list) else [{"type": "text", "content": system}]
            places["/messages/0"] = carrier.home_of(_SYSTEM)
            messages += _messages({"role": "system", "parts": parts})
        for message in given:
            for one in _messages(message):
                places[f"/messages/{len(messages)}"] = carrier.home_of(_INPUT)
                messages.append(one)
    if all(isinstance(one, dict) and one.get("role") == "system" for one in messages):
        return None
    models = (attributes.get(name) for name in _MODELS)
    model = next((one for one in models if isinstance(one, str)), None)
    body = {"messages": messages} if model is None else {"model": model, "messages": messages}
    if tools:
        body["tools"] = tools
    return Conversation(dialect="openai-chat", body=body, places=places)


def _json(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


def _messages(message: Any) -> list[Any]:
    """A message of the conventions as messages of Chat Completions: a result is one of its own."""
    if not isinstance(message, dict) or not isinstance(message.get("parts"), list):
        return [message]
    content: list[Any] = []
    calls: list[Json] = []
    results: list[Json] = []
    thoughts: list[str] = []
    for part in objects(message["parts"]):
        kind = part.get("type")
        if kind == "tool_call":
            calls.append(_call(part))
        elif kind == "tool_call_response":
            said = part.get("response", part.get("result"))
            said = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
            results.append({"role": "tool", "tool_call_id": part.get("id"), "content": said})
        elif kind in ("reasoning", "thinking"):
            thoughts.append(str(part.get("content", "")))
        elif (said := _content(part)) is not None:
            content.append(said)
    if results and not content and not calls:
        return results
    out: Json = {"role": message.get("role"), "content": _simplest(content)}
    if calls:
        out["tool_calls"] = calls
    if thoughts:
        out["reasoning_content"] = "".join(thoughts)
    return [*results, out]


def _simplest(content: list[Any]) -> Any:
    if all(part.get("type") == "text" for part in content):
        return "".join(str(part.get("text")) for part in content) if content else None
    return content


def _call(part: Json) -> Json:
    given = part.get("arguments", {})
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    function = {"name": part.get("name"), "arguments": arguments}
    return {"id": part.get("id"), "type": "function", "function": function}


def _content(part: Json) -> Json | None:
    kind, media = part.get("type"), part.get("mime_type", part.get("media_type"))
    if kind == "text":
        return {"type": "text", "text": part.get("content")}
    data = part.get("content", part.get("data"))
    modality = str(part.get("modality") or str(media or "image").partition("/")[0])
    if kind in ("blob", "binary"):
        url = f"data:{media or 'application/octet-stream'};base64,{data}"
    elif kind == "uri":
        url = str(part.get("uri"))
    elif kind == "file":
        return {"type": "file", "file": {"file_id": part.get("file_id")}}
    else:
        return None
    if modality == "audio" and kind in ("blob", "binary"):
        sound = {"data": data, "format": str(media or "audio/wav").rpartition("/")[2]}
        return {"type": "input_audio", "input_audio": sound}
    name = "video_url" if modality == "video" else "image_url"
    return {"type": name, name: {"url": url}}


def _from_events(carrier: Carrier, messages: list[Json], places: dict[str, Home]) -> None:
    """Messages of the older form: an event each, with the provider's own fields."""
    for event, place in carrier.events:
        role = _EVENTS.get(str(event.get("name")))
        if role is None:
            continue
        fields = _attributes(event.get("attributes"))
        body = _json(fields.get("gen_ai.event.content", _plain(event.get("body"))))
        fields = {**fields, **(body if isinstance(body, dict) else {})}
        message: Json = {"role": str(fields.get("role", role)), "content": fields.get("content")}
        if role == "tool":
            message["tool_call_id"] = fields.get("id")
        calls = _json(fields.get("tool_calls"))
        if isinstance(calls, list):
            message["tool_calls"] = calls
        places[f"/messages/{len(messages)}"] = place
        messages.append(message)
