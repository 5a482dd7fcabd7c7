"""Random conversations that providers take, and random damage to them.

Every text is unique, so that a test can say what became of each.
"""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

Body = dict[str, Any]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
TOOLS = ("read", "write", "search")


class Names:
    """Hands out texts and ids that occur once in a conversation."""

    def __init__(self) -> None:
        self._count = 0

    def text(self, what: str) -> str:
        self._count += 1
        return f"{what}-{self._count}-words"

    def id(self) -> str:
        self._count += 1
        return f"call_{self._count}"


@st.composite
def openai_bodies(draw: st.DrawFn) -> Body:
    """A Chat Completions request that OpenAI takes."""
    names = Names()
    messages: list[Body] = []
    if draw(st.booleans()):
        role = draw(st.sampled_from(["system", "developer"]))
        messages.append({"role": role, "content": names.text("system")})
    for _ in range(draw(st.integers(1, 5))):
        messages.append(_openai_user(draw, names))
        for _ in range(draw(st.integers(0, 3))):
            messages.extend(_openai_exchange(draw, names))
        if draw(st.booleans()):
            answer: Body = {"role": "assistant", "content": names.text("answer")}
            if draw(st.booleans()):
                answer["refusal"] = None
            messages.append(answer)
    function = {"parameters": {"type": "object", "properties": {}}}
    tools = [{"type": "function", "function": {"name": name, **function}} for name in TOOLS]
    body: Body = {"model": "gpt-4o", "messages": messages, "tools": tools}
    if draw(st.booleans()):
        body["temperature"] = 0.3
    return body


def _openai_user(draw: st.DrawFn, names: Names) -> Body:
    text = names.text("user")
    match draw(st.integers(0, 3)):
        case 0:
            url = f"data:image/png;base64,{PNG}"
            image = {"type": "image_url", "image_url": {"url": url, "detail": "low"}}
            return {"role": "user", "content": [{"type": "text", "text": text}, image]}
        case 1:
            return {"role": "user", "name": "ann", "content": text}
        case 2:
            return {"role": "user", "content": [{"type": "text", "text": text}]}
        case _:
            return {"role": "user", "content": text}


def _openai_exchange(draw: st.DrawFn, names: Names) -> list[Body]:
    ids = [names.id() for _ in range(draw(st.integers(1, 3)))]
    calls = []
    for call_id in ids:
        arguments = draw(st.sampled_from(["{}", '{"q": "x"}', '{ "n":1.0 }']))
        function = {"name": draw(st.sampled_from(TOOLS)), "arguments": arguments}
        calls.append({"id": call_id, "type": "function", "function": function})
    content = draw(st.sampled_from([None, "", names.text("assistant")]))
    out: list[Body] = [{"role": "assistant", "content": content, "tool_calls": calls}]
    for call_id in draw(st.permutations(ids)):
        text = draw(st.sampled_from(["", names.text("result")]))
        shape = draw(st.booleans())
        result: Any = [{"type": "text", "text": text}] if shape else text
        out.append({"role": "tool", "tool_call_id": call_id, "content": result})
    return out


@st.composite
def anthropic_bodies(draw: st.DrawFn) -> Body:
    """A Messages request that Anthropic takes."""
    names = Names()
    thinks = draw(st.booleans())
    messages: list[Body] = []
    for _ in range(draw(st.integers(1, 5))):
        messages.append(_anthropic_user(draw, names))
        for _ in range(draw(st.integers(0, 3))):
            messages.extend(_anthropic_exchange(draw, names, thinks=thinks))
        if draw(st.booleans()):
            blocks: list[Body] = [{"type": "text", "text": names.text("answer")}]
            content: Any = draw(st.sampled_from([blocks, names.text("answer")]))
            messages.append({"role": "assistant", "content": content})
    if messages[-1]["role"] == "assistant":
        messages.append({"role": "user", "content": names.text("user")})
    tools = [{"name": name, "input_schema": {"type": "object"}} for name in TOOLS]
    body: Body = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 4096,
        "messages": messages,
        "tools": tools,
    }
    if thinks:
        body["thinking"] = {"type": "enabled", "budget_tokens": 1024}
    if draw(st.booleans()):
        system = {"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}
        body["system"] = draw(st.sampled_from(["be brief", [system]]))
    return body


def _anthropic_user(draw: st.DrawFn, names: Names) -> Body:
    text = names.text("user")
    match draw(st.integers(0, 3)):
        case 0:
            source = {"type": "base64", "media_type": "image/png", "data": PNG}
            blocks = [{"type": "image", "source": source}, {"type": "text", "text": text}]
            return {"role": "user", "content": blocks}
        case 1:
            return {"role": "user", "content": [{"type": "text", "text": text}]}
        case 2:
            source = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
            document = {"type": "document", "source": source, "title": "paper"}
            return {"role": "user", "content": [document, {"type": "text", "text": text}]}
        case _:
            return {"role": "user", "content": text}


def _anthropic_exchange(draw: st.DrawFn, names: Names, *, thinks: bool) -> list[Body]:
    blocks: list[Body] = []
    if thinks:
        thinking = draw(st.sampled_from(["", names.text("thinking")]))
        blocks.append({"type": "thinking", "thinking": thinking, "signature": "c2ln"})
    if draw(st.booleans()):
        blocks.append({"type": "text", "text": names.text("assistant")})
    ids = [names.id() for _ in range(draw(st.integers(1, 3)))]
    for call_id in ids:
        arguments = draw(st.sampled_from([{}, {"q": "x", "deep": [1, 2.5, None]}]))
        name = draw(st.sampled_from(TOOLS))
        blocks.append({"type": "tool_use", "id": call_id, "name": name, "input": arguments})
        if thinks and draw(st.booleans()):
            blocks.append({"type": "thinking", "thinking": names.text("t"), "signature": "eA=="})
    results: list[Body] = []
    for call_id in draw(st.permutations(ids)):
        result: Body = {"type": "tool_result", "tool_use_id": call_id}
        match draw(st.integers(0, 4)):
            case 0:
                result["content"] = names.text("result")
            case 1:
                result["content"] = [{"type": "text", "text": names.text("result")}]
            case 2:
                result["content"] = names.text("result")
                result["is_error"] = draw(st.booleans())
            case 3:
                result["content"] = ""
            case _:
                pass
        results.append(result)
    if draw(st.booleans()):
        results.append({"type": "text", "text": names.text("user")})
    exchange = [{"role": "assistant", "content": blocks}, {"role": "user", "content": results}]
    if not thinks and len(blocks) > 1 and draw(st.integers(0, 3)) == 0:
        # A log that keeps one line a block sends neighbouring assistant messages.
        first, rest = blocks[:1], blocks[1:]
        exchange[0:1] = [
            {"role": "assistant", "content": first},
            {"role": "assistant", "content": rest},
        ]
    return exchange


@st.composite
def damaged(draw: st.DrawFn, bodies: st.SearchStrategy[Body]) -> Body:
    """A body after one to four accidents: something lost, doubled, moved, blanked, renamed."""
    body = copy.deepcopy(draw(bodies))
    for _ in range(draw(st.integers(1, 4))):
        _damage(draw, body)
    return body


def _damage(draw: st.DrawFn, body: Body) -> None:
    messages: list[Body] = body["messages"]
    if not messages:
        return
    at = draw(st.integers(0, len(messages) - 1))
    blocks = messages[at].get("content")
    calls = messages[at].get("tool_calls")
    inner = blocks if isinstance(blocks, list) and blocks else calls
    match draw(st.integers(0, 9)):
        case 0:
            del messages[at]
        case 1:
            messages.insert(draw(st.integers(0, len(messages))), copy.deepcopy(messages[at]))
        case 2:
            moved = messages.pop(at)
            messages.insert(draw(st.integers(0, len(messages))), moved)
        case 3:
            blank = draw(st.sampled_from(["", "  \n", [], None, [{"type": "text", "text": " "}]]))
            messages[at]["content"] = blank
        case 4:
            cut = draw(st.integers(0, len(messages)))
            body["messages"] = messages[min(at, cut) : max(at, cut) + 1]
        case 5 if inner:
            del inner[draw(st.integers(0, len(inner) - 1))]
        case 6 if inner:
            which = draw(st.integers(0, len(inner) - 1))
            inner.insert(draw(st.integers(0, len(inner))), copy.deepcopy(inner[which]))
        case 7 if inner:
            inner.append(inner.pop(draw(st.integers(0, len(inner) - 1))))
        case 8:
            _rename(draw, messages[at], inner)
        case _ if calls:
            broken = draw(st.sampled_from(["", "{", "[1]", '"{}"', "nul", None, {"a": 1}]))
            calls[0]["function"]["arguments"] = broken
        case _:
            pass


def _rename(draw: st.DrawFn, message: Body, inner: list[Body] | None) -> None:
    new_id = draw(st.sampled_from(["call_1", "call_2", "a|b:c", "", "x" * 60]))
    if "tool_call_id" in message:
        message["tool_call_id"] = new_id
    for block in inner or ():
        for field in ("id", "tool_use_id"):
            if field in block:
                block[field] = new_id
                return
