"""An answer of generateContent: whole, and in chunks."""

from __future__ import annotations

from typing import Any

from wiremend.providers.answers.asked import (
    Asked,
    Json,
    Tool,
    arguments_object,
    dicts,
    input_tokens,
    output_tokens,
    text_of,
)
from wiremend.providers.answers.events import Event, Numbered, in_pieces
from wiremend.providers.answers.script import Answer, Call, Piece, Thinking

_REASONS = {
    "stop": "STOP",
    "tool_calls": "STOP",
    "length": "MAX_TOKENS",
    "refusal": "SAFETY",
}


def asked(body: Json, model: str, tokens: int) -> Asked:
    """What a sound request asks."""
    contents = dicts(_either(body, "contents"))
    last = dicts(_listed(contents[-1].get("parts"))) if contents else []
    settings = _object(_either(body, "generationConfig", "generation_config"))
    return Asked(
        model=model or "simulated",
        tools=_tools(body),
        choice=_choice(body),
        answered=any("functionResponse" in part or "function_response" in part for part in last),
        shape=_shape(settings),
        tokens=tokens,
    )


def _tools(body: Json) -> tuple[Tool, ...]:
    declared = [
        function
        for tool in dicts(_listed(body.get("tools")))
        for function in dicts(
            _listed(_either(tool, "functionDeclarations", "function_declarations"))
        )
    ]
    return tuple(
        Tool(
            text_of(one.get("name")),
            _either(one, "parameters", "parametersJsonSchema", "parameters_json_schema"),
        )
        for one in declared
    )


def _choice(body: Json) -> str:
    config = _object(_either(body, "toolConfig", "tool_config"))
    calling = _object(_either(config, "functionCallingConfig", "function_calling_config"))
    allowed = _either(calling, "allowedFunctionNames", "allowed_function_names")
    mode = text_of(calling.get("mode")).upper()
    if mode == "ANY" and isinstance(allowed, list) and allowed:
        return text_of(allowed[0], "any")
    return {"ANY": "any", "NONE": "none"}.get(mode, "auto")


def _shape(settings: Json) -> Any:
    found = _either(
        settings,
        *("responseSchema", "response_schema", "responseJsonSchema", "response_json_schema"),
    )
    if found is None and "json" in text_of(_either(settings, "responseMimeType")):
        return {"type": "object"}
    return found


def _either(holder: Json, *names: str) -> Any:
    return next((holder[name] for name in names if holder.get(name) is not None), None)


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


def whole(answer: Answer, asked: Asked, ids: Numbered) -> Json:
    """The response."""
    parts = [part for part, _ in _parts(answer, asked, ids)]
    reason = _REASONS.get(answer.ending, answer.ending)
    return _response(parts, reason, answer, asked, ids)


def events(answer: Answer, asked: Asked, ids: Numbered) -> list[Event]:
    """The response in chunks; the last one says why it ends."""
    pieces = [one for _, them in _parts(answer, asked, ids) for one in them] or [{"text": ""}]
    reasons = [None] * (len(pieces) - 1) + [_REASONS.get(answer.ending, answer.ending)]
    return [
        Event(_response([piece], reason, answer, asked, ids))
        for piece, reason in zip(pieces, reasons, strict=True)
    ]


def error_event(body: Json) -> Event:
    """An error within a stream, from the body that it would have as an answer."""
    return Event(body)


def _response(
    parts: list[Json], reason: str | None, answer: Answer, asked: Asked, ids: Numbered
) -> Json:
    candidate: Json = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if reason is not None:
        candidate["finishReason"] = reason
    prompt, written = input_tokens(answer, asked), output_tokens(answer)
    usage = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": written,
        "totalTokenCount": prompt + written,
    }
    if answer.usage.cached:
        usage["cachedContentTokenCount"] = answer.usage.cached
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": asked.model,
        "responseId": ids.name("", 22),
    }


def _parts(answer: Answer, asked: Asked, ids: Numbered) -> list[tuple[Json, list[Json]]]:
    """Each part, and the pieces that it is streamed in.

    What was thought is signed on the part that comes next. Newer models sign the first call of a
    step in any case, and number their calls.
    """
    newer = asked.model.rpartition("/")[2].startswith("gemini-3")
    found: list[tuple[Json, list[Json]]] = []
    unsigned: str | None = None
    called = False
    for index, piece in enumerate(answer.parts):
        if isinstance(piece, Thinking):
            unsigned = piece.signature or ids.signature(index)
            if not piece.hidden:
                found.append(_texts(piece, {"thought": True}, None))
            continue
        if isinstance(piece, Call):
            if newer and not called:
                unsigned = unsigned or ids.signature(index)
            called = True
            part = _call(piece, ids.name("", 8, index) if newer else None)
            part |= {"thoughtSignature": unsigned} if unsigned else {}
            found.append((part, [part]))
        else:
            found.append(_texts(piece, {}, unsigned))
        unsigned = None
    return found


def _call(call: Call, made: str | None) -> Json:
    name = call.id or made
    function = {"name": call.name, "args": arguments_object(call)}
    return {"functionCall": {**({"id": name} if name else {}), **function}}


def _texts(piece: Piece, marks: Json, signature: str | None) -> tuple[Json, list[Json]]:
    assert not isinstance(piece, Call)
    signed = {"thoughtSignature": signature} if signature else {}
    pieces: list[Json] = [{"text": text, **marks} for text in in_pieces(piece.text)]
    if pieces:
        pieces[-1] |= signed
    return {"text": piece.text, **marks, **signed}, pieces
