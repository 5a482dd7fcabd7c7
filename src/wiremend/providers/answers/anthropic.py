"""An answer of the Messages API: whole, and as the events of its stream."""

from __future__ import annotations

from typing import Any

from wiremend.providers.answers.asked import (
    Asked,
    Json,
    Tool,
    arguments_object,
    arguments_text,
    dicts,
    input_tokens,
    output_tokens,
    text_of,
)
from wiremend.providers.answers.events import Event, Numbered, arguments_in_pieces, in_pieces
from wiremend.providers.answers.script import Answer, Call, Piece, Thinking

_REASONS = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "refusal": "refusal",
}
_CHOICES = {"auto": "auto", "any": "any", "none": "none"}


def asked(body: Json, tokens: int) -> Asked:
    """What a sound request asks."""
    choice = body.get("tool_choice")
    choice = choice if isinstance(choice, dict) else {}
    messages = dicts(body.get("messages"))
    last = messages[-1].get("content") if messages else None
    return Asked(
        model=text_of(body.get("model"), "simulated"),
        tools=tuple(
            Tool(text_of(tool.get("name")), tool["input_schema"])
            for tool in dicts(body.get("tools"))
            if "input_schema" in tool
        ),
        choice=_CHOICES.get(text_of(choice.get("type"), "auto"), text_of(choice.get("name"))),
        answered=any(block.get("type") == "tool_result" for block in dicts(last)),
        shape=_shape(body),
        stream=body.get("stream") is True,
        tokens=tokens,
    )


def _shape(body: Json) -> Any:
    config = body.get("output_config")
    form = config.get("format") if isinstance(config, dict) else body.get("output_format")
    return form.get("schema") if isinstance(form, dict) else None


def whole(answer: Answer, asked: Asked, ids: Numbered) -> Json:
    """The message."""
    return {
        **_opening(asked, ids),
        "content": [_block(part, index, ids) for index, part in enumerate(answer.parts)],
        "stop_reason": _reason(answer),
        "usage": {**_usage(answer, asked), "output_tokens": output_tokens(answer)},
    }


def events(answer: Answer, asked: Asked, ids: Numbered) -> list[Event]:
    """The message as a stream."""
    message = {**_opening(asked, ids), "usage": {**_usage(answer, asked), "output_tokens": 1}}
    found = [_event("message_start", message=message), _event("ping")]
    for index, part in enumerate(answer.parts):
        found += _block_events(part, index, ids)
    found.append(
        _event(
            "message_delta",
            delta={"stop_reason": _reason(answer), "stop_sequence": None},
            usage={"output_tokens": output_tokens(answer)},
        )
    )
    return [*found, _event("message_stop")]


def error_event(body: Json) -> Event:
    """An error within a stream, from the body that it would have as an answer."""
    return Event(body, "error")


def _opening(asked: Asked, ids: Numbered) -> Json:
    return {
        "id": ids.name("msg_01", 22),
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _reason(answer: Answer) -> str:
    return _REASONS.get(answer.ending, answer.ending)


def _usage(answer: Answer, asked: Asked) -> Json:
    cached = answer.usage.cached
    return {
        # What came from the cache is not counted again.
        "input_tokens": max(input_tokens(answer, asked) - cached, 0),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": cached,
    }


def _block(part: Piece, index: int, ids: Numbered) -> Json:
    if isinstance(part, Call):
        name = part.id or ids.name("toolu_01", 22, index)
        return {
            "type": "tool_use",
            "id": name,
            "name": part.name,
            "input": arguments_object(part),
        }
    if isinstance(part, Thinking):
        signature = part.signature or ids.signature(index)
        if part.hidden:
            return {"type": "redacted_thinking", "data": signature}
        return {"type": "thinking", "thinking": part.text, "signature": signature}
    return {"type": "text", "text": part.text}


def _block_events(part: Piece, index: int, ids: Numbered) -> list[Event]:
    block = _block(part, index, ids)
    empty = {"text": "", "thinking": "", "signature": "", "input": {}}
    start = {
        name: empty.get(name, value) if name != "type" else value for name, value in block.items()
    }
    return [
        _event("content_block_start", index=index, content_block=start),
        *(
            _event("content_block_delta", index=index, delta=delta)
            for delta in _deltas(part, block)
        ),
        _event("content_block_stop", index=index),
    ]


def _deltas(part: Piece, block: Json) -> list[Json]:
    if isinstance(part, Call):
        pieces = ["", *arguments_in_pieces(arguments_text(part))]
        return [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    if isinstance(part, Thinking):
        if part.hidden:
            return []
        said = [{"type": "thinking_delta", "thinking": one} for one in in_pieces(part.text)]
        return [*said, {"type": "signature_delta", "signature": block["signature"]}]
    return [{"type": "text_delta", "text": piece} for piece in in_pieces(part.text)]


def _event(kind: str, **fields: Any) -> Event:
    return Event({"type": kind, **fields}, kind)
