"""An answer of Converse: whole, and as the events of its stream."""

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
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "refusal": "content_filtered",
}


def asked(body: Json, model: str, tokens: int) -> Asked:
    """What a sound request asks."""
    config = body.get("toolConfig")
    config = config if isinstance(config, dict) else {}
    messages = dicts(body.get("messages"))
    last = dicts(messages[-1].get("content")) if messages else []
    specs = dicts([tool.get("toolSpec") for tool in dicts(config.get("tools"))])
    return Asked(
        model=model or "simulated",
        tools=tuple(
            Tool(text_of(spec.get("name")), _json(spec.get("inputSchema"))) for spec in specs
        ),
        choice=_choice(config.get("toolChoice")),
        answered=any("toolResult" in block for block in last),
        tokens=tokens,
    )


def _json(value: Any) -> Any:
    return value.get("json") if isinstance(value, dict) else None


def _choice(choice: Any) -> str:
    if not isinstance(choice, dict):
        return "auto"
    named = choice.get("tool")
    if isinstance(named, dict):
        return text_of(named.get("name"), "auto")
    return "any" if "any" in choice else "auto"


def whole(answer: Answer, asked: Asked, ids: Numbered) -> Json:
    """The output."""
    content = [_block(part, index, ids) for index, part in enumerate(answer.parts)]
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": _REASONS.get(answer.ending, answer.ending),
        "usage": _usage(answer, asked),
        "metrics": {"latencyMs": 1},
    }


def events(answer: Answer, asked: Asked, ids: Numbered) -> list[Event]:
    """The output as a stream."""
    found = [Event({"role": "assistant"}, "messageStart")]
    for index, part in enumerate(answer.parts):
        found += _block_events(part, index, ids)
    found.append(Event({"stopReason": _REASONS.get(answer.ending, answer.ending)}, "messageStop"))
    told = {"usage": _usage(answer, asked), "metrics": {"latencyMs": 1}}
    return [*found, Event(told, "metadata")]


def _usage(answer: Answer, asked: Asked) -> Json:
    read, written = input_tokens(answer, asked), output_tokens(answer)
    cached = answer.usage.cached
    return {
        "inputTokens": max(read - cached, 0),
        "outputTokens": written,
        "totalTokens": max(read, cached) + written,
        "cacheReadInputTokens": cached,
        "cacheWriteInputTokens": 0,
    }


def _block(part: Piece, index: int, ids: Numbered) -> Json:
    if isinstance(part, Call):
        name = part.id or ids.name("tooluse_", 22, index)
        return {"toolUse": {"toolUseId": name, "name": part.name, "input": arguments_object(part)}}
    if not isinstance(part, Thinking):
        return {"text": part.text}
    signature = part.signature or ids.signature(index)
    if part.hidden:
        return {"reasoningContent": {"redactedContent": signature}}
    return {"reasoningContent": {"reasoningText": {"text": part.text, "signature": signature}}}


def _block_events(part: Piece, index: int, ids: Numbered) -> list[Event]:
    place = {"contentBlockIndex": index}
    block = _block(part, index, ids)
    found: list[Event] = []
    if isinstance(part, Call):
        use = {name: block["toolUse"][name] for name in ("toolUseId", "name")}
        found.append(Event({"start": {"toolUse": use}, **place}, "contentBlockStart"))
    found += [
        Event({"delta": delta, **place}, "contentBlockDelta") for delta in _deltas(part, block)
    ]
    return [*found, Event(place, "contentBlockStop")]


def _deltas(part: Piece, block: Json) -> list[Json]:
    if isinstance(part, Call):
        pieces = arguments_in_pieces(arguments_text(part))
        return [{"toolUse": {"input": piece}} for piece in pieces]
    if not isinstance(part, Thinking):
        return [{"text": piece} for piece in in_pieces(part.text)]
    thought = block["reasoningContent"]
    if part.hidden:
        return [{"reasoningContent": thought}]
    said = [{"reasoningContent": {"text": piece}} for piece in in_pieces(part.text)]
    return [*said, {"reasoningContent": {"signature": thought["reasoningText"]["signature"]}}]
