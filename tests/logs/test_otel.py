"""OpenTelemetry's spans: the conversation of each, judged at the attribute that holds it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import run, write
from tests.logs.mending import problems_of, records_of
from wiremend.logs import LOGS, recognise_log

if TYPE_CHECKING:
    from pathlib import Path

LOG = LOGS["otel"]
CALL = {"type": "tool_call", "id": "call_1", "name": "look", "arguments": {"bed": 1}}
RESULT = {"type": "tool_call_response", "id": "call_1", "response": {"dry": True}}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "content": said}


def message(role: str, *parts: Any) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


WHOLE = [
    message("user", text("Look"), {"type": "uri", "modality": "image", "uri": "https://x/y.png"}),
    message("assistant", {"type": "reasoning", "content": "hm"}, CALL),
    message("tool", RESULT),
    message("assistant", text("Dry.")),
]
BROKEN = [WHOLE[0], WHOLE[1], message("user", text("well?"))]


def as_value(value: Any) -> dict[str, Any]:
    """A value as OTLP writes structured attributes."""
    if isinstance(value, dict):
        fields = [{"key": name, "value": as_value(one)} for name, one in value.items()]
        return {"kvlistValue": {"values": fields}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [as_value(one) for one in value]}}
    return {"boolValue" if isinstance(value, bool) else "stringValue": value}


def span(messages: Any, *, structured: Any = False, **attributes: Any) -> dict[str, Any]:
    given = as_value(messages) if structured else {"stringValue": json.dumps(messages)}
    known = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5", **attributes}
    fields = [{"key": name, "value": {"stringValue": one}} for name, one in known.items()]
    fields.append({"key": "gen_ai.input.messages", "value": given})
    return {"traceId": "5b8e", "spanId": "eee1", "name": "chat gpt-5", "attributes": fields}


def export(*spans: Any) -> dict[str, Any]:
    scope = {"scope": {"name": "agent"}, "spans": list(spans)}
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [scope]}]}


def found(value: Any) -> list[tuple[str, str]]:
    assert recognise_log(value) is LOG
    return [(rule, at) for rule, _, at in problems_of(LOG, records_of([value]))]


@pytest.mark.parametrize("structured", [False, True])
def test_a_whole_span_is_fine_and_a_broken_one_is_found(structured: bool) -> None:
    http = {"name": "GET /", "attributes": [{"key": "http.method", "value": {}}]}
    value = export(http, span(WHOLE, structured=structured), span(BROKEN, structured=structured))
    assert len(LOG.read(records_of([value])).conversations) == 2
    at = "/resourceSpans/0/scopeSpans/0/spans/2/attributes/2"
    assert found(value) == [("missing-tool-result", at)]


def test_system_instructions_tools_and_parts_are_sent() -> None:
    tool = {"type": "function", "name": "look", "description": "Looks", "parameters": {}}
    given = {
        "gen_ai.system_instructions": json.dumps([text("Be brief.")]),
        "gen_ai.tool.definitions": json.dumps([tool]),
    }
    [conversation] = LOG.read(records_of([export(span(WHOLE, **given))])).conversations
    body = conversation.body
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert body["messages"][1]["content"][1]["image_url"]["url"] == "https://x/y.png"
    assert body["messages"][2]["reasoning_content"] == "hm"
    assert body["messages"][3]["content"] == '{"dry": true}'
    assert body["tools"][0]["function"]["name"] == "look"


def test_a_span_a_line_with_plain_attributes_is_read(tmp_path: Path) -> None:
    one = {"name": "chat", "attributes": {"gen_ai.input.messages": BROKEN}, "events": []}
    path = write(tmp_path / "spans.jsonl", one, one)
    result = run("check", path)
    assert f"{path}:2:/attributes/gen_ai.input.messages: WM101" in result.stdout


def test_messages_of_an_event_are_read() -> None:
    details = {
        "name": "gen_ai.client.inference.operation.details",
        "attributes": {"gen_ai.input.messages": BROKEN},
    }
    value = {"name": "chat", "attributes": {"gen_ai.provider.name": "openai"}, "events": [details]}
    assert found(value) == [("missing-tool-result", "/events/0/attributes/gen_ai.input.messages")]


def test_the_older_form_of_an_event_a_message_is_read() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    events = [
        {"name": "gen_ai.user.message", "attributes": {"content": "Look"}},
        {"name": "gen_ai.assistant.message", "attributes": {"tool_calls": [call]}},
        {"name": "gen_ai.tool.message", "attributes": {"id": "c1", "content": "dry"}},
        {"name": "gen_ai.choice", "attributes": {"index": 0}},
    ]
    value = {"name": "chat", "attributes": {"gen_ai.system": "openai"}, "events": events}
    assert found(value) == []
    del events[2]
    events.append({"name": "gen_ai.user.message", "attributes": {"content": "well?"}})
    assert found(value) == [("missing-tool-result", "/events/1")]


@pytest.mark.parametrize("value", [{"attributes": {}}, {"attributes": [1]}, {"spans": []}])
def test_other_json_is_not_taken_for_spans(value: Any) -> None:
    assert recognise_log(value) is None


def flat(messages: list[dict[str, Any]], prefix: str, inner: str = "") -> dict[str, Any]:
    """The fields of messages as attributes, one by one."""
    out: dict[str, Any] = {}

    def put(name: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, one in value.items():
                put(f"{name}.{key}", one)
        elif isinstance(value, list):
            for number, one in enumerate(value):
                put(f"{name}.{number}", one)
        else:
            out[name] = value

    for number, one in enumerate(messages):
        put(f"{prefix}.{number}{inner}", one)
    return out


def openllmetry(*, answered: bool) -> dict[str, Any]:
    call = {"id": "call_1", "name": "look", "arguments": '{"bed": 1}'}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": json.dumps([{"type": "text", "text": "Look"}])},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "dry"},
        {"role": "user", "content": "well?"},
    ]
    if not answered:
        del messages[2]
    functions = flat([{"name": "look", "description": "Looks", "parameters": "{}"}], FUNCTIONS)
    about = {"gen_ai.system": "OpenAI", "gen_ai.request.model": "gpt-5", **functions}
    return {**about, **flat(messages, "gen_ai.prompt")}


FUNCTIONS = "llm.request.functions"


def openinference(*, answered: bool) -> dict[str, Any]:
    call = {"tool_call": {"function": {"name": "look", "arguments": '{"bed": 1}'}}}
    picture = {"message_content": {"type": "image", "image": {"image": {"url": "https://x/y.png"}}}}
    words: dict[str, Any] = {"message_content": {"type": "text", "text": "Look"}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "contents": [words, picture]},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "content": "dry"},
        {"role": "user", "content": "well?"},
    ]
    if not answered:
        del messages[2]
    schema = json.dumps({"type": "function", "function": {"name": "look", "parameters": {}}})
    tools = flat([{"tool": {"json_schema": schema}}], "llm.tools")
    about = {"openinference.span.kind": "LLM", "llm.model_name": "gpt-5", **tools}
    return {**about, **flat(messages, "llm.input_messages", ".message")}


def vercel(*, answered: bool) -> dict[str, Any]:
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": {"bed": 1}}
    output = {"type": "text", "value": "dry"}
    result = {"type": "tool-result", "toolCallId": "c1", "toolName": "look", "output": output}
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Look"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "So."}, call]},
        {"role": "tool", "content": [result]},
        {"role": "user", "content": [{"type": "text", "text": "well?"}]},
    ]
    if not answered:
        del messages[3]
    return {"gen_ai.request.model": "gpt-5", "ai.prompt.messages": json.dumps(messages)}


FLAT = {
    openllmetry: "/attributes/gen_ai.prompt.1.role",
    openinference: "/attributes/llm.input_messages.1.message.role",
    vercel: "/attributes/ai.prompt.messages",
}


@pytest.mark.parametrize(("made", "at"), FLAT.items(), ids=lambda one: getattr(one, "__name__", ""))
@pytest.mark.parametrize("is_otlp", [False, True])
def test_instrumentations_with_attributes_of_their_own_are_read(
    made: Any, at: str, is_otlp: bool
) -> None:
    def value(*, answered: bool) -> Any:
        attributes = made(answered=answered)
        if not is_otlp:
            return {"name": "chat", "attributes": attributes}
        fields = [{"key": name, "value": as_value(one)} for name, one in attributes.items()]
        return export({"name": "chat", "attributes": fields})

    assert found(value(answered=True)) == []
    [conversation] = LOG.read(records_of([value(answered=True)])).conversations
    assert conversation.body["model"] == "gpt-5"
    called = next(one for one in conversation.body["messages"] if one.get("tool_calls"))
    assert json.loads(called["tool_calls"][0]["function"]["arguments"]) == {"bed": 1}
    [(rule, place)] = found(value(answered=False))
    assert rule == "missing-tool-result"
    if is_otlp:
        place_of = list(made(answered=False)).index(at.removeprefix("/attributes/"))
        at = f"/resourceSpans/0/scopeSpans/0/spans/0/attributes/{place_of}"
    assert place == at


def test_events_that_are_log_records_are_read_by_their_spans() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}

    def record(span_id: str, name: str, **body: Any) -> dict[str, Any]:
        about = {"traceId": "5b8e", "spanId": span_id, "body": as_value(body)}
        if name.endswith("user.message"):
            return {**about, "eventName": name}
        return {**about, "attributes": [{"key": "event.name", "value": {"stringValue": name}}]}

    records = [
        record("a", "gen_ai.user.message", content="Look"),
        record("b", "gen_ai.user.message", content="Look"),
        record("a", "gen_ai.assistant.message", tool_calls=[call]),
        record("b", "gen_ai.assistant.message", tool_calls=[call]),
        record("a", "gen_ai.tool.message", id="c1", content="dry"),
        record("b", "gen_ai.user.message", content="well?"),
        record("a", "gen_ai.choice", index=0),
    ]
    scope = {"scope": {"name": "agent"}, "logRecords": records}
    value = {"resourceLogs": [{"resource": {}, "scopeLogs": [scope]}]}
    at = "/resourceLogs/0/scopeLogs/0/logRecords/3"
    assert found(value) == [("missing-tool-result", at)]
