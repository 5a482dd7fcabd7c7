"""What the service tells of itself: traces, logs, fingerprints, OpenTelemetry."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from tests.service.asking import BAD_IMAGE, HELLO, REFUSED, broken, chatting, messaging, picture

from wiremend.errors import WiremendError
from wiremend.model import user
from wiremend.service import OpenTelemetry, Trace, fingerprint
from wiremend.service.fingerprints import without_secrets
from wiremend.simulator import Call, Failure, Fault, says

_TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]


def watched() -> tuple[OpenTelemetry, InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return OpenTelemetry(provider), exporter


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_a_trace_has_every_attempt_and_is_json() -> None:
    traces: list[Trace] = []
    with chatting(BAD_IMAGE, says("x"), on_trace=traces.append) as (service, _):
        answer = service.send([*broken(), picture("a")])
    assert traces == [answer.trace]
    told = json.loads(json.dumps(answer.trace.to_builtins()))
    assert (told["outcome"], told["model"], told["streamed"]) == ("answered", "gpt-5", False)
    first, second = told["attempts"]
    assert (first["policy"], first["outcome"]) == ("plain", "refused")
    assert first["refusal"]["error_class"] == "media_format"
    assert [a["kind"] for a in first["anomalies"]] == ["tool_result_synthesized"]
    assert [a["kind"] for a in second["anomalies"]] == [
        *("tool_result_synthesized", "media_replaced"),
    ]
    assert first["seconds"] > 0


def test_spans_say_what_was_tried_in_the_words_of_the_conventions() -> None:
    observer, exporter = watched()
    options = {"observer": observer, "session_id": "greenhouse"}
    steps = (BAD_IMAGE, says("x", Call("look", {})))
    with chatting(*steps, **options) as (service, _):
        service.send([*broken(), picture("a")])
    refused, taken, whole = exporter.get_finished_spans()
    assert (refused.name, taken.name, whole.name) == (
        *("chat gpt-5", "chat gpt-5", "wiremend.request"),
    )
    assert refused.kind is taken.kind is SpanKind.CLIENT
    assert refused.parent is not None
    assert refused.parent.span_id == whole.context.span_id
    said = attributes(taken)
    assert said["gen_ai.operation.name"] == "chat"
    assert said["gen_ai.provider.name"] == "openai"
    assert said["gen_ai.request.model"] == "gpt-5"
    assert said["gen_ai.conversation.id"] == "greenhouse"
    assert said["gen_ai.response.finish_reasons"] == ("tool_calls",)
    assert said["gen_ai.usage.output_tokens"] > 0
    assert said["wiremend.policy"] == "strip"
    assert refused.status.status_code is StatusCode.ERROR
    assert attributes(refused)["error.type"] == "openai.BadRequestError"
    events = {event.name: dict(event.attributes or {}) for event in whole.events}
    assert events["wiremend.refused"]["wiremend.error_class"] == "media_format"
    assert events["wiremend.repaired"]["media_replaced"] == 1
    assert attributes(whole)["wiremend.attempts"] == 2
    assert whole.status.status_code is StatusCode.UNSET


def test_a_request_that_failed_or_was_left_is_marked_so() -> None:
    observer, exporter = watched()
    fault = Fault("error", after=4, failure=Failure(500))
    steps = (Failure(429), says("a b c d", fault=fault), says("words " * 40))
    with messaging(*steps, observer=observer) as (service, _):
        for _attempt in range(2):
            with pytest.raises(Exception, match=r"\w"):
                service.stream(HELLO).read()
        with service.stream(HELLO) as stream:
            next(iter(stream))
    whole = [s for s in exporter.get_finished_spans() if s.name == "wiremend.request"]
    assert [attributes(span)["wiremend.outcome"] for span in whole] == [
        *("refused", "refused", "aborted"),
    ]
    assert [attributes(span)["error.type"] for span in whole] == [
        *("rate_limit", "server", "aborted"),
    ]
    assert len(exporter.get_finished_spans()) == 6, "no span is left open"


def test_a_stream_that_nobody_reads_is_no_request() -> None:
    observer, exporter = watched()
    traces: list[Trace] = []
    with chatting(observer=observer, on_trace=traces.append) as (service, running):
        service.stream(HELLO).close()
    assert (traces, running.requests, exporter.get_finished_spans()) == ([], [], ())


def test_neither_spans_nor_logs_hold_contents_or_keys(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "wiremend")
    observer, exporter = watched()
    records: list[Any] = []
    history = [user("the secret word is marmalade"), *broken()]
    options = {
        "observer": observer,
        "record": records.append,
        "headers": {"x-key": "sk-hidden"},
        "tools": [*_TOOLS, {"type": "mcp", "authorization": "sk-hidden", "headers": {"a": "b"}}],
    }
    with chatting(REFUSED, REFUSED, says("marmalade"), **options) as (service, _):
        with pytest.raises(Exception, match=r"\w"):
            service.send(history)
        service.send(history, tools=_TOOLS)
    spans = "".join(span.to_json() for span in exporter.get_finished_spans())
    logged = "".join(str(record.__dict__) for record in caplog.records)
    for text in (spans, logged, json.dumps(records)):
        assert "marmalade" not in text
        assert "sk-" not in text
    assert caplog.records, "something was logged"


def test_a_configuration_is_logged_when_it_changes_and_a_tool_table_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "wiremend")
    records: list[dict[str, Any]] = []
    with chatting(*[says("x")] * 5, record=records.append, tools=_TOOLS) as (service, _):
        service.send(HELLO)
        service.send(HELLO)
        service.send(HELLO, settings={"model": "gpt-5-mini"})
        service.send(HELLO, tools=[])
        service.send(HELLO)
    kinds = [record["type"] for record in records]
    assert kinds == ["llm.configuration", "llm.tools", *["llm.configuration"] * 3]
    assert records[1]["tools"] == _TOOLS
    assert records[1]["fingerprint"] == records[0]["tools"]
    assert [record["model"] for record in records if "model" in record] == [
        *("gpt-5", "gpt-5-mini", "gpt-5", "gpt-5"),
    ]
    said = [r.message for r in caplog.records if r.message.startswith("configuration")]
    assert len(said) == 4


def test_the_same_repairs_in_a_row_are_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "wiremend")
    events: list[str] = []
    with chatting(*[says("x")] * 3, on_event=lambda name, _: events.append(name)) as (service, _):
        service.send(broken())
        service.send(broken())
        assert events == ["context_projection_repaired"]
        service.send(HELLO)
        service.send(broken())
    assert events == ["context_projection_repaired"] * 2
    assert "repaired the request to keep it wire-valid" in caplog.text


def test_a_retry_is_logged_by_its_class(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "wiremend")
    with messaging(REFUSED, says("x")) as (service, _):
        service.send(HELLO)
    said = "the provider refused the request (structure); sending it again: strict"
    assert said in [record.message for record in caplog.records]


def test_fingerprints_tell_system_prompt_and_tools_apart_in_every_format() -> None:
    chat = {"messages": [{"role": "system", "content": "be kind"}, {"role": "user"}]}
    grown = {"messages": [*chat["messages"], {"role": "assistant"}, {"role": "system"}]}
    assert fingerprint(chat) == fingerprint(grown)
    assert fingerprint(chat).tools is None
    bodies: list[dict[str, Any]] = [
        {"system": "a"},
        {"instructions": "a"},
        {"systemInstruction": {"parts": []}},
    ]
    for body in bodies:
        assert len(fingerprint(body).system or "") == 64
    ordered = fingerprint({"tools": [{"a": 1, "b": 2}]})
    assert ordered == fingerprint({"tools": [{"b": 2, "a": 1}]})
    assert ordered != fingerprint({"tools": [{"b": 2, "a": 2}]})
    assert fingerprint({"toolConfig": {"tools": []}}).tools
    assert fingerprint({}) == fingerprint({"tools": [], "system": ""})


def test_secrets_in_a_tool_table_are_hidden_and_schemas_are_not() -> None:
    table = {
        "server_url": "https://x",
        "authorization": "Bearer x",
        "headers": {"X": "y"},
        "parameters": {
            "properties": {"token": {"type": "string"}, "password": {"$ref": "#/x"}},
            "required": ["token"],
        },
    }
    assert without_secrets(table) == {**table, "authorization": "***", "headers": "***"}


def test_importing_the_service_loads_no_sdk() -> None:
    code = (
        "import sys, wiremend.service as s; [getattr(s, n) for n in s.__all__];"
        "print(*{'openai', 'anthropic', 'google.genai', 'httpx2', 'opentelemetry'} "
        "& set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_missing_opentelemetry_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(WiremendError, match=r"wiremend\[otel\]"):
        OpenTelemetry()
