"""An answer of Chat Completions: whole, and in chunks; and what differs between its servers."""

from __future__ import annotations

from typing import Any

import msgspec

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

DONE = Event("[DONE]")
_REASONS = {"refusal": "stop"}


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """How a server of this API answers.

    ``reasoning`` is the field of thinking in messages (None: it is not shown), ``chunks``: thinking
    is a part of the content. ``usage_always``: a stream ends with the usage, asked or not.
    ``whole_calls``: a call is streamed in one piece. ``call_id`` is ``openai``, ``named``
    (``functions.look:0``) or ``nine`` (letters and digits).
    """

    reasoning: str | None = None
    chunks: bool = False
    usage_always: bool = False
    whole_calls: bool = False
    call_id: str = "openai"


HABITS = {
    "openai-chat": Habits(),
    "kimi": Habits(reasoning="reasoning_content", call_id="named"),
    "deepseek": Habits(reasoning="reasoning_content", usage_always=True),
    "mistral": Habits(chunks=True, usage_always=True, whole_calls=True, call_id="nine"),
    "qwen": Habits(reasoning="reasoning_content"),
    "openrouter": Habits(reasoning="reasoning", usage_always=True),
    "generic": Habits(reasoning="reasoning_content"),
}


def asked(body: Json, tokens: int) -> Asked:
    """What a sound request asks."""
    messages = dicts(body.get("messages"))
    options = body.get("stream_options")
    functions = [tool.get("function") for tool in dicts(body.get("tools"))]
    return Asked(
        model=text_of(body.get("model"), "simulated"),
        tools=tuple(
            Tool(text_of(function.get("name")), function.get("parameters"))
            for function in dicts(functions)
        ),
        choice=_choice(body.get("tool_choice")),
        answered=bool(messages) and messages[-1].get("role") in ("tool", "function"),
        shape=_shape(body.get("response_format")),
        stream=body.get("stream") is True,
        stream_usage=isinstance(options, dict) and options.get("include_usage") is True,
        tokens=tokens,
    )


def _choice(choice: Any) -> str:
    if isinstance(choice, dict):
        function = choice.get("function")
        return text_of(function.get("name")) if isinstance(function, dict) else "auto"
    return {"none": "none", "required": "any", "any": "any"}.get(text_of(choice), "auto")


def _shape(form: Any) -> Any:
    if not isinstance(form, dict):
        return None
    if form.get("type") == "json_object":
        return {"type": "object"}
    named = form.get("json_schema")
    return named.get("schema") if isinstance(named, dict) else None


def whole(answer: Answer, asked: Asked, ids: Numbered, habits: Habits) -> Json:
    """The completion."""
    choice = {
        "index": 0,
        "message": _message(answer, ids, habits),
        "logprobs": None,
        "finish_reason": _REASONS.get(answer.ending, answer.ending),
    }
    usage = _usage(answer, asked)
    return {**_head("chat.completion", asked, ids), "choices": [choice], "usage": usage}


def events(answer: Answer, asked: Asked, ids: Numbered, habits: Habits) -> list[Event]:
    """The completion in chunks."""
    head = _head("chat.completion.chunk", asked, ids)
    blank = {"usage": None} if asked.stream_usage else {}

    def chunk(delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**head, "choices": [choice], **blank}

    found = [chunk({"role": "assistant", "content": ""})]
    found += [chunk(delta) for delta in _deltas(answer, ids, habits)]
    found.append(chunk({}, _REASONS.get(answer.ending, answer.ending)))
    usage = _usage(answer, asked)
    if habits.usage_always:
        found[-1]["usage"] = usage
    elif asked.stream_usage:
        found.append({**head, "choices": [], "usage": usage})
    return [*map(Event, found), DONE]


def error_event(body: Json) -> Event:
    """An error within a stream, from the body that it would have as an answer."""
    return Event(body)


def _head(kind: str, asked: Asked, ids: Numbered) -> Json:
    return {
        "id": ids.name("chatcmpl-", 29),
        "object": kind,
        "created": CREATED,
        "model": asked.model,
    }


def _usage(answer: Answer, asked: Asked) -> Json:
    prompt, completion = input_tokens(answer, asked), output_tokens(answer)
    thought = sum(len(part.text) for part in answer.parts if isinstance(part, Thinking)) // 4
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": answer.usage.cached},
        "completion_tokens_details": {"reasoning_tokens": min(thought, completion)},
    }


def _message(answer: Answer, ids: Numbered, habits: Habits) -> Json:
    said = _joined(answer, Text)
    declined = _joined(answer, Refusal)
    thought = _joined(answer, Thinking)
    message: Json = {"role": "assistant", "content": said or (None if answer.parts else "")}
    if thought and habits.chunks:
        message["content"] = [_thinking_chunk(thought), *([_text_chunk(said)] if said else [])]
    elif thought and habits.reasoning:
        message[habits.reasoning] = thought
    message["refusal"] = declined or None
    calls = [_call(call, index, ids, habits) for index, call in enumerate(answer.calls)]
    return {**message, "tool_calls": calls} if calls else message


def _joined(answer: Answer, kind: type[Text | Thinking | Refusal]) -> str:
    return "".join(part.text for part in answer.parts if isinstance(part, kind))


def _thinking_chunk(text: str) -> Json:
    return {"type": "thinking", "thinking": [_text_chunk(text)]}


def _text_chunk(text: str) -> Json:
    return {"type": "text", "text": text}


def _call(call: Call, index: int, ids: Numbered, habits: Habits) -> Json:
    made = {
        "named": f"functions.{call.name}:{index}",
        "nine": ids.name("", 9, index),
        "openai": ids.name("call_", 24, index),
    }
    function = {"name": call.name, "arguments": arguments_text(call)}
    return {"id": call.id or made[habits.call_id], "type": "function", "function": function}


def _deltas(answer: Answer, ids: Numbered, habits: Habits) -> list[Json]:
    found: list[Json] = []
    index = 0
    for part in answer.parts:
        if isinstance(part, Call):
            found += _call_deltas(_call(part, index, ids, habits), index, habits)
            index += 1
        else:
            found += _spoken(part, habits)
    return found


def _spoken(part: Piece, habits: Habits) -> list[Json]:
    assert not isinstance(part, Call)
    pieces = in_pieces(part.text)
    if isinstance(part, Refusal):
        return [{"refusal": piece} for piece in pieces]
    if isinstance(part, Text):
        return [{"content": piece} for piece in pieces]
    if habits.chunks:
        return [{"content": [_thinking_chunk(piece)]} for piece in pieces]
    return [{habits.reasoning: piece} for piece in pieces] if habits.reasoning else []


def _call_deltas(call: Json, index: int, habits: Habits) -> list[Json]:
    text = call["function"]["arguments"]
    if habits.whole_calls:
        return [{"tool_calls": [{"index": index, **call}]}]
    first = {"index": index, **call, "function": {**call["function"], "arguments": ""}}
    rest = [
        {"index": index, "function": {"arguments": piece}} for piece in arguments_in_pieces(text)
    ]
    return [{"tool_calls": [delta]} for delta in (first, *rest)]
