"""An answer of the Responses API: whole, and as the events of its stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wiremend.providers.answers.asked import (
    Asked,
    Json,
    Tool,
    arguments_text,
    dicts,
    input_tokens,
    output_tokens,
    text_of,
)
from wiremend.providers.answers.events import (
    CREATED,
    Event,
    Numbered,
    arguments_in_pieces,
    in_pieces,
)
from wiremend.providers.answers.script import Answer, Call, Piece, Refusal, Text, Thinking

_INCOMPLETE = {"length": "max_output_tokens"}
_COMPLETE = ("stop", "tool_calls", "refusal")
_ECHOED: Json = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "store": True,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "truncation": "disabled",
}
_SEALED = "reasoning.encrypted_content"


def asked(body: Json, tokens: int) -> Asked:
    """What a sound request asks."""
    items = dicts(body.get("input"))
    form = body.get("text")
    form = form.get("format") if isinstance(form, dict) else None
    include = body.get("include")
    return Asked(
        model=text_of(body.get("model"), "simulated"),
        tools=tuple(_tools(body)),
        choice=_choice(body.get("tool_choice")),
        answered=bool(items) and text_of(items[-1].get("type")).endswith("_output"),
        shape=_shape(form),
        stream=body.get("stream") is True,
        tokens=tokens,
        echoed={name: body.get(name, usual) for name, usual in _ECHOED.items()},
        sealed=isinstance(include, list) and _SEALED in include,
    )


def _tools(body: Json) -> Iterator[Tool]:
    for tool in dicts(body.get("tools")):
        if tool.get("type") in ("function", "custom"):
            custom = tool["type"] == "custom"
            yield Tool(text_of(tool.get("name")), tool.get("parameters"), custom=custom)


def _choice(choice: Any) -> str:
    if isinstance(choice, dict):
        return text_of(choice.get("name"), "auto")
    return {"none": "none", "required": "any"}.get(text_of(choice), "auto")


def _shape(form: Any) -> Any:
    if not isinstance(form, dict) or form.get("type") == "text":
        return None
    return form.get("schema", {"type": "object"})


def whole(answer: Answer, asked: Asked, ids: Numbered) -> Json:
    """The response."""
    output = [_item(part, index, asked, ids) for index, part in enumerate(answer.parts)]
    ending = answer.ending
    reason = None if ending in _COMPLETE else _INCOMPLETE.get(ending, ending)
    return {
        **_head(asked, ids),
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason} if reason else None,
        "output": output,
        "usage": _usage(answer, asked),
    }


def events(answer: Answer, asked: Asked, ids: Numbered) -> list[Event]:
    """The response as a stream."""
    last = whole(answer, asked, ids)
    first = {**_head(asked, ids), "status": "in_progress", "output": [], "usage": None}
    told: list[Json] = [
        {"type": "response.created", "response": first},
        {"type": "response.in_progress", "response": first},
    ]
    for index, (part, item) in enumerate(zip(answer.parts, last["output"], strict=True)):
        told += _item_events(part, item, index)
    told.append({"type": f"response.{last['status']}", "response": last})
    return [
        Event({**event, "sequence_number": number}, event["type"])
        for number, event in enumerate(told)
    ]


def error_event(body: Json, number: int) -> Event:
    """An error within a stream, from the body that it would have as an answer."""
    error = body["error"]
    fields = {name: error.get(name) for name in ("code", "message", "param")}
    if fields["code"] is None:
        fields["code"] = error.get("type")
    return Event({"type": "error", **fields, "sequence_number": number}, "error")


def _head(asked: Asked, ids: Numbered) -> Json:
    return {
        "id": ids.name("resp_", 48),
        "object": "response",
        "created_at": CREATED,
        "background": False,
        "error": None,
        "incomplete_details": None,
        "model": asked.model,
        **asked.echoed,
    }


def _usage(answer: Answer, asked: Asked) -> Json:
    read, written = input_tokens(answer, asked), output_tokens(answer)
    thought = sum(len(part.text) for part in answer.parts if isinstance(part, Thinking)) // 4
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": answer.usage.cached, "cache_write_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": min(thought, written)},
        "total_tokens": read + written,
    }


def _item(part: Piece, index: int, asked: Asked, ids: Numbered) -> Json:
    if isinstance(part, Call):
        return _call(part, index, asked, ids)
    if isinstance(part, Thinking):
        shown = [{"type": "summary_text", "text": part.text}] if part.text else []
        item: Json = {"id": ids.name("rs_", 48, index), "type": "reasoning", "summary": shown}
        if asked.sealed or part.hidden or part.signature:
            item["encrypted_content"] = part.signature or ids.signature(index)
        return item
    said: Json = {"type": "output_text", "text": part.text, "annotations": [], "logprobs": []}
    declined: Json = {"type": "refusal", "refusal": part.text}
    return {
        "id": ids.name("msg_", 48, index),
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [declined if isinstance(part, Refusal) else said],
    }


def _call(call: Call, index: int, asked: Asked, ids: Numbered) -> Json:
    custom = any(tool.custom and tool.name == call.name for tool in asked.tools)
    kind, prefix, field = (
        ("custom_tool_call", "ctc_", "input") if custom else ("function_call", "fc_", "arguments")
    )
    return {
        "id": ids.name(prefix, 48, index),
        "type": kind,
        "status": "completed",
        "call_id": call.id or ids.name("call_", 24, index),
        "name": call.name,
        field: arguments_text(call),
    }


_EMPTY: Json = {"content": [], "arguments": "", "input": "", "summary": []}


def _item_events(part: Piece, item: Json, index: int) -> list[Json]:
    begun = {name: _EMPTY.get(name, value) for name, value in item.items()}
    if "status" in begun:
        begun["status"] = "in_progress"
    place = {"item_id": item["id"], "output_index": index}
    if isinstance(part, Call):
        inner = _call_events(item, place)
    elif isinstance(part, Thinking):
        inner = _summary_events(part.text, place)
    else:
        inner = _content_events(part, item, place)
    return [
        {"type": "response.output_item.added", "output_index": index, "item": begun},
        *inner,
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]


def _call_events(item: Json, place: Json) -> list[Json]:
    custom = item["type"] == "custom_tool_call"
    name = "response.custom_tool_call_input" if custom else "response.function_call_arguments"
    field = "input" if custom else "arguments"
    pieces = arguments_in_pieces(item[field])
    deltas = [{"type": f"{name}.delta", **place, "delta": piece} for piece in pieces]
    return [*deltas, {"type": f"{name}.done", **place, field: item[field]}]


def _summary_events(text: str, place: Json) -> list[Json]:
    if not text:
        return []
    here = {**place, "summary_index": 0}
    name = "response.reasoning_summary"

    def part(words: str) -> Json:
        return {"type": "summary_text", "text": words}

    return [
        {"type": f"{name}_part.added", **here, "part": part("")},
        *({"type": f"{name}_text.delta", **here, "delta": one} for one in in_pieces(text)),
        {"type": f"{name}_text.done", **here, "text": text},
        {"type": f"{name}_part.done", **here, "part": part(text)},
    ]


def _content_events(part: Text | Refusal, item: Json, place: Json) -> list[Json]:
    here = {**place, "content_index": 0}
    (content,) = item["content"]
    declined = isinstance(part, Refusal)
    field, name = ("refusal", "response.refusal") if declined else ("text", "response.output_text")
    more: Json = {} if declined else {"logprobs": []}
    deltas = [
        {"type": f"{name}.delta", **here, "delta": piece, **more} for piece in in_pieces(part.text)
    ]
    return [
        {"type": "response.content_part.added", **here, "part": {**content, field: ""}},
        *deltas,
        {"type": f"{name}.done", **here, field: part.text, **more},
        {"type": "response.content_part.done", **here, "part": content},
    ]
